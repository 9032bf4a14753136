// A lower bound on what every person loses, whatever the classes.
//
// A class with k people or more has k - 1 others beside a person, and she loses at least what she
// would lose in a pair with any of them; so she loses at least what the (k - 1)-th nearest person
// costs her. Terms that fewer than k people have no class can share. In a given partition nobody
// loses less than her bound, so what she loses there is where the search for it begins. People are
// sorted by their columns: those who share values that cost too much are passed over together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/tick.hpp"
#include "records/class_loss.hpp"
#include "records/gdf.hpp"
#include "records/people.hpp"

namespace sfumato {

class LeastLoss {
  public:
    LeastLoss(const People& people, std::size_t k, double lambda)
        : people_(people),
          k_(k),
          items_(Items::of(people, static_cast<std::uint32_t>(k))),
          losses_(people, items_, lambda),
          common_(people.count, 0) {}

    // One bound a person. Pairs are looked at up to a budget; who was not reached is bounded by 0.
    std::vector<double> run(const std::vector<std::vector<Person>>& classes, std::uint64_t pairs,
                            const Tick& tick) {
        find_different();
        std::vector<double> result(people_.count, 0.0);
        std::uint64_t looked = 0;
        for (const std::vector<Person>& members : classes) {
            if (looked >= pairs) break;
            report(tick, static_cast<double>(looked) / static_cast<double>(pairs));
            const ClassLoss::Class c = losses_.of(members);
            for (const Person p : members) {
                if (first_[p] != p || looked >= pairs) continue;
                result[p] = bound(p, losses_.of(c, p), looked);
            }
        }
        for (Person p = 0; p < people_.count; ++p) result[p] = result[first_[p]];
        return result;
    }

  private:
    // People who are alike count as one, so many times.
    void find_different() {
        std::vector<std::pair<std::uint64_t, Person>> order;
        for (Person p = 0; p < people_.count; ++p) order.emplace_back(losses_.hash(p), p);
        std::sort(order.begin(), order.end());
        first_.resize(people_.count);
        times_.assign(people_.count, 0);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Person p = order[i].second;
            const bool same = i > 0 && order[i].first == order[i - 1].first &&
                              losses_.alike(p, order[i - 1].second);
            first_[p] = same ? first_[order[i - 1].second] : p;
            if (!same) different_.push_back(p);
            ++times_[first_[p]];
        }
        std::stable_sort(different_.begin(), different_.end(),
                         [&](Person a, Person b) { return losses_.before(a, b); });
        sort_out();
        holders_.resize(items_.distinct());
        for (const Person p : different_)
            for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v)
                holders_[*v].push_back(p);
    }

    // Where, from each person on, the first one stands who differs in the first columns.
    void sort_out() {
        const std::size_t columns = losses_.columns();
        next_.assign(different_.size() * columns, static_cast<std::uint32_t>(different_.size()));
        differs_.assign(different_.size(), 0);
        for (std::size_t i = different_.size(); i-- > 0;) {
            if (i > 0) differs_[i] = losses_.first_difference(different_[i - 1], different_[i]);
            if (i + 1 == different_.size()) continue;
            for (std::size_t c = 0; c < columns; ++c)
                next_[i * columns + c] = differs_[i + 1] <= c ? static_cast<std::uint32_t>(i + 1)
                                                              : next_[(i + 1) * columns + c];
        }
    }

    // What the (k - 1)-th nearest person costs, at most `most`.
    double bound(Person p, double most, std::uint64_t& looked) {
        std::size_t largest = 0;
        for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v)
            for (const Person q : holders_[*v]) ++common_[q];
        for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v)
            for (const Person q : holders_[*v]) largest = std::max(largest, common_[q]);
        const std::size_t columns = losses_.columns();
        nearest_.assign(std::max<std::size_t>(k_, 2) - 1, most);  // ascending
        cost_.assign(columns + 1, losses_.in_terms(p, largest));
        for (std::size_t i = 0, c = 0; i < different_.size(); ++looked) {
            const Person q = different_[i];
            if (losses_.in_terms(p, common_[q]) >= nearest_.back()) {  // by terms alone too far
                ++i;
                if (i < different_.size()) c = std::min(c, differs_[i]);
                continue;
            }
            for (; c < columns; ++c) {
                cost_[c + 1] = cost_[c] + losses_.in_column(c, p, q);
                if (cost_[c + 1] >= nearest_.back()) break;
            }
            if (c == columns && cost_[c] < nearest_.back()) meet(p, q);
            i = c < columns ? next_[i * columns + c] : i + 1;
            c = i < different_.size() ? differs_[i] : 0;
        }
        for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v)
            for (const Person q : holders_[*v]) --common_[q];
        return nearest_.back();
    }

    // A person of k = 1 is her own nearest.
    void meet(Person p, Person q) {
        double lost = losses_.in_terms(p, common_[q]) + losses_.in_lists(p, q);
        for (std::size_t c = 0; c < losses_.columns(); ++c) lost += losses_.in_column(c, p, q);
        const std::size_t times = k_ > 1 ? times_[q] - (p == q) : p == q;
        for (std::size_t j = 0; j < times && lost < nearest_.back(); ++j) {
            nearest_.pop_back();
            nearest_.insert(std::upper_bound(nearest_.begin(), nearest_.end(), lost), lost);
        }
    }

    const People& people_;
    std::size_t k_;
    Items items_;
    ClassLoss losses_;
    std::vector<Person> first_, different_;
    std::vector<std::size_t> times_;
    std::vector<std::vector<Person>> holders_;
    std::vector<std::size_t> common_;
    std::vector<std::uint32_t> next_;   // person x column
    std::vector<std::size_t> differs_;  // the first column that differs from the person before
    std::vector<double> nearest_, cost_;
};

}  // namespace sfumato
