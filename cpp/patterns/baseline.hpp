// BA, the baseline: in each sensitive occurrence, left to right, one letter is replaced.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/tick.hpp"
#include "patterns/windows.hpp"

namespace sfumato {

// Whether any window that contains position p is in the table.
inline bool touches(const Symbol* text, Position n, Position p, const WindowTable& sensitive) {
    const Position k = sensitive.hash().length();
    for (Position s = std::max<Position>(0, p - k + 1); s <= std::min(p, n - k); ++s)
        if (std::all_of(text + s, text + s + k, [](Symbol a) { return a > 0; }) &&
            sensitive.find(text + s) >= 0)
            return true;
    return false;
}

// Replaces, in every sensitive occurrence of text[0..n), its most frequent letter (by `frequency`)
// by the least frequent letter outside the pattern, such that no sensitive pattern appears; else by
// a separator. `reverse` swaps most and least. Ties: leftmost in the pattern, first letter.
inline void baseline(Symbol* text, Position n, const WindowTable& sensitive,
                     const std::vector<std::int64_t>& frequency, bool reverse, const Tick& tick) {
    const Position k = sensitive.hash().length();
    std::vector<Symbol> letters;
    for (std::size_t a = 1; a < frequency.size(); ++a)
        if (frequency[a] > 0) letters.push_back(static_cast<Symbol>(a));
    std::stable_sort(letters.begin(), letters.end(), [&](Symbol a, Symbol b) {
        return reverse ? frequency[a] > frequency[b] : frequency[a] < frequency[b];
    });
    std::vector<Symbol> pattern(k);
    for (Position p = 0; p + k <= n; ++p) {
        if (p % (1 << 20) == 0) report(tick, double(p) / double(n));
        const auto bad = std::find_if(text + p, text + p + k, [](Symbol a) { return a <= 0; });
        if (bad != text + p + k || sensitive.find(text + p) < 0) continue;
        std::copy(text + p, text + p + k, pattern.begin());
        Position out = 0;
        for (Position t = 1; t < k; ++t) {
            const std::int64_t here = frequency[pattern[t]], best = frequency[pattern[out]];
            if (reverse ? here < best : here > best) out = t;
        }
        Symbol& place = text[p + out];
        place = 0;
        for (const Symbol letter : letters) {
            if (std::find(pattern.begin(), pattern.end(), letter) != pattern.end()) continue;
            place = letter;
            if (!touches(text, n, p + out, sensitive)) break;
            place = 0;
        }
    }
}

}  // namespace sfumato
