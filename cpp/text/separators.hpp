// What stands between words: where fewer than k share it, it is written as blanks.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/pulse.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

// White_Space of the Unicode standard.
inline bool is_white(uint32_t c) {
    return (c >= 9 && c <= 13) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

// Tokens of documents: starts and stops in the encoded layout, and where each document's end.
struct TokenPlaces {
    const int64_t* starts;
    const int64_t* stops;
    const int64_t* ends;  // one a document, in tokens
};

class Separators {
  public:
    // `hidden` symbols are read as blanks, symbols of `keep` not at all.
    Separators(const Documents& texts, const TokenPlaces& tokens, const SymbolSet& keep,
               const uint8_t* hidden)
        : texts_(texts), tokens_(tokens), keep_(keep), hidden_(hidden) {}

    // Marks in `blank` the symbols of separators that fewer than k share: how many separators.
    int64_t mark_rare(int64_t k, const int32_t* labels, uint8_t* blank, Pulse& pulse) {
        struct Count {
            int64_t last = -1, count = 0;
        };
        std::unordered_map<std::u32string, Count> counts;
        const auto add = [&](int64_t d, int64_t label) {
            each(d, [&](int64_t, int64_t) {
                Count& here = counts[key_];
                here.count += label < 0 || here.last != label;
                here.last = label;
            });
            pulse(texts_[d].length);
        };
        if (labels) {
            int64_t first = -1;
            for (const int64_t d : by_label(labels, texts_.count())) {
                if (first < 0 || labels[d] != labels[first]) first = d;
                add(d, first);
            }
        } else {
            for (int64_t d = 0; d < texts_.count(); ++d) add(d, -1);
        }
        int64_t rare = 0;
        for (int64_t d = 0; d < texts_.count(); ++d)
            each(d, [&](int64_t from, int64_t to) {
                if (counts[key_].count >= k) return;
                ++rare;
                for (int64_t p = from; p < to; ++p)
                    if (counts_in(d, p)) blank[p] = 1;
            });
        return rare;
    }

    // Numbers the separators by what they count as: the keys, and each one's document and number.
    void number(std::vector<std::u32string>& keys, std::vector<int64_t>& documents,
                std::vector<int64_t>& numbers) {
        std::unordered_map<std::u32string, int64_t> known;
        for (int64_t d = 0; d < texts_.count(); ++d)
            each(d, [&](int64_t, int64_t) {
                const auto [at, is_new] = known.try_emplace(key_, int64_t(keys.size()));
                if (is_new) keys.push_back(key_);
                documents.push_back(d);
                numbers.push_back(at->second);
            });
    }

    // Marks in `blank` the symbols of separators whose number is `rare`: how many separators.
    int64_t mark(const uint8_t* rare, std::size_t count, uint8_t* blank) {
        std::unordered_map<std::u32string, std::size_t> known;
        int64_t marked = 0;
        for (int64_t d = 0; d < texts_.count(); ++d)
            each(d, [&](int64_t from, int64_t to) {
                const std::size_t number = known.try_emplace(key_, known.size()).first->second;
                if (number >= count || !rare[number]) return;
                ++marked;
                for (int64_t p = from; p < to; ++p)
                    if (counts_in(d, p)) blank[p] = 1;
            });
        return marked;
    }

  private:
    // Calls found(from, to) for every separator that is more than blanks, with its key in key_.
    template <class Found>
    void each(int64_t d, Found&& found) {
        const int64_t first = d ? tokens_.ends[d - 1] + 1 : 0, last = tokens_.ends[d];
        int64_t from = texts_.start(d);
        for (int64_t t = first; t <= last; ++t) {
            const int64_t to = t == last ? texts_.end(d) : tokens_.starts[t];
            if (read_key(d, from, to)) found(from, to);
            if (t < last) from = tokens_.stops[t];
        }
    }

    uint32_t symbol(int64_t d, int64_t p) const {
        return read(texts_[d], [&](const auto* s) -> uint32_t { return s[p - texts_.start(d)]; });
    }
    // Whether a symbol counts: it is seen, no blank, and not kept.
    bool counts_in(int64_t d, int64_t p) const {
        const uint32_t c = symbol(d, p);
        return !is_white(c) && !keep_.contains(c) && !(hidden_ && hidden_[p]);
    }
    bool read_key(int64_t d, int64_t from, int64_t to) {
        key_.clear();
        bool blank = false;
        for (int64_t p = from; p < to; ++p) {
            const uint32_t c = symbol(d, p);
            if (is_white(c) || (hidden_ && hidden_[p])) {
                blank = true;
                continue;
            }
            if (keep_.contains(c)) continue;
            if (blank && !key_.empty()) key_.push_back(U' ');
            blank = false;
            key_.push_back(static_cast<char32_t>(c));
        }
        return !key_.empty();
    }

    const Documents& texts_;
    TokenPlaces tokens_;
    const SymbolSet& keep_;
    const uint8_t* hidden_;
    std::u32string key_;
};

}  // namespace sfumato
