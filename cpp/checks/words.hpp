// Text into words: the default word boundaries of Unicode Standard Annex #29, version 15.0, rule by
// rule. O(n): every symbol is looked up once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace sfumato::checks::word_break {

// Values of Word_Break as the standard names them, and two marks that go with any of them.
enum Mark : std::uint8_t {
    Other,
    CR,
    LF,
    Newline,
    Extend,
    Format,
    ZWJ,
    Regional_Indicator,
    Katakana,
    Hebrew_Letter,
    ALetter,
    Single_Quote,
    Double_Quote,
    MidNumLet,
    MidLetter,
    MidNum,
    Numeric,
    ExtendNumLet,
    WSegSpace,
    KINDS = 0x1f,
    PICTOGRAPHIC = 0x20,
    LETTER_OR_NUMBER = 0x40,
};

struct Range {
    std::uint32_t first, last;
    std::uint8_t marks;
};

inline constexpr Range ranges[] = {
#include "word_break.inc"
};

inline constexpr std::uint32_t LOW = 256;
inline constexpr std::array<std::uint8_t, LOW> low_marks = [] {
    std::array<std::uint8_t, LOW> marks{};
    for (const Range& range : ranges) {
        if (range.first >= LOW) break;
        for (std::uint32_t i = range.first; i <= range.last && i < LOW; ++i) marks[i] = range.marks;
    }
    return marks;
}();

inline std::uint8_t marks_of(std::uint32_t symbol) {
    if (symbol < LOW) return low_marks[symbol];
    const Range* after =
        std::upper_bound(std::begin(ranges), std::end(ranges), symbol,
                         [](std::uint32_t s, const Range& range) { return s < range.first; });
    // The first range begins below LOW, so there is one before `after`.
    return symbol <= after[-1].last ? after[-1].marks : std::uint8_t{Other};
}

inline bool ends_line(Mark kind) { return kind == CR || kind == LF || kind == Newline; }
inline bool is_ignored(Mark kind) { return kind == Extend || kind == Format || kind == ZWJ; }
inline bool is_ah_letter(Mark kind) { return kind == ALetter || kind == Hebrew_Letter; }
inline bool is_mid_num_let_q(Mark kind) { return kind == MidNumLet || kind == Single_Quote; }
inline bool is_mid_letter_or_q(Mark kind) { return kind == MidLetter || is_mid_num_let_q(kind); }
inline bool is_mid_num_or_q(Mark kind) { return kind == MidNum || is_mid_num_let_q(kind); }
inline bool is_letter_or_number(std::uint8_t marks) {
    const Mark kind = Mark(marks & KINDS);
    return (marks & LETTER_OR_NUMBER) != 0 || is_ah_letter(kind) || kind == Numeric ||
           kind == Katakana;
}

// What WB4 makes one: a symbol that ends no line and each Extend, Format and ZWJ after it; a
// symbol that ends a line stands alone. And what WB5 joins whatever stands around it: letters (but
// Hebrew ones) in a row, which as one have the neighbours that the first and the last of them have.
struct Unit {
    std::int64_t start, stop;
    Mark kind;          // of the first symbol
    bool pictographic;  // the first symbol is
    bool joins;         // the last symbol is ZWJ
    bool makes_a_word;  // some symbol is a letter or number
    bool pictured;      // some symbol is a pictograph or half a flag
};

// Reads units from left to right; at the end of the text, empty ones of kind Other.
template <class Symbol>
struct Units {
    const Symbol* text;
    std::int64_t length;
    std::int64_t position = 0;
    std::uint8_t marks = 0;  // of the symbol at position

    Units(const Symbol* symbols, std::int64_t size) : text(symbols), length(size) { look(); }

    static bool goes_on(Mark first, Mark next) {
        return (first == ALetter && next == ALetter) || (!ends_line(first) && is_ignored(next));
    }

    void look() {
        marks = position < length ? marks_of(static_cast<std::uint32_t>(text[position])) : 0;
    }

    Unit next() {
        Unit unit{position, position, Mark(marks & KINDS), (marks & PICTOGRAPHIC) != 0, false,
                  false,    false};
        if (position == length) return unit;
        do {
            unit.joins = (marks & KINDS) == ZWJ;
            unit.makes_a_word |= is_letter_or_number(marks);
            unit.pictured |= (marks & PICTOGRAPHIC) != 0 || (marks & KINDS) == Regional_Indicator;
            ++position;
            look();
        } while (position < length && goes_on(unit.kind, Mark(marks & KINDS)));
        unit.stop = position;
        return unit;
    }
};

// The units round a position between `previous` and `current`.
struct Window {
    Unit before, previous, current, next;
    std::int64_t regional;  // how many Regional_Indicator units in a row end with `previous`
};

// Is there a boundary between `previous` and `current`? Words are looked for with `spaces` false:
// WB3d, which keeps white space together, then joins none to a mark that stands on a blank.
inline bool breaks(const Window& at, bool spaces) {
    const Mark before = at.before.kind, a = at.previous.kind, b = at.current.kind,
               next = at.next.kind;
    // WB3: CR × LF
    if (a == CR && b == LF) return false;
    // WB3a: (Newline | CR | LF) ÷
    if (ends_line(a)) return true;
    // WB3b: ÷ (Newline | CR | LF)
    if (ends_line(b)) return true;
    // WB3c: ZWJ × \p{Extended_Pictographic}
    if (at.previous.joins && at.current.pictographic) return false;
    // WB3d: WSegSpace × WSegSpace (before WB4: nothing may stand between)
    if (spaces && a == WSegSpace && at.previous.stop - at.previous.start == 1 && b == WSegSpace)
        return false;
    // WB4: X (Extend | Format | ZWJ)* → X, which is what a unit is
    // WB5: AHLetter × AHLetter
    if (is_ah_letter(a) && is_ah_letter(b)) return false;
    // WB6: AHLetter × (MidLetter | MidNumLetQ) AHLetter
    if (is_ah_letter(a) && is_mid_letter_or_q(b) && is_ah_letter(next)) return false;
    // WB7: AHLetter (MidLetter | MidNumLetQ) × AHLetter
    if (is_ah_letter(before) && is_mid_letter_or_q(a) && is_ah_letter(b)) return false;
    // WB7a: Hebrew_Letter × Single_Quote
    if (a == Hebrew_Letter && b == Single_Quote) return false;
    // WB7b: Hebrew_Letter × Double_Quote Hebrew_Letter
    if (a == Hebrew_Letter && b == Double_Quote && next == Hebrew_Letter) return false;
    // WB7c: Hebrew_Letter Double_Quote × Hebrew_Letter
    if (before == Hebrew_Letter && a == Double_Quote && b == Hebrew_Letter) return false;
    // WB8: Numeric × Numeric
    if (a == Numeric && b == Numeric) return false;
    // WB9: AHLetter × Numeric
    if (is_ah_letter(a) && b == Numeric) return false;
    // WB10: Numeric × AHLetter
    if (a == Numeric && is_ah_letter(b)) return false;
    // WB11: Numeric (MidNum | MidNumLetQ) × Numeric
    if (before == Numeric && is_mid_num_or_q(a) && b == Numeric) return false;
    // WB12: Numeric × (MidNum | MidNumLetQ) Numeric
    if (a == Numeric && is_mid_num_or_q(b) && next == Numeric) return false;
    // WB13: Katakana × Katakana
    if (a == Katakana && b == Katakana) return false;
    // WB13a: (AHLetter | Numeric | Katakana | ExtendNumLet) × ExtendNumLet
    if ((is_ah_letter(a) || a == Numeric || a == Katakana || a == ExtendNumLet) &&
        b == ExtendNumLet)
        return false;
    // WB13b: ExtendNumLet × (AHLetter | Numeric | Katakana)
    if (a == ExtendNumLet && (is_ah_letter(b) || b == Numeric || b == Katakana)) return false;
    // WB15: sot (RI RI)* RI × RI
    // WB16: [^RI] (RI RI)* RI × RI
    if (at.regional % 2 == 1 && b == Regional_Indicator) return false;
    // WB999: Any ÷ Any
    return true;
}

// Where the bracketed placeholder or interval that starts at `open` stops; `open` if none does.
// A placeholder: a capital, then capitals, digits and low lines. An interval: digits, hyphens and
// points, with a hyphen between two digits, closed by ] or ). At most 40 symbols with brackets.
template <class Symbol>
std::int64_t after_brackets(const Symbol* text, std::int64_t length, std::int64_t open) {
    const std::int64_t limit = open + 40 < length ? open + 40 : length;
    bool name = true, interval = true, spans = false;
    char last[2] = {0, 0};  // the kinds of the two symbols before: 9 digit, -, or another
    for (std::int64_t i = open + 1; i < limit; ++i) {
        const auto symbol = static_cast<std::uint32_t>(text[i]);
        if (symbol == ']' || symbol == ')') {
            if (i > open + 1 && name && symbol == ']') return i + 1;
            return interval && spans ? i + 1 : open;
        }
        const bool is_capital = symbol >= 'A' && symbol <= 'Z';
        const bool is_digit = symbol >= '0' && symbol <= '9';
        name = name && (is_capital || (i > open + 1 && (is_digit || symbol == '_')));
        interval = interval && (is_digit || symbol == '-' || symbol == '.');
        spans = spans || (is_digit && last[1] == '-' && last[0] == '9');
        if (!name && !interval) return open;
        last[0] = last[1];
        last[1] = is_digit ? '9' : symbol == '-' ? '-' : 'x';
    }
    return open;
}

// Calls found(start, stop, whether it is a word) for every segment between two boundaries; without
// `spaces` white space is cut into single symbols, with `pictures` emoji and flags are words too,
// and so are placeholders and intervals with their brackets.
template <class Symbol, class Found>
void each_segment(const Symbol* text, std::int64_t length, bool spaces, bool pictures,
                  Found&& found) {
    const auto is_word = [pictures](const Unit& unit) {
        return unit.makes_a_word || (pictures && unit.pictured);
    };
    if (length == 0) return;  // WB1 and WB2: a boundary at the start and the end unless empty
    Units<Symbol> units(text, length);
    Window at{};
    at.previous = units.next();
    at.current = units.next();
    at.next = units.next();
    const auto end_of_whole = [&](std::int64_t from) {
        return pictures && text[from] == '[' ? after_brackets(text, length, from) : from;
    };
    std::int64_t start = 0, whole = end_of_whole(0);
    bool word = is_word(at.previous);
    while (at.current.start < length) {
        at.regional = at.previous.kind == Regional_Indicator ? at.regional + 1 : 0;
        if (breaks(at, spaces) && at.current.start >= whole) {
            found(start, at.current.start, word);
            start = at.current.start;
            whole = end_of_whole(start);
            word = false;
        }
        word |= is_word(at.current);
        at.before = at.previous;
        at.previous = at.current;
        at.current = at.next;
        at.next = units.next();
    }
    found(start, length, word);
}

template <class Symbol, class Found>
void each_segment(const Symbol* text, std::int64_t length, bool spaces, Found&& found) {
    each_segment(text, length, spaces, false, found);
}

}  // namespace sfumato::checks::word_break
