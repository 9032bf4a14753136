// Local search: classes that exchange people as long as all lose less by it.
//
// A class is improved by the best of: one member moves to another class, one is swapped for one of
// another class; if none gains, the class is dissolved (each member goes where least is lost),
// split, or formed anew together with a neighbour. Every class stays as demanded, and the loss
// never rises. The worst classes come first; a class that changed is tried again. Where nothing
// gains any more, a thorough search forms a class anew with its neighbours from another beginning,
// improves what is around it, and takes all back if it did not help. Work is counted in steps (a
// class looked at for a person), so that a budget gives the same classes whatever the machine's
// speed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "records/class_loss.hpp"
#include "records/class_queue.hpp"
#include "records/classes_anew.hpp"
#include "records/diversity.hpp"
#include "records/gdf.hpp"
#include "records/nearest_classes.hpp"
#include "records/people.hpp"

namespace sfumato {

struct Effort {
    std::uint64_t steps;  // classes looked at for a person, at most
    bool thorough;        // whether a local optimum is left again
};

class LocalSearch {
  public:
    using Class = ClassLoss::Class;
    using Members = std::vector<Person>;

    LocalSearch(const People& people, Demands& demands, double lambda)
        : demands_(demands),
          items_(Items::of(people, static_cast<std::uint32_t>(demands.k()))),
          losses_(people, items_, lambda),
          classes_(people, items_, losses_),
          queue_(classes_),
          anew_(demands, losses_, classes_) {}

    // The classes in place of which these lose least; each holds, and stays so.
    std::vector<Members> run(const std::vector<Members>& classes, const Effort& effort,
                             const Tick& tick) {
        classes_.start(classes);
        queue_.clear();
        effort_ = effort;
        begun_ = classes_.steps();
        until_nothing_gains(tick);
        if (effort.thorough) shake(tick);
        return sorted();
    }

    std::uint64_t steps() const { return classes_.steps(); }

  private:
    // Members of one class without each in turn, and what the class gains by it.
    struct Rests {
        std::size_t of;
        std::vector<Class> without;
        std::vector<double> gain;
    };

    struct Change {
        double by = -slack;  // what the loss changes by
        std::size_t at = 0, to = 0, other = 0;
        bool swap = false, any = false;
    };

    static constexpr std::size_t near = 3;            // classes that a person may be exchanged with
    static constexpr std::size_t most_members = 256;  // of a class of which every one is tried
    static constexpr std::size_t patience = 100;      // how often a class is shaken in vain
    static constexpr Person nobody = std::numeric_limits<Person>::max();

    bool too_large(std::size_t a) const {
        return classes_[a].members.size() > most_members + 2 * demands_.k();
    }

    bool spent() const { return classes_.steps() - begun_ >= effort_.steps; }

    void told(const Tick& tick) const {
        report(tick, std::min(1.0, static_cast<double>(classes_.steps() - begun_) /
                                       static_cast<double>(effort_.steps)));
    }

    void until_nothing_gains(const Tick& tick) {
        for (bool changed = true; changed && !spent();) {
            queue_.push_all();
            changed = work_off(tick);
        }
    }

    bool work_off(const Tick& tick) {
        return queue_.work_off([&](std::size_t a) {
            if (spent()) return false;
            told(tick);
            return improve(a);
        });
    }

    bool improve(std::size_t a) {
        if (classes_[a].size == 0 || too_large(a)) return false;
        rests_.clear();
        look_around(a);
        const Change best = best_exchange(a);
        if (best.any) {
            exchange(a, best);
            return true;
        }
        return dissolve(a) || split(a) || regroup(a);
    }

    void look_around(std::size_t a) {
        const Members& members = classes_[a].members;
        near_of_.assign(members.size(), {});
        first_alike_.assign(members.size(), 0);
        for (std::size_t i = 0; i < members.size(); ++i) {
            std::size_t& like = first_alike_[i];
            while (like < i && !classes_.alike(members[like], members[i])) ++like;
            near_of_[i] = like < i ? near_of_[like] : classes_.nearest(members[i], a, near);
        }
    }

    const Rests& rests(std::size_t a) {
        for (const Rests& one : rests_)
            if (one.of == a) return one;
        Rests made{a, losses_.without_each(classes_[a]), {}};
        for (const Class& c : made.without)
            made.gain.push_back(classes_.loss(a) - (c.size > 0 ? losses_.loss(c) : 0.0));
        rests_.push_back(std::move(made));
        return rests_.back();
    }

    double growth(const Class& c, Person p,
                  double limit = std::numeric_limits<double>::infinity()) const {
        return losses_.growth(c, p, losses_.common(c, p), limit);
    }

    Change best_exchange(std::size_t a) {
        Change best;
        const Members& members = classes_[a].members;
        const Rests& own = rests(a);
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (first_alike_[i] < i && demands_.only_size()) continue;
            for (const Near& to : near_of_[i]) {
                const double moved = to.growth - own.gain[i];
                if (moved < best.by && members.size() > demands_.k() && holds(a, i, nobody) &&
                    holds_with(to.in, members[i]))
                    best = {moved, i, to.in, 0, false, true};
                best_swap(a, i, to.in, own, best);
            }
        }
        return best;
    }

    // One member of a class for one of another.
    void best_swap(std::size_t a, std::size_t i, std::size_t b, const Rests& own, Change& best) {
        if (too_large(b)) return;
        const Rests& theirs = rests(b);
        const Person p = classes_[a].members[i];
        classes_.take_steps(theirs.gain.size());
        for (std::size_t j = 0; j < theirs.gain.size(); ++j) {
            if (theirs.without[j].size == 0 || own.without[i].size == 0) continue;
            const Person q = classes_[b].members[j];
            double by = -own.gain[i] - theirs.gain[j];
            if (by >= best.by) continue;
            by += growth(own.without[i], q, best.by - by);
            if (by >= best.by) continue;
            by += growth(theirs.without[j], p, best.by - by);
            if (by < best.by && holds(a, i, q) && holds(b, j, p)) best = {by, i, b, j, true, true};
        }
    }

    // Whether a class without one member, and with somebody else if given, is as demanded.
    bool holds(std::size_t a, std::size_t but, Person with) {
        if (demands_.only_size())
            return classes_[a].members.size() >= demands_.k() + (with == nobody);
        trial_ = classes_[a].members;
        if (with == nobody)
            trial_.erase(trial_.begin() + static_cast<std::ptrdiff_t>(but));
        else
            trial_[but] = with;
        return demands_.hold(trial_.data(), trial_.size());
    }

    bool holds_with(std::size_t b, Person p) {
        if (demands_.only_size()) return true;
        trial_ = classes_[b].members;
        trial_.push_back(p);
        return demands_.hold(trial_.data(), trial_.size());
    }

    void exchange(std::size_t a, const Change& change) {
        Members from = classes_[a].members, to = classes_[change.to].members;
        const Person p = from[change.at];
        if (change.swap) {
            from[change.at] = to[change.other];
            to[change.other] = p;
        } else {
            from.erase(from.begin() + static_cast<std::ptrdiff_t>(change.at));
            to.push_back(p);
        }
        put(a, from);
        put(change.to, to);
    }

    // Every member goes where least is lost, one after the other.
    bool dissolve(std::size_t a) {
        const double before = classes_.loss(a);
        double after = 0;
        std::vector<std::pair<std::size_t, Class>> grown;
        for (std::size_t i = 0; i < classes_[a].members.size(); ++i) {
            const Person p = classes_[a].members[i];
            double least = std::numeric_limits<double>::infinity();
            std::size_t to = 0;
            for (const Near& near : near_of_[i]) {
                const auto known = find(grown, near.in);
                const double by =
                    known == grown.end() ? near.growth : growth(known->second, p, least);
                if (by >= least) continue;
                least = by;
                to = near.in;
            }
            after += least;
            if (after >= before - slack) return false;
            auto known = find(grown, to);
            if (known == grown.end()) known = grown.insert(known, {to, classes_[to]});
            losses_.add(known->second, p);
        }
        for (const auto& [_, c] : grown)
            if (!demands_.hold(c.members.data(), c.members.size())) return false;
        put(a, {});
        for (const auto& [b, c] : grown) put(b, c.members);
        return true;
    }

    static std::vector<std::pair<std::size_t, Class>>::iterator find(
        std::vector<std::pair<std::size_t, Class>>& in, std::size_t a) {
        return std::find_if(in.begin(), in.end(), [&](const auto& one) { return one.first == a; });
    }

    bool split(std::size_t a) {
        return classes_[a].members.size() >= 2 * demands_.k() && form_anew({a});
    }

    // The class and one of those nearest to its members, formed anew.
    bool regroup(std::size_t a) {
        const std::vector<std::size_t> around = neighbours(2);
        return std::any_of(around.begin(), around.end(),
                           [&](std::size_t b) { return form_anew({a, b}); });
    }

    // The first few classes near to each member, once each.
    std::vector<std::size_t> neighbours(std::size_t most) const {
        std::vector<std::size_t> result;
        for (const std::vector<Near>& near : near_of_)
            for (std::size_t i = 0; i < near.size() && i < most; ++i)
                if (std::find(result.begin(), result.end(), near[i].in) == result.end())
                    result.push_back(near[i].in);
        return result;
    }

    // The people of some classes in new ones, if less is lost by it.
    bool form_anew(const std::vector<std::size_t>& which) {
        const Members pool = united(which);
        double limit = -slack;
        for (const std::size_t a : which) limit += classes_.loss(a);
        const std::vector<Members> best = anew_.best(pool, limit);
        if (best.empty()) return false;
        replace(which, best);
        return true;
    }

    Members united(const std::vector<std::size_t>& which) const {
        Members pool;
        for (const std::size_t a : which)
            pool.insert(pool.end(), classes_[a].members.begin(), classes_[a].members.end());
        return pool;
    }

    void replace(const std::vector<std::size_t>& which, const std::vector<Members>& by) {
        for (std::size_t i = 0; i < std::max(which.size(), by.size()); ++i)
            put(i < which.size() ? which[i] : classes_.add(), i < by.size() ? by[i] : Members{});
    }

    // Leaves local optima: a class with its neighbours is formed anew from another beginning.
    void shake(const Tick& tick) {
        std::uint64_t chance = 0x9e3779b97f4a7c15u;
        std::vector<std::size_t> lossy;
        for (std::size_t a = 0; a < classes_.size(); ++a)
            if (classes_[a].size > 0 && classes_.loss(a) > slack) lossy.push_back(a);
        for (std::size_t vain = 0; !spent() && vain < patience * lossy.size(); ++vain) {
            told(tick);
            const std::size_t a = lossy[drawn(chance) % lossy.size()];
            if (classes_[a].size == 0 || classes_.loss(a) <= slack) {
                classes_.take_steps(1);
                continue;
            }
            before_.clear();
            journal_ = true;
            change_ = 0;
            look_around(a);
            std::vector<std::size_t> which{a};
            const std::vector<std::size_t> around = neighbours(2);
            for (std::size_t i = 0; i < around.size() && which.size() < 2 + drawn(chance) % 3; ++i)
                which.push_back(around[drawn(chance) % around.size()]);
            std::sort(which.begin(), which.end());
            which.erase(std::unique(which.begin(), which.end()), which.end());
            const Members pool = united(which);
            double after = 0;
            const std::vector<Members> formed = anew_.from(
                pool, drawn(chance) % pool.size(), std::numeric_limits<double>::infinity(), after);
            if (pool.size() <= 16 * demands_.k() + 64 && anew_.as_demanded(formed)) {
                replace(which, formed);
                work_off({});
            }
            journal_ = false;
            if (change_ < -slack) {
                vain = 0;
                for (const auto& [b, _] : before_) lossy.push_back(b);
            } else {
                for (const auto& [b, members] : before_) put(b, members);
            }
            queue_.clear();
        }
    }

    static std::uint64_t drawn(std::uint64_t& chance) {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        return chance >> 11;
    }

    void put(std::size_t a, const Members& members) {
        if (journal_) before_.try_emplace(a, classes_[a].members);
        change_ -= classes_.loss(a);
        classes_.put(a, members);
        change_ += classes_.loss(a);
        queue_.push(a);
    }

    std::vector<Members> sorted() const {
        std::vector<Members> result;
        for (std::size_t a = 0; a < classes_.size(); ++a) {
            if (classes_[a].size == 0) continue;
            result.push_back(classes_[a].members);
            std::sort(result.back().begin(), result.back().end());
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    Demands& demands_;
    Items items_;
    ClassLoss losses_;
    NearestClasses classes_;
    Effort effort_{};
    std::uint64_t begun_ = 0;
    ClassQueue queue_;
    ClassesAnew anew_;
    std::vector<std::vector<Near>> near_of_;  // of the members of the class that is improved
    std::vector<std::size_t> first_alike_;    // the first member who is like each
    std::deque<Rests> rests_;
    Members trial_;
    bool journal_ = false;
    double change_ = 0;
    std::map<std::size_t, Members> before_;  // classes before they were shaken
};

}  // namespace sfumato
