// Which items people may show, so that whoever knows m of them finds k people or nobody.
//
// Within each class every set of up to m items that somebody shows is shown by at least k people
// of the class ((k, k^m)-anonymity: Terrovitis et al. 2008; Poulis et al. 2013). Items are taken
// one after the other, those first that lose most by being withheld. Given what people show
// already, the people who may show one more item have a largest set: begin with everybody who has
// it, and let go, one by one, of whoever would show a set that fewer than k of them show. Sets
// without the new item stay as they were, so what was right stays right.
// What is still withheld may be shown as something more general, the most special first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/tick.hpp"

namespace sfumato {

// The items of people in compressed rows; above every item stands a list of more general ones,
// the most special first. General items are numbered from the most special to the widest.
struct HeldItems {
    std::size_t people, items;
    const std::int64_t* offsets;
    const std::int32_t* codes;
    const std::int64_t* above_offsets;
    const std::int32_t* above;
};

class KnownSets {
  public:
    KnownSets(const HeldItems& held, std::size_t k, std::size_t m) : held_(held), k_(k), m_(m) {}

    // For every person and item what is shown of it: itself, something more general, or -1.
    std::vector<std::int32_t> run(const std::vector<std::vector<std::uint32_t>>& classes,
                                  const Tick& tick) {
        shown_as_.assign(static_cast<std::size_t>(held_.offsets[held_.people]), -1);
        shown_.assign(held_.people, {});
        std::size_t done = 0;
        for (const auto& members : classes) {
            if (members.size() >= k_) of_class(members);
            done += members.size();
            report(tick, static_cast<double>(done) / static_cast<double>(held_.people));
        }
        return std::move(shown_as_);
    }

  private:
    struct Holding {
        std::int32_t item;
        std::uint32_t person;
        std::int64_t pair;
        bool operator<(const Holding& other) const {
            if (item != other.item) return item < other.item;
            return person != other.person ? person < other.person : pair < other.pair;
        }
    };

    void of_class(const std::vector<std::uint32_t>& members) {
        std::vector<Holding> held;
        for (const std::uint32_t p : members)
            for (std::int64_t at = held_.offsets[p]; at < held_.offsets[p + 1]; ++at)
                held.push_back({held_.codes[at], p, at});
        std::sort(held.begin(), held.end());
        for (const auto [first, last] : by_weight(held)) offer(held, first, last);
        if (held_.above_offsets[held_.items] > 0) generalize(members);
    }

    // The stretches of one item each, the heaviest first: what all its people lose without it.
    std::vector<std::pair<std::size_t, std::size_t>> by_weight(
        const std::vector<Holding>& held) const {
        std::vector<std::pair<std::size_t, std::size_t>> stretches;
        std::vector<double> weights;
        for (std::size_t first = 0, last = 0; first < held.size(); first = last) {
            double weight = 0;
            for (; last < held.size() && held[last].item == held[first].item; ++last) {
                const std::uint32_t p = held[last].person;
                weight += 1.0 / static_cast<double>(held_.offsets[p + 1] - held_.offsets[p]);
            }
            if (last - first < k_) continue;
            stretches.emplace_back(first, last);
            weights.push_back(weight);
        }
        std::vector<std::size_t> order(stretches.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
        std::vector<std::pair<std::size_t, std::size_t>> result;
        for (const std::size_t one : order) result.push_back(stretches[one]);
        return result;
    }

    // What is withheld of the members goes to the most special word that enough of them share.
    void generalize(const std::vector<std::uint32_t>& members) {
        std::vector<Holding> open;
        for (const std::uint32_t p : members)
            for (std::int64_t at = held_.offsets[p]; at < held_.offsets[p + 1]; ++at) {
                if (shown_as_[static_cast<std::size_t>(at)] >= 0) continue;
                const std::int32_t item = held_.codes[at];
                for (std::int64_t up = held_.above_offsets[item];
                     up < held_.above_offsets[item + 1]; ++up)
                    open.push_back({held_.above[up], p, at});
            }
        std::sort(open.begin(), open.end());
        std::vector<Holding> own;  // who shows which item already: some word may be the same
        for (const std::uint32_t p : members)
            for (const std::int32_t item : shown_[p]) own.push_back({item, p, -1});
        std::sort(own.begin(), own.end());
        std::vector<Holding> left;
        for (std::size_t first = 0, last = 0; first < open.size(); first = last) {
            for (; last < open.size() && open[last].item == open[first].item;) ++last;
            left.clear();
            for (std::size_t i = first; i < last; ++i)
                if (shown_as_[static_cast<std::size_t>(open[i].pair)] < 0) left.push_back(open[i]);
            if (left.empty()) continue;
            auto same = std::lower_bound(own.begin(), own.end(), Holding{open[first].item, 0, -1});
            for (; same != own.end() && same->item == open[first].item; ++same)
                left.push_back(*same);
            std::sort(left.begin(), left.end());
            if (left.size() >= k_) offer(left, 0, left.size());
        }
    }

    bool shows(std::uint32_t p, std::int32_t item) const {
        return std::find(shown_[p].begin(), shown_[p].end(), item) != shown_[p].end();
    }

    // Lets the most people of a stretch show its item; those with pair -1 show it already.
    void offer(const std::vector<Holding>& held, std::size_t first, std::size_t last) {
        const std::int32_t item = held[first].item;
        people_.clear();
        for (std::size_t i = first; i < last; ++i)
            if (people_.empty() || people_.back() != held[i].person)
                people_.push_back(held[i].person);
        if (people_.size() < k_) return;
        inside_.assign(people_.size(), 1);
        if (m_ > 1 && !peel(item)) return;
        std::size_t at = 0;
        for (std::size_t i = first; i < last; ++i) {
            while (people_[at] != held[i].person) ++at;
            if (!inside_[at]) continue;
            if (!shows(held[i].person, item)) shown_[held[i].person].push_back(item);
            if (held[i].pair >= 0) shown_as_[static_cast<std::size_t>(held[i].pair)] = item;
        }
    }

    // Lets go of whoever would show, with the item, a set that fewer than k of them show.
    bool peel(std::int32_t item) {
        ids_.clear();
        counts_.clear();
        sets_.clear();
        starts_.assign(1, 0);
        for (const std::uint32_t p : people_) {
            others_.clear();
            for (const std::int32_t one : shown_[p])
                if (one != item) others_.push_back(one);
            std::sort(others_.begin(), others_.end());
            add_sets(0, 0, 0);
            starts_.push_back(sets_.size());
        }
        list_whose();
        std::vector<std::uint32_t> rare;
        for (std::uint32_t s = 0; s < counts_.size(); ++s)
            if (counts_[s] < k_) rare.push_back(s);
        std::size_t left = people_.size();
        while (!rare.empty()) {
            const std::uint32_t s = rare.back();
            rare.pop_back();
            for (std::size_t i = whose_starts_[s]; i < whose_starts_[s + 1]; ++i) {
                const std::uint32_t at = whose_[i];
                if (!inside_[at]) continue;
                inside_[at] = 0;
                --left;
                for (std::size_t j = starts_[at]; j < starts_[at + 1]; ++j)
                    if (counts_[sets_[j]]-- == k_) rare.push_back(sets_[j]);
            }
        }
        return left >= k_;
    }

    // Numbers every set of up to m - 1 of the others: a set is its first items' number and its
    // last item, so that numbers are exact.
    void add_sets(std::uint64_t prefix, std::size_t from, std::size_t depth) {
        if (depth + 1 >= m_) return;
        for (std::size_t i = from; i < others_.size(); ++i) {
            const std::uint64_t key = prefix << 32 | static_cast<std::uint32_t>(others_[i]);
            const std::uint32_t id = ids_.number(key, static_cast<std::uint32_t>(counts_.size()));
            if (id == counts_.size()) counts_.push_back(0);
            ++counts_[id];
            sets_.push_back(id);
            add_sets(id + 1, i + 1, depth + 1);
        }
    }

    // For every set the people of the stretch who show it.
    void list_whose() {
        whose_starts_.assign(counts_.size() + 1, 0);
        for (const std::uint32_t s : sets_) ++whose_starts_[s + 1];
        std::partial_sum(whose_starts_.begin(), whose_starts_.end(), whose_starts_.begin());
        whose_.resize(sets_.size());
        std::vector<std::size_t> next(whose_starts_.begin(), whose_starts_.end() - 1);
        for (std::uint32_t at = 0; at + 1 < starts_.size(); ++at)
            for (std::size_t j = starts_[at]; j < starts_[at + 1]; ++j)
                whose_[next[sets_[j]]++] = at;
    }

    // Numbers of keys; emptied in O(1), because most items have few people.
    class Numbers {
      public:
        void clear() {
            if (++round_ == 0) {
                std::fill(rounds_.begin(), rounds_.end(), 0U);
                round_ = 1;
            }
            used_ = 0;
        }

        // The number of a key; `next` where it is new.
        std::uint32_t number(std::uint64_t key, std::uint32_t next) {
            if (2 * (used_ + 1) > keys_.size()) grow();
            const std::size_t at = place(key);
            if (rounds_[at] != round_) {
                keys_[at] = key, rounds_[at] = round_, numbers_[at] = next;
                ++used_;
            }
            return numbers_[at];
        }

      private:
        std::size_t place(std::uint64_t key) const {
            const std::size_t mask = keys_.size() - 1;
            std::uint64_t x = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15ULL;
            std::size_t at = static_cast<std::size_t>(x ^ (x >> 29)) & mask;
            while (rounds_[at] == round_ && keys_[at] != key) at = (at + 1) & mask;
            return at;
        }

        void grow() {
            std::vector<std::uint64_t> keys(std::max<std::size_t>(64, 2 * keys_.size()));
            std::vector<std::uint32_t> rounds(keys.size(), round_ - 1), numbers(keys.size());
            keys.swap(keys_), rounds.swap(rounds_), numbers.swap(numbers_);
            for (std::size_t i = 0; i < keys.size(); ++i) {
                if (rounds[i] != round_) continue;
                const std::size_t at = place(keys[i]);
                keys_[at] = keys[i], rounds_[at] = round_, numbers_[at] = numbers[i];
            }
        }

        std::vector<std::uint64_t> keys_;
        std::vector<std::uint32_t> rounds_, numbers_;
        std::uint32_t round_ = 1;
        std::size_t used_ = 0;
    };

    HeldItems held_;
    std::size_t k_, m_;
    std::vector<std::int32_t> shown_as_;
    std::vector<std::vector<std::int32_t>> shown_;  // of each person

    // Of the item that is being offered: its people, who of them may show it, the sets they show.
    std::vector<std::uint32_t> people_;
    std::vector<char> inside_;
    std::vector<std::int32_t> others_;
    Numbers ids_;
    std::vector<std::size_t> counts_, starts_, whose_starts_;
    std::vector<std::uint32_t> sets_, whose_;
};

}  // namespace sfumato
