// The words of texts as numbers: equal words, and no others, have equal numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

#include "text.hpp"
#include "tick.hpp"
#include "words.hpp"

namespace sfumato::checks {

struct Words {
    std::vector<std::int64_t> reference, reference_ends;          // one end a document
    std::vector<std::int64_t> queries, query_ends, query_starts;  // one end a stretch
};

struct Word {
    Text text;
    std::uint64_t hash;
};

struct HashOfWord {
    std::size_t operator()(const Word& word) const { return static_cast<std::size_t>(word.hash); }
};

struct SameWord {
    bool operator()(const Word& a, const Word& b) const {
        if (a.hash != b.hash || a.text.length != b.text.length) return false;
        return with_symbols(a.text, [&](const auto* x) {
            return with_symbols(b.text,
                                [&](const auto* y) { return std::equal(x, x + a.text.length, y); });
        });
    }
};

// The word as a polynomial at a point drawn anew for every run, modulo 2^31 - 1: no text can be
// made to collide. The hash decides nothing but speed, so the numbers are always the same.
inline std::uint64_t hash_of(const Text& text, std::uint64_t point) {
    constexpr std::uint64_t prime = (std::uint64_t{1} << 31) - 1;
    return with_symbols(text, [&](const auto* symbols) {
        std::uint64_t value = 1;
        for (std::int64_t i = 0; i < text.length; ++i) {
            value = value * point + symbols[i];
            value = (value & prime) + (value >> 31);
            if (value >= prime) value -= prime;
        }
        return value;
    });
}

// Numbers words in the order in which they first occur, and counts symbols for the tick.
struct WordNumbers {
    std::unordered_map<Word, std::int64_t, HashOfWord, SameWord> numbers;
    std::uint64_t point = 0x10ffff + std::random_device{}() % 0x3fffffffu;
    std::int64_t done = 0, told = 0, all = 0;
    const Tick& tick;

    explicit WordNumbers(const Tick& caller) : tick(caller) {}

    // Calls found(number, offset in the text) for each word of a text.
    template <class Found>
    void read(const Text& text, Found&& found) {
        with_symbols(text, [&](const auto* symbols) {
            word_break::each_segment(symbols, text.length, false,
                                     [&](std::int64_t start, std::int64_t stop, bool is_word) {
                                         if (is_word) found(number(part(text, start, stop)), start);
                                         done += stop - start;
                                         report();
                                     });
        });
    }

    std::int64_t number(const Text& text) {
        const auto next = static_cast<std::int64_t>(numbers.size());
        return numbers.try_emplace(Word{text, hash_of(text, point)}, next).first->second;
    }

    void report() {
        if (done - told < (std::int64_t{1} << 20)) return;
        told = done;
        tick(static_cast<double>(done) / static_cast<double>(all));
    }
};

// Numbers the words of the reference, then those of stretches of the queries, each stretch split
// as a text of its own. The texts must outlive the call only.
inline Words number_words(const std::vector<Text>& reference, const std::vector<Text>& queries,
                          const Stretches& stretches, const Tick& tick) {
    Words words;
    WordNumbers numbers(tick);
    for (const Text& text : reference) numbers.all += text.length;
    for (std::size_t i = 0; i < stretches.size; ++i)
        numbers.all += stretches.stops[i] - stretches.starts[i];
    for (const Text& text : reference) {
        numbers.read(text,
                     [&](std::int64_t number, std::int64_t) { words.reference.push_back(number); });
        words.reference_ends.push_back(static_cast<std::int64_t>(words.reference.size()));
    }
    for (std::size_t i = 0; i < stretches.size; ++i) {
        const Text& text = queries[static_cast<std::size_t>(stretches.documents[i])];
        const std::int64_t first = stretches.starts[i];
        numbers.read(part(text, first, stretches.stops[i]),
                     [&](std::int64_t number, std::int64_t start) {
                         words.queries.push_back(number);
                         words.query_starts.push_back(first + start);
                     });
        words.query_ends.push_back(static_cast<std::int64_t>(words.queries.size()));
    }
    tick(1.0);
    return words;
}

}  // namespace sfumato::checks
