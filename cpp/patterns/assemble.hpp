// Writes a sequence from pieces of the original, and finds the blocks among them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "patterns/pfs.hpp"
#include "patterns/tfs.hpp"
#include "patterns/windows.hpp"

namespace sfumato {

struct Text {
    std::vector<Symbol> symbols;  // -1 after each sequence
    std::vector<Position> ends;
};

// The text of TFS and PFS: pieces in order, a separator (0) before each separated one.
inline Text assemble(const Symbol* original, const Pieces& pieces, Position documents) {
    Text text;
    Position size = documents;
    for (std::size_t i = 0; i < pieces.starts.size(); ++i)
        size += pieces.stops[i] - pieces.starts[i] + (pieces.joins[i] == separated);
    text.symbols.reserve(size);
    text.ends.reserve(documents);
    std::size_t i = 0;
    for (Position d = 0; d < documents; ++d) {
        for (; i < pieces.starts.size() && pieces.documents[i] == d; ++i) {
            if (pieces.joins[i] == separated) text.symbols.push_back(0);
            text.symbols.insert(text.symbols.end(), original + pieces.starts[i],
                                original + pieces.stops[i]);
        }
        text.ends.push_back(static_cast<Position>(text.symbols.size()));
        text.symbols.push_back(-1);
    }
    return text;
}

// Rearranges the blocks of the pieces first..past-1, all of one sequence, and appends them.
inline void rearrange(const Symbol* text, const Pieces& pieces, std::size_t begin, std::size_t past,
                      Position k, std::mt19937_64* shuffle, Pieces& out) {
    std::vector<std::size_t> heads;  // the first piece of every block
    for (std::size_t i = begin; i < past; ++i)
        if (pieces.joins[i] != overlapping) heads.push_back(i);
    const Position blocks = static_cast<Position>(heads.size());
    heads.push_back(past);

    WindowTable nodes(k - 1, 2 * blocks);
    std::vector<Position> from(blocks), to(blocks), rank(blocks);
    for (Position b = 0; b < blocks; ++b) {
        from[b] = nodes.insert(text + pieces.starts[heads[b]]);
        to[b] = nodes.insert(text + pieces.stops[heads[b + 1] - 1] - (k - 1));
        rank[b] = b;
    }
    if (shuffle)  // std::shuffle differs between libraries; this gives the same order everywhere
        for (Position b = blocks - 1; b > 0; --b)
            std::swap(rank[b], rank[(*shuffle)() % static_cast<std::uint64_t>(b + 1)]);
    const std::uint64_t seed = shuffle ? (*shuffle)() : 0;
    const Arrangement found = PathCover(from, to, nodes.size(), rank, seed).run(rank);

    for (Position i = 0; i < blocks; ++i) {
        const std::size_t head = heads[found.order[i]], tail = heads[found.order[i] + 1];
        for (std::size_t p = head; p < tail; ++p) {
            Position start = pieces.starts[p];
            Join join = static_cast<Join>(pieces.joins[p]);
            if (p == head) {
                join = i == 0 ? first : found.joined[i] ? overlapping : separated;
                if (found.joined[i]) start += k - 1;
            }
            out.add(start, pieces.stops[p], pieces.documents[p], join);
        }
    }
}

// PFS: the blocks of every sequence so arranged that the sequence is shortest.
inline Pieces pfs(const Symbol* text, const Pieces& pieces, Position k, bool shuffled,
                  std::uint64_t seed, const Tick& tick) {
    Pieces out;
    std::mt19937_64 random(seed);
    const std::size_t n = pieces.starts.size();
    for (std::size_t begin = 0, past; begin < n; begin = past) {
        past = begin;
        while (past < n && pieces.documents[past] == pieces.documents[begin]) ++past;
        rearrange(text, pieces, begin, past, k, shuffled ? &random : nullptr, out);
    }
    report(tick, 1.0);
    return out;
}

}  // namespace sfumato
