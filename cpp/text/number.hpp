// Tokens as numbers: equal strings get equal numbers, in order of first occurrence.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "common/pulse.hpp"
#include "common/stored.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

// Strings of any width, numbered from 0. Equal hashes are always compared in full.
class StringNumbers {
  public:
    StringNumbers() : slots_(1 << 12, empty) {}

    uint32_t number(const Text& string) {
        const uint64_t hash = hash_of(string);
        size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot] != empty; slot = (slot + 1) & (slots_.size() - 1)) {
            const Entry& entry = entries_[slots_[slot]];
            if (entry.hash == hash && equal(entry.string, string)) return slots_[slot];
        }
        if (entries_.size() >= empty - 1) throw std::length_error("too many different tokens");
        const auto number = static_cast<uint32_t>(entries_.size());
        entries_.push_back({hash, string});
        slots_[slot] = number;
        if (entries_.size() * 2 > slots_.size()) grow();
        return number;
    }

    size_t size() const { return entries_.size(); }
    const Text& operator[](size_t number) const { return entries_[number].string; }

  private:
    static constexpr uint32_t empty = UINT32_MAX;
    struct Entry {
        uint64_t hash;
        Text string;
    };

    // Of the code points, so that it does not depend on the width.
    static uint64_t hash_of(const Text& string) {
        uint64_t hash = static_cast<uint64_t>(string.length);
        read(string, [&](const auto* symbol) {
            for (int64_t i = 0; i < string.length; ++i)
                hash = (hash ^ symbol[i]) * 0x9E3779B97F4A7C15u;
        });
        hash ^= hash >> 32;
        hash *= 0xD6E8FEB86659FD93u;
        return hash ^ hash >> 32;
    }

    static bool equal(const Text& a, const Text& b) {
        if (a.length != b.length) return false;
        if (a.width == b.width)
            return std::memcmp(a.data, b.data, static_cast<size_t>(a.length * a.width)) == 0;
        return read(a, [&](const auto* x) {
            return read(b, [&](const auto* y) {
                for (int64_t i = 0; i < a.length; ++i)
                    if (static_cast<uint32_t>(x[i]) != static_cast<uint32_t>(y[i])) return false;
                return true;
            });
        });
    }

    void grow() {
        slots_.assign(slots_.size() * 2, empty);
        for (size_t number = 0; number < entries_.size(); ++number) {
            size_t slot = entries_[number].hash & (slots_.size() - 1);
            while (slots_[slot] != empty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<uint32_t>(number);
        }
    }

    Vector<Entry> entries_;
    Vector<uint32_t> slots_;
};

// One code for each numbered token and a 0 after each document.
struct TokenCodes {
    Vector<uint32_t> codes;
    Vector<int64_t> positions;  // the index of the token, -1 at breaks
    Vector<int64_t> ends;
    Vector<int64_t> counts;  // of each code: occurrences or different labels; 0 of code 0
};

struct TokenStarts {
    const int64_t* starts;  // of each token in the encoded layout, then the layout's length
    const uint8_t* words;
    int64_t count;
};

[[noreturn]] inline void not_of_these_texts(int64_t document) {
    throw std::invalid_argument("the tokens are not those of the texts: document " +
                                std::to_string(document) + " is not tiled by tokens and its break");
}

// First pass: every token its own number plus 1, whether it is rare or not.
inline TokenCodes raw_codes(const Documents& texts, const TokenStarts& tokens, bool only_words,
                            StringNumbers& numbers, Pulse& pulse) {
    TokenCodes raw;
    raw.ends.reserve(static_cast<size_t>(texts.count()));
    int64_t t = 0;
    for (int64_t d = 0; d < texts.count(); ++d) {
        const int64_t begin = texts.start(d), end = texts.end(d);
        if (t >= tokens.count || tokens.starts[t] != begin) not_of_these_texts(d);
        const char* data = static_cast<const char*>(texts[d].data);
        const int width = texts[d].width;
        for (; t < tokens.count && tokens.starts[t] < end; ++t) {
            const int64_t start = tokens.starts[t], stop = tokens.starts[t + 1];
            if (stop <= start || stop > end) not_of_these_texts(d);
            if (only_words && !tokens.words[t]) continue;
            const uint32_t number =
                numbers.number({width, data + (start - begin) * width, stop - start});
            raw.codes.push_back(number + 1);
            raw.positions.push_back(t);
            pulse(stop - start);
        }
        if (t >= tokens.count || tokens.starts[t] != end || tokens.starts[t + 1] != end + 1)
            not_of_these_texts(d);
        raw.ends.push_back(static_cast<int64_t>(raw.codes.size()));
        raw.codes.push_back(0);
        raw.positions.push_back(-1);
        ++t;
    }
    if (t != tokens.count) not_of_these_texts(texts.count());
    return raw;
}

// How often each raw code occurs; with labels, in documents of how many different labels.
inline Vector<int64_t> count_codes(const TokenCodes& raw, size_t codes, const int32_t* labels,
                                   Pulse& pulse) {
    Vector<int64_t> counts(codes, 0);
    const auto documents = static_cast<int64_t>(raw.ends.size());
    if (!labels) {
        for (const uint32_t code : raw.codes) ++counts[code];
        return counts;
    }
    Vector<int64_t> last(codes, -1);
    int64_t first_of_label = -1;
    int32_t label = 0;
    for (const int64_t d : by_label(labels, documents)) {
        if (first_of_label < 0 || labels[d] != label) first_of_label = d, label = labels[d];
        const int64_t begin = d > 0 ? raw.ends[d - 1] + 1 : 0;
        for (int64_t i = begin; i < raw.ends[d]; ++i) {
            if (last[raw.codes[i]] == first_of_label) continue;
            last[raw.codes[i]] = first_of_label;
            ++counts[raw.codes[i]];
        }
        pulse(raw.ends[d] - begin);
    }
    return counts;
}

inline TokenCodes number_tokens(const Documents& texts, const TokenStarts& tokens, bool only_words,
                                int64_t at_least, const int32_t* labels, const SymbolSet& breaks,
                                Pulse& pulse) {
    StringNumbers numbers;
    TokenCodes result = raw_codes(texts, tokens, only_words, numbers, pulse);
    const Vector<int64_t> counts = count_codes(result, numbers.size() + 1, labels, pulse);
    const auto has_break = [&](const Text& string) {
        return read(string, [&](const auto* symbol) {
            for (int64_t i = 0; i < string.length; ++i)
                if (breaks.contains(symbol[i])) return true;
            return false;
        });
    };
    Vector<uint32_t> code(counts.size(), 0);
    result.counts.push_back(0);
    for (size_t raw = 1; raw < counts.size(); ++raw) {
        if (counts[raw] < at_least || has_break(numbers[raw - 1])) continue;
        code[raw] = static_cast<uint32_t>(result.counts.size());
        result.counts.push_back(counts[raw]);
    }
    for (uint32_t& each : result.codes) each = code[each];
    return result;
}

}  // namespace sfumato
