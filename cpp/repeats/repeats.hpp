// L(p): the longest length such that T[p .. p+L) occurs at least k times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "common/prefetch.hpp"
#include "common/tick.hpp"

namespace sfumato {

// values[i] = min(values[i .. i+width)) for i < count, in place; there are count+width-1 values.
// Narrow windows by doubling, which the compiler turns into vectors; wide ones in blocks (van Herk
// 1992): minima to the end of a block, and from the start of the next.
template <class Index>
void window_minima(Index* values, std::size_t count, std::size_t width) {
    if (width <= 16) {
        std::size_t span = 1, size = count + width - 1;
        for (; 2 * span <= width; span *= 2) {
            size -= span;
            for (std::size_t i = 0; i < size; ++i)
                values[i] = std::min(values[i], values[i + span]);
        }
        for (std::size_t i = 0, rest = width - span; rest > 0 && i < count; ++i)
            values[i] = std::min(values[i], values[i + rest]);
        return;
    }
    for (std::size_t block = 0; block < count; block += width) {
        Index *here = values + block, *next = here + width;
        for (std::size_t i = width - 1; i-- > 0;) here[i] = std::min(here[i], here[i + 1]);
        const std::size_t size = std::min(width, count - block);
        Index least = std::numeric_limits<Index>::max();
        for (std::size_t i = 1; i < size; ++i) {
            least = std::min(least, next[i - 1]);
            here[i] = std::min(here[i], least);
        }
    }
}

// Turns PLCP into L, in place, in one pass over the ranks. With w = k-1 and lcp in rank order:
//   base[i] = min(lcp[i+1 .. i+w])             the k suffixes from rank i on
//   F[i] = max(base[i], min(F[i-1], lcp[i]))   any k suffixes around rank i
// and L[SA[i]] = F[i]. Reads run ahead of writes, so the array can be shared. `suffixes[i]` is the
// place of rank i in `lengths`.
template <class Suffixes, class Index>
void repeat_lengths(const Suffixes& suffixes, Index* lengths, std::size_t n, std::size_t k,
                    const Tick& tick) {
    if (k > n) {
        std::fill(lengths, lengths + n, Index(0));
        return;
    }
    // So few ranks at a time that what is read is still in the first cache when it is written.
    constexpr std::size_t few = 256, ahead = 64;
    const std::size_t width = k - 1, chunk = std::max(std::min(few, n), width);
    // raw[j] = lcp[i+j] for the chunk that starts at rank i; zero beyond the last rank.
    std::vector<Index> raw(chunk + width + 1), base(chunk + width);
    auto gather = [&](std::size_t first, std::size_t last, Index* target) {
        const std::size_t stop = std::min(last, n);
        for (; first < stop; ++first) {
            prefetch_to_write(lengths + suffixes[std::min(first + ahead, n - 1)]);
            *target++ = lengths[suffixes[first]];
        }
        for (first = std::max(first, stop); first < last; ++first) *target++ = 0;
    };
    gather(0, width + 1, raw.data());
    Index longest = 0;
    for (std::size_t i = 0, reported = 0; i < n; i += chunk) {
        if (i >= reported) {
            report(tick, double(i) / double(n));
            reported += std::size_t(1) << 21;
        }
        gather(i + width + 1, i + width + 1 + chunk, raw.data() + width + 1);
        std::copy(raw.begin() + 1, raw.end(), base.begin());
        window_minima(base.data(), chunk, width);
        const std::size_t count = std::min(chunk, n - i);
        for (std::size_t j = 0; j < count; ++j) {
            prefetch_to_write(lengths + suffixes[i + std::min(j + ahead, count - 1)]);
            longest = std::max(base[j], std::min(longest, raw[j]));
            lengths[suffixes[i + j]] = longest;
        }
        std::copy(raw.begin() + std::ptrdiff_t(chunk), raw.end(), raw.begin());
    }
    report(tick, 1);
}

// L for k = 1: everything up to the next break (symbol 0) occurs.
template <class Symbol, class Index>
void break_distances(const Symbol* text, Index* lengths, std::size_t n) {
    Index distance = 0;
    for (std::size_t p = n; p-- > 0;) lengths[p] = distance = text[p] == 0 ? 0 : distance + 1;
}

}  // namespace sfumato
