// Windows of k symbols get names, equal for equal windows; then the order of names is compared, and
// blocks of successive overlapping windows are looked for in a release.
//
// Symbols are positive; 0 is a break (a separator, the end of a sequence): a window with one is
// none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tick.hpp"

namespace sfumato::checks {

constexpr std::int32_t no_window = -1;

// Names in the order of first occurrence. Windows are compared symbol by symbol with the first of
// the name; their sums only say where to look.
class WindowNames {
  public:
    WindowNames(const std::int32_t* text, std::int64_t n, std::int64_t k)
        : text_(text), n_(n), k_(k), slots_(std::size_t{1} << 12) {}

    // The name of the window at every place, or no_window.
    void write(std::int32_t* names, const Tick& tick) {
        std::uint64_t top = 1, sum = 0;
        for (std::int64_t i = 0; i < k_; ++i) top *= odd;
        std::int64_t run = 0;
        std::fill(names, names + n_, no_window);
        for (std::int64_t p = 0; p < n_; ++p) {
            if ((p & 0xfffff) == 0) tick(static_cast<double>(p) / static_cast<double>(n_));
            if (text_[p] <= 0) {
                run = 0;
                sum = 0;
                continue;
            }
            sum = sum * odd + value(text_[p]);
            if (++run > k_) sum -= top * value(text_[p - k_]);
            if (run >= k_) names[p - k_ + 1] = name(p - k_ + 1, mixed(sum));
        }
    }

    std::int64_t size() const { return static_cast<std::int64_t>(first_.size()); }

  private:
    static constexpr std::uint64_t odd = 0xd1342543de82ef95ull;
    struct Slot {
        std::uint32_t part = 0;
        std::int32_t name = no_window;
    };

    static std::uint64_t value(std::int32_t symbol) {
        return static_cast<std::uint64_t>(symbol) + 0x51ull;
    }
    static std::uint64_t mixed(std::uint64_t sum) {
        sum ^= sum >> 29;
        sum *= 0xbf58476d1ce4e5b9ull;
        return sum ^ (sum >> 32);
    }

    std::int32_t name(std::int64_t place, std::uint64_t key) {
        const auto part = static_cast<std::uint32_t>(key >> 32);
        std::size_t at = key & (slots_.size() - 1);
        for (; slots_[at].name >= 0; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].part == part && same(place, first_[slots_[at].name]))
                return slots_[at].name;
        if (first_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            throw std::length_error("too many distinct windows");
        const auto added = static_cast<std::int32_t>(first_.size());
        slots_[at] = {part, added};
        first_.push_back(static_cast<std::uint32_t>(place));
        keys_.push_back(static_cast<std::uint32_t>(key));
        if (first_.size() * 5 > slots_.size() * 3) grow();
        return added;
    }

    bool same(std::int64_t a, std::int64_t b) const {
        return std::equal(text_ + a, text_ + a + k_, text_ + b);
    }

    // The old table goes before the new one comes: what is in it stands in `keys_` and `first_`.
    void grow() {
        const std::size_t size = slots_.size() * 2;
        std::vector<std::uint32_t> parts(first_.size());
        for (const Slot& slot : slots_)
            if (slot.name >= 0) parts[slot.name] = slot.part;
        std::vector<Slot>().swap(slots_);
        slots_.resize(size);
        for (std::size_t i = 0; i < first_.size(); ++i) {
            std::size_t at = keys_[i] & (size - 1);
            while (slots_[at].name >= 0) at = (at + 1) & (size - 1);
            slots_[at] = {parts[i], static_cast<std::int32_t>(i)};
        }
    }

    const std::int32_t* text_;
    std::int64_t n_, k_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> first_, keys_;
};

// A text, the names of its windows, and which names are sensitive.
struct Windows {
    const std::int32_t* text;
    const std::int32_t* names;
    const std::uint8_t* sensitive;
    std::int64_t k;

    bool is_kept(std::int64_t place) const {
        return names[place] != no_window && !sensitive[names[place]];
    }
};

struct Range {
    std::int64_t start, stop;
};

struct Mismatch {
    std::int64_t wanted, found;  // places; -1: there is none
};

// The kept windows of one stretch of the text against all windows of another: equal in order
// (`exact`), or a subsequence of them. {-1, -1}: they are.
inline Mismatch first_mismatch(const Windows& of, Range before, Range after, bool exact) {
    std::int64_t q = after.start;
    for (std::int64_t p = before.start; p < before.stop; ++p) {
        if (!of.is_kept(p)) continue;
        while (q < after.stop &&
               (of.names[q] == no_window || (!exact && of.names[q] != of.names[p])))
            ++q;
        if (q == after.stop) return {p, -1};
        if (of.names[q] != of.names[p]) return {p, q};
        ++q;
    }
    if (exact)
        for (; q < after.stop; ++q)
            if (of.names[q] != no_window) return {-1, q};
    return {-1, -1};
}

// Blocks: stretches of kept windows, each of which overlaps the one before in all but one symbol,
// also across sensitive ones. Calls f(place of the window, whether it goes on with a block).
template <class F>
void each_in_blocks(const Windows& of, Range before, F&& f) {
    std::int64_t last = -1;
    for (std::int64_t p = before.start; p < before.stop; ++p) {
        if (!of.is_kept(p)) continue;
        const bool goes_on =
            last >= 0 && std::equal(of.text + last + 1, of.text + last + of.k, of.text + p);
        f(p, goes_on);
        last = p;
    }
}

}  // namespace sfumato::checks
