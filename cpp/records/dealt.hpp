// Classes formed with the sensitive values in mind.
//
// People stand in strata, in each of which sensitive values are alike or next to each other.
// Classes that were begun take one person of every stratum, whoever costs least and is still there,
// so that each has its share of every value. A class that still misses the demands joins the near
// class with which it holds, or with which least is missing, at the least cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "records/class_loss.hpp"
#include "records/diversity.hpp"
#include "records/gdf.hpp"
#include "records/people.hpp"

namespace sfumato {

class Dealt {
  public:
    using Class = ClassLoss::Class;
    using Members = std::vector<Person>;

    Dealt(const People& people, Demands& demands, double lambda)
        : demands_(demands),
          items_(Items::of(people, static_cast<std::uint32_t>(demands.k()))),
          losses_(people, items_, lambda) {}

    void begin(const std::vector<Members>& classes) {
        for (const Members& members : classes) classes_.push_back(losses_.of(members));
    }

    // Every class takes one of these people, then every class another one, until all are dealt.
    // People for whom no class was begun begin classes themselves.
    void deal(const Members& stratum, std::size_t classes) {
        std::vector<bool> taken(classes_.size(), false);
        std::size_t left = classes_.size();
        for (const Person p : stratum) {
            if (classes_.size() < classes) {
                classes_.push_back(losses_.begin(p));
                taken.push_back(true);
                continue;
            }
            if (left == 0) {
                taken.assign(classes_.size(), false);
                left = classes_.size();
            }
            std::size_t best = 0;
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t c = 0; c < classes_.size(); ++c) {
                if (taken[c]) continue;
                const double growth =
                    losses_.growth(classes_[c], p, losses_.common(classes_[c], p), least);
                if (growth < least) {
                    least = growth;
                    best = c;
                }
            }
            losses_.add(classes_[best], p);
            taken[best] = true;
            --left;
        }
    }

    std::vector<Members> as_dealt() const {
        std::vector<Members> result;
        for (const Class& c : classes_) result.push_back(c.members);
        return result;
    }

    // Joins classes until all are as demanded; everybody together is.
    std::vector<Members> mended(const Tick& tick) {
        std::vector<std::size_t> waiting;
        for (std::size_t c = 0; c < classes_.size(); ++c)
            if (missing(classes_[c].members) > 0) waiting.push_back(c);
        const std::size_t all = waiting.size();
        std::size_t alive = classes_.size();
        while (!waiting.empty() && alive > 1) {
            report(tick, 1.0 - static_cast<double>(waiting.size()) / static_cast<double>(all));
            const std::size_t a = waiting.back();
            waiting.pop_back();
            if (classes_[a].members.empty() || missing(classes_[a].members) == 0) continue;
            const std::size_t b = partner(a);
            for (const Person p : classes_[a].members) losses_.add(classes_[b], p);
            classes_[a] = {};
            --alive;
            if (missing(classes_[b].members) > 0) waiting.push_back(b);
        }
        std::vector<Members> result;
        for (Class& c : classes_)
            if (!c.members.empty()) result.push_back(std::move(c.members));
        return result;
    }

  private:
    static constexpr std::size_t near = 24;  // classes that may be joined

    double missing(const Members& members) {
        return demands_.missing(members.data(), members.size());
    }

    std::size_t partner(std::size_t a) {
        std::vector<std::pair<double, std::size_t>> nearest;
        for (std::size_t b = 0; b < classes_.size(); ++b) {
            if (b == a || classes_[b].members.empty()) continue;
            const double limit = nearest.size() < near ? std::numeric_limits<double>::infinity()
                                                       : nearest.back().first;
            const Person p = classes_[a].members[0];
            const double growth =
                losses_.growth(classes_[b], p, losses_.common(classes_[b], p), limit);
            if (growth >= limit) continue;
            nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), std::pair{growth, b}),
                           {growth, b});
            if (nearest.size() > near) nearest.pop_back();
        }
        std::size_t best = nearest[0].second;
        std::pair<double, double> least{std::numeric_limits<double>::infinity(), 0.0};
        for (const auto& [_, b] : nearest) {
            Class both = classes_[b];
            for (const Person p : classes_[a].members) losses_.add(both, p);
            const std::pair<double, double> costs{missing(both.members),
                                                  losses_.loss(both) - losses_.loss(classes_[b])};
            if (costs < least) {
                least = costs;
                best = b;
            }
        }
        return best;
    }

    Demands& demands_;
    Items items_;
    ClassLoss losses_;
    std::vector<Class> classes_;
};

}  // namespace sfumato
