// Code points as dense codes: the smallest alphabet that keeps the order of code points.
#pragma once

#include <cstdint>
#include <vector>

#include "common/pulse.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

// How often each code point occurs; with labels, in documents of how many different labels.
inline std::vector<int64_t> count_symbols(const Documents& texts, const int32_t* labels,
                                          Pulse& pulse) {
    std::vector<int64_t> counts(static_cast<size_t>(texts.range()), 0);
    if (!labels) {
        for (int64_t d = 0; d < texts.count(); ++d)
            read(texts[d], [&](const auto* symbol) {
                pulse.blocks(0, texts[d].length, [&](int64_t from, int64_t to) {
                    for (int64_t i = from; i < to; ++i) ++counts[symbol[i]];
                });
            });
        return counts;
    }
    // Label by label, so that the last label a code point was seen with tells whether it is new.
    std::vector<int64_t> last(counts.size(), -1);
    int64_t first_of_label = -1;
    int32_t label = 0;
    for (const int64_t d : by_label(labels, texts.count())) {
        if (first_of_label < 0 || labels[d] != label) first_of_label = d, label = labels[d];
        read(texts[d], [&](const auto* symbol) {
            pulse.blocks(0, texts[d].length, [&](int64_t from, int64_t to) {
                for (int64_t i = from; i < to; ++i) {
                    if (last[symbol[i]] == first_of_label) continue;
                    last[symbol[i]] = first_of_label;
                    ++counts[symbol[i]];
                }
            });
        });
    }
    return counts;
}

// The code of each code point: 0 for those that end every repeat, the others in order from 1.
struct Alphabet {
    std::vector<uint32_t> code;
    int64_t symbols;  // every code is smaller
};

inline Alphabet make_alphabet(const std::vector<int64_t>& counts, int64_t at_least,
                              const SymbolSet& breaks) {
    Alphabet alphabet{std::vector<uint32_t>(counts.size(), 0), 1};
    for (size_t symbol = 0; symbol < counts.size(); ++symbol)
        if (counts[symbol] >= at_least && !breaks.contains(static_cast<uint32_t>(symbol)))
            alphabet.code[symbol] = static_cast<uint32_t>(alphabet.symbols++);
    return alphabet;
}

// The encoded layout, written to `codes`; Code must hold the largest code.
template <class Code>
void encode(const Documents& texts, const Alphabet& alphabet, Code* codes, Pulse& pulse) {
    const std::vector<Code> code(alphabet.code.begin(), alphabet.code.end());
    for (int64_t d = 0; d < texts.count(); ++d) {
        Code* out = codes + texts.start(d);
        read(texts[d], [&](const auto* symbol) {
            pulse.blocks(0, texts[d].length, [&](int64_t from, int64_t to) {
                for (int64_t i = from; i < to; ++i) out[i] = code[symbol[i]];
            });
        });
        out[texts[d].length] = 0;
    }
}

// 1 where the symbol is in the set, 0 elsewhere and at breaks.
inline void mark_symbols(const Documents& texts, const SymbolSet& symbols, uint8_t* out,
                         Pulse& pulse) {
    Alphabet marks{std::vector<uint32_t>(static_cast<size_t>(texts.range())), 2};
    for (size_t symbol = 0; symbol < marks.code.size(); ++symbol)
        marks.code[symbol] = symbols.contains(static_cast<uint32_t>(symbol));
    encode(texts, marks, out, pulse);
}

}  // namespace sfumato
