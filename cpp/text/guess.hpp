// How often an n-gram model trained on a release guesses what is under its stars.
//
// A context (a, b) is the a symbols to the left and the b symbols to the right of a position. The
// model knows, for each context, which symbols stand between in the visible parts of the release.
// The attacker takes the largest context he has; while it was never seen he drops the outermost
// symbol of the longer side (the left one on ties).
//
// Inside a run of stars only the left side is known, and it ends with the attacker's own guesses,
// so these are made one after the other. The last position of a run also has a right side; these
// contexts are all known once the insides are guessed, and are counted together, in one pass over
// the release for each shape (a, b).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/pulse.hpp"
#include "text/guess_between.hpp"
#include "text/guess_left.hpp"

namespace sfumato {

// A generator of 64 random bits (splitmix64).
inline uint64_t random_bits(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

// One random rank from each of `sample` equal parts of 0 .. count - 1; all when they are no more.
inline std::vector<int64_t> sample_ranks(int64_t count, int64_t sample, uint64_t seed) {
    std::vector<int64_t> ranks;
    sample = std::min(sample, count);
    const int64_t size = sample > 0 ? count / sample : 0, longer = sample > 0 ? count % sample : 0;
    for (int64_t i = 0, begin = 0; i < sample; ++i) {
        const int64_t length = size + (i < longer);  // the first parts are one longer
        ranks.push_back(begin + static_cast<int64_t>(random_bits(seed) % length));
        begin += length;
    }
    return ranks;
}

template <class Code>
struct Starred {
    const Code* codes;
    const uint8_t* stars;
    int64_t size;
};

// The starred positions of the given ranks among those with a code.
template <class Code>
std::vector<int64_t> sampled_positions(const Starred<Code>& original,
                                       const std::vector<int64_t>& ranks) {
    std::vector<int64_t> positions;
    int64_t rank = 0;
    for (int64_t p = 0; p < original.size && positions.size() < ranks.size(); ++p)
        if (original.stars[p] && original.codes[p] && rank++ == ranks[positions.size()])
            positions.push_back(p);
    return positions;
}

// Guesses what needs no right side. Returns how many of these guesses are right, and adds the rest
// to `questions`.
template <class Code, class Position>
int64_t right_guesses_in_runs(const Starred<Code>& original, const Visible<Code>& release,
                              const std::vector<int64_t>& sample, int64_t context,
                              LeftModel<Code, Position>& model, std::vector<Question>& questions,
                              Pulse& pulse) {
    const Code* codes = release.codes();
    std::vector<uint32_t> left;   // the nearest symbol last
    int64_t right = 0, next = 0;  // all of the run before `next` is guessed
    for (const int64_t p : sample) {
        int64_t run = p;
        while (run > next && original.stars[run - 1]) --run;
        if (run == 0 || !original.stars[run - 1]) {  // a run not entered before
            left.clear();
            for (int64_t q = run - 1; run - q <= context && codes[q]; --q)
                left.insert(left.begin(), codes[q]);
            next = run;
        }
        const bool last = p + 1 == original.size || !original.stars[p + 1];
        for (; next < p + !last; ++next) {
            left.push_back(model.guess(left));
            if (next == p) right += left.back() == original.codes[p];
            if (static_cast<int64_t>(left.size()) > context) left.erase(left.begin());
            pulse(1);
        }
        if (!last) continue;
        next = p + 1;
        Question question{{left.rbegin(), left.rend()}, {}, original.codes[p]};
        for (int64_t q = p + 1; q <= p + context && codes[q]; ++q)
            question.right.push_back(codes[q]);
        if (question.right.empty())
            right += model.guess(left) == original.codes[p];
        else
            questions.push_back(std::move(question));
    }
    return right;
}

// How many of the sampled positions are guessed.
template <class Position, class Code>
int64_t right_guesses(const Starred<Code>& original, const Visible<Code>& release,
                      const std::vector<int64_t>& sample, int64_t context, Pulse& pulse) {
    std::vector<Question> questions;
    int64_t right = 0;
    uint32_t unseen = 0;
    {
        LeftModel<Code, Position> model(release, pulse);
        if (model.empty()) return 0;
        right = right_guesses_in_runs(original, release, sample, context, model, questions, pulse);
        unseen = model.guess({});
    }
    return right +
           right_guesses_between(release, questions, static_cast<size_t>(context), unseen, pulse);
}

// The share of stars that are guessed, from a sample of those that can be. A star over code 0 (a
// symbol too rare to be visible anywhere) cannot.
template <class Code>
double guess_rate(const Starred<Code>& original, int64_t context, int64_t sample, uint64_t seed,
                  const Tick& tick) {
    Pulse pulse(tick, original.size * (2 * context + 4));
    Visible<Code> release(original.size, context);
    Code* shown = release.codes();
    int64_t starred = 0, with_code = 0;
    pulse.blocks(0, original.size, [&](int64_t from, int64_t to) {
        for (int64_t p = from; p < to; ++p) {
            const bool star = original.stars[p];
            const Code code = original.codes[p];
            starred += star;
            with_code += star && code;
            shown[p] = star ? Code{0} : code;
            release.symbols = std::max(release.symbols, static_cast<size_t>(code) + 1);
        }
    });
    const std::vector<int64_t> positions =
        sampled_positions(original, sample_ranks(with_code, sample, seed));
    if (positions.empty()) return 0;
    const int64_t right =
        original.size <= INT32_MAX
            ? right_guesses<int32_t>(original, release, positions, context, pulse)
            : right_guesses<int64_t>(original, release, positions, context, pulse);
    return static_cast<double>(right) / static_cast<double>(positions.size()) *
           (static_cast<double>(with_code) / static_cast<double>(starred));
}

}  // namespace sfumato
