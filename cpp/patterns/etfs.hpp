// ETFS: the string of least edit distance to W whose windows are exactly N_1..N_m, in order.
//
// Every such string writes N_1, N_2, ... to their ends in turn, so F_i(j), the least cost of having
// finished N_i with j symbols of W used, is enough to go on from. From F_{i-1} to F_i there are two
// ways: write the last symbol of N_i (when the two overlap in k-1), or write a gap and all of N_i.
// A gap starts and ends with a separator and has no k letters in a row; using d symbols of W it
// costs its separators only: 1 + ceil((d-1)/k), or 1 for d = 0. Before N_1 and after N_m one end of
// the gap is free: ceil(d/k). Each symbol written is inserted (1) or aligned with the next of W
// (0 or 1); skipping one of W costs 1.
//
// With at most t edits, i and the number c(j) of N's windows within W[0..j) differ by at most k t:
// that bounds the columns of layer i. Every s-th layer is kept; the way back recomputes s layers at
// a time. Time O(k m b), b <= n the width of the band; memory O(sqrt(m) b).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/tick.hpp"
#include "patterns/windows.hpp"

namespace sfumato {

class Etfs {
  public:
    struct Result {
        std::vector<Symbol> symbols;     // 0 is the separator
        std::vector<std::int64_t> from;  // the place in W each is aligned with, or -1
        std::int64_t distance = 0;
    };

    // `kept`: where N_1..N_m start in W; `most`: an upper bound on the distance.
    Etfs(const Symbol* w, Position n, const Position* kept, Position m, Position k, Position most)
        : w_(w), n_(n), kept_(kept), m_(m), k_(k), low_(m + 1), high_(m + 1) {
        set_band(most);
    }

    // The cells of all layers, in the unit of one pass.
    double cells() const {
        double sum = 0;
        for (Position i = 1; i <= m_; ++i)
            sum += static_cast<double>(high_[i] - low_[i - 1] + 1) * static_cast<double>(k_ + 2);
        return sum;
    }

    Result run(const Tick& tick) {
        if (m_ == 0) return all_gap();
        const Position step = std::max<Position>(1, static_cast<Position>(std::sqrt(double(m_))));
        std::vector<Row> checkpoints;
        Row row;
        for (Position i = 1; i <= m_; ++i) {
            if ((i - 1) % step == 0) checkpoints.push_back(row);
            row = next(i, row);
            if (i % 64 == 0) report(tick, 0.5 * double(i) / double(m_));
        }
        Position j = best_end(row);
        for (Position first = ((m_ - 1) / step) * step; first >= 0; first -= step) {
            const Position past = std::min(first + step, m_);
            std::vector<Row> rows{checkpoints[first / step]};  // rows[i - first] is F_i
            for (Position i = first + 1; i < past; ++i) rows.push_back(next(i, rows.back()));
            for (Position i = past; i > first; --i) j = trace(i, rows[i - 1 - first], j);
            report(tick, 1.0 - 0.5 * double(first) / double(m_));
        }
        std::reverse(out_.symbols.begin(), out_.symbols.end());
        std::reverse(out_.from.begin(), out_.from.end());
        return std::move(out_);
    }

  private:
    static constexpr std::int32_t infinite = 1 << 29;

    // Values for the columns [low, low + size); infinite elsewhere.
    struct Row {
        Position low = 0;
        std::vector<std::int32_t> values;
        std::int32_t at(Position j) const {
            const Position x = j - low;
            return x < 0 || x >= static_cast<Position>(values.size()) ? infinite : values[x];
        }
    };

    void set_band(Position most) {
        const Position reach = most >= n_ ? m_ : std::min(m_, k_ * most);
        Position low = 0, high = 0, before_low = 0, before_high = 0;  // c(low), c(high)
        for (Position i = 0; i <= m_; ++i) {
            while (low < n_ && before_low < i - reach) before_low = ends_by(++low, before_low);
            while (high < n_) {
                const Position after = ends_by(high + 1, before_high);
                if (after > i + reach) break;
                before_high = after;
                ++high;
            }
            low_[i] = low;
            high_[i] = high;
        }
        low_[0] = 0;
    }

    // c(j), given c(j-1): whether a kept window ends at j.
    Position ends_by(Position j, Position before) const {
        return before < m_ && kept_[before] + k_ == j ? before + 1 : before;
    }

    const Symbol* window(Position i) const { return w_ + kept_[i - 1]; }

    bool overlaps(Position i) const {
        return i > 1 && std::equal(window(i - 1) + 1, window(i - 1) + k_, window(i));
    }

    static std::int32_t rounded_up(Position d, Position k) {
        return static_cast<std::int32_t>((d + k - 1) / k);
    }

    // The least cost at every column after the gap before N_i.
    Row after_gap(Position i, const Row& before) const {
        Row row{i == 1 ? 0 : low_[i - 1], {}};
        const Position width = high_[i] - row.low + 1;
        row.values.assign(width, infinite);
        std::int32_t* h = row.values.data();
        if (i == 1) {
            for (Position x = 0; x < width; ++x) h[x] = rounded_up(x, k_);
            return row;
        }
        const Position known = std::min(width, static_cast<Position>(before.values.size()));
        const std::int32_t* f = before.values.data();
        for (Position d = 1; d <= k_; ++d)
            for (Position x = d, past = std::min(width, known + d); x < past; ++x)
                h[x] = std::min(h[x], f[x - d] + (d == 1 ? 1 : 2));
        for (Position x = k_; x < width; ++x) h[x] = std::min(h[x], h[x - k_] + 1);
        for (Position x = 0; x < known; ++x) h[x] = std::min(h[x], f[x] + 1);
        return row;
    }

    // One more written symbol: aligned with the next of W or inserted; symbols of W may be skipped.
    void write(Symbol symbol, Position low, const std::vector<std::int32_t>& from,
               std::vector<std::int32_t>& to) const {
        const Position width = static_cast<Position>(from.size());
        to.resize(width);
        const Symbol* w = w_ + low - 1;
        std::int32_t left = infinite;
        for (Position x = 0; x < width; ++x) {
            std::int32_t cost = from[x] + 1;
            if (x > 0) cost = std::min(cost, from[x - 1] + (w[x] != symbol));
            cost = std::min(cost, left + 1);
            to[x] = left = cost;
        }
    }

    // The rows of N_i written symbol by symbol after the gap; the last is one way to F_i.
    std::vector<std::vector<std::int32_t>> written(Position i, const Row& gap) const {
        std::vector<std::vector<std::int32_t>> rows(k_ + 1);
        rows[0] = gap.values;
        for (Position t = 0; t < k_; ++t) write(window(i)[t], gap.low, rows[t], rows[t + 1]);
        return rows;
    }

    // The other way to F_i: its last symbol only.
    std::vector<std::int32_t> merged(Position i, const Row& before, Position width) const {
        std::vector<std::int32_t> from(before.values), to;
        from.resize(width, infinite);
        write(window(i)[k_ - 1], before.low, from, to);
        return to;
    }

    Row next(Position i, const Row& before) const {
        Row gap = after_gap(i, before);
        std::vector<std::int32_t> a = gap.values, b;
        for (Position t = 0; t < k_; ++t) {
            write(window(i)[t], gap.low, a, b);
            a.swap(b);
        }
        if (overlaps(i)) {
            const auto other = merged(i, before, static_cast<Position>(a.size()));
            for (std::size_t x = 0; x < a.size(); ++x) a[x] = std::min(a[x], other[x]);
        }
        const Position cut = low_[i] - gap.low;
        return {low_[i], std::vector<std::int32_t>(a.begin() + cut, a.end())};
    }

    Position best_end(const Row& last) {
        Position best = last.low;
        std::int64_t least = infinite;
        for (Position j = last.low; j <= high_[m_]; ++j) {
            const std::int64_t cost = last.at(j) + rounded_up(n_ - j, k_);
            if (cost < least) {
                least = cost;
                best = j;
            }
        }
        out_.distance = least;
        emit_gap(best, n_ - best, false, true);
        return best;
    }

    void emit(Symbol symbol, std::int64_t from) {
        out_.symbols.push_back(symbol);
        out_.from.push_back(from);
    }

    // A gap over the d symbols of W from j on, written backwards. With `open` or `shut` it need not
    // start or end with a separator.
    void emit_gap(Position j, Position d, bool open, bool shut) {
        if (d == 0) {
            if (!open && !shut) emit(0, -1);
            return;
        }
        // Separators every k symbols, counted from the end that must have one.
        for (Position x = d - 1; x >= 0; --x) {
            bool separator;
            if (open && shut)
                separator = x % k_ == k_ - 1;
            else if (open)
                separator = (d - 1 - x) % k_ == 0;
            else
                separator = x % k_ == 0 || (!shut && x == d - 1);
            emit(separator ? 0 : w_[j + x], j + x);
        }
    }

    // Undoes one written symbol: from (row to, column x) back to its column in row from.
    Position back(Symbol symbol, Position low, const std::vector<std::int32_t>& from,
                  const std::vector<std::int32_t>& to, Position x) {
        while (true) {
            if (x > 0 && to[x] == from[x - 1] + (w_[low + x - 1] != symbol)) {
                emit(symbol, low + x - 1);
                return x - 1;
            }
            if (to[x] == from[x] + 1) {
                emit(symbol, -1);
                return x;
            }
            --x;  // to[x] came from to[x - 1]: this symbol of W was skipped
        }
    }

    // Emits, backwards, everything between F_{i-1} and F_i at column j; returns the column before.
    Position trace(Position i, const Row& before, Position j) {
        Row gap = after_gap(i, before);
        gap.values.resize(j - gap.low + 1);
        const auto rows = written(i, gap);
        Position x = j - gap.low;
        if (overlaps(i)) {
            const auto other = merged(i, before, x + 1);
            if (other[x] <= rows[k_][x]) {
                std::vector<std::int32_t> from(before.values);
                from.resize(x + 1, infinite);
                return before.low + back(window(i)[k_ - 1], before.low, from, other, x);
            }
        }
        for (Position t = k_; t > 0; --t)
            x = back(window(i)[t - 1], gap.low, rows[t - 1], rows[t], x);
        const Position after = gap.low + x;
        if (i == 1) {
            emit_gap(0, after, true, false);
            return 0;
        }
        for (Position d = 0; d <= x; ++d) {
            const std::int32_t cost = d == 0 ? 1 : 1 + rounded_up(d - 1, k_);
            if (before.at(after - d) + cost == gap.values[x]) {
                emit_gap(after - d, d, false, false);
                return after - d;
            }
        }
        throw std::logic_error("the gap has no origin");
    }

    Result all_gap() {
        emit_gap(0, n_, true, true);
        std::reverse(out_.symbols.begin(), out_.symbols.end());
        std::reverse(out_.from.begin(), out_.from.end());
        out_.distance = n_ / k_;
        return std::move(out_);
    }

    const Symbol* w_;
    Position n_;
    const Position* kept_;
    Position m_, k_;
    std::vector<Position> low_, high_;
    Result out_;
};

}  // namespace sfumato
