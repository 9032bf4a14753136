// Which tokens a reader guesses from the tokens beside them, who knows the texts of everybody else.
// The definition is docs/reader.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/tick.hpp"

namespace sfumato {

using Position = std::int64_t;

// What a token is in. Of a token and its right neighbour `pair` tells whether both are guessed.
enum Guessed : std::uint8_t { from_both = 1, from_left = 2, from_right = 4, pair = 8 };

// Tokens as numbers; document d is [ends[d-1] + 1, ends[d]), at ends[d] stands no token. Code 0
// inside a document is a break, which nobody knows.
struct TokenTexts {
    const std::uint32_t* codes;
    const std::uint32_t* lengths;  // null where they are not shown
    const Position* ends;
    Position documents;
    const std::int32_t* labels;  // one a document, or null: each place is left out by itself
    Position judged;             // documents; those after them are public, and never left out
    std::uint32_t symbols;       // every code is smaller

    Position size() const { return documents ? ends[documents - 1] + 1 : 0; }
    Position begin(Position d) const { return d ? ends[d - 1] + 1 : 0; }
    std::uint32_t length(Position i) const { return lengths ? lengths[i] : 0; }
    // The neighbours of a place: a code, the start or end of the document, or 0 at a break.
    std::uint32_t left(Position d, Position i) const {
        return i == begin(d) ? symbols : codes[i - 1];
    }
    std::uint32_t right(Position d, Position i) const {
        return i + 1 == ends[d] ? symbols + 1 : codes[i + 1];
    }
};

struct NGram {
    std::uint64_t a, b;
    bool operator==(const NGram&) const = default;
};

inline NGram ngram(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0, std::uint32_t d = 0) {
    return {std::uint64_t(a) << 32 | b, std::uint64_t(c) << 32 | d};
}

// N-grams numbered from 1; equal hashes are always compared in full.
class NGrams {
  public:
    NGrams() : slots_(1 << 12, 0) {}

    std::uint32_t number(const NGram& key) {
        const std::size_t slot = find(key);
        if (slots_[slot]) return slots_[slot];
        if (keys_.size() >= UINT32_MAX - 1) throw std::length_error("too many different n-grams");
        keys_.push_back(key);
        slots_[slot] = std::uint32_t(keys_.size());
        if (keys_.size() * 2 > slots_.size()) grow();
        return std::uint32_t(keys_.size());
    }
    // 0 where it was never numbered.
    std::uint32_t known(const NGram& key) const { return slots_[find(key)]; }
    std::size_t size() const { return keys_.size(); }

  private:
    static std::size_t hash(const NGram& key) {
        std::uint64_t h = key.a * 0x9E3779B97F4A7C15u ^ (key.b + 0x7F4A7C15u) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
        h *= 0xD6E8FEB86659FD93u;
        return std::size_t(h ^ h >> 29);
    }
    std::size_t find(const NGram& key) const {
        std::size_t slot = hash(key) & (slots_.size() - 1);
        while (slots_[slot] && !(keys_[slots_[slot] - 1] == key))
            slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }
    void grow() {
        std::vector<std::uint32_t> slots(slots_.size() * 2, 0);
        slots_.swap(slots);
        for (std::size_t i = 0; i < keys_.size(); ++i)
            slots_[find(keys_[i])] = std::uint32_t(i + 1);
    }

    std::vector<NGram> keys_;
    std::vector<std::uint32_t> slots_;
};

// Counts among everybody else. `numbers[i]` is the n-gram at place i, 0 for none; it becomes the
// n-gram's occurrences that are not the place's own person's (or the place itself).
class Others {
  public:
    explicit Others(const TokenTexts& texts) : texts_(texts) {
        if (!texts.labels) return;
        for (Position d = 0; d < texts.judged; ++d) order_.push_back(d);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](Position a, Position b) { return texts.labels[a] < texts.labels[b]; });
    }

    void count(std::vector<std::uint32_t>& numbers, std::size_t distinct) const {
        std::vector<std::uint32_t> total(distinct + 1, 0);
        for (const std::uint32_t number : numbers) ++total[number];
        if (!texts_.labels) {
            for (std::uint32_t& number : numbers) number = number ? total[number] - 1 : 0;
            return;
        }
        std::vector<std::uint32_t> own(distinct + 1, 0);
        for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
            while (last < order_.size() &&
                   texts_.labels[order_[last]] == texts_.labels[order_[first]])
                ++last;
            each(numbers, first, last, [&](std::uint32_t& number) { ++own[number]; });
            own[0] = total[0];
            // What is left is written over the number, which is no more needed: its own counts are
            // taken away again from a copy.
            seen_.clear();
            each(numbers, first, last, [&](std::uint32_t& number) {
                seen_.push_back(number);
                number = total[number] - own[number];
            });
            for (const std::uint32_t number : seen_) own[number] = 0;
        }
    }

  private:
    template <class Work>
    void each(std::vector<std::uint32_t>& numbers, std::size_t first, std::size_t last,
              Work&& work) const {
        for (; first < last; ++first) {
            const Position d = order_[first];
            for (Position i = texts_.begin(d); i <= texts_.ends[d]; ++i) work(numbers[i]);
        }
    }

    const TokenTexts& texts_;
    std::vector<Position> order_;
    mutable std::vector<std::uint32_t> seen_;
};

// A share at least this large is a guess: num / den.
struct Least {
    std::int64_t num, den;
};

using Wide = __int128;

// (c + p0) / (n + 1), where p0 = x / all, as a fraction.
struct Share {
    Wide over, under;
    Share(std::int64_t c, std::int64_t n, std::int64_t x, std::int64_t all)
        : over(all ? Wide(c) * all + x : Wide(c)), under(all ? (Wide(n) + 1) * all : Wide(n) + 1) {}
    bool reaches(const Least& g) const { return over * g.den >= under * g.num; }
    // (c3 + 2 share) / (c2 + 2)
    bool with(std::int64_t c3, std::int64_t c2, const Least& g) const {
        return (Wide(c3) * under + 2 * over) * g.den >= (Wide(c2) + 2) * under * g.num;
    }
};

// What everybody else writes, of one place with x between l and r: (l), (l,x), (r), (x,r), ...
struct CountsBeside {
    std::int64_t x, all, l, lx, r, xr, lr, lxr;
};

inline std::uint8_t guessed_bits(const CountsBeside& c, const Least& g) {
    const Share left(c.lx, c.l, c.x, c.all), right(c.xr, c.r, c.x, c.all);
    return std::uint8_t((left.with(c.lxr, c.lr, g) || right.with(c.lxr, c.lr, g)) * from_both +
                        left.reaches(g) * from_left + right.reaches(g) * from_right);
}

class ReaderOf {
  public:
    ReaderOf(const TokenTexts& texts, Least least, const Tick& tick)
        : texts_(texts), others_(texts), least_(least), tick_(tick) {}

    // The bits of every place of the judged documents.
    std::vector<std::uint8_t> bits() const {
        const TokenTexts& t = texts_;
        const auto x = places([&](Position, Position i) { return Key{ngram(t.codes[i])}; });
        const auto all = places([&](Position, Position i) { return Key{ngram(t.length(i))}; });
        report(tick_, 0.2);
        const auto xs = pairs();
        report(tick_, 0.35);
        const auto l = places([&](Position d, Position i) {
            return Key{ngram(t.left(d, i), t.length(i)), t.left(d, i) != 0};
        });
        const auto r = places([&](Position d, Position i) {
            return Key{ngram(t.right(d, i), t.length(i)), t.right(d, i) != 0};
        });
        report(tick_, 0.5);
        const auto lxr = places([&](Position d, Position i) {
            const std::uint32_t l = t.left(d, i), r = t.right(d, i);
            return Key{ngram(l, t.codes[i], r), l && r};
        });
        const auto lr = places([&](Position d, Position i) {
            const std::uint32_t l = t.left(d, i), r = t.right(d, i);
            return Key{ngram(l, r, t.length(i)), l && r};
        });
        report(tick_, 0.8);
        const Position n = texts_.judged ? texts_.ends[texts_.judged - 1] + 1 : 0;
        std::vector<std::uint8_t> bits(std::size_t(n), 0);
        for (Position i = 0; i < n; ++i) {
            if (!texts_.codes[i]) continue;
            bits[i] =
                guessed_bits({x[i], all[i], l[i], xs[i], r[i], xs[i + 1], lr[i], lxr[i]}, least_);
        }
        mark_pairs(bits);
        return bits;
    }

  private:
    struct Key {
        NGram ngram;
        bool known = true;  // none of its tokens is a break
    };

    // The counts of an n-gram of each place.
    template <class KeyOf>
    std::vector<std::uint32_t> places(KeyOf&& key) const {
        NGrams numbers;
        std::vector<std::uint32_t> found(std::size_t(texts_.size()), 0);
        for (Position d = 0; d < texts_.documents; ++d)
            for (Position i = texts_.begin(d); i < texts_.ends[d]; ++i) {
                if (!texts_.codes[i]) continue;
                const auto [here, known] = key(d, i);
                if (known) found[i] = numbers.number(here);
            }
        others_.count(found, numbers.size());
        return found;
    }

    // The counts of each place with the one before it; at a document's end of the last place with
    // the end.
    std::vector<std::uint32_t> pairs() const {
        NGrams numbers;
        std::vector<std::uint32_t> found(std::size_t(texts_.size()), 0);
        for (Position d = 0; d < texts_.documents; ++d)
            for (Position i = texts_.begin(d); i <= texts_.ends[d]; ++i) {
                const std::uint32_t l = texts_.left(d, i);
                const std::uint32_t x = i == texts_.ends[d] ? texts_.symbols + 1 : texts_.codes[i];
                if (l && x && texts_.begin(d) < texts_.ends[d])
                    found[i] = numbers.number(ngram(l, x));
            }
        others_.count(found, numbers.size());
        return found;
    }

    // Two tokens that are left of a run, neither a break by itself, and both guessed together.
    void mark_pairs(std::vector<std::uint8_t>& bits) const {
        const auto candidate = [&](Position d, Position i) {
            return i + 1 < texts_.ends[d] && bits[i] && bits[i + 1] && !(bits[i] & from_left) &&
                   !(bits[i + 1] & from_right);
        };
        NGrams whole, around;
        std::vector<std::uint32_t> both(std::size_t(texts_.size()), 0), any(both);
        for (const bool first : {true, false})
            for (Position d = 0; d < (first ? texts_.judged : texts_.documents); ++d)
                for (Position i = texts_.begin(d); i + 1 < texts_.ends[d]; ++i) {
                    if (first && !candidate(d, i)) continue;
                    const std::uint32_t x = texts_.codes[i], y = texts_.codes[i + 1];
                    const std::uint32_t l = texts_.left(d, i), r = texts_.right(d, i + 1);
                    if (!x || !y || !l || !r) continue;
                    const NGram words = ngram(l, x, y, r);
                    const NGram gap = ngram(l, r, texts_.length(i), texts_.length(i + 1));
                    if (first) {
                        whole.number(words);
                        around.number(gap);
                    } else {
                        both[i] = whole.known(words);
                        any[i] = around.known(gap);
                    }
                }
        // Also places that are no candidates have numbers: they are counted.
        others_.count(both, whole.size());
        others_.count(any, around.size());
        for (Position d = 0; d < texts_.judged; ++d)
            for (Position i = texts_.begin(d); i < texts_.ends[d]; ++i)
                if (candidate(d, i) && any[i] &&
                    Wide(both[i]) * least_.den >= Wide(any[i]) * least_.num)
                    bits[i] |= pair;
    }

    const TokenTexts& texts_;
    Others others_;
    Least least_;
    const Tick& tick_;
};

// The stars of one document that are left when a reader has written back what can be guessed, and
// `left` says which. A document without a legible token is not read.
template <class Stars, class Left>
void read_through(const std::uint8_t* bits, Position start, Position stop, const Stars& starred,
                  Left&& left) {
    bool legible = false;
    for (Position i = start; i < stop && !legible; ++i) legible = !starred(i);
    for (Position i = start; i < stop; ++i) {
        if (!starred(i)) continue;
        Position a = i, b = i;
        while (b + 1 < stop && starred(b + 1)) ++b;
        i = b;
        if (legible) {
            while (a <= b && bits[a] & from_left) ++a;
            while (b >= a && bits[b] & from_right) --b;
            if (a == b && bits[a] & from_both) continue;
            if (a + 1 == b && bits[a] & pair) continue;
        }
        for (; a <= b; ++a) left(a);
    }
}

}  // namespace sfumato
