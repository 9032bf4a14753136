// Classes that exchange people, and for every person those by which least would be lost.
//
// What is nearest to a person is kept with a horizon: all classes below it are known. A class that
// changes is written down, so that a later look reads what changed since, not all classes. People
// who are alike in everything look once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "records/class_loss.hpp"
#include "records/gdf.hpp"
#include "records/people.hpp"

namespace sfumato {

struct Near {
    double growth;
    std::uint32_t in;
};

class NearestClasses {
  public:
    using Class = ClassLoss::Class;

    NearestClasses(const People& people, const Items& items, const ClassLoss& losses)
        : items_(items), losses_(losses), record_(people.count), sharing_(items.distinct()) {
        std::vector<std::pair<std::uint64_t, Person>> order;
        for (Person p = 0; p < people.count; ++p) order.emplace_back(losses.hash(p), p);
        std::sort(order.begin(), order.end());
        std::uint32_t records = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool same = i > 0 && order[i].first == order[i - 1].first &&
                              losses.alike(order[i].second, order[i - 1].second);
            record_[order[i].second] = same ? record_[order[i - 1].second] : records++;
        }
        known_.resize(records);
    }

    // Other classes in place of all; the steps that were taken are kept.
    void start(const std::vector<std::vector<Person>>& classes) {
        for (const Class& c : classes_)
            for (const Person p : c.members) known_[record_[p]] = {};
        for (std::vector<std::uint32_t>& all : sharing_) all.clear();
        classes_.clear();
        flat_.clear();
        brief_.clear();
        log_.clear();
        changed_.assign(classes.size(), 0);
        common_.assign(classes.size(), 0);
        for (const std::vector<Person>& members : classes) {
            classes_.push_back(losses_.of(members));
            enter(classes_.size() - 1);
        }
    }

    std::size_t size() const { return classes_.size(); }
    const Class& operator[](std::size_t a) const { return classes_[a]; }
    double loss(std::size_t a) const { return losses_.loss(classes_[a]); }
    bool alike(Person a, Person b) const { return record_[a] == record_[b]; }
    std::uint64_t steps() const { return steps_; }
    void take_steps(std::size_t more) { steps_ += more; }

    // A class with nobody in it.
    std::size_t add() {
        classes_.emplace_back();
        changed_.push_back(0);
        common_.push_back(0);
        enter(classes_.size() - 1);
        return classes_.size() - 1;
    }

    void put(std::size_t a, const std::vector<Person>& members) {
        leave(a);
        classes_[a] = members.empty() ? Class{} : losses_.of(members);
        enter(a);
        changed_[a] = log_.size();
        log_.push_back(static_cast<std::uint32_t>(a));
    }

    // The classes, but one, by which a person's coming loses least, best first.
    std::vector<Near> nearest(Person p, std::size_t but, std::size_t most) {
        Known& known = known_[record_[p]];
        count_common(p, 1);
        if (known.horizon < 0 || log_.size() - known.until > classes_.size())
            look_at_all(known, p, most + more);
        else if (!look_at_changed(known, p, most))
            look_at_all(known, p, most + more);
        count_common(p, -1);
        known.until = log_.size();
        std::vector<Near> result;
        for (const Near& near : known.near)
            if (near.in != but && result.size() < most) result.push_back(near);
        return result;
    }

  private:
    // What is read first of a class, side by side for all.
    struct Brief {
        double each, size;
    };

    // All classes that cost less than the horizon, as they were at a place in the log.
    struct Known {
        std::vector<Near> near;
        double horizon = -1;
        std::size_t until = 0;
    };

    static constexpr std::size_t more = 6;  // kept beyond what is asked for

    void look(Known& known, std::size_t b, Person p, std::size_t most) {
        const double growth =
            losses_.growth(classes_[b], flat_.data() + b * losses_.columns(), brief_[b].each,
                           brief_[b].size, p, static_cast<std::size_t>(common_[b]), known.horizon);
        if (growth >= known.horizon) return;
        auto at = known.near.end();
        while (at != known.near.begin() && (at - 1)->growth > growth) --at;
        known.near.insert(at, {growth, static_cast<std::uint32_t>(b)});
        if (known.near.size() <= most) return;
        known.horizon = known.near.back().growth;
        known.near.pop_back();
    }

    void look_at_all(Known& known, Person p, std::size_t most) {
        known.near.clear();
        known.horizon = std::numeric_limits<double>::infinity();
        for (std::size_t b = 0; b < classes_.size(); ++b)
            if (brief_[b].size > 0) look(known, b, p, most);
        steps_ += classes_.size();
    }

    // False when so many got worse that others may be nearer now.
    bool look_at_changed(Known& known, Person p, std::size_t most) {
        std::erase_if(known.near,
                      [&](const Near& near) { return changed_at_or_after(near.in, known.until); });
        steps_ += log_.size() - known.until + 1;
        for (std::size_t i = known.until; i < log_.size(); ++i)
            if (changed_[log_[i]] == i && brief_[log_[i]].size > 0)
                look(known, log_[i], p, most + more);
        return known.near.size() > most || known.horizon == std::numeric_limits<double>::infinity();
    }

    bool changed_at_or_after(std::size_t b, std::size_t place) const {
        return changed_[b] >= place && !log_.empty() && log_[changed_[b]] == b;
    }

    void count_common(Person p, int by) {
        for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v)
            for (const std::uint32_t b : sharing_[*v]) common_[b] += by;
    }

    void enter(std::size_t a) {
        const Class& c = classes_[a];
        brief_.resize(classes_.size());
        brief_[a] = {c.relational, c.size};
        flat_.resize(classes_.size() * losses_.columns());
        std::copy(c.extents.begin(), c.extents.end(),
                  flat_.begin() + static_cast<std::ptrdiff_t>(a * losses_.columns()));
        for (const std::int32_t item : c.shared)
            sharing_[item].push_back(static_cast<std::uint32_t>(a));
    }

    void leave(std::size_t a) {
        for (const std::int32_t item : classes_[a].shared) {
            std::vector<std::uint32_t>& all = sharing_[item];
            const auto at = std::find(all.begin(), all.end(), static_cast<std::uint32_t>(a));
            *at = all.back();
            all.pop_back();
        }
    }

    const Items& items_;
    const ClassLoss& losses_;
    std::uint64_t steps_ = 0;
    std::vector<std::uint32_t> record_;  // person -> which of the different people
    std::vector<Known> known_;
    std::vector<Class> classes_;
    std::vector<Brief> brief_;
    std::vector<Extent> flat_;                         // class x column
    std::vector<std::vector<std::uint32_t>> sharing_;  // item -> classes that share it
    std::vector<std::int32_t> common_;
    std::vector<std::uint32_t> log_;    // classes in the order of their changes
    std::vector<std::size_t> changed_;  // class -> place of its last change
};

}  // namespace sfumato
