// A document some of whose characters are starred: one byte beside each character.
#pragma once

#include <algorithm>
#include <cstdint>

#include "terms/automaton.hpp"

namespace sfumato {

enum Mark : std::uint8_t {
    clear = 0,
    starred_overlap = 1,
    starred_direct = 2,
    replaced = 3,
    starred_place = 4,  // a replaced term of which not even its string is shown, but its length
    shared_mark = 5,    // a place, or more, that becomes the pool's mark
};

// Of every character its mark, and whether it is starred: a replaced term may show some of its own.
class StarredText {
  public:
    StarredText(const std::uint32_t* text, std::uint8_t* marks) : text_(text), marks_(marks) {}

    std::uint32_t operator[](std::int64_t at) const {
        return is_starred(at) ? star_symbol : text_[at];
    }
    std::uint32_t given(std::int64_t at) const { return text_[at]; }
    bool is_starred(std::int64_t at) const { return marks_[at] & starred_bit; }
    Mark mark(std::int64_t at) const { return static_cast<Mark>(marks_[at] & ~starred_bit); }

    void star(std::int64_t at) { marks_[at] |= starred_bit; }
    void set_mark(std::int64_t at, Mark mark) {
        marks_[at] = static_cast<std::uint8_t>((marks_[at] & starred_bit) | mark);
    }
    // Leaves the marks alone.
    void forget_stars(std::int64_t size) {
        std::transform(marks_, marks_ + size, marks_,
                       [](std::uint8_t m) { return static_cast<std::uint8_t>(m & ~starred_bit); });
    }

  private:
    static constexpr std::uint8_t starred_bit = 0x80;

    const std::uint32_t* text_;
    std::uint8_t* marks_;
};

}  // namespace sfumato
