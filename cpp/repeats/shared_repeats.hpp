// L(p) when distinct labels are counted: T[p .. p+L) is in documents of at least k labels.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

#include "common/buffer.hpp"
#include "common/tick.hpp"

namespace sfumato {

// Which document a position is in: the number of document ends before it, from one bit per
// position and a count per 64. Small enough to stay in cache where an array per position is not.
class DocumentOf {
  public:
    DocumentOf(const std::int64_t* ends, std::size_t documents, std::size_t n)
        : bits_(n / 64 + 1), before_(n / 64 + 1) {
        for (std::size_t d = 0; d < documents; ++d)
            bits_[std::size_t(ends[d]) / 64] |= std::uint64_t(1) << (ends[d] % 64);
        for (std::size_t w = 0; w + 1 < bits_.size(); ++w)
            before_[w + 1] = before_[w] + std::uint32_t(std::popcount(bits_[w]));
    }
    std::uint32_t operator()(std::size_t position) const {
        const std::uint64_t below = (std::uint64_t(1) << (position % 64)) - 1;
        return before_[position / 64] + std::uint32_t(std::popcount(bits_[position / 64] & below));
    }

  private:
    std::vector<std::uint64_t> bits_;
    std::vector<std::uint32_t> before_;
};

// Labels renumbered 0, 1, .. in ascending order; returns how many there are.
inline std::size_t dense_labels(std::vector<std::int32_t>& labels) {
    std::vector<std::int32_t> distinct(labels);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (auto& label : labels)
        label = std::int32_t(std::lower_bound(distinct.begin(), distinct.end(), label) -
                             distinct.begin());
    return distinct.size();
}

// Every document ends at its break, and the last one at the end of the text.
template <class Symbol>
void check_documents(const Symbol* text, std::size_t n, const std::int64_t* ends,
                     std::size_t documents) {
    auto require = [](bool condition, const char* message) {
        if (!condition) throw std::invalid_argument(message);
    };
    std::int64_t previous = -1;
    for (std::size_t d = 0; d < documents; ++d) {
        require(ends[d] > previous && ends[d] < std::int64_t(n),
                "expected ascending document ends inside the text");
        require(text[ends[d]] == 0, "expected a break (code 0) at the end of every document");
        previous = ends[d];
    }
    require(previous == std::int64_t(n) - 1,
            "expected the last document to end at the end of the text");
}

// The minimum of a window whose two ends only move right. Equal or larger values in front of a
// smaller one can never be the minimum again, so the candidates ascend.
template <class Index>
class WindowMinimum {
  public:
    void push(std::size_t rank, Index value) {
        while (!candidates_.empty() && candidates_.back().value >= value) candidates_.pop_back();
        candidates_.push_back({Index(rank), value});
    }
    void drop_through(std::size_t rank) {
        while (!candidates_.empty() && std::size_t(candidates_.front().rank) <= rank)
            candidates_.pop_front();
    }
    Index minimum() const { return candidates_.front().value; }

  private:
    struct Candidate {
        Index rank, value;
    };
    std::deque<Candidate> candidates_;
};

// For every right end r the largest left end l such that ranks l..r have k distinct labels; those
// windows propagated forward: F[i] = max(base[i], min(F[i-1], lcp[i])).
template <class Index, class LabelOf>
void propagate_forward(const Index* lcp, Index* longest, std::size_t n, std::size_t k,
                       std::size_t distinct, const LabelOf& label_of, const Tick& tick) {
    std::vector<Index> seen(distinct);  // occurrences of each label among the ranks left..right
    WindowMinimum<Index> window;        // of lcp[left+1 .. right]
    std::size_t left = 0, labels = 0;
    Index current = 0;
    for (std::size_t right = 0; right < n; ++right) {
        if (right % (std::size_t(1) << 20) == 0) report(tick, double(right) / double(n));
        labels += seen[label_of(right)]++ == 0;
        if (right > 0) window.push(right, lcp[right]);
        current = std::min(current, lcp[right]);
        if (labels >= k) {
            while (labels > k || seen[label_of(left)] > 1) {
                labels -= --seen[label_of(left)] == 0;
                ++left;
            }
            window.drop_through(left);
            current = std::max(current, window.minimum());
        }
        longest[right] = current;
    }
}

// Turns lcp in rank order into L in rank order; `longest` is working memory of the same size.
template <class Index, class LabelOf>
void shared_by_rank(Index* lcp, Index* longest, std::size_t n, std::size_t k, std::size_t distinct,
                    const LabelOf& label_of, const Tick& tick) {
    propagate_forward(lcp, longest, n, k, distinct, label_of, tick);
    // Backward: F[i] = max(F[i], min(F[i+1], lcp[i+1])).
    Index current = 0;
    for (std::size_t i = n; i-- > 0;) {
        const Index here = lcp[i];
        lcp[i] = std::max(longest[i], current);
        current = std::min(lcp[i], here);
    }
}

// Turns PLCP into L, in place. `labels` has one number 0 .. distinct-1 per document; document d
// ends at the break ends[d]. One more array of n numbers is taken for the time of the call.
template <class Index>
void shared_repeat_lengths(const Index* suffixes, Index* lengths, std::size_t n, std::size_t k,
                           const std::vector<std::int32_t>& labels, std::size_t distinct,
                           const std::int64_t* ends, const Tick& tick) {
    if (k > distinct) {
        std::fill(lengths, lengths + n, Index(0));
        return;
    }
    auto lcp = make_buffer<Index>(n);
    for (std::size_t i = 0; i < n; ++i) lcp[i] = lengths[suffixes[i]];
    const DocumentOf document(ends, labels.size(), n);
    auto label_of = [&](std::size_t rank) {
        return std::size_t(labels[document(std::size_t(suffixes[rank]))]);
    };
    shared_by_rank(lcp.get(), lengths, n, k, distinct, label_of, tick);
    for (std::size_t i = 0; i < n; ++i) lengths[suffixes[i]] = lcp[i];
    report(tick, 1);
}

}  // namespace sfumato
