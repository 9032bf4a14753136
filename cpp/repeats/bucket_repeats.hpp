// Suffixes of one bucket, sorted in memory by the next eight bytes, and L among them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "common/tick.hpp"
#include "repeats/repeats.hpp"
#include "repeats/shared_repeats.hpp"

namespace sfumato {

// Eight bytes of text as one number that sorts like the symbols. What follows a break (symbol 0) is
// left out: no repeat reaches it. Beyond the end of the text stands a break.
template <class Symbol>
struct Keys {
    const Symbol* text;
    std::size_t n;

    static constexpr std::size_t bits = 8 * sizeof(Symbol), width = 64 / bits;

    std::uint64_t at(std::size_t p) const {
        std::uint64_t key = 0;
        if (p + width > n) {
            for (std::size_t j = 0; j < width && p + j < n && text[p + j] != 0; ++j)
                key |= std::uint64_t(text[p + j]) << (64 - bits * (j + 1));
            return key;
        }
        for (std::size_t j = 0; j < width; ++j) key = key << bits | text[p + j];
        const std::size_t whole = before_break(key);
        if (whole == width) return key;
        return whole == 0 ? 0 : key >> (64 - whole * bits) << (64 - whole * bits);
    }

    // How many symbols two keys have in common; the breaks of two equal keys count as well.
    static std::size_t common(std::uint64_t a, std::uint64_t b) {
        return std::size_t(std::countl_zero(a ^ b)) / bits;
    }

    // How many symbols stand before the first break of a key.
    static std::size_t before_break(std::uint64_t key) {
        constexpr std::uint64_t low = ~std::uint64_t(0) / ((std::uint64_t(1) << bits) - 1);
        if (((key - low) & ~key & (low << (bits - 1))) == 0) return width;
        std::size_t j = 0;
        while (key >> (64 - bits) != 0) key <<= bits, ++j;
        return j;
    }
};

template <class Index>
struct Suffix {
    std::uint64_t key;
    Index position;
    std::uint32_t label;
};

// Most of a long run of one symbol has one key: such a group is cut in three first.
template <class Index>
void sort_by_key(Suffix<Index>* begin, Suffix<Index>* end) {
    const auto less = [](const Suffix<Index>& a, const Suffix<Index>& b) { return a.key < b.key; };
    const std::uint64_t key = begin[(end - begin) / 2].key;
    if (end - begin < 64 || begin->key != key || end[-1].key != key) {
        std::sort(begin, end, less);
        return;
    }
    auto* equal = std::partition(begin, end, [key](const auto& one) { return one.key < key; });
    auto* more = std::partition(equal, end, [key](const auto& one) { return one.key == key; });
    std::sort(begin, equal, less);
    std::sort(more, end, less);
}

// One step: a group that agrees on `depth` symbols is sorted by the symbols that follow. lcp[i]
// becomes final, or ~depth where suffixes i-1 and i agree on all of `depth` symbols and more.
// A group that no stretch of k can come from needs no order: nothing deeper counts in it.
template <class Symbol, class Index, class Enough>
void refine(const Keys<Symbol>& keys, Suffix<Index>* group, std::int32_t* lcp, std::size_t count,
            std::int32_t depth, std::int32_t cap, const Enough& enough) {
    if (depth >= cap || !enough(group, count)) {
        std::fill(lcp + 1, lcp + count, depth);
        return;
    }
    bool same = true;
    for (std::size_t i = 0; i < count; ++i) {
        group[i].key = keys.at(std::size_t(group[i].position) + std::size_t(depth));
        same = same && group[i].key == group[0].key;
    }
    if (!same) sort_by_key(group, group + count);
    for (std::size_t i = 1; i < count; ++i) {
        const std::uint64_t before = group[i - 1].key, key = group[i].key;
        const auto symbols = key == before ? keys.before_break(key) : keys.common(before, key);
        const std::int32_t agreed = depth + std::int32_t(symbols);
        lcp[i] = agreed >= cap ? cap : symbols == keys.width ? ~agreed : agreed;
    }
}

// Sorts suffixes that agree on `depth` symbols, group by group, the deepest first, so that the
// text around them stays in cache. lcp[i]: of suffixes i-1 and i, at most `cap`.
template <class Symbol, class Index, class Enough>
void sort_bucket(const Keys<Symbol>& keys, Suffix<Index>* suffixes, std::int32_t* lcp,
                 std::size_t count, std::int32_t depth, std::int32_t cap, const Enough& enough,
                 const std::function<void(std::size_t)>& sorted) {
    std::fill(lcp, lcp + count, ~depth);
    lcp[0] = depth;
    std::size_t work = 0;
    for (std::size_t i = 0; i + 1 < count;) {
        if (lcp[i + 1] >= 0) {
            ++i;
            continue;
        }
        std::size_t end = i + 2;
        while (end < count && lcp[end] < 0) ++end;
        refine(keys, suffixes + i, lcp + i, end - i, ~lcp[i + 1], cap, enough);
        work += end - i;
        if (work < std::size_t(1) << 20) continue;
        work = 0;
        sorted(i);
    }
}

}  // namespace sfumato
