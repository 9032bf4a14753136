// The paper's cover (Algorithm 2): maximal k-repeats, longest first, ties leftmost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "repeats/units.hpp"

namespace sfumato {

// A region is kept unless the unit before or after it is already kept, which would join the two.
// Only regions of at least `min_run` symbols take part.
template <class Length, class Units>
void cover_longest_first(const Length* L, const Units& units, Position min_run,
                         std::uint8_t* stars) {
    struct Region {
        Position begin, end, symbols;  // units begin..end-1
    };
    const Position m = units.count();
    std::vector<Region> regions;
    Position end = 0, previous = 0, longest = 0;
    for (Position a = 0; a < m; ++a) {
        const Position first = units.first(a);
        const Position limit = first + static_cast<Position>(L[first]);
        end = std::max(end, a);
        while (end < m && units.past(end) <= limit) ++end;
        if (end > a && (a == 0 || end > previous)) {
            const Position symbols = units.past(end - 1) - first;
            if (symbols >= min_run) regions.push_back({a, end, symbols});
            longest = std::max(longest, symbols);
        }
        previous = end;
    }

    // Counting sort by length, longest first; stable, so that ties stay leftmost.
    std::vector<Position> slots(longest + 2, 0);
    for (const Region& region : regions) ++slots[longest - region.symbols + 1];
    for (Position i = 1; i < static_cast<Position>(slots.size()); ++i) slots[i] += slots[i - 1];
    std::vector<Position> order(regions.size());
    for (Position i = 0; i < static_cast<Position>(regions.size()); ++i)
        order[slots[longest - regions[i].symbols]++] = i;

    std::vector<std::uint8_t> kept(m, 0);
    for (Position i : order) {
        const Region& region = regions[i];
        if ((region.begin > 0 && kept[region.begin - 1]) || (region.end < m && kept[region.end]))
            continue;
        std::fill(kept.begin() + region.begin, kept.begin() + region.end, 1);
    }
    for (Position a = 0; a < m; ++a)
        if (!kept[a]) units.star(a, stars);
}

}  // namespace sfumato
