// Words and grapheme clusters: the default segmentation of Unicode (UAX #29).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/pulse.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

#include "text/unicode_tables.inc"

struct Property {
    uint16_t bits;
    WordBreak word_break() const { return static_cast<WordBreak>(bits & 31); }
    GraphemeBreak grapheme_break() const { return static_cast<GraphemeBreak>(bits >> 5 & 15); }
    bool pictographic() const { return bits >> 9 & 1; }
    bool word() const { return bits >> 10 & 1; }
};

// The first blocks are stored first, so that a narrow symbol needs one look-up.
static_assert(symbol_blocks[0] == 0 && symbol_blocks[1] == 1 && symbol_block == 128);

template <class Symbol>
Property property(Symbol symbol) {
    if constexpr (sizeof(Symbol) == 1) return {symbol_properties[symbol]};
    return {symbol_properties[symbol_blocks[symbol / symbol_block] * symbol_block +
                              symbol % symbol_block]};
}

// What the classes before and after a position say about it.
enum WordRule : uint8_t {
    Break,
    Join,
    JoinIfSpacesTouch,      // WB3d
    JoinIfLetterFollows,    // WB6
    JoinIfLetterPrecedes,   // WB7
    JoinIfHebrewFollows,    // WB7b
    JoinIfHebrewPrecedes,   // WB7c
    JoinIfNumericPrecedes,  // WB11
    JoinIfNumericFollows,   // WB12
    JoinIfOddFlags,         // WB15, WB16
};

constexpr int word_break_classes = WB_WSegSpace + 1;
using WordRules = std::array<std::array<WordRule, word_break_classes>, word_break_classes>;

constexpr bool is_newline(WordBreak c) { return c == WB_CR || c == WB_LF || c == WB_Newline; }
constexpr bool is_skipped(WordBreak c) { return c == WB_Extend || c == WB_Format || c == WB_ZWJ; }
constexpr bool is_letter(WordBreak c) { return c == WB_ALetter || c == WB_Hebrew_Letter; }
constexpr bool is_mid_number_or_quote(WordBreak c) {
    return c == WB_MidNumLet || c == WB_Single_Quote;
}
constexpr bool is_mid_letter(WordBreak c) { return c == WB_MidLetter || is_mid_number_or_quote(c); }
constexpr bool is_mid_number(WordBreak c) { return c == WB_MidNum || is_mid_number_or_quote(c); }

constexpr WordRule word_rule(WordBreak before, WordBreak after) {
    if (before == WB_CR && after == WB_LF) return Join;         // WB3
    if (is_newline(before) || is_newline(after)) return Break;  // WB3a, WB3b
    if (before == WB_WSegSpace && after == WB_WSegSpace) return JoinIfSpacesTouch;
    if (is_skipped(after)) return Join;  // WB4
    const bool letter_or_number_before = is_letter(before) || before == WB_Numeric;
    const bool letter_or_number_after = is_letter(after) || after == WB_Numeric;
    if (letter_or_number_before && letter_or_number_after) return Join;       // WB5, WB8-10
    if (before == WB_Hebrew_Letter && after == WB_Single_Quote) return Join;  // WB7a
    if (is_letter(before) && is_mid_letter(after)) return JoinIfLetterFollows;
    if (is_mid_letter(before) && is_letter(after)) return JoinIfLetterPrecedes;
    if (before == WB_Hebrew_Letter && after == WB_Double_Quote) return JoinIfHebrewFollows;
    if (before == WB_Double_Quote && after == WB_Hebrew_Letter) return JoinIfHebrewPrecedes;
    if (is_mid_number(before) && after == WB_Numeric) return JoinIfNumericPrecedes;
    if (before == WB_Numeric && is_mid_number(after)) return JoinIfNumericFollows;
    if (before == WB_Katakana && after == WB_Katakana) return Join;  // WB13
    const bool can_extend_before =
        letter_or_number_before || before == WB_Katakana || before == WB_ExtendNumLet;
    if (can_extend_before && after == WB_ExtendNumLet) return Join;  // WB13a
    const bool can_extend_after = letter_or_number_after || after == WB_Katakana;
    if (before == WB_ExtendNumLet && can_extend_after) return Join;  // WB13b
    if (before == WB_Regional_Indicator && after == WB_Regional_Indicator) return JoinIfOddFlags;
    return Break;  // WB999
}

constexpr WordRules make_word_rules() {
    WordRules rules{};
    for (int before = 0; before < word_break_classes; ++before)
        for (int after = 0; after < word_break_classes; ++after)
            rules[before][after] =
                word_rule(static_cast<WordBreak>(before), static_cast<WordBreak>(after));
    return rules;
}
inline constexpr WordRules word_rules = make_word_rules();

// Steps through a text symbol by symbol and tells where a word starts.
template <class Symbol>
class WordBreaks {
  public:
    WordBreaks(const Symbol* text, int64_t length, bool join_spaces)
        : text_(text), length_(length), join_spaces_(join_spaces) {}

    // Whether there is a boundary before text[i]; asked for i = 0, 1, 2, ...
    bool operator()(int64_t i, Property p) {
        const WordBreak after = p.word_break();
        bool join = false;
        if (i > 0) {
            const WordRule rule = word_rules[before_][after];
            join = rule == Join || (rule != Break && holds(rule, i)) ||
                   (touching_ == WB_ZWJ && p.pictographic());  // WB3c
        }
        touching_ = after;
        if (i > 0 && is_skipped(after) && join) return false;  // WB4: as if it were not there
        flags_ = after == WB_Regional_Indicator ? flags_ + 1 : 0;
        before_before_ = before_;
        before_ = after;
        return !join;
    }

  private:
    bool holds(WordRule rule, int64_t i) const {
        switch (rule) {
            case JoinIfSpacesTouch: return join_spaces_ && touching_ == WB_WSegSpace;
            case JoinIfLetterFollows: return is_letter(following(i));
            case JoinIfLetterPrecedes: return is_letter(before_before_);
            case JoinIfHebrewFollows: return following(i) == WB_Hebrew_Letter;
            case JoinIfHebrewPrecedes: return before_before_ == WB_Hebrew_Letter;
            case JoinIfNumericPrecedes: return before_before_ == WB_Numeric;
            case JoinIfNumericFollows: return following(i) == WB_Numeric;
            case JoinIfOddFlags: return flags_ % 2 == 1;
            default: return rule == Join;
        }
    }

    // The class of the next symbol after i that WB4 does not skip. Linear over the whole text:
    // it is asked at symbols that are not skipped only, so the stretches are disjoint.
    WordBreak following(int64_t i) const {
        for (int64_t j = i + 1; j < length_; ++j) {
            const WordBreak c = property(text_[j]).word_break();
            if (!is_skipped(c)) return c;
        }
        return WB_Other;
    }

    const Symbol* text_;
    int64_t length_;
    bool join_spaces_;
    WordBreak touching_ = WB_Other;       // the class of the symbol before
    WordBreak before_ = WB_Other;         // the same, with WB4
    WordBreak before_before_ = WB_Other;  // one further
    int64_t flags_ = 0;                   // regional indicators directly before
};

// Steps through a text symbol by symbol and tells where an extended grapheme cluster starts.
class GraphemeBreaks {
  public:
    bool operator()(int64_t i, Property p) {
        const GraphemeBreak after = p.grapheme_break();
        const bool join = i > 0 && joins(after, p.pictographic());
        if (p.pictographic())
            emoji_ = Pictograph;
        else if (emoji_ == Pictograph && after == GB_ZWJ)
            emoji_ = Joined;
        else if (!(emoji_ == Pictograph && after == GB_Extend))
            emoji_ = None;
        flags_ = after == GB_Regional_Indicator ? flags_ + 1 : 0;
        before_ = after;
        return !join;
    }

  private:
    static bool is_control(GraphemeBreak c) { return c == GB_Control || c == GB_CR || c == GB_LF; }

    bool joins(GraphemeBreak after, bool pictographic) const {
        if (before_ == GB_CR && after == GB_LF) return true;         // GB3
        if (is_control(before_) || is_control(after)) return false;  // GB4, GB5
        if (after == GB_Other && !pictographic) return before_ == GB_Prepend;
        if (before_ == GB_L &&
            (after == GB_L || after == GB_V || after == GB_LV || after == GB_LVT))
            return true;  // GB6
        if ((before_ == GB_LV || before_ == GB_V) && (after == GB_V || after == GB_T))
            return true;                                                           // GB7
        if ((before_ == GB_LVT || before_ == GB_T) && after == GB_T) return true;  // GB8
        if (after == GB_Extend || after == GB_ZWJ) return true;                    // GB9
        if (after == GB_SpacingMark) return true;                                  // GB9a
        if (before_ == GB_Prepend) return true;                                    // GB9b
        if (emoji_ == Joined && pictographic) return true;                         // GB11
        return before_ == GB_Regional_Indicator && after == GB_Regional_Indicator &&
               flags_ % 2 == 1;  // GB12, GB13
    }

    // How much of "pictograph, extenders, joiner" stands directly before.
    enum { None, Pictograph, Joined } emoji_ = None;
    GraphemeBreak before_ = GB_Other;
    int64_t flags_ = 0;
};

// How long the placeholder ([PERSON]) or interval ([24-36], [24-36)) at i is, with its brackets;
// 0 if there is none. It is read as one thing, and half of it would be no word.
template <class Symbol>
int64_t bracketed(const Symbol* text, int64_t length, int64_t i) {
    constexpr int64_t longest = 40;
    if (text[i] != '[') return 0;
    const int64_t stop = std::min(length, i + longest);
    const auto digit = [](Symbol c) { return c >= '0' && c <= '9'; };
    const auto capital = [](Symbol c) { return c >= 'A' && c <= 'Z'; };
    int64_t j = i + 1;
    if (j < stop && capital(text[j])) {
        while (j < stop && (capital(text[j]) || digit(text[j]) || text[j] == '_')) ++j;
        return j < stop && text[j] == ']' ? j + 1 - i : 0;
    }
    bool between = false;  // a hyphen behind a digit and before one
    for (; j < stop && (digit(text[j]) || text[j] == '-' || text[j] == '.'); ++j)
        between |= text[j] == '-' && digit(text[j - 1]) && j + 1 < stop && digit(text[j + 1]);
    const bool closed = j < stop && (text[j] == ']' || text[j] == ')');
    return between && closed ? j + 1 - i : 0;
}

// Token: words; pictographs (emoji, flags), placeholders and intervals in brackets are words too.
enum class Unit { Word, WordWithSpaces, Grapheme, Token };

// Calls token(start, word) for each segment, in order, when it ends.
template <class Symbol, class Breaks, class Token>
void segment(const Symbol* text, int64_t length, Breaks breaks, bool more, Pulse& pulse,
             Token&& token) {
    int64_t start = 0, whole = 0;  // no boundary before `whole`
    bool word = false;
    pulse.blocks(0, length, [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i) {
            const Property p = property(text[i]);
            if (breaks(i, p) && i > 0 && i >= whole) {
                token(start, word);
                start = i;
                word = false;
            }
            word |= p.word();
            if (!more) continue;
            word |= p.pictographic() || p.word_break() == WB_Regional_Indicator;
            if (i >= whole && text[i] == '[') whole = i + bracketed(text, length, i);
        }
    });
    if (length > 0) token(start, word);
}

template <class Token>
void segment(const Text& text, Unit unit, Pulse& pulse, Token&& token) {
    read(text, [&](const auto* symbols) {
        if (unit == Unit::Grapheme)
            segment(symbols, text.length, GraphemeBreaks(), false, pulse, token);
        else
            segment(symbols, text.length,
                    WordBreaks(symbols, text.length, unit == Unit::WordWithSpaces),
                    unit == Unit::Token, pulse, token);
    });
}

}  // namespace sfumato
