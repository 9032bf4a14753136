// TFS-ALGO in its O(n) representation: the sanitized sequence as intervals of the original.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/tick.hpp"
#include "patterns/windows.hpp"

namespace sfumato {

// How a piece follows what was written before it in its sequence.
enum Join : std::uint8_t { first = 0, separated = 1, overlapping = 2 };

struct Pieces {
    std::vector<Position> starts, stops, documents;
    std::vector<std::uint8_t> joins;

    void add(Position start, Position stop, Position document, Join join) {
        starts.push_back(start);
        stops.push_back(stop);
        documents.push_back(document);
        joins.push_back(join);
    }
};

// Rule R1 writes a separator and the next non-sensitive window; rule R2 leaves the separator and
// k-1 symbols out when those equal the k-1 before. `sensitive[p]` tells of the window at p.
inline Pieces tfs(const Symbol* text, const Position* ends, Position documents,
                  const std::uint8_t* sensitive, Position k, const Tick& tick) {
    Pieces pieces;
    Position start = 0, reported = 0;
    for (Position d = 0; d < documents; ++d) {
        const Position last = ends[d] - k;  // where the last window starts
        Position before = -1;               // the previous non-sensitive window
        for (Position p = start; p <= last; ++p) {
            if (sensitive[p]) continue;
            if (before < 0)
                pieces.add(p, p + k, d, first);
            else if (p == before + 1)
                ++pieces.stops.back();
            else if (std::equal(text + before + 1, text + before + k, text + p))
                pieces.add(p + k - 1, p + k, d, overlapping);
            else
                pieces.add(p, p + k, d, separated);
            before = p;
        }
        start = ends[d] + 1;
        if (start - reported > (1 << 22)) {
            reported = start;
            report(tick, static_cast<double>(d) / static_cast<double>(documents));
        }
    }
    return pieces;
}

}  // namespace sfumato
