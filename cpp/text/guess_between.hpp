// Guesses what stands between a left and a right context.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/pulse.hpp"
#include "text/guess_left.hpp"

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

// The contexts (a, b) of some questions, found by hash and then compared in full. No symbol of a
// context is 0, so stars and breaks match none.
template <class Code>
class Contexts {
  public:
    Contexts(const std::vector<const Question*>& questions, size_t a, size_t b) : a_(a), b_(b) {
        while (slots_.size() < 2 * questions.size()) slots_.resize(slots_.size() * 2, none);
        filter_.resize(slots_.size() / 8);
        for (const Question* question : questions) {
            uint64_t hash = 0;
            for (size_t i = a; i-- > 0;) hash = hash * base + question->left[i];
            hash *= base;  // the middle counts as 0
            for (size_t i = 0; i < b; ++i) hash = hash * base + question->right[i];
            places_.push_back(insert(*question, spread(hash)));
        }
    }

    size_t size() const { return hashes_.size(); }
    uint32_t place(size_t question) const { return places_[question]; }

    // Calls found(place, middle) wherever the codes in [from, to) stand in one of the contexts.
    template <class Found>
    void each(const Code* codes, int64_t from, int64_t to, Found&& found) const {
        const auto a = static_cast<int64_t>(a_), b = static_cast<int64_t>(b_);
        const uint64_t of_middle = power(b_), of_leaving = power(a_ + b_ + 1);
        const uint64_t* filter = filter_.data();
        const size_t words = filter_.size() - 1;
        uint64_t rolling = 0;  // the hash of [p - a, p + b]
        for (int64_t q = from - a - 1; q < from + b; ++q) rolling = rolling * base + codes[q];
        for (int64_t p = from; p < to; ++p) {
            rolling = rolling * base + (codes[p + b] - codes[p - a - 1] * of_leaving);
            const uint64_t hash = spread(rolling - codes[p] * of_middle);
            if (!(filter[hash >> 38 & words] >> (hash >> 58) & 1)) continue;
            const uint32_t place = slots_[find(
                hash, [&](int64_t i) { return codes[p - 1 - i]; },
                [&](int64_t i) { return codes[p + 1 + i]; })];
            if (place != none && codes[p]) found(place, codes[p]);
        }
    }

  private:
    static constexpr uint32_t none = UINT32_MAX;
    static constexpr uint64_t base = 0xD1342543DE82EF95u;

    // Makes the upper bits depend on all symbols, also on the last.
    static uint64_t spread(uint64_t hash) { return hash * 0x9E3779B97F4A7C15u; }

    static uint64_t power(size_t exponent) {
        uint64_t result = 1;
        while (exponent-- > 0) result *= base;
        return result;
    }

    // The place whose context has this hash and these symbols, the left ones first.
    template <class Left, class Right>
    size_t find(uint64_t hash, Left&& left, Right&& right) const {
        const auto same = [&](const Code* symbols) {
            for (size_t i = 0; i < a_; ++i)
                if (symbols[i] != left(i)) return false;
            for (size_t i = 0; i < b_; ++i)
                if (symbols[a_ + i] != right(i)) return false;
            return true;
        };
        size_t slot = hash >> 32 & (slots_.size() - 1);
        for (; slots_[slot] != none; slot = (slot + 1) & (slots_.size() - 1))
            if (hashes_[slots_[slot]] == hash && same(&symbols_[slots_[slot] * (a_ + b_)])) break;
        return slot;
    }

    uint32_t insert(const Question& question, uint64_t hash) {
        const size_t slot = find(
            hash, [&](size_t i) { return question.left[i]; },
            [&](size_t i) { return question.right[i]; });
        if (slots_[slot] == none) {
            slots_[slot] = static_cast<uint32_t>(hashes_.size());
            hashes_.push_back(hash);
            symbols_.insert(symbols_.end(), question.left.begin(), question.left.begin() + a_);
            symbols_.insert(symbols_.end(), question.right.begin(), question.right.begin() + b_);
            filter_[hash >> 38 & (filter_.size() - 1)] |= uint64_t{1} << (hash >> 58);
        }
        return slots_[slot];
    }

    size_t a_, b_;
    std::vector<uint32_t> slots_ = std::vector<uint32_t>(64, none);
    std::vector<uint64_t> filter_;  // eight bits for each slot
    std::vector<uint64_t> hashes_;  // of each place
    std::vector<Code> symbols_;     // a + b for each place
    std::vector<uint32_t> places_;  // of each question
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
            pulse.blocks(0, release.size(), [&](int64_t from, int64_t to) {
                contexts.each(release.codes(), from, to,
                              [&](uint32_t place, uint32_t middle) { counts.add(place, middle); });
            });
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
