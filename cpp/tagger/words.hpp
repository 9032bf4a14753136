// What is known of a word by itself: its hashes, its shape, its affixes, and the lists it is on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tagger/hash.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/tokens.hpp"

namespace sfumato::tagger {

// How a word is written; the last one stands outside the text.
enum Case : std::uint8_t {
    Mark,
    Lower,
    Title,
    Upper,
    Letter,  // one capital
    Mixed,
    Alphanumeric,
    Digits,
    Caseless,
    Outside
};

constexpr int affixes = 4;

struct Word {
    std::uint64_t exact = 0;   // as written
    std::uint64_t lower = 0;   // lower case, every digit a zero
    std::uint64_t folded = 0;  // lower case, as lists have it
    std::uint64_t shape = 0;
    std::array<std::uint64_t, affixes> prefix{}, suffix{};  // of 1 to 4 symbols; 0: too short
    std::uint16_t classes = 0;                              // of the lexicon
    std::uint16_t cluster = 0, small_cluster = 0;           // as written, in lower case
    Case written = Outside;
    std::uint8_t length = 0;  // at most 15
    bool ends_sentence = false;
};

// The symbol of a shape: capital, small letter, digit, or the symbol itself.
inline std::uint32_t shape_symbol(std::uint32_t symbol) {
    if (symbol < 0x80) {
        if (symbol >= 'A' && symbol <= 'Z') return 'X';
        if (symbol >= 'a' && symbol <= 'z') return 'x';
        return symbol >= '0' && symbol <= '9' ? '0' : symbol;
    }
    const auto point = static_cast<Py_UCS4>(symbol);
    if (Py_UNICODE_ISUPPER(point) || Py_UNICODE_ISTITLE(point)) return 'X';
    if (Py_UNICODE_ISLOWER(point)) return 'x';
    if (Py_UNICODE_ISDECIMAL(point)) return '0';
    return Py_UNICODE_ISALPHA(point) ? 'c' : symbol;
}

struct Counts {
    std::int64_t capitals = 0, small = 0, digits = 0, caseless = 0;
    bool first_capital = false;
};

inline Case how_written(const Counts& n) {
    const std::int64_t letters = n.capitals + n.small + n.caseless;
    if (n.digits) return letters ? Alphanumeric : Digits;
    if (!letters) return Mark;
    if (n.caseless) return Caseless;
    if (!n.capitals) return Lower;
    if (!n.small) return n.capitals == 1 ? Letter : Upper;
    return n.first_capital && n.capitals == 1 ? Title : Mixed;
}

template <class Symbol>
std::uint64_t exact_hash(const Symbol* text, std::int64_t start, std::int64_t stop) {
    Hash hash;
    for (std::int64_t i = start; i < stop; ++i) hash.add(text[i]);
    return hash.value();
}

// Runs of one kind count as far as this, so that shapes stay few.
constexpr int run_of_letters = 2, run_of_digits = 5;

template <class Symbol>
Word look_at(const Symbol* text, const Token& token, const Lexicon& lexicon) {
    const std::int64_t size = token.stop - token.start;
    const Symbol* symbol = text + token.start;
    Word word;
    Hash exact, lower, folded, shape;
    Counts counts;
    std::uint32_t last = 0;
    int run = 0;
    // A run of marks is one mark; nothing else of it counts.
    const std::int64_t seen = token.word ? size : 1;
    for (std::int64_t i = 0; i < seen; ++i) {
        const std::uint32_t small = lowered(symbol[i]), kind = shape_symbol(symbol[i]);
        exact.add(symbol[i]);
        folded.add(small);
        lower.add(kind == '0' ? '0' : small);
        counts.capitals += kind == 'X';
        counts.small += kind == 'x';
        counts.digits += kind == '0';
        counts.caseless += kind == 'c';
        counts.first_capital |= i == 0 && kind == 'X';
        run = kind == last ? run + 1 : 1;
        last = kind;
        if (run <= (kind == '0' ? run_of_digits : run_of_letters)) shape.add(kind);
    }
    word.exact = exact.value();
    word.lower = lower.value();
    word.folded = folded.value();
    word.shape = shape.value();
    word.written = how_written(counts);
    word.length = static_cast<std::uint8_t>(std::min<std::int64_t>(size, 15));
    word.ends_sentence = !token.word && (symbol[0] == '.' || symbol[0] == '!' || symbol[0] == '?');
    if (!token.word) return word;
    Hash prefix;
    for (int n = 0; n < affixes && n < size; ++n) {
        prefix.add(lowered(symbol[n]));
        word.prefix[n] = prefix.value();
        Hash suffix;
        for (std::int64_t i = size - n - 1; i < size; ++i) suffix.add(lowered(symbol[i]));
        word.suffix[n] = suffix.value();
    }
    word.classes = lexicon.classes(joined(phrase_seed, word.folded));
    word.cluster = lexicon.cluster(word.exact);
    word.small_cluster = lexicon.cluster(word.folded);
    return word;
}

}  // namespace sfumato::tagger
