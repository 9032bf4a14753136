// Levenshtein's distance in O(n d): a band that doubles until the distance fits (Ukkonen).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "common/tick.hpp"
#include "patterns/windows.hpp"

namespace sfumato {

// The distance if it is at most t, else t + 1.
inline Position edit_distance_within(const Symbol* a, Position n, const Symbol* b, Position m,
                                     Position t, const Tick& tick) {
    if (std::abs(n - m) > t) return t + 1;
    const Position width = 2 * t + 1, none = t + 1;
    std::vector<Position> row(width + 2, none);  // row[1 + j - i + t] is column j of row i
    for (Position j = 0; j <= std::min(t, m); ++j) row[1 + j + t] = j;
    for (Position i = 1; i <= n; ++i) {
        row[0] = none;
        for (Position x = 1; x <= width; ++x) {
            const Position j = i + x - 1 - t;
            if (j < 0 || j > m) {
                row[x] = none;
                continue;
            }
            Position cost = row[x + 1] + 1;
            if (j > 0) cost = std::min({cost, row[x] + (a[i - 1] != b[j - 1]), row[x - 1] + 1});
            row[x] = std::min(cost, none);
        }
        if (i % 1024 == 0) report(tick, double(i) / double(n));
    }
    return row[1 + m - n + t];
}

inline Position edit_distance(const Symbol* a, Position n, const Symbol* b, Position m,
                              const Tick& tick) {
    while (n > 0 && m > 0 && *a == *b) ++a, ++b, --n, --m;
    while (n > 0 && m > 0 && a[n - 1] == b[m - 1]) --n, --m;
    for (Position t = std::max<Position>(16, std::abs(n - m));; t *= 2) {
        const Position distance = edit_distance_within(a, n, b, m, t, tick);
        if (distance <= t || t >= std::max(n, m)) return distance;
    }
}

}  // namespace sfumato
