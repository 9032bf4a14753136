// Whether a document with one mark for each run of stars can be laid on its original in one way.
#pragma once

#include <cstdint>

#include "repeats/reader.hpp"

namespace sfumato {

// What stands between two runs must not occur further to the left, behind the first token of the
// run before it. What stands after the last run ends with the document. Other symbols than tokens
// are not looked at: with them there are no more ways. Hostile documents are said to have several.
inline bool laid_one_way(const std::uint32_t* codes, const std::uint8_t* stars, Position m) {
    Position steps = 64 * m + 64;
    for (Position i = 0; i < m;) {
        while (i < m && !stars[i]) ++i;
        const Position run = i;
        while (i < m && stars[i]) ++i;
        const Position piece = i;
        while (i < m && !stars[i]) ++i;
        if (i == m) return true;
        for (Position at = run + 1; at < piece; ++at) {
            Position same = 0;
            while (piece + same < i && codes[at + same] == codes[piece + same]) ++same;
            if (piece + same == i || (steps -= same + 1) < 0) return false;
        }
    }
    return true;
}

}  // namespace sfumato
