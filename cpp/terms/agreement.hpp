// How many terms match each pattern of one term, for all its 2^l patterns at once.
//
// A term of the same length agrees with the given one on a set of positions, its agreement mask.
// A pattern is matched by the terms whose agreement mask contains the pattern's kept positions, so
// a histogram of the masks and one superset sum answer for every pattern.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfumato {

// The leftmost position is the highest bit: of two kept sets of one size, the larger number keeps
// the characters further left.
inline std::uint32_t position_bit(std::size_t length, std::size_t position) {
    return std::uint32_t{1} << (length - 1 - position);
}

template <class Word>
void count_nonzero_masks(const Word* masks, std::size_t size, std::vector<std::uint32_t>& counts) {
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        Word any = 0;
        for (std::size_t j = 0; j < 8; ++j) any = static_cast<Word>(any | masks[i + j]);
        if (!any) continue;
        for (std::size_t j = 0; j < 8; ++j) ++counts[masks[i + j]];
    }
    for (; i < size; ++i) ++counts[masks[i]];
}

// `columns` holds the codes of the class position by position, `terms` to a position. The masks
// of a block of terms stay in the cache while every position adds its bit.
template <class Word, class Code>
void count_agreements(const Code* columns, std::size_t terms, std::size_t length, const Code* term,
                      std::vector<std::uint32_t>& counts) {
    constexpr std::size_t block = 4096;
    Word masks[block];
    for (std::size_t start = 0; start < terms; start += block) {
        const std::size_t size = std::min(block, terms - start);
        std::fill(masks, masks + size, Word{0});
        for (std::size_t p = 0; p < length; ++p) {
            const Code* column = columns + p * terms + start;
            const Code wanted = term[p];
            const Word bit = static_cast<Word>(position_bit(length, p));
            for (std::size_t i = 0; i < size; ++i)
                masks[i] = static_cast<Word>(masks[i] | (column[i] == wanted ? bit : Word{0}));
        }
        count_nonzero_masks(masks, size, counts);
    }
}

// counts[kept] = how many terms agree with `term` on every kept position. Cost: O(M l + l 2^l).
template <class Code>
std::vector<std::uint32_t> matches_of_patterns(const Code* columns, std::size_t terms,
                                               std::size_t length, const Code* term) {
    std::vector<std::uint32_t> counts(std::size_t{1} << length, 0);
    if (length <= 16)
        count_agreements<std::uint16_t>(columns, terms, length, term, counts);
    else
        count_agreements<std::uint32_t>(columns, terms, length, term, counts);
    for (std::size_t bit = 1; bit < counts.size(); bit <<= 1)
        for (std::size_t high = 0; high < counts.size(); high += 2 * bit)
            for (std::size_t low = high; low < high + bit; ++low) counts[low] += counts[low + bit];
    counts[0] = static_cast<std::uint32_t>(terms);  // terms that agree nowhere were not counted
    return counts;
}

}  // namespace sfumato
