// The fewest starred symbols such that a reader who writes back what can be guessed is left with
// stretches that are k-repeats. The definition is docs/reader.md.
//
// Only cores count: a token that is guessed from neither side nor both, or tokens a..b, a < b, of
// which the first is not guessed from the left nor the last from the right (and, if they are two,
// not both together). Cores are disjoint; what stands between them, or before the first, or after
// the last, is legible and a k-repeat. Or the whole document is starred: then nothing is guessed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "repeats/reader.hpp"
#include "repeats/units.hpp"

namespace sfumato {

struct Prices {
    Position min_run, run_price;
};

// A start of a stretch, and what it costs to come there.
struct CoverStart {
    Position i, value;
};

// A queue in memory that is used again.
class CoverStarts {
  public:
    void clear() { starts_.clear(), front_ = 0; }
    bool empty() const { return front_ == starts_.size(); }
    const CoverStart& front() const { return starts_[front_]; }
    const CoverStart& back() const { return starts_.back(); }
    void pop_front() { ++front_; }
    void pop_back() { starts_.pop_back(); }
    void push_back(const CoverStart& one) { starts_.push_back(one); }

  private:
    std::vector<CoverStart> starts_;
    std::size_t front_ = 0;
};

// Working memory for one document.
struct CoverSteps {
    CoverStarts queue, waiting;
    std::vector<std::int64_t> stretch;  // of the legible tokens that end before j
    std::vector<std::uint8_t> core;     // how the core that ends before j was made

    enum : std::uint8_t { single = 1, two = 2, more = 3, continued = 4 };
};

// Tokens [0, m) of one document: bits, where each stands, and how far the k-repeat from each of
// them reaches, in tokens. A token costs its symbols.
template <class Length>
struct CoverInput {
    const Length* L;
    const std::uint8_t* bits;
    const std::uint8_t* starred;  // these cost nothing; or null
    const std::uint8_t* left;     // those of them that a reader leaves; or null
    const Position* starts;
    const Position* stops;
    Position m;

    Position weight(Position i) const { return starred && starred[i] ? 0 : stops[i] - starts[i]; }
    bool alone(Position i) const { return !(bits[i] & (from_both | from_left | from_right)); }

    // Whether what a reader has as stars stand are k-repeats: then a cover costs nothing.
    bool is_covered() const {
        if (!left) return false;
        for (Position a = 0; a < m; ++a) {
            if (left[a] == 1) continue;
            Position b = a;
            while (b < m && left[b] != 1) ++b;
            if (Position(L[a]) < b - a) return false;
            a = b;
        }
        return true;
    }
};

//   W[j]: the least cost of tokens 0..j-1 when what ends before j is legible, or a core,
//   S[j]: a core ends before j; I1, I2, I3: inside a core of one token, two, or more.
// The admissible starts of the stretch that ends before j form a window that only moves right: a
// monotone queue makes it O(m).
template <class Length>
void cover_against_reader(const CoverInput<Length>& in, const Prices& prices, CoverSteps& steps,
                          std::uint8_t* stars) {
    constexpr Position never = INT64_MAX / 4;
    const auto plus = [](Position a, Position b) { return a >= never ? never : a + b; };
    steps.stretch.assign(std::size_t(in.m) + 1, 0);
    steps.core.assign(std::size_t(in.m) + 1, 0);
    CoverStarts &queue = steps.queue, &waiting = steps.waiting;
    queue.clear();
    waiting.clear();
    waiting.push_back({0, 0});
    Position total = 0, W = 0, I1 = never, I2 = never, I3 = never;
    for (Position j = 1; j <= in.m; ++j) {
        const Position t = j - 1, w = in.weight(t);
        total += w;
        const Position opened = in.bits[t] & from_left ? never : plus(W, w + prices.run_price);
        const bool continues = I3 < I2;
        I3 = plus(std::min(I2, I3), w);
        I2 = plus(I1, w);
        I1 = opened;
        Position S = never;
        std::uint8_t how = 0;
        const auto offer = [&](Position value, std::uint8_t made) {
            if (value < S) S = value, how = made;
        };
        if (in.alone(t)) offer(I1, CoverSteps::single);
        if (!(in.bits[t] & from_right)) {
            if (t > 0 && !(in.bits[t - 1] & pair)) offer(I2, CoverSteps::two);
            offer(I3, CoverSteps::more);
        }
        steps.core[j] = std::uint8_t(how | (continues ? CoverSteps::continued : 0));

        while (!waiting.empty() && in.stops[t] - in.starts[waiting.front().i] >= prices.min_run) {
            while (!queue.empty() && queue.back().value > waiting.front().value) queue.pop_back();
            queue.push_back(waiting.front());
            waiting.pop_front();
        }
        while (!queue.empty() && queue.front().i + Position(in.L[queue.front().i]) < j)
            queue.pop_front();
        W = S;
        if (!queue.empty() && queue.front().value < W) {
            W = queue.front().value;
            steps.stretch[j] = j - queue.front().i;
        }
        if (S < never && j < in.m) waiting.push_back({j, S});
    }
    if (W >= never || W > total) {
        std::fill(stars, stars + in.m, std::uint8_t(1));
        return;
    }
    for (Position j = in.m; j > 0;) {
        j -= steps.stretch[j];
        if (j == 0) break;
        const int how = steps.core[j] & 3;
        Position first = j - how;
        if (how == CoverSteps::more)
            for (Position at = j; steps.core[at] & CoverSteps::continued; --at) --first;
        std::fill(stars + first, stars + j, std::uint8_t(1));
        j = first;
    }
}

}  // namespace sfumato
