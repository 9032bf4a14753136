// Guesses what stands between a left and a right context.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "guess_left.hpp"
#include "pulse.hpp"

namespace sfumato {

// A starred position whose right neighbour is visible.
struct Question {
    std::vector<uint32_t> left, right;  // the nearest symbol first
    uint32_t answer;                    // what is under the star
};

// How often each symbol stands in each of a few places, as an open hash table.
class PairCounts {
  public:
    void add(uint32_t place, uint32_t symbol) {
        const uint64_t pair = static_cast<uint64_t>(place) << 32 | symbol;
        size_t slot = find(pair);
        if (slots_[slot].count++ > 0) return;
        slots_[slot].pair = pair;
        if (++used_ * 2 > slots_.size()) grow();
    }

    // The most frequent symbol of each place, the smallest on ties; 0 where there is none.
    std::vector<uint32_t> most_frequent(size_t places) const {
        std::vector<uint32_t> best(places, 0);
        std::vector<int64_t> counts(places, 0);
        for (const Slot& slot : slots_) {
            if (slot.count == 0) continue;
            const auto place = static_cast<size_t>(slot.pair >> 32);
            const auto symbol = static_cast<uint32_t>(slot.pair);
            if (slot.count > counts[place] || (slot.count == counts[place] && symbol < best[place]))
                best[place] = symbol, counts[place] = slot.count;
        }
        return best;
    }

  private:
    struct Slot {
        uint64_t pair;
        int64_t count;
    };

    size_t find(uint64_t pair) const {
        uint64_t hash = pair * 0x9E3779B97F4A7C15u;
        size_t slot = (hash ^ hash >> 32) & (slots_.size() - 1);
        while (slots_[slot].count > 0 && slots_[slot].pair != pair)
            slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2, Slot{0, 0});
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.count > 0) slots_[find(slot.pair)] = slot;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(1024, Slot{0, 0});
    size_t used_ = 0;
};

// The contexts (a, b) of some questions, found by hash and then compared in full.
template <class Code>
class Contexts {
  public:
    Contexts(const std::vector<const Question*>& questions, size_t a, size_t b) : a_(a), b_(b) {
        while (slots_.size() < 2 * questions.size()) slots_.resize(slots_.size() * 2, none);
        filter_.resize(slots_.size());
        for (const Question* question : questions) {
            uint64_t left = 0, right = 0;
            for (size_t i = a; i-- > 0;) left = left * base + question->left[i];
            for (size_t i = 0; i < b; ++i) right = right * base + question->right[i];
            places_.push_back(insert(question, mix(left, right)));
        }
    }

    size_t size() const { return contexts_.size(); }
    uint32_t place(size_t question) const { return places_[question]; }

    // Calls found(place, middle) wherever the release shows one of the contexts.
    template <class Found>
    void each(const Visible<Code>& release, Pulse& pulse, Found&& found) const {
        const auto a = static_cast<int64_t>(a_), b = static_cast<int64_t>(b_);
        const uint64_t beyond_left = power(a_), beyond_right = power(b_);
        uint64_t left = 0, right = 0;
        int64_t shown = 0;  // visible symbols in a row, up to p + b
        for (int64_t q = 0; q < b; ++q) {
            right = right * base + release.at(q);
            shown = release.at(q) ? shown + 1 : 0;
        }
        pulse.blocks(0, release.size(), [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) {
                // left holds [p - a, p) and right [p + 1, p + b]
                const uint32_t entering = release.at(p + b);
                right = right * base + entering - release.at(p) * beyond_right;
                shown = entering ? shown + 1 : 0;
                if (shown > a + b) {
                    const uint64_t hash = mix(left, right);
                    if (filter_[hash >> 6 & (filter_.size() - 1)] >> (hash & 63) & 1) {
                        const uint32_t place = find(release, p, hash);
                        if (place != none) found(place, release.codes[p]);
                    }
                }
                left = left * base + release.codes[p] - release.at(p - a) * beyond_left;
            }
        });
    }

  private:
    static constexpr uint32_t none = UINT32_MAX;
    static constexpr uint64_t base = 0xD1342543DE82EF95u;
    struct Context {
        uint64_t hash;
        const Question* question;
    };

    static uint64_t mix(uint64_t left, uint64_t right) {
        const uint64_t both = (left * 0x9E3779B97F4A7C15u) ^ right * 0xC2B2AE3D27D4EB4Fu;
        const uint64_t hash = (both ^ both >> 29) * 0xBF58476D1CE4E5B9u;
        return hash ^ hash >> 32;
    }

    static uint64_t power(size_t exponent) {
        uint64_t result = 1;
        while (exponent-- > 0) result *= base;
        return result;
    }

    size_t slot_of(uint64_t hash) const { return hash >> 20 & (slots_.size() - 1); }

    uint32_t insert(const Question* question, uint64_t hash) {
        size_t slot = slot_of(hash);
        for (; slots_[slot] != none; slot = (slot + 1) & (slots_.size() - 1)) {
            const Context& context = contexts_[slots_[slot]];
            if (context.hash == hash && equal(*context.question, *question)) return slots_[slot];
        }
        slots_[slot] = static_cast<uint32_t>(contexts_.size());
        contexts_.push_back({hash, question});
        filter_[hash >> 6 & (filter_.size() - 1)] |= uint64_t{1} << (hash & 63);
        return slots_[slot];
    }

    bool equal(const Question& x, const Question& y) const {
        return std::equal(x.left.begin(), x.left.begin() + a_, y.left.begin()) &&
               std::equal(x.right.begin(), x.right.begin() + b_, y.right.begin());
    }

    uint32_t find(const Visible<Code>& release, int64_t p, uint64_t hash) const {
        for (size_t slot = slot_of(hash); slots_[slot] != none;
             slot = (slot + 1) & (slots_.size() - 1)) {
            const Context& context = contexts_[slots_[slot]];
            if (context.hash == hash && stands_at(release, p, *context.question))
                return slots_[slot];
        }
        return none;
    }

    bool stands_at(const Visible<Code>& release, int64_t p, const Question& question) const {
        for (size_t i = 0; i < a_; ++i)
            if (release.codes[p - 1 - static_cast<int64_t>(i)] != question.left[i]) return false;
        for (size_t i = 0; i < b_; ++i)
            if (release.codes[p + 1 + static_cast<int64_t>(i)] != question.right[i]) return false;
        return true;
    }

    size_t a_, b_;
    std::vector<uint32_t> slots_ = std::vector<uint32_t>(64, none);
    std::vector<uint64_t> filter_;  // one bit of 64 for each slot
    std::vector<Context> contexts_;
    std::vector<uint32_t> places_;
};

// How many guesses are right; `unseen` is the guess without any context.
template <class Code>
int64_t right_guesses_between(const Visible<Code>& release, const std::vector<Question>& questions,
                              size_t context, uint32_t unseen, Pulse& pulse) {
    // The questions that are still open, by the shape (a, b) they are at.
    std::vector<std::vector<std::vector<const Question*>>> open(
        context + 1, std::vector<std::vector<const Question*>>(context + 1));
    for (const Question& question : questions)
        open[question.left.size()][question.right.size()].push_back(&question);
    int64_t right = 0;
    for (size_t total = 2 * context; total > 0; --total) {
        for (size_t a = total - std::min(total, context); a <= std::min(total, context); ++a) {
            const size_t b = total - a;
            const std::vector<const Question*> asked = std::move(open[a][b]);
            if (asked.empty()) continue;
            const Contexts<Code> contexts(asked, a, b);
            PairCounts counts;
            contexts.each(release, pulse,
                          [&](uint32_t place, uint32_t middle) { counts.add(place, middle); });
            const std::vector<uint32_t> guesses = counts.most_frequent(contexts.size());
            auto& parent = a >= b ? open[a - 1][b] : open[a][b - 1];
            for (size_t i = 0; i < asked.size(); ++i) {
                const uint32_t guess = guesses[contexts.place(i)];
                if (guess == 0)
                    parent.push_back(asked[i]);
                else
                    right += guess == asked[i]->answer;
            }
        }
    }
    for (const Question* question : open[0][0]) right += question->answer == unseen;
    return right;
}

}  // namespace sfumato
