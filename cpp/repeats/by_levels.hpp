// L(p) of texts whose repeats are short, without a suffix array: stretches of one token, of two, of
// three, as long as k people share some. A text with many stars is such a text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/buffer.hpp"
#include "common/prefetch.hpp"
#include "common/tick.hpp"

namespace sfumato {

// The places of a text in the order of their people.
struct Owned {
    std::uint32_t place, person;
};

// How many people, or places, share each key. Keys come person by person.
class Sharers {
  public:
    static constexpr std::uint32_t uncounted = UINT32_MAX;

    void reset(std::size_t keys) {
        const std::size_t size = std::bit_ceil(keys + keys / 2 + 16);
        if (size > room_) {
            slots_ = make_buffer<Slot>(size);
            room_ = size;
        }
        size_ = size;
        std::fill(slots_.get(), slots_.get() + size, Slot{0, 0, uncounted});
    }
    std::size_t begin(std::uint64_t key) const {
        const std::uint64_t spread = (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
        return std::size_t(spread ^ spread >> 32) & (size_ - 1);
    }
    SFUMATO_INLINE void fetch(std::size_t slot) const { prefetch_to_write(slots_.get() + slot); }
    // The slot of a key (never 0), counted for the person. `each`: every place counts.
    std::uint32_t add(std::size_t slot, std::uint64_t key, std::uint32_t person, bool each) {
        while (slots_[slot].key && slots_[slot].key != key) slot = (slot + 1) & (size_ - 1);
        Slot& found = slots_[slot];
        found.key = key;
        if (person != uncounted && (each || found.last != person)) {
            ++found.count;
            found.last = person;
        }
        return std::uint32_t(slot);
    }
    std::uint32_t count(std::size_t slot) const { return slots_[slot].count; }

  private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t count, last;
    };
    Buffer<Slot> slots_;
    std::size_t room_ = 0, size_ = 0;
};

// Counts the stretches that are a token longer: from each place, where there is one.
inline void number_stretches(const Owned* here, std::size_t size, const std::uint32_t* number,
                             std::uint32_t* slot, Sharers& sharers, bool each) {
    constexpr std::size_t block = 32;
    std::uint64_t keys[block];
    std::size_t begins[block];
    for (std::size_t first = 0; first < size; first += block) {
        const std::size_t many = std::min(block, size - first);
        for (std::size_t j = 0; j < many; ++j) {
            const std::uint32_t p = here[first + j].place, next = number[p + 1];
            keys[j] = next ? std::uint64_t(number[p]) << 32 | next : 0;
            begins[j] = sharers.begin(keys[j]);
            if (next) sharers.fetch(begins[j]);
        }
        for (std::size_t j = 0; j < many; ++j)
            slot[first + j] = keys[j]
                                  ? sharers.add(begins[j], keys[j], here[first + j].person, each)
                                  : Sharers::uncounted;
    }
}

// Writes L, and returns true; or false where that would take more than `most` steps, or more memory
// than numbers of 32 bits can tell. `labels` has a number 0 .. distinct-1 for each document, or
// distinct for one that is not counted; null: every place counts. Document d ends at the break
// ends[d], and nothing crosses a break (code 0).
template <class Symbol>
bool repeats_by_levels(const Symbol* codes, std::size_t n, const std::int64_t* ends,
                       const std::vector<std::int32_t>* labels, std::size_t documents,
                       std::size_t distinct, std::size_t k, std::size_t most, std::int32_t* lengths,
                       const Tick& tick) {
    if (n >= INT32_MAX) return false;
    std::vector<std::size_t> order(documents);
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (labels)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return (*labels)[a] < (*labels)[b]; });
    std::fill(lengths, lengths + n, 0);
    auto here = make_buffer<Owned>(n);
    auto number = make_buffer<std::uint32_t>(n + 1);  // of the stretch from each place; 0: none
    std::fill(number.get(), number.get() + n + 1, 0u);
    std::size_t size = 0;
    // Single tokens: their codes are small.
    const std::size_t codes_of = n ? std::size_t(*std::max_element(codes, codes + n)) + 1 : 1;
    std::vector<std::uint32_t> count(codes_of, 0), last(codes_of, Sharers::uncounted);
    for (const std::size_t d : order) {
        const std::size_t label = labels ? std::size_t((*labels)[d]) : 0;
        const std::uint32_t person =
            labels && label >= distinct ? Sharers::uncounted : std::uint32_t(label);
        const std::size_t stop = std::size_t(ends[d]);
        for (std::size_t p = d ? std::size_t(ends[d - 1]) + 1 : 0; p < stop; ++p) {
            const std::size_t code = codes[p];
            if (!code) continue;
            if (person != Sharers::uncounted && (!labels || last[code] != person)) {
                ++count[code];
                last[code] = person;
            }
            here[size++] = {std::uint32_t(p), person};
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t p = here[i].place;
        if (count[codes[p]] < k) continue;
        number[p] = std::uint32_t(codes[p]);
        lengths[p] = 1;
        here[kept++] = here[i];
    }
    size = kept;
    auto slot = make_buffer<std::uint32_t>(size);
    Sharers sharers;
    std::size_t steps = 0;
    for (std::int32_t level = 2; size; ++level) {
        steps += size;
        report(tick, std::min(1.0, double(steps) / double(most)));
        if (steps > most) return false;
        // Both parts of a shared stretch are shared.
        const auto open = std::count_if(here.get(), here.get() + size, [&](const Owned& one) {
            return number[one.place + 1] != 0;
        });
        sharers.reset(std::size_t(open));
        number_stretches(here.get(), size, number.get(), slot.get(), sharers, !labels);
        kept = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const bool shared = slot[i] != Sharers::uncounted && sharers.count(slot[i]) >= k;
            number[here[i].place] = shared ? slot[i] + 1 : 0;
            if (!shared) continue;
            lengths[here[i].place] = level;
            here[kept++] = here[i];
        }
        size = kept;
    }
    return true;
}

}  // namespace sfumato
