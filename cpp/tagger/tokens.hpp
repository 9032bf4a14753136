// Tokens as the tagger sees them: words with their accents, clitics ('s), web addresses, runs of
// one other symbol.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

#include "text/own_terms.hpp"
#include "text/segment.hpp"

namespace sfumato::tagger {

// What stands before a token.
enum Gap : std::uint8_t { Nothing, Blanks, Line, Paragraph };

struct Token {
    std::int64_t start, stop;
    Gap gap;
    bool word;  // begins with a letter or a number, or is a clitic
};

inline bool is_space(std::uint32_t symbol) {
    if (symbol < 0x80) return symbol == ' ' || (symbol >= 9 && symbol <= 13);
    return Py_UNICODE_ISSPACE(static_cast<Py_UCS4>(symbol));
}

inline bool is_apostrophe(std::uint32_t symbol) { return symbol == '\'' || symbol == 0x2019; }

// A letter, a number, or an accent that belongs to the symbol before it.
template <class Symbol>
bool continues_word(Symbol symbol) {
    return in_word(symbol) || (symbol >= 0x80 && property(symbol).word_break() == WB_Extend);
}

inline std::uint32_t lowered(std::uint32_t symbol) {
    if (symbol < 0x80) return symbol >= 'A' && symbol <= 'Z' ? symbol + 32 : symbol;
    return Py_UNICODE_TOLOWER(static_cast<Py_UCS4>(symbol));
}

// Whether from..stop, behind an apostrophe, is what English hangs on words: s t m d re ve ll.
template <class Symbol>
bool is_clitic(const Symbol* text, std::int64_t from, std::int64_t stop) {
    const std::uint32_t a = lowered(text[from]);
    if (stop - from == 1) return a == 's' || a == 't' || a == 'm' || a == 'd';
    if (stop - from != 2) return false;
    const std::uint32_t b = lowered(text[from + 1]);
    return (b == 'e' && (a == 'r' || a == 'v')) || (a == 'l' && b == 'l');
}

template <class Symbol>
std::int64_t run_end(const Symbol* text, std::int64_t length, std::int64_t at) {
    while (at < length && continues_word(text[at])) ++at;
    return at;
}

// Where a web address ends whose first word (http, www) is start..stop; stop, if it is none.
template <class Symbol>
std::int64_t address_end(const Symbol* text, std::int64_t length, std::int64_t start,
                         std::int64_t stop) {
    const auto is = [&](std::int64_t at, char symbol) {
        return at < length && lowered(text[at]) == static_cast<std::uint32_t>(symbol);
    };
    const bool scheme = is(stop, ':') && is(stop + 1, '/') && is(stop + 2, '/');
    const bool site = stop - start == 3 && is(start, 'w') && is(start + 1, 'w') &&
                      is(start + 2, 'w') && is(stop, '.');
    if (scheme || site)
        while (stop < length && !is_space(text[stop])) ++stop;
    return stop;
}

// Appends the tokens of a text in order. Cost: O(n).
template <class Symbol>
void cut_tokens(const Symbol* text, std::int64_t length, std::vector<Token>& tokens) {
    std::int64_t at = 0, lines = 2, blanks = 0;
    const auto push = [&](std::int64_t start, std::int64_t stop, bool word) {
        const Gap gap = lines > 1 ? Paragraph : lines == 1 ? Line : blanks ? Blanks : Nothing;
        tokens.push_back({start, stop, gap, word});
        lines = blanks = 0;
        at = stop;
    };
    while (at < length) {
        const Symbol symbol = text[at];
        if (is_space(symbol)) {
            ++blanks;
            lines += symbol == '\n';
            ++at;
        } else if (in_word(symbol)) {
            std::int64_t stop = run_end(text, length, at);
            while (stop + 1 < length && is_apostrophe(text[stop]) && in_word(text[stop + 1])) {
                const std::int64_t end = run_end(text, length, stop + 1);
                if (is_clitic(text, stop + 1, end)) break;
                stop = end;  // O'Brien
            }
            push(at, address_end(text, length, at, stop), true);
        } else if (is_apostrophe(symbol) && at + 1 < length && in_word(text[at + 1]) &&
                   is_clitic(text, at + 1, run_end(text, length, at + 1))) {
            push(at, run_end(text, length, at + 1), true);
        } else {
            std::int64_t stop = at + 1;
            while (stop < length && text[stop] == symbol) ++stop;
            push(at, stop, false);
        }
    }
}

}  // namespace sfumato::tagger
