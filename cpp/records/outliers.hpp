// People suppressed as outliers: those without whom the rest of their class loses least.
//
// Step by step the person goes whose class gains most by it, as long as somebody may go, the class
// keeps to the demands, and something is gained.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "records/class_loss.hpp"
#include "records/diversity.hpp"
#include "records/people.hpp"

namespace sfumato {

class Outliers {
  public:
    Outliers(const People& people, Demands& demands, double lambda)
        : demands_(demands),
          items_(Items::of(people, static_cast<std::uint32_t>(demands.k()))),
          losses_(people, items_, lambda) {}

    // Marks up to `most` people of the classes with -1.
    std::size_t run(std::int32_t* classes, std::size_t people, std::size_t most, const Tick& tick) {
        std::vector<std::vector<Person>> members;
        for (Person p = 0; p < people; ++p) {
            const auto c = static_cast<std::size_t>(classes[p]);
            if (c >= members.size()) members.resize(c + 1);
            members[c].push_back(p);
        }
        std::priority_queue<Offer> offers;
        for (std::size_t c = 0; c < members.size(); ++c) offer(members[c], c, offers);
        std::size_t gone = 0;
        while (gone < most && !offers.empty()) {
            report(tick, static_cast<double>(gone) / static_cast<double>(most));
            const Offer best = offers.top();
            offers.pop();
            std::vector<Person>& of_class = members[best.in];
            classes[of_class[best.at]] = -1;
            of_class.erase(of_class.begin() + static_cast<std::ptrdiff_t>(best.at));
            ++gone;
            offer(of_class, best.in, offers);
        }
        return gone;
    }

  private:
    struct Offer {
        std::int64_t gain;  // in units of the slack: rounding must not decide
        std::size_t in, at;
        bool operator<(const Offer& other) const {
            return gain != other.gain ? gain < other.gain : in > other.in;
        }
    };

    // Trying every member is quadratic; a class this large has no single outlier worth it.
    static constexpr std::size_t most_members = 256;

    void offer(const std::vector<Person>& members, std::size_t c, std::priority_queue<Offer>& to) {
        if (members.size() <= demands_.k() || members.size() > most_members) return;
        const ClassLoss::Class whole = without(members, members.size());
        Offer best{0, c, members.size()};
        for (std::size_t at = 0; at < members.size(); ++at) {
            const double others = losses_.loss(whole) - losses_.of(whole, members[at]);
            const auto gain = std::llround((others - losses_.loss(without(members, at))) / slack);
            if (gain > best.gain && stays(members, at)) best = {gain, c, at};
        }
        if (best.at < members.size()) to.push(best);
    }

    ClassLoss::Class without(const std::vector<Person>& members, std::size_t one) const {
        ClassLoss::Class c;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (i == one) continue;
            if (c.members.empty())
                c = losses_.begin(members[i]);
            else
                losses_.add(c, members[i]);
        }
        return c;
    }

    bool stays(const std::vector<Person>& members, std::size_t one) {
        rest_ = members;
        rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(one));
        return demands_.hold(rest_.data(), rest_.size());
    }

    Demands& demands_;
    Items items_;
    ClassLoss losses_;
    std::vector<Person> rest_;
};

}  // namespace sfumato
