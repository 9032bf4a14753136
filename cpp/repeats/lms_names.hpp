// Names for the substrings between LMS positions of a text of bytes, by looking them up: in English
// or DNA a few substrings make up the whole text, so a table of them stays in cache.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/prefetch.hpp"

namespace sfumato {

// A substring runs from one LMS position to the next, both included. As LMS positions end it, a
// substring that continues another has the smaller suffix: its end compares as larger than every
// symbol.
template <class Index>
class LmsNames {
  public:
    LmsNames(const std::uint8_t* text, std::size_t n, const Index* lms, std::size_t count)
        : text_(text),
          n_(n),
          lms_(lms),
          count_(count),
          table_(std::bit_ceil(std::clamp(count / 8, std::size_t(16), std::size_t(1) << 16))) {}

    // Writes the names, ranks among the different substrings, in text order and returns how many
    // there are; gives up and returns 0 when there are too many for this to be the faster way.
    std::size_t write(Index* names) {
        std::array<std::uint64_t, 64> keys;
        for (std::size_t j = 0; j + 1 < count_; j += keys.size()) {
            if (first_.size() + steps_ / 8 > 16384 + j / 16) return 0;
            const std::size_t block = std::min(keys.size(), count_ - 1 - j);
            for (std::size_t i = 0; i < block; ++i) {
                keys[i] = key_of(std::size_t(lms_[j + i]), std::size_t(lms_[j + i + 1]) + 1);
                prefetch(&table_[slot_of(keys[i])]);
            }
            for (std::size_t i = 0; i < block; ++i)
                names[j + i] = find(keys[i], lms_[j + i], lms_[j + i + 1] + 1);
        }
        names[count_ - 1] =
            Index(first_.size());  // what is after the last LMS position is like nothing
        first_.push_back({lms_[count_ - 1], Index(n_)});
        const std::vector<Index> ranks = rank();
        for (std::size_t j = 0; j < count_; ++j) names[j] = ranks[std::size_t(names[j])];
        return ranks.size();
    }

  private:
    // Up to seven symbols are their own key, with their number in the eighth byte; a longer
    // substring's key is a hash with zero there.
    struct Slot {
        std::uint64_t key = 0;
        Index number = -1;
    };
    struct Occurrence {
        Index start, stop;
    };

    // The number of the substring from `start` to `stop`, a new one if need be.
    Index find(std::uint64_t key, Index start, Index stop) {
        std::size_t at = slot_of(key);
        for (; table_[at].number >= 0; at = (at + 1) % table_.size(), ++steps_)
            if (table_[at].key == key && (key >> 56 || same(table_[at].number, start, stop)))
                return table_[at].number;
        const Index number = Index(first_.size());
        first_.push_back({start, stop});
        table_[at] = {key, number};
        if (2 * first_.size() > table_.size()) grow();
        return number;
    }

    std::uint64_t key_of(std::size_t start, std::size_t stop) const {
        const std::size_t length = stop - start;
        if (length > 7) {
            std::uint64_t hash = length;
            for (std::size_t i = start; i < stop; ++i) hash = (hash ^ text_[i]) * multiplier;
            return hash >> 8;
        }
        return word(start) & ((std::uint64_t(1) << 8 * length) - 1) | std::uint64_t(length) << 56;
    }

    // The next eight symbols, the first in the lowest byte.
    std::uint64_t word(std::size_t start) const {
        std::uint64_t result = 0;
        if (std::endian::native == std::endian::little && start + 8 <= n_) {
            std::memcpy(&result, text_ + start, 8);
        } else {
            for (std::size_t i = std::min(n_, start + 8); i-- > start;)
                result = result << 8 | text_[i];
        }
        return result;
    }

    std::size_t slot_of(std::uint64_t key) const {
        return std::size_t(key * multiplier >> (64 - std::countr_zero(table_.size())));
    }

    bool same(Index number, Index start, Index stop) {
        const Occurrence& other = first_[std::size_t(number)];
        const Index length = stop - start;
        steps_ += std::size_t(length) / 8;
        return other.stop - other.start == length &&
               std::memcmp(text_ + other.start, text_ + start, std::size_t(length)) == 0;
    }

    void grow() {
        std::vector<Slot> old(4 * table_.size());
        old.swap(table_);
        for (const Slot& slot : old)
            if (slot.number >= 0) {
                std::size_t at = slot_of(slot.key);
                while (table_[at].number >= 0) at = (at + 1) % table_.size();
                table_[at] = slot;
            }
    }

    // The rank of each different substring, by number.
    std::vector<Index> rank() const {
        struct Key {
            std::uint64_t start;  // the first eight symbols, the first in the highest byte
            Index number;
        };
        std::vector<Key> order;
        for (const Occurrence& place : first_) {
            std::uint64_t start = 0;
            for (std::size_t i = std::size_t(place.start), past = i + 8; i < past; ++i)
                start = start << 8 | (i < std::size_t(place.stop) ? text_[i] : end_of(place));
            order.push_back({start, Index(order.size())});
        }
        std::sort(order.begin(), order.end(), [this](const Key& a, const Key& b) {
            if (a.start != b.start) return a.start < b.start;
            return precedes(first_[std::size_t(a.number)], first_[std::size_t(b.number)]);
        });
        std::vector<Index> ranks(order.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            ranks[std::size_t(order[i].number)] = Index(i);
        return ranks;
    }

    // The end of the text is smaller, an LMS position larger than what other substrings have there.
    std::uint8_t end_of(const Occurrence& place) const {
        return std::size_t(place.stop) == n_ ? 0 : 255;
    }

    bool precedes(const Occurrence& a, const Occurrence& b) const {
        const std::size_t a_size = std::size_t(a.stop - a.start);
        const std::size_t b_size = std::size_t(b.stop - b.start);
        const int order = std::memcmp(text_ + a.start, text_ + b.start, std::min(a_size, b_size));
        if (order != 0) return order < 0;
        if (a_size == b_size) return end_of(a) < end_of(b);
        return a_size < b_size ? end_of(a) == 0 : end_of(b) != 0;
    }

    static constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio

    const std::uint8_t* text_;
    std::size_t n_;
    const Index* lms_;
    std::size_t count_;
    std::vector<Slot> table_;
    std::vector<Occurrence> first_;  // where each substring was found first, by number
    std::size_t steps_ = 0;          // spent on collisions
};

}  // namespace sfumato
