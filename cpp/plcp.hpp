// The permuted LCP array by the phi method (Kärkkäinen, Manzini, Puglisi 2009).
#pragma once

#include <algorithm>
#include <cstddef>

#include "tick.hpp"

namespace sfumato {

// How often long scans look at the clock, so to say: symbols between two ticks.
inline constexpr std::size_t tick_block = std::size_t(1) << 20;

// PLCP[p] = the longest common prefix of suffix p and its predecessor in the suffix array, ended
// by the first break (symbol 0), which equals nothing. `plcp` first holds the predecessors.
template <class Symbol, class Index>
void plcp(const Symbol* text, const Index* suffixes, Index* plcp, std::size_t n,
          const Tick& tick) {
    if (n == 0) return;
    plcp[suffixes[0]] = -1;
    for (std::size_t i = 1; i < n; ++i) plcp[suffixes[i]] = suffixes[i - 1];
    std::size_t length = 0, end = 0;  // end: the first break at or after p
    for (std::size_t p = 0; p < n; ++p) {
        if (p % tick_block == 0) report(tick, double(p) / double(n));
        if (end < p || p == 0) end = std::size_t(std::find(text + p, text + n, Symbol(0)) - text);
        const Index before = plcp[p];
        if (before < 0) {
            length = 0;
        } else {
            const Symbol *a = text + p, *b = text + before;
            const std::size_t limit = std::min(end - p, n - std::size_t(before));
            while (length < limit && a[length] == b[length]) ++length;
        }
        plcp[p] = Index(length);
        length -= length > 0;
    }
    report(tick, 1);
}

}  // namespace sfumato
