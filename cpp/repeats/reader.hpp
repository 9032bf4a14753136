// Which tokens a reader guesses from the tokens beside them, who knows the texts of everybody else.
// The definition is docs/reader.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/tick.hpp"
#include "repeats/others.hpp"

namespace sfumato {

// What a token is in. Of a token and its right neighbour `pair` tells whether both are guessed.
enum Guessed : std::uint8_t { from_both = 1, from_left = 2, from_right = 4, pair = 8 };

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
        : texts_(texts), others_(texts), least_(least), tick_(tick) {
        if (texts.size() >= UINT32_MAX) throw std::length_error("too many tokens");
    }

    // The bits of every place of the judged documents.
    Vector<std::uint8_t> bits() {
        const TokenTexts& t = texts_;
        const Position n = t.judged ? t.ends[t.judged - 1] + 1 : 0;
        Vector<std::uint8_t> bits(std::size_t(n), 0);
        Vector<std::uint32_t> x(t.codes, t.codes + t.size()), all(x);
        for (Position i = 0; i < t.size(); ++i) all[i] = x[i] ? t.length(i) + 1 : 0;
        others_.count(x);
        others_.count(all);
        const auto key = [](std::uint32_t a, std::uint32_t b) {
            return std::uint64_t(a) << 32 | b;
        };
        // A place with the one before it; at a document's end the last place with the end.
        pairs_ = others_.count(
            [&](Position d, Position i) {
                const std::uint32_t l = t.left(d, i);
                const std::uint32_t x = i == t.ends[d] ? t.symbols + 1 : t.codes[i];
                return l && x && t.begin(d) < t.ends[d] ? key(l, x) : Others::none;
            },
            &pair_);
        report(tick_, 0.25);
        const auto l = others_.count(
            [&](Position d, Position i) {
                const std::uint32_t l = inside(d, i) ? t.left(d, i) : 0;
                return l ? key(l, t.length(i)) : Others::none;
            },
            &left_);
        report(tick_, 0.45);
        const auto r = others_.count(
            [&](Position d, Position i) {
                const std::uint32_t r = inside(d, i) ? t.right(d, i) : 0;
                return r ? key(r, t.length(i)) : Others::none;
            },
            &right_);
        report(tick_, 0.65);
        for (Position i = 0; i < n; ++i) {
            if (!t.codes[i]) continue;
            const Share left(pairs_[i], l[i], x[i], all[i]),
                right(pairs_[i + 1], r[i], x[i], all[i]);
            bits[i] =
                std::uint8_t(left.reaches(least_) * from_left + right.reaches(least_) * from_right);
        }
        // A trigram that others have has two pairs that others have.
        const auto lxr = others_.count([&](Position d, Position i) {
            const bool shared = inside(d, i) && shown(d, i, 0) && shown(d, i, 1);
            return shared && t.left(d, i) && t.right(d, i) ? key(pair_[i], t.right(d, i))
                                                           : Others::none;
        });
        report(tick_, 0.8);
        // Without it both sides tell no more than the better of them.
        Vector<std::uint8_t> asked(std::size_t(t.size()), 0);
        for (Position i = 0; i < n; ++i) asked[i] = t.codes[i] && (lxr[i] || bits[i]);
        const auto lr = others_.count(
            [&](Position d, Position i) {
                const bool known = inside(d, i) && t.left(d, i) && t.right(d, i);
                return known ? key(left_[i], t.right(d, i)) : Others::none;
            },
            nullptr, &asked);
        for (Position i = 0; i < n; ++i) {
            if (!asked[i]) continue;
            const Share left(pairs_[i], l[i], x[i], all[i]),
                right(pairs_[i + 1], r[i], x[i], all[i]);
            if (left.with(lxr[i], lr[i], least_) || right.with(lxr[i], lr[i], least_))
                bits[i] |= from_both;
        }
        mark_pairs(bits);
        return bits;
    }

  private:
    // Whether a token stands there that is known.
    bool inside(Position d, Position i) const { return i < texts_.ends[d] && texts_.codes[i]; }

    // Whether others may have the token `after` places behind together with the one before it. Of
    // public texts nobody asked.
    bool shown(Position d, Position i, Position after) const {
        return d >= texts_.judged || pairs_[i + after];
    }

    // Two tokens that are left of a run, neither a break by itself, and both guessed together.
    void mark_pairs(Vector<std::uint8_t>& bits) const {
        const TokenTexts& t = texts_;
        Vector<std::uint8_t> asked(std::size_t(t.size()), 0);
        const auto known = [&](Position d, Position i) {
            return i + 1 < t.ends[d] && t.codes[i] && t.codes[i + 1] && t.left(d, i) &&
                   t.right(d, i + 1);
        };
        for (Position d = 0; d < t.judged; ++d)
            for (Position i = t.begin(d); i + 1 < t.ends[d]; ++i)
                asked[i] = known(d, i) && bits[i] && bits[i + 1] && !(bits[i] & from_left) &&
                           !(bits[i + 1] & from_right) && pairs_[i] && pairs_[i + 1] &&
                           pairs_[i + 2];
        const auto both = others_.count(
            [&](Position d, Position i) {
                const bool shared =
                    known(d, i) && shown(d, i, 0) && shown(d, i, 1) && shown(d, i, 2);
                return shared ? std::uint64_t(pair_[i]) << 32 | pair_[i + 2] : Others::none;
            },
            nullptr, &asked);
        for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = asked[i] && both[i];
        const auto any = others_.count(
            [&](Position d, Position i) {
                return known(d, i) ? std::uint64_t(left_[i]) << 32 | right_[i + 1] : Others::none;
            },
            nullptr, &asked);
        for (std::size_t i = 0; i < bits.size(); ++i)
            if (asked[i] && any[i] && Wide(both[i]) * least_.den >= Wide(any[i]) * least_.num)
                bits[i] |= pair;
    }

    const TokenTexts& texts_;
    Others others_;
    Least least_;
    const Tick& tick_;
    Vector<std::uint32_t> pairs_;                // how often others have it
    Vector<std::uint32_t> pair_, left_, right_;  // the numbers of (l, x), (l, size), (r, size)
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
