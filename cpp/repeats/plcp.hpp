// The permuted LCP array by the phi method (Kärkkäinen, Manzini, Puglisi 2009).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/prefetch.hpp"
#include "common/tick.hpp"
#include "common/two_threads.hpp"

namespace sfumato {

// How many symbols of a and b agree when the first `length` do: at least as many as `enough`
// asks for, and none from `stop` on. Compares eight bytes at a time.
template <class Symbol>
std::size_t common_prefix(const Symbol* a, const Symbol* b, std::size_t length, std::size_t enough,
                          std::size_t stop) {
    constexpr std::size_t per_word = 8 / sizeof(Symbol);
    if constexpr (std::endian::native == std::endian::little) {
        for (; length < enough && length + per_word <= stop; length += per_word) {
            std::uint64_t x, y;
            std::memcpy(&x, a + length, 8);
            std::memcpy(&y, b + length, 8);
            if (x != y) return length + std::size_t(std::countr_zero(x ^ y)) / (8 * sizeof(Symbol));
        }
    }
    while (length < enough && length < stop && a[length] == b[length]) ++length;
    return length;
}

// PLCP[p] = the longest common prefix of suffix p and its predecessor in the suffix array, ended
// by the first break (symbol 0), which equals nothing. `plcp` first holds the predecessors (phi).
template <class Symbol, class Index>
void plcp(const Symbol* text, const Index* suffixes, Index* plcp, std::size_t n, const Tick& tick) {
    constexpr std::size_t ahead = 64;
    if (n == 0) return;
    plcp[suffixes[0]] = suffixes[0];  // no predecessor
    in_two(n, part(tick, 0, 0.4), [&](std::size_t begin, std::size_t finish, const Tick& here) {
        in_blocks(begin, finish, here, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = std::max(first, std::size_t(1)); i < last; ++i) {
                prefetch_to_write(plcp + suffixes[std::min(i + ahead, finish - 1)]);
                plcp[suffixes[i]] = suffixes[i - 1];
            }
        });
    });
    in_two(n, part(tick, 0.4, 1), [&](std::size_t begin, std::size_t finish, const Tick& here) {
        std::size_t length = 0, end = begin;  // end: behind the next break
        in_blocks(begin, finish, here, [&](std::size_t first, std::size_t last) {
            for (std::size_t p = first; p < last; ++p) {
                prefetch(text + plcp[std::min(p + ahead, finish - 1)] + length);
                if (p == end)
                    end = std::size_t(std::find(text + p, text + n, Symbol(0)) - text) + 1;
                const std::size_t before = std::size_t(plcp[p]), limit = end - 1 - p;
                const std::size_t stop = before == p ? 0 : n - std::max(p, before);
                length = common_prefix(text + p, text + before, length, limit, stop);
                length = std::min({length, limit, stop});
                plcp[p] = Index(length);
                length -= length > 0;
            }
        });
    });
    report(tick, 1);
}

}  // namespace sfumato
