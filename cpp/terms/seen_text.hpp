// One document as it is seen once its terms stand as their strings.
#pragma once

#include <cstdint>
#include <vector>

#include "terms/starred_text.hpp"

namespace sfumato {

// What a character of a document is to the reader: a mark hides even how long its text was.
enum Sight : std::uint8_t { in_clear, at_place, under_mark, out_of_reach };

constexpr std::uint32_t wild_symbol = code_points + 1;

struct SeenText {
    StarredText text;
    std::vector<Sight> sight;  // out_of_reach: starred as a direct identifier
    // Which characters belong to words, of a place none but the first, and that if any of its terms
    // may begin so; empty where terms may stand anywhere.
    std::vector<std::uint8_t> wordlike;

    std::int64_t size() const { return static_cast<std::int64_t>(sight.size()); }

    // The character; wild_symbol where a string has a star.
    std::uint32_t symbol(std::int64_t at) const {
        return text.is_starred(at) && text.mark(at) == replaced ? wild_symbol : text.given(at);
    }
};

}  // namespace sfumato
