// People of a few classes in new ones: begun by one of them, each class takes whoever loses it
// least until it has k, and the next is begun by the person farthest from it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "records/class_loss.hpp"
#include "records/diversity.hpp"
#include "records/nearest_classes.hpp"
#include "records/people.hpp"

namespace sfumato {

class ClassesAnew {
  public:
    using Class = ClassLoss::Class;
    using Members = std::vector<Person>;

    // Steps are counted where the classes count theirs.
    ClassesAnew(Demands& demands, const ClassLoss& losses, NearestClasses& steps)
        : demands_(demands), losses_(losses), steps_(steps) {}

    // The best from every beginning, if less than the limit is lost by it; otherwise none.
    std::vector<Members> best(const Members& pool, double limit) {
        std::vector<Members> found;
        if (pool.size() > 8 * demands_.k() + 16) return found;
        for (std::size_t seed = 0; seed < pool.size(); ++seed) {
            double after = 0;
            std::vector<Members> formed = from(pool, seed, limit, after);
            if (after >= limit || !as_demanded(formed)) continue;
            limit = after;
            found = std::move(formed);
        }
        return found;
    }

    // Classes of k, begun by one person; the last has the rest. `after` is what they lose, and
    // none are made that lose as much as the limit.
    std::vector<Members> from(Members left, std::size_t seed, double limit, double& after) {
        std::vector<Members> result;
        const std::size_t k = demands_.k();
        while (!left.empty()) {
            Class c = losses_.begin(left[seed]);
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(seed));
            while (!left.empty() && (c.members.size() < k || left.size() < k))
                losses_.add(c, taken(left, c));
            after += losses_.loss(c);
            if (after >= limit) return {};
            seed = farthest(left, c);
            result.push_back(std::move(c.members));
        }
        return result;
    }

    bool as_demanded(const std::vector<Members>& classes) {
        return std::all_of(classes.begin(), classes.end(), [&](const Members& one) {
            return demands_.hold(one.data(), one.size());
        });
    }

  private:
    double growth(const Class& c, Person p,
                  double limit = std::numeric_limits<double>::infinity()) const {
        return losses_.growth(c, p, losses_.common(c, p), limit);
    }

    std::size_t farthest(const Members& left, const Class& c) const {
        std::size_t found = 0;
        double most = -1;
        for (std::size_t i = 0; i < left.size(); ++i) {
            const double by = growth(c, left[i]);
            if (by <= most) continue;
            most = by;
            found = i;
        }
        return found;
    }

    // The person by whom the class loses least.
    Person taken(Members& left, const Class& c) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        steps_.take_steps(left.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
            const double by = growth(c, left[i], least);
            if (by >= least) continue;
            least = by;
            best = i;
        }
        const Person p = left[best];
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
        return p;
    }

    Demands& demands_;
    const ClassLoss& losses_;
    NearestClasses& steps_;
};

}  // namespace sfumato
