// The cover with provably the fewest starred symbols.
#pragma once

#include <cstdint>
#include <deque>

#include "repeats/units.hpp"

namespace sfumato {

// Single symbols, no minimum run, no price: keep as far as L allows, then write one star. Optimal
// because k-repeats are closed under taking substrings: every other cover has a star in
// [p, p + L(p)] too, and the one furthest right leaves the most to what follows.
template <class Length>
void cover_greedily(const Length* L, Position start, Position stop, std::uint8_t* stars) {
    for (Position p = start; p < stop; ++p) {
        p += L[p];
        if (p < stop) stars[p] = 1;
    }
}

// The general case: dynamic programming over units. Kept weight, less `price` for every run of
// stars, is largest; every legible stretch has at least `min_run` symbols.
//   S[j]: the best for units 0..j-1 when j = 0 or unit j-1 is starred,
//   V[j]: the best when unit j-1 is legible = max S[i] + weight(i..j-1) over the stretches i..j-1
//         that are k-repeats of at least min_run symbols.
// The admissible i of each j form a window that only moves right: a monotone queue makes it O(m).
// steps[j], 0 <= j <= m, is working memory: the stretch of units that V[j] ends, or its complement
// (~) when S[j] comes from V[j-1], that is, when unit j-1 opens a run of stars.
template <class Length, class Units>
void cover_fewest(const Length* L, const Units& units, Position min_run, Position price,
                  Length* steps, std::uint8_t* stars) {
    const Position m = units.count();
    constexpr Position never = INT64_MIN / 4;
    struct Entry {
        Position i, value;  // value = S[i] - weight(0..i-1)
    };
    std::deque<Entry> queue;          // the window's candidates; values fall from front to back
    std::deque<Position> waiting{0};  // S[i] of the units not yet far enough from j

    Position next = 0, next_weight = 0;  // the unit that enters the window next, weight before it
    Position total = 0, S = 0, V = never;
    for (Position j = 1; j <= m; ++j) {
        const Position opened = V == never ? never : V - price;
        const Position continued = j == 1 ? -price : S;
        const bool opens = opened >= continued;
        S = opens ? opened : continued;

        total += units.weight(j - 1);
        const Position past = units.past(j - 1);
        while (next < j && past - units.first(next) >= min_run) {
            const Position value = waiting.front() - next_weight;
            waiting.pop_front();
            while (!queue.empty() && queue.back().value < value) queue.pop_back();
            queue.push_back({next, value});
            next_weight += units.weight(next);
            ++next;
        }
        waiting.push_back(S);
        while (!queue.empty()) {
            const Position first = units.first(queue.front().i);
            if (first + static_cast<Position>(L[first]) >= past) break;
            queue.pop_front();
        }
        V = queue.empty() ? never : queue.front().value + total;
        const auto stretch = static_cast<Length>(queue.empty() ? 0 : j - queue.front().i);
        steps[j] = opens ? ~stretch : stretch;
    }

    bool starred = S > V && m > 0;
    for (Position j = m; j > 0;) {
        if (starred) {
            units.star(j - 1, stars);
            starred = steps[j] >= 0;
            --j;
        } else {
            j -= steps[j] >= 0 ? steps[j] : ~steps[j];
            starred = true;  // before a stretch stands a star, or nothing
        }
    }
}

}  // namespace sfumato
