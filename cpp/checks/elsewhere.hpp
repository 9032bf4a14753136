// How often the number at each place stands at places of other labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stored.hpp"

namespace sfumato::checks {

struct Elsewhere {
    Vector<std::int32_t> counts;
    Vector<std::int32_t> numbers;  // equal numbers, and no others, alike; from 0, or -1
};

// Numbers and how often each was added, in a table that doubles.
class Tally64 {
  public:
    void reset(std::size_t most) {
        std::size_t size = 64;
        while (size < most + most / 2) size *= 2;
        slots_.assign(size, Slot{});
        used_ = 0;
    }
    // The slot of a number, which is counted there once more.
    std::int32_t add(std::uint64_t value) {
        std::size_t at =
            static_cast<std::size_t>(value * 0x9e3779b97f4a7c15ull >> 20) & (slots_.size() - 1);
        while (slots_[at].count && slots_[at].value != value) at = (at + 1) & (slots_.size() - 1);
        if (!slots_[at].count) slots_[at] = {value, 0, used_++};
        ++slots_[at].count;
        return static_cast<std::int32_t>(at);
    }
    std::int32_t count(std::int32_t slot) const {
        return slots_[static_cast<std::size_t>(slot)].count;
    }
    std::int32_t number(std::int32_t slot) const {
        return slots_[static_cast<std::size_t>(slot)].number;
    }
    std::int32_t used() const { return used_; }

  private:
    struct Slot {
        std::uint64_t value = 0;
        std::int32_t count = 0, number = 0;
    };
    Vector<Slot> slots_;
    std::int32_t used_ = 0;
};

// The places of one bundle: those whose values end, when scattered, in the same bits.
struct Bundled {
    std::uint64_t value;
    std::int32_t place, slot;
};

// Whether all places of a label follow each other.
inline bool in_rows(const std::int32_t* labels, std::size_t size) {
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < size; ++i)
        if (i == 0 || labels[i] != labels[i - 1]) rows.push_back(labels[i]);
    std::sort(rows.begin(), rows.end());
    return std::adjacent_find(rows.begin(), rows.end()) == rows.end();
}

// Counts, of each value of a bundle, the places of each label, where those follow each other.
class OwnRows {
  public:
    void reset(std::size_t values) {
        last_.assign(values, {0, -1});
        rows_.clear();
    }
    // The row of this value and label, which is counted there once more.
    std::int32_t add(std::int32_t value, std::int32_t label) {
        Last& last = last_[static_cast<std::size_t>(value)];
        if (last.row < 0 || last.label != label) {
            last = {label, static_cast<std::int32_t>(rows_.size())};
            rows_.push_back(0);
        }
        ++rows_[static_cast<std::size_t>(last.row)];
        return last.row;
    }
    std::int32_t count(std::int32_t row) const { return rows_[static_cast<std::size_t>(row)]; }

  private:
    struct Last {
        std::int32_t label, row;
    };
    std::vector<Last> last_;
    Vector<std::int32_t> rows_;
};

// One to one: values that differ stay different.
inline std::uint64_t scattered(std::uint64_t value) {
    value ^= value >> 31;
    value *= 0x7fb5d329728ea185ull;
    value ^= value >> 27;
    value *= 0x81dadef4bc2dd44dull;
    return value ^ value >> 33;
}

// Of the value at each place (none where it is negative): how often it stands at places of other
// labels; without labels, at other places. `asked`: only where it is set; else 0. Equal values fall
// into one bundle, and bundles are so small that their tables stay in the cache.
inline Elsewhere elsewhere(const std::int64_t* values, const std::int32_t* labels,
                           const std::uint8_t* asked, std::size_t size) {
    if (size > INT32_MAX) throw std::length_error("too many words");
    Elsewhere found{Vector<std::int32_t>(size, 0), Vector<std::int32_t>(size, -1)};
    std::vector<bool> wanted;  // by the upper bits; more may be set than are asked for
    constexpr int shift = 64 - 24;
    if (asked) {
        wanted.assign(std::size_t{1} << 24, false);
        for (std::size_t i = 0; i < size; ++i)
            if (asked[i] && values[i] >= 0)
                wanted[scattered(static_cast<std::uint64_t>(values[i])) >> shift] = true;
    }
    std::size_t bundles = 1;
    while (bundles < 4096 && size / bundles > 12000) bundles *= 2;
    std::vector<std::size_t> begins(bundles + 1, 0);
    const auto each = [&](auto&& take) {
        for (std::size_t i = 0; i < size; ++i) {
            if (values[i] < 0) continue;
            const std::uint64_t value = scattered(static_cast<std::uint64_t>(values[i]));
            if (!asked || wanted[value >> shift]) take(i, value);
        }
    };
    each([&](std::size_t, std::uint64_t value) { ++begins[(value & (bundles - 1)) + 1]; });
    for (std::size_t b = 0; b < bundles; ++b) begins[b + 1] += begins[b];
    Vector<Bundled> places(begins.back());
    std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
    each([&](std::size_t i, std::uint64_t value) {
        places[next[value & (bundles - 1)]++] = {value, static_cast<std::int32_t>(i), 0};
    });
    Tally64 all, own;
    OwnRows own_rows;
    const bool rows = labels && in_rows(labels, size);
    std::int32_t before = 0;
    for (std::size_t b = 0; b < bundles; ++b) {
        Bundled *first = places.data() + begins[b], *last = places.data() + begins[b + 1];
        all.reset(static_cast<std::size_t>(last - first));
        for (Bundled* one = first; one != last; ++one) one->slot = all.add(one->value);
        if (rows) {
            own_rows.reset(static_cast<std::size_t>(all.used()));
            for (Bundled* one = first; one != last; ++one)
                one->value = static_cast<std::uint64_t>(
                    own_rows.add(all.number(one->slot), labels[one->place]));
        } else if (labels) {
            own.reset(static_cast<std::size_t>(last - first));
            for (Bundled* one = first; one != last; ++one) {
                const auto label = static_cast<std::uint32_t>(labels[one->place]);
                const auto slot = static_cast<std::uint64_t>(one->slot) << 32;
                one->value = static_cast<std::uint64_t>(own.add(slot | label));
            }
        }
        for (const Bundled* one = first; one != last; ++one) {
            const auto place = static_cast<std::size_t>(one->place);
            found.numbers[place] = before + all.number(one->slot);
            if (asked && !asked[place]) continue;
            const auto mine = static_cast<std::int32_t>(one->value);
            found.counts[place] = all.count(one->slot) - (rows     ? own_rows.count(mine)
                                                          : labels ? own.count(mine)
                                                                   : 1);
        }
        before += all.used();
    }
    return found;
}

}  // namespace sfumato::checks
