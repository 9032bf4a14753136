// Classes that have one person of every stratum, and exchange people of one stratum.
//
// Nothing here knows what the strata stand for: they are numbered in the order in which their
// people appear. So whoever runs this again learns from the classes nothing about which stratum has
// which sensitive values. Of a class, the best exchange of one member for the one of the same
// stratum in a near class is made, as long as both lose less together; worst classes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "records/class_loss.hpp"
#include "records/class_queue.hpp"
#include "records/diversity.hpp"
#include "records/gdf.hpp"
#include "records/nearest_classes.hpp"
#include "records/people.hpp"

namespace sfumato {

class StrataSearch {
  public:
    using Class = ClassLoss::Class;
    using Members = std::vector<Person>;

    StrataSearch(const People& people, std::size_t k, double lambda)
        : items_(Items::of(people, static_cast<std::uint32_t>(k))),
          losses_(people, items_, lambda),
          classes_(people, items_, losses_),
          queue_(classes_) {}

    // Member j of every class is of stratum j, before and after.
    std::vector<Members> run(const std::vector<Members>& classes, std::uint64_t steps,
                             const Tick& tick) {
        classes_.start(classes);
        queue_.clear();
        last_ = classes_.steps() + steps;
        for (bool changed = true; changed && !spent();) {
            queue_.push_all();
            changed = queue_.work_off([&](std::size_t a) {
                if (spent()) return false;
                told(tick, steps);
                return improve(a);
            });
        }
        std::vector<Members> result;
        for (std::size_t a = 0; a < classes_.size(); ++a) result.push_back(classes_[a].members);
        return result;
    }

  private:
    static constexpr std::size_t near = 8;  // classes that a person may be exchanged with

    bool spent() const { return classes_.steps() >= last_; }

    void told(const Tick& tick, std::uint64_t steps) const {
        report(tick,
               1.0 - static_cast<double>(last_ - classes_.steps()) / static_cast<double>(steps));
    }

    bool improve(std::size_t a) {
        const std::vector<Class> without = losses_.without_each(classes_[a]);
        double best = -slack;
        std::size_t at = 0, to = 0;
        for (std::size_t j = 0; j < without.size(); ++j) {
            const Person p = classes_[a].members[j];
            const double gain = classes_.loss(a) - losses_.loss(without[j]);
            for (const Near& other : classes_.nearest(p, a, near)) {
                const double by = exchanged(without[j], gain, other.in, j, p, best);
                if (by >= best) continue;
                best = by;
                at = j;
                to = other.in;
            }
        }
        if (best >= -slack) return false;
        Members mine = classes_[a].members, theirs = classes_[to].members;
        std::swap(mine[at], theirs[at]);
        classes_.put(a, mine);
        classes_.put(to, theirs);
        queue_.push(a);
        queue_.push(to);
        return true;
    }

    // What both classes lose more when p goes to b and b's member of her stratum comes.
    double exchanged(const Class& rest, double gain, std::size_t b, std::size_t stratum, Person p,
                     double limit) {
        const Members& theirs = classes_[b].members;
        const Person q = theirs[stratum];
        classes_.take_steps(theirs.size());
        const double by = -gain + losses_.growth(rest, q, losses_.common(rest, q));
        if (classes_.alike(p, q)) return 0;
        Members with = theirs;
        with[stratum] = p;
        const double after = losses_.loss(losses_.of(with)) - classes_.loss(b);
        return by + after < limit ? by + after : limit;
    }

    Items items_;
    ClassLoss losses_;
    NearestClasses classes_;
    ClassQueue queue_;
    std::uint64_t last_ = 0;
};

}  // namespace sfumato
