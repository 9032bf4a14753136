// Greedy k-member clustering (Byun et al. 2007) on relational loss plus loss of terms.
//
// People who are alike in everything are classes of their own, if they are k. Of the others a class
// starts with the person nearest to the class before it and takes, until it has k, the
// person with whom its loss grows least; fewer than k people left join the classes that lose least
// by it. How many terms a person shares with a class comes from an inverted index. A class that
// misses the demands on sensitive columns is merged into the class that loses least.
// Where all columns have hierarchies, people who differ in one column below one node are classes
// too, and a class keeps those who fit it and are too few for another.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "records/class_loss.hpp"
#include "records/diversity.hpp"
#include "records/gdf.hpp"
#include "records/people.hpp"

namespace sfumato {

class Clusters {
  public:
    using Class = ClassLoss::Class;

    Clusters(const People& people, Demands& demands, double lambda)
        : people_(people),
          demands_(demands),
          items_(Items::of(people, static_cast<std::uint32_t>(demands.k()))),
          losses_(people, items_, lambda),
          common_(people.count, 0),
          last_growth_(people.count, 0) {}

    // Makes classes of people without any difference; gives back those who are not k, ascending.
    std::vector<Person> alike() {
        std::vector<Person> order(people_.count), rest;
        std::iota(order.begin(), order.end(), Person{0});
        std::sort(order.begin(), order.end(), [&](Person a, Person b) {
            const int order_of_values = compared(a, b);
            return order_of_values ? order_of_values < 0 : a < b;
        });
        std::vector<std::vector<Person>> groups;
        for (std::size_t i = 0, j; i < order.size(); i = j) {
            for (j = i + 1; j < order.size() && !compared(order[i], order[j]);) ++j;
            if (j - i >= demands_.k())
                groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(i),
                                    order.begin() + static_cast<std::ptrdiff_t>(j));
            else
                rest.insert(rest.end(), order.begin() + static_cast<std::ptrdiff_t>(i),
                            order.begin() + static_cast<std::ptrdiff_t>(j));
        }
        std::sort(groups.begin(), groups.end());
        for (const std::vector<Person>& group : groups) {
            classes_.push_back(losses_.begin(group[0]));
            for (std::size_t i = 1; i < group.size(); ++i) losses_.add(classes_.back(), group[i]);
        }
        std::sort(rest.begin(), rest.end());
        return rest;
    }

    // Makes classes of people who differ in one column only, and there stand below one node: cheap
    // nodes first, so that what is dense keeps together before others take from it. Only where all
    // columns have hierarchies: a range may cost less than any node.
    std::vector<Person> nearly_alike(std::vector<Person> rest) {
        const std::vector<Step> cheap_first = steps(rest);
        by_nodes_ = !cheap_first.empty();
        for (const Step& step : cheap_first) {
            const auto key = [&](Person p) {
                return node(people_.columns[step.column], p, step.level);
            };
            std::sort(rest.begin(), rest.end(), [&](Person a, Person b) {
                const int others = compared(a, b, step.column);
                if (others) return others < 0;
                const std::int32_t x = key(a), y = key(b);
                return x != y ? x < y : a < b;
            });
            std::vector<Person> next;
            for (std::size_t i = 0, j; i < rest.size(); i = j) {
                for (j = i + 1; j < rest.size() && !compared(rest[i], rest[j], step.column) &&
                                key(rest[i]) == key(rest[j]);)
                    ++j;
                if (j - i < demands_.k()) {
                    next.insert(next.end(), rest.begin() + static_cast<std::ptrdiff_t>(i),
                                rest.begin() + static_cast<std::ptrdiff_t>(j));
                    continue;
                }
                classes_.push_back(losses_.begin(rest[i]));
                for (++i; i < j; ++i) losses_.add(classes_.back(), rest[i]);
            }
            rest = std::move(next);
        }
        std::sort(rest.begin(), rest.end());
        return rest;
    }

    // Classes of the people of one block, who are given in ascending order.
    void run(std::vector<Person> block, const Tick& tick) {
        left_ = std::move(block);
        const std::size_t first = classes_.size(), whole = left_.size();
        index();
        while (left_.size() >= demands_.k() && !left_.empty()) {
            report(tick, 1.0 - static_cast<double>(left_.size()) / static_cast<double>(whole));
            grow(take_seed(first));
            if (left_.size() * 2 < indexed_) index();
        }
        for (const Person p : left_)
            losses_.add(classes_[nearest(p, first < classes_.size() ? first : 0)], p);
        left_.clear();
    }

    // Dissolves the classes that lose most, up to so many people, and forms them anew among all of
    // these: what is rare in its block finds its like in others. If that gains nothing, they stay.
    void again(std::size_t most, const Tick& tick) {
        std::vector<std::pair<std::int64_t, std::size_t>> order;  // in units of the slack
        for (std::size_t i = 0; i < classes_.size(); ++i) {
            const double each =
                losses_.loss(classes_[i]) / static_cast<double>(classes_[i].members.size());
            order.emplace_back(-std::llround(each / slack), i);
        }
        std::sort(order.begin(), order.end());
        std::vector<Person> pool;
        std::vector<bool> gone(classes_.size(), false);
        for (const auto& [negative, i] : order) {
            if (negative >= 0 || pool.size() + classes_[i].members.size() > most) break;
            gone[i] = true;
            pool.insert(pool.end(), classes_[i].members.begin(), classes_[i].members.end());
        }
        std::vector<Class> kept, dissolved;
        for (std::size_t i = 0; i < classes_.size(); ++i)
            (gone[i] ? dissolved : kept).push_back(std::move(classes_[i]));
        const std::size_t first = kept.size();
        classes_ = std::move(kept);
        std::sort(pool.begin(), pool.end());
        run(std::move(pool), tick);
        if (loss_from(classes_, first) < loss_from(dissolved, 0) - slack) return;
        classes_.resize(first);
        std::move(dissolved.begin(), dissolved.end(), std::back_inserter(classes_));
    }

    // Merges the classes that miss the demands, and numbers what remains.
    void finish(std::int32_t* classes) {
        if (!demands_.only_size()) merge_until_met();
        std::int32_t next = 0;
        for (const Class& c : classes_) {
            for (const Person p : c.members) classes[p] = next;
            ++next;
        }
    }

  private:
    // One column seen from a level of its hierarchy, and the mean share of it that a node covers.
    struct Step {
        double share;
        std::size_t column;
        int level;
    };

    static constexpr double widest = 0.5;  // a node that covers more says too little
    static constexpr std::size_t no_column = ~std::size_t{0};

    double loss_from(const std::vector<Class>& classes, std::size_t first) const {
        double sum = 0;
        for (std::size_t i = first; i < classes.size(); ++i) sum += losses_.loss(classes[i]);
        return sum;
    }

    // The node so many levels above a person's value.
    static std::int32_t node(const QuasiColumn& column, Person p, int level) {
        const bool number = column.kind == QuasiColumn::Kind::number;
        std::int32_t at = column.tree->nodes[number ? column.low[p] : *column.begin(p)];
        for (; level > 0 && at > 0; --level) at = column.tree->parents[at];
        return at;
    }

    std::vector<Step> steps(const std::vector<Person>& rest) const {
        std::vector<Step> result;
        for (std::size_t c = 0; c < people_.columns.size(); ++c) {
            const QuasiColumn& column = people_.columns[c];
            if (!column.tree || !single(column)) return {};
            double share = 0;
            for (int level = 1; share < widest && !rest.empty(); ++level) {
                share = 0;
                for (const Person p : rest)
                    share += static_cast<double>(column.tree->leaves[node(column, p, level)]);
                share /=
                    static_cast<double>(column.tree->leaves[0]) * static_cast<double>(rest.size());
                if (share < widest) result.push_back({share, c, level});
            }
        }
        std::sort(result.begin(), result.end(), [](const Step& a, const Step& b) {
            return std::tie(a.share, a.column, a.level) < std::tie(b.share, b.column, b.level);
        });
        return result;
    }

    // Whether everybody has one value.
    bool single(const QuasiColumn& column) const {
        for (Person p = 0; p < people_.count; ++p)
            if (column.kind == QuasiColumn::Kind::number
                    ? column.low[p] < 0 || column.low[p] != column.high[p]
                    : column.size(p) != 1)
                return false;
        return true;
    }

    // Less, equal or greater: an order of people by all their values, but those of one column.
    int compared(Person a, Person b, std::size_t but = no_column) const {
        for (const QuasiColumn& column : people_.columns) {
            if (but != no_column && &column == &people_.columns[but]) continue;
            if (column.kind == QuasiColumn::Kind::number) {
                if (column.low[a] != column.low[b]) return column.low[a] < column.low[b] ? -1 : 1;
                if (column.high[a] != column.high[b])
                    return column.high[a] < column.high[b] ? -1 : 1;
                continue;
            }
            const bool less = std::lexicographical_compare(column.begin(a), column.end(a),
                                                           column.begin(b), column.end(b));
            if (less) return -1;
            if (!std::equal(column.begin(a), column.end(a), column.begin(b), column.end(b)))
                return 1;
        }
        return 0;
    }

    // People of the block by item, those who still wait only.
    void index() {
        starts_.assign(items_.distinct() + 1, 0);
        for (const Person p : left_)
            for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v)
                ++starts_[*v + 1];
        for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
        holders_.resize(starts_.back());
        std::vector<std::size_t> at(starts_.begin(), starts_.end() - 1);
        for (const Person p : left_)
            for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v)
                holders_[at[*v]++] = p;
        indexed_ = left_.size();
    }

    // The person the last class would lose least by; the first one of all to begin with.
    Class take_seed(std::size_t first) {
        std::size_t at = 0;
        if (classes_.size() > first)
            for (std::size_t i = 1; i < left_.size(); ++i)
                if (last_growth_[left_[i]] < last_growth_[left_[at]] - slack) at = i;
        const Person seed = left_[at];
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(at));
        return losses_.begin(seed);
    }

    void grow(Class c) {
        std::vector<std::int32_t> shared = c.shared;
        for (const std::int32_t item : shared) count(item, 1);
        while (c.members.size() < demands_.k()) {
            losses_.add(c, take_best(c));
            std::size_t kept = 0;
            for (const std::int32_t item : shared)
                if (kept < c.shared.size() && c.shared[kept] == item)
                    ++kept;
                else
                    count(item, -1);
            shared = c.shared;
        }
        if (by_nodes_) take_fitting(c);
        for (const Person p : left_) last_growth_[p] = losses_.growth(c, p, common_[p]);
        for (const std::int32_t item : shared) count(item, -1);
        classes_.push_back(std::move(c));
    }

    // Those by whom nobody in the class loses anything stay with it if they are too few for a class
    // of their own.
    void take_fitting(Class& c) {
        std::vector<Person> fitting;
        for (const Person p : left_)
            if (losses_.growth(c, p, common_[p]) <= losses_.of(c, p) + slack) fitting.push_back(p);
        if (fitting.size() >= demands_.k()) return;
        for (const Person p : fitting) losses_.add(c, p);
        std::erase_if(
            left_, [&](Person p) { return std::binary_search(fitting.begin(), fitting.end(), p); });
    }

    void count(std::int32_t item, int by) {
        for (std::size_t i = starts_[item]; i < starts_[item + 1]; ++i) common_[holders_[i]] += by;
    }

    Person take_best(const Class& c) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < left_.size(); ++i) {
            const auto common = static_cast<std::size_t>(common_[left_[i]]);
            const double growth = losses_.growth(c, left_[i], common, least - slack);
            if (growth < least - slack) {
                least = growth;
                best = i;
            }
        }
        const Person p = left_[best];
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(best));
        return p;
    }

    std::size_t nearest(Person p, std::size_t first) const {
        std::size_t best = first;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = first; i < classes_.size(); ++i) {
            const double growth = losses_.growth(classes_[i], p, losses_.common(classes_[i], p));
            if (growth < least - slack) {
                least = growth;
                best = i;
            }
        }
        return best;
    }

    bool met(const Class& c) { return demands_.hold(c.members.data(), c.members.size()); }

    // The first class that misses the demands goes to the one that its first member costs least.
    void merge_until_met() {
        for (std::size_t i = 0; i < classes_.size();) {
            if (classes_.size() == 1 || met(classes_[i])) {
                ++i;
                continue;
            }
            Class missing = std::move(classes_[i]);
            classes_.erase(classes_.begin() + static_cast<std::ptrdiff_t>(i));
            const std::size_t into = nearest(missing.members[0], 0);
            for (const Person p : missing.members) losses_.add(classes_[into], p);
            i = std::min(i, into);
        }
    }

    const People& people_;
    Demands& demands_;
    Items items_;
    ClassLoss losses_;
    std::vector<Class> classes_;
    std::vector<Person> left_;
    std::vector<std::size_t> starts_;
    std::vector<Person> holders_;
    std::vector<std::int32_t> common_;
    std::vector<double> last_growth_;
    std::size_t indexed_ = 0;
    bool by_nodes_ = false;
};

}  // namespace sfumato
