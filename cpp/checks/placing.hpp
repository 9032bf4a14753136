// Blocks of windows laid into a release side by side: what shows, in linear time, that every part
// of a block occurs there at least as often.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "windows.hpp"

namespace sfumato::checks {

// The stretches of some blocks, each once, and how often each is wanted and found. Every node of
// the tree is a stretch.
class Stretches {
  public:
    static constexpr std::size_t most_nodes = std::size_t{1} << 22;

    // Adds all stretches of a block; false: they are too many.
    bool add(const std::int32_t* begin, const std::int32_t* end) {
        for (; begin != end; ++begin) {
            std::int32_t node = 0;
            for (const std::int32_t* at = begin; at != end; ++at) {
                const auto next = static_cast<std::int32_t>(wanted_.size());
                const auto [found, is_new] = children_.try_emplace(key(node, *at), next);
                if (is_new) {
                    wanted_.push_back(0);
                    found_.push_back(0);
                }
                node = found->second;
            }
            if (wanted_.size() > most_nodes) return false;
        }
        return true;
    }

    // Counts the stretches that begin here; how many there are.
    std::int64_t count(const std::int32_t* begin, const std::int32_t* end, bool is_wanted) {
        std::vector<std::int64_t>& counts = is_wanted ? wanted_ : found_;
        std::int32_t node = 0;
        for (const std::int32_t* at = begin; at != end; ++at) {
            const auto found = children_.find(key(node, *at));
            if (found == children_.end()) return at - begin;
            node = found->second;
            ++counts[node];
        }
        return end - begin;
    }

    bool all_found() const {
        for (std::size_t i = 0; i < wanted_.size(); ++i)
            if (wanted_[i] > found_[i]) return false;
        return true;
    }

  private:
    static std::uint64_t key(std::int32_t node, std::int32_t name) {
        return (static_cast<std::uint64_t>(node) << 32) | static_cast<std::uint32_t>(name);
    }
    struct Mixed {
        std::size_t operator()(std::uint64_t key) const {
            key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15ull;
            return static_cast<std::size_t>(key ^ (key >> 29));
        }
    };

    std::vector<std::int64_t> wanted_{0}, found_{0};
    std::unordered_map<std::uint64_t, std::int32_t, Mixed> children_;
};

enum class Cover { yes, no, unknown };

// Whether every stretch of a block occurs in a release at least as often.
//
// Blocks are laid into the release, no window of which is used twice: what stretches of these
// blocks need is there. Long blocks first, because they fit in few places: in each round those of
// half the greatest length or more, from left to right, the longest at every place. The stretches
// of blocks that found no place are counted, in all blocks and in the release: only they could be
// too few.
class Placing {
  public:
    Cover cover(const Windows& of, Range before, Range after) {
        collect(of, before);
        released_ = of.names + after.start;
        taken_.assign(static_cast<std::size_t>(after.stop - after.start), 0);
        homeless_.clear();
        while (!rest_.empty()) {
            take_longest();
            sort();
            place();
        }
        return homeless_.empty() ? Cover::yes : counted();
    }

  private:
    void collect(const Windows& of, Range before) {
        names_.clear();
        names_.reserve(static_cast<std::size_t>(before.stop - before.start));  // no more than these
        starts_.clear();
        rest_.clear();
        std::int32_t most = 0;
        each_in_blocks(of, before, [&](std::int64_t p, bool goes_on) {
            if (!goes_on) {
                rest_.push_back(static_cast<std::int64_t>(starts_.size()));
                starts_.push_back(static_cast<std::int64_t>(names_.size()));
            }
            names_.push_back(of.names[p]);
            most = std::max(most, of.names[p]);
        });
        starts_.push_back(static_cast<std::int64_t>(names_.size()));
        if (is_first_.size() <= static_cast<std::size_t>(most)) is_first_.resize(most + 1);
        std::sort(rest_.begin(), rest_.end(),
                  [&](std::int64_t a, std::int64_t b) { return length(a) < length(b); });
    }

    // The blocks of this round: the longest that are left, and those at least half as long.
    void take_longest() {
        const std::int64_t least = length(rest_.back()) / 2 + 1;
        order_.clear();
        for (; !rest_.empty() && length(rest_.back()) >= least; rest_.pop_back())
            order_.push_back(rest_.back());
    }

    // Lays them into what is free; those without a place are homeless.
    void place() {
        for (const std::int64_t block : order_) is_first_[*begin(block)] = 1;
        const auto n = static_cast<std::int64_t>(taken_.size());
        for (std::int64_t p = 0; p < n;) {
            const std::int64_t at = is_named_first(free_name(p)) ? longest_at(p, n - p) : -1;
            if (at < 0) {
                ++p;
                continue;
            }
            --counts_[at];
            std::fill_n(taken_.data() + p, size(at), std::uint8_t{1});
            p += size(at);
        }
        for (const std::int64_t block : order_) is_first_[*begin(block)] = 0;
        for (std::size_t i = 0; i < order_.size(); ++i)
            homeless_.insert(homeless_.end(), counts_[i], order_[i]);
    }

    // Counts the stretches of homeless blocks; the work is bounded.
    Cover counted() {
        Stretches stretches;
        for (const std::int64_t block : homeless_) {
            if (!stretches.add(begin(block), end(block))) return Cover::unknown;
            for (const std::int32_t* at = begin(block); at != end(block); ++at) is_first_[*at] = 1;
        }
        std::int64_t steps = 32 * static_cast<std::int64_t>(taken_.size() + names_.size());
        const auto count = [&](const std::int32_t* from, const std::int32_t* to, bool is_wanted) {
            for (; from != to && steps > 0; ++from)
                if (is_named_first(*from)) steps -= stretches.count(from, to, is_wanted);
        };
        for (std::size_t i = 0; i + 1 < starts_.size(); ++i)
            count(begin(static_cast<std::int64_t>(i)), end(static_cast<std::int64_t>(i)), true);
        count(released_, released_ + taken_.size(), false);
        for (const std::int64_t block : homeless_)
            for (const std::int32_t* at = begin(block); at != end(block); ++at) is_first_[*at] = 0;
        if (steps <= 0) return Cover::unknown;
        return stretches.all_found() ? Cover::yes : Cover::no;
    }

    bool is_named_first(std::int32_t name) const {
        return name >= 0 && static_cast<std::size_t>(name) < is_first_.size() && is_first_[name];
    }

    // Distinct blocks in order, a beginning before what goes on with it; how often each is there.
    void sort() {
        std::sort(order_.begin(), order_.end(), [&](std::int64_t a, std::int64_t b) {
            return std::lexicographical_compare(begin(a), end(a), begin(b), end(b));
        });
        std::size_t kept = 0;
        counts_.clear();
        for (const std::int64_t block : order_) {
            if (kept > 0 && std::equal(begin(block), end(block), begin(order_[kept - 1]),
                                       end(order_[kept - 1]))) {
                ++counts_.back();
                continue;
            }
            order_[kept++] = block;
            counts_.push_back(1);
        }
        order_.resize(kept);
    }

    // The window at a place of the release that no block has taken yet.
    std::int32_t free_name(std::int64_t place) const {
        return taken_[place] ? no_window : released_[place];
    }

    // The longest block that stands here and is still to be placed, as its place in order; -1.
    std::int64_t longest_at(std::int64_t here, std::int64_t most) const {
        std::int64_t low = 0, high = static_cast<std::int64_t>(order_.size()), best = -1;
        for (std::int64_t depth = 0; low < high; ++depth) {
            if (size(low) == depth) {
                if (counts_[low] > 0) best = low;
                if (++low == high) break;
            }
            if (depth == most) break;
            if (high - low == 1) {  // one block is left: it stands here as a whole, or not
                const bool stands = size(low) <= most && is_free(here + depth, here + size(low)) &&
                                    std::equal(begin(order_[low]) + depth, end(order_[low]),
                                               released_ + here + depth);
                return stands && counts_[low] > 0 ? low : best;
            }
            const auto at = [&](std::int64_t i) { return *(begin(order_[i]) + depth); };
            const std::int32_t next = free_name(here + depth);
            low = first_from(low, high, [&](std::int64_t i) { return at(i) >= next; });
            high = first_from(low, high, [&](std::int64_t i) { return at(i) > next; });
        }
        return best;
    }

    bool is_free(std::int64_t from, std::int64_t to) const {
        return std::find(taken_.data() + from, taken_.data() + to, 1) == taken_.data() + to;
    }

    template <class Test>
    static std::int64_t first_from(std::int64_t low, std::int64_t high, Test&& test) {
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            if (test(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    const std::int32_t* begin(std::int64_t block) const { return names_.data() + starts_[block]; }
    const std::int32_t* end(std::int64_t block) const { return names_.data() + starts_[block + 1]; }
    std::int64_t length(std::int64_t block) const { return starts_[block + 1] - starts_[block]; }
    std::int64_t size(std::int64_t i) const { return length(order_[i]); }

    std::vector<std::int32_t> names_;             // of all blocks, one after the other
    const std::int32_t* released_ = nullptr;      // names of the release
    std::vector<std::uint8_t> taken_, is_first_;  // by place, by name
    std::vector<std::int64_t> starts_, rest_, order_, counts_, homeless_;
};

}  // namespace sfumato::checks
