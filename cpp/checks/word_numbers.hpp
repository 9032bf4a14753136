// The words of texts as numbers: equal words, and no others, have equal numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stored.hpp"
#include "text.hpp"
#include "tick.hpp"
#include "words.hpp"

namespace sfumato::checks {

struct Words {
    Vector<std::int64_t> reference, reference_ends;          // one end a document
    Vector<std::int64_t> queries, query_ends, query_starts;  // one end a stretch
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

// Different words in the order in which they came, found by their hashes in a table that doubles.
class WordTable {
  public:
    // The number of a word, a new one if it has none.
    std::int64_t number(const Text& text, std::uint64_t hash) {
        if (2 * texts_.size() >= slots_.size()) grow();
        const auto tag = static_cast<std::uint32_t>(hash);
        std::size_t at = begin(tag);
        for (; slots_[at].number >= 0; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].tag == tag && same(texts_[slots_[at].number], text))
                return slots_[at].number;
        slots_[at] = {tag, static_cast<std::int32_t>(texts_.size())};
        if (texts_.size() >= INT32_MAX) throw std::length_error("too many different words");
        texts_.push_back(text);
        return slots_[at].number;
    }

  private:
    struct Slot {
        std::uint32_t tag = 0;
        std::int32_t number = -1;
    };
    static bool same(const Text& a, const Text& b) {
        if (a.length != b.length) return false;
        return with_symbols(a, [&](const auto* x) {
            return with_symbols(b, [&](const auto* y) { return std::equal(x, x + a.length, y); });
        });
    }
    std::size_t begin(std::uint32_t tag) const {
        return static_cast<std::size_t>(tag * 0x9e3779b97f4a7c15ull >> 24) & (slots_.size() - 1);
    }
    void grow() {
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
        for (const Slot& one : old) {
            if (one.number < 0) continue;
            std::size_t at = begin(one.tag);
            while (slots_[at].number >= 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = one;
        }
    }

    std::vector<Slot> slots_ = std::vector<Slot>(1 << 10);
    std::vector<Text> texts_;
};

// Numbers words in the order in which they first occur, and counts symbols for the tick.
struct WordNumbers {
    WordTable numbers;
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

    std::int64_t number(const Text& text) { return numbers.number(text, hash_of(text, point)); }

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
