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

// Names in the order of first occurrence. Where symbols make few windows each has a number, and a
// table has its name. Else a window after one that stood before is mostly what stood after it
// there: then one symbol is compared; or a sum says where to look, and symbols are compared one by
// one with the first of the name.
class WindowNames {
  public:
    WindowNames(const std::int32_t* text, std::int64_t n, std::int64_t k)
        : text_(text), n_(n), k_(k) {
        if (!number_symbols()) slots_.resize(std::size_t{1} << 12);
    }

    // The name of the window at every place, or no_window.
    void write(std::int32_t* names, const Tick& tick) {
        std::fill(names, names + n_, no_window);
        std::int64_t run = 0, met = 0, from = -1;
        std::uint64_t keys[ahead];
        for (std::int64_t begin = 0; begin < n_; begin += ahead) {
            if ((begin & 0xfffff) == 0) tick(static_cast<double>(begin) / static_cast<double>(n_));
            const std::int64_t end = std::min(n_, begin + ahead);
            const bool looked_up = from < 0;
            for (std::int64_t p = begin; p < end; ++p) {
                keys[p - begin] = ranks_.empty() ? roll_sum(p) : roll_number(p);
                if (looked_up) prefetch(keys[p - begin]);
            }
            for (std::int64_t p = begin; p < end; ++p) {
                run = text_[p] <= 0 ? 0 : run + 1;
                const std::int64_t place = p - k_ + 1;
                if (run >= k_ && from >= 0 && goes_on(names, from, place)) {
                    names[place] = names[++from];
                    continue;
                }
                from = -1;
                if (run < k_) {
                    met = 0;
                    continue;
                }
                const std::int64_t known = size();
                names[place] = name(place, keys[p - begin]);
                met = names[place] < known ? met + 1 : 0;
                if (met >= enough_met) from = first_[names[place]];
            }
        }
    }

    std::int64_t size() const { return static_cast<std::int64_t>(first_.size()); }

  private:
    static constexpr std::uint64_t odd = 0xd1342543de82ef95ull;
    static constexpr std::int64_t ahead = 64;           // places whose slots are asked for at once
    static constexpr std::int64_t enough_met = 4;       // windows in a row that stood before
    static constexpr std::int32_t most_symbols = 4096;  // whose numbers are looked up
    struct Slot {
        std::uint32_t part = 0;
        std::int32_t name = no_window;
    };

    // Numbers the symbols, if the windows that they may make are few beside the text.
    bool number_symbols() {
        std::int32_t most = 0;
        for (std::int64_t p = 0; p < n_; ++p) most = std::max(most, text_[p]);
        if (most > most_symbols) return false;
        std::vector<std::uint32_t> ranks(static_cast<std::size_t>(most) + 1);
        for (std::int64_t p = 0; p < n_; ++p)
            if (text_[p] > 0) ranks[text_[p]] = 1;
        for (std::uint32_t& one : ranks)
            if (one != 0) one = count_++;
        const auto limit = static_cast<std::uint64_t>(4 * n_);
        std::uint64_t windows = 1;
        for (std::int64_t i = 0; i < k_ && count_ > 1; ++i) {
            top_ = windows;
            windows *= count_;
            if (windows > limit) return false;
        }
        ranks_.swap(ranks);
        by_number_.assign(windows, 0);
        return true;
    }

    // The number, in base `count_`, of the window that ends here; 0 where none does.
    std::uint64_t roll_number(std::int64_t p) {
        if (text_[p] <= 0) {
            rolled_ = 0;
            length_ = 0;
            return 0;
        }
        if (++length_ > k_) rolled_ -= top_ * ranks_[text_[p - k_]];
        rolled_ = rolled_ * count_ + ranks_[text_[p]];
        return rolled_;
    }

    // A sum over the window that ends here.
    std::uint64_t roll_sum(std::int64_t p) {
        if (text_[p] <= 0) {
            rolled_ = 0;
            length_ = 0;
            return 0;
        }
        if (length_ == 0) {
            highest_ = 1;
            for (std::int64_t i = 0; i < k_; ++i) highest_ *= odd;
        }
        rolled_ = rolled_ * odd + value(text_[p]);
        if (++length_ > k_) rolled_ -= highest_ * value(text_[p - k_]);
        return mixed(rolled_);
    }

    static std::uint64_t value(std::int32_t symbol) {
        return static_cast<std::uint64_t>(symbol) + 0x51ull;
    }
    static std::uint64_t mixed(std::uint64_t sum) {
        sum ^= sum >> 29;
        sum *= 0xbf58476d1ce4e5b9ull;
        return sum ^ (sum >> 32);
    }

    void prefetch(std::uint64_t key) const {
#if defined(__GNUC__)
        if (ranks_.empty())
            __builtin_prefetch(&slots_[key & (slots_.size() - 1)]);
        else
            __builtin_prefetch(&by_number_[key < by_number_.size() ? key : 0]);
#else
        (void)key;
#endif
    }

    // Whether the window after an earlier one, which is that before a place, is the one there.
    bool goes_on(const std::int32_t* names, std::int64_t from, std::int64_t place) const {
        return from + 1 < place && names[from + 1] != no_window &&
               text_[from + k_] == text_[place + k_ - 1];
    }

    std::int32_t name(std::int64_t place, std::uint64_t key) {
        if (!ranks_.empty()) {
            std::int32_t& known = by_number_[key];  // one more than the name
            if (known == 0) known = added(place) + 1;
            return known - 1;
        }
        const auto part = static_cast<std::uint32_t>(key >> 32);
        std::size_t at = key & (slots_.size() - 1);
        for (; slots_[at].name >= 0; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].part == part && same(place, first_[slots_[at].name]))
                return slots_[at].name;
        const std::int32_t name = added(place);
        slots_[at] = {part, name};
        keys_.push_back(static_cast<std::uint32_t>(key));
        if (first_.size() * 5 > slots_.size() * 3) grow();
        return name;
    }

    std::int32_t added(std::int64_t place) {
        if (first_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) - 1)
            throw std::length_error("too many distinct windows");
        first_.push_back(static_cast<std::uint32_t>(place));
        return static_cast<std::int32_t>(first_.size()) - 1;
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
    std::int64_t n_, k_, length_ = 0;
    std::uint64_t count_ = 0, top_ = 1, rolled_ = 0, highest_ = 1;
    std::vector<std::uint32_t> ranks_;     // of every symbol; empty: windows have no numbers
    std::vector<std::int32_t> by_number_;  // the name of every number and one more; 0: none yet
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> first_, keys_;
};

// How often every name occurs.
inline void count_names(const std::int32_t* names, std::int64_t n, std::int64_t* counts,
                        std::int64_t size) {
    for (std::int64_t p = 0; p < n; ++p) {
        if (names[p] < no_window || names[p] >= size)
            throw std::invalid_argument("a name that no window has");
        if (names[p] != no_window) ++counts[names[p]];
    }
}

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
            last >= 0 &&
            (last + 1 == p || std::equal(of.text + last + 1, of.text + last + of.k, of.text + p));
        f(p, goes_on);
        last = p;
    }
}

}  // namespace sfumato::checks
