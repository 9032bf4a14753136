// What stands at places of texts: distinct spellings, starts of sentences, and other words instead.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/pulse.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

// Half open, in code points of their document.
struct PlaceArrays {
    const std::int64_t *documents, *starts, *stops;
    std::int64_t count;

    std::int64_t length(std::int64_t p) const { return stops[p] - starts[p]; }
};

struct Spellings {
    std::vector<std::int32_t> codes;   // of every place, by first appearance
    std::vector<std::int64_t> firsts;  // the first place of every spelling
};

inline Spellings number_spellings(const Documents& texts, const PlaceArrays& places, Pulse& pulse) {
    Spellings made;
    made.codes.resize(static_cast<std::size_t>(places.count));
    std::unordered_map<std::u32string, std::int32_t> known;
    std::u32string key;  // of one width, whatever those of the documents are
    for (std::int64_t p = 0; p < places.count; ++p) {
        read(texts[places.documents[p]], [&](const auto* text) {
            key.assign(text + places.starts[p], text + places.stops[p]);
        });
        const auto [at, is_new] = known.try_emplace(key, static_cast<std::int32_t>(known.size()));
        if (is_new) made.firsts.push_back(p);
        made.codes[p] = at->second;
        pulse(places.length(p));
    }
    return made;
}

// Whether a sentence starts at a position: before it, behind blanks and opening marks, stands the
// end of one or nothing.
template <class Symbol>
bool starts_sentence(const Symbol* text, std::int64_t start) {
    constexpr std::u32string_view opening = U"\"'\u201c\u2018([";
    std::int64_t at = start - 1;
    while (at >= 0 && (Py_UNICODE_ISSPACE(static_cast<Py_UCS4>(text[at])) ||
                       opening.find(static_cast<char32_t>(text[at])) != opening.npos))
        --at;
    return at < 0 || text[at] == '.' || text[at] == '!' || text[at] == '?';
}

// The length of a document with other words at its places, and its code points or-ed together.
struct Spliced {
    std::int64_t length = 0;
    std::uint32_t symbols = 0;
};

// Calls copy(text, from, to) and put(word) for the pieces of a document with the places [begin,
// end) replaced; they stand in order, none overlapping.
template <class Copy, class Put>
void each_piece(const Documents& texts, const PlaceArrays& places, const std::int32_t* words,
                std::int64_t begin, std::int64_t end, Copy&& copy, Put&& put) {
    const Text& text = texts[places.documents[begin]];
    read(text, [&](const auto* symbols) {
        std::int64_t seen = 0;
        for (std::int64_t p = begin; p < end; ++p) {
            copy(symbols, seen, places.starts[p]);
            put(words[p]);
            seen = places.stops[p];
        }
        copy(symbols, seen, text.length);
    });
}

inline Spliced measure(const Documents& texts, const PlaceArrays& places, const Documents& table,
                       const std::int32_t* words, std::int64_t begin, std::int64_t end) {
    Spliced made;
    const auto add = [&](const auto* symbols, std::int64_t from, std::int64_t to) {
        for (std::int64_t i = from; i < to; ++i) made.symbols |= symbols[i];
        made.length += to - from;
    };
    each_piece(texts, places, words, begin, end, add, [&](std::int32_t word) {
        read(table[word], [&](const auto* symbols) { add(symbols, 0, table[word].length); });
    });
    return made;
}

template <class Out>
void write_spliced(const Documents& texts, const PlaceArrays& places, const Documents& table,
                   const std::int32_t* words, std::int64_t begin, std::int64_t end, Out* out) {
    const auto copy = [&](const auto* symbols, std::int64_t from, std::int64_t to) {
        for (std::int64_t i = from; i < to; ++i) *out++ = static_cast<Out>(symbols[i]);
    };
    each_piece(texts, places, words, begin, end, copy, [&](std::int32_t word) {
        read(table[word], [&](const auto* symbols) { copy(symbols, 0, table[word].length); });
    });
}

inline void write_spliced(const Documents& texts, const PlaceArrays& places, const Documents& table,
                          const std::int32_t* words, std::int64_t begin, std::int64_t end,
                          PyObject* out) {
    void* data = PyUnicode_DATA(out);
    const auto write = [&](auto* typed) {
        write_spliced(texts, places, table, words, begin, end, typed);
    };
    const int width = static_cast<int>(PyUnicode_KIND(out));
    if (width == 1)
        write(static_cast<std::uint8_t*>(data));
    else if (width == 2)
        write(static_cast<std::uint16_t*>(data));
    else
        write(static_cast<std::uint32_t*>(data));
}

}  // namespace sfumato
