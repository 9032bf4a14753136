// L(p) when distinct labels are counted: T[p .. p+L) is in documents of at least k labels.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/buffer.hpp"
#include "common/prefetch.hpp"
#include "common/tick.hpp"

namespace sfumato {

// Which document a position is in: the number of document ends before it, from one bit per
// position and a count per 64. Small enough to stay in cache where an array per position is not.
class DocumentOf {
  public:
    DocumentOf(const std::int64_t* ends, std::size_t documents, std::size_t n)
        : parts_(n / 64 + 1) {
        for (std::size_t d = 0; d < documents; ++d)
            parts_[std::size_t(ends[d]) / 64].bits |= std::uint64_t(1) << (ends[d] % 64);
        for (std::size_t w = 0; w + 1 < parts_.size(); ++w)
            parts_[w + 1].before = parts_[w].before + std::uint64_t(std::popcount(parts_[w].bits));
    }
    std::size_t operator()(std::size_t position) const {
        const Part& part = parts_[position / 64];
        const std::uint64_t below = (std::uint64_t(1) << (position % 64)) - 1;
        return std::size_t(part.before) + std::size_t(std::popcount(part.bits & below));
    }

    SFUMATO_INLINE void fetch(std::size_t position) const {
        prefetch(parts_.data() + position / 64);
    }

  private:
    struct Part {
        std::uint64_t bits = 0, before = 0;
    };
    std::vector<Part> parts_;
};

inline constexpr std::size_t few_labels = 12;

// The label of documents that are not counted.
inline constexpr std::int32_t nobody = INT32_MIN;

// Labels renumbered 0, 1, .. in ascending order; returns how many there are. What is nobody's
// becomes that number.
inline std::size_t dense_labels(std::vector<std::int32_t>& labels) {
    std::vector<std::int32_t> distinct;
    std::copy_if(labels.begin(), labels.end(), std::back_inserter(distinct),
                 [](std::int32_t label) { return label != nobody; });
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (auto& label : labels)
        label = std::int32_t((label == nobody
                                  ? distinct.end()
                                  : std::lower_bound(distinct.begin(), distinct.end(), label)) -
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
        while (last_ > first_ && candidates_[last_ - 1].value >= value) --last_;
        if (last_ == candidates_.size()) make_room();
        candidates_[last_++] = {Index(rank), value};
    }
    void drop_through(std::size_t rank) {
        while (first_ < last_ && std::size_t(candidates_[first_].rank) <= rank) ++first_;
    }
    Index minimum() const { return candidates_[first_].value; }

  private:
    struct Candidate {
        Index rank, value;
    };
    // Moves the candidates to the front where at least half is free, else takes twice the room.
    void make_room() {
        if (2 * (last_ - first_) > candidates_.size()) {
            candidates_.resize(2 * candidates_.size());
            return;
        }
        std::copy(candidates_.begin() + std::ptrdiff_t(first_),
                  candidates_.begin() + std::ptrdiff_t(last_), candidates_.begin());
        last_ -= first_;
        first_ = 0;
    }

    std::vector<Candidate> candidates_ = std::vector<Candidate>(1024);
    std::size_t first_ = 0, last_ = 0;
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
        const std::size_t label = label_of(right);
        if (label < distinct) labels += seen[label]++ == 0;
        if (right > 0) window.push(right, lcp[right]);
        current = std::min(current, lcp[right]);
        if (labels >= k) {
            for (;; ++left) {  // while the first rank can be spared
                const std::size_t first = label_of(left);
                if (first >= distinct) continue;
                if (labels == k && seen[first] == 1) break;
                labels -= --seen[first] == 0;
            }
            window.drop_through(left);
            current = std::max(current, window.minimum());
        }
        longest[right] = current;
    }
}

// The k labels seen last, each with the least lcp since its last rank; fewer were seen with 0.
template <std::size_t k, class Index>
class RecentLabels {
  public:
    explicit RecentLabels(std::size_t distinct) : distinct_(std::uint32_t(distinct)) {
        label_.fill(distinct_);
    }
    // Goes on to the next rank, `lcp` from the one before.
    SFUMATO_INLINE void add(std::uint32_t mine, Index lcp) {
        std::uint32_t moved = mine;
        Index since = std::numeric_limits<Index>::max();
        bool open = mine < distinct_;  // until its old place in the list is found
        for (std::size_t j = 0; j < k; ++j) {
            const std::uint32_t old = label_[j];
            const Index value = std::min(least_[j], lcp);
            label_[j] = open ? moved : old;
            least_[j] = open ? since : value;
            open = open && old != mine;
            moved = old;
            since = value;
        }
    }
    // The least lcp of the shortest window with k labels that ends here; 0 where there is none.
    Index least() const { return least_[k - 1]; }
    bool all() const { return label_[k - 1] != distinct_; }

  private:
    std::uint32_t distinct_;
    std::array<std::uint32_t, k> label_;
    std::array<Index, k> least_{};
};

// The same for few labels: the least of the k-th label seen last is that of the shortest window
// with k labels. O(k) a rank, without a branch that cannot be foreseen.
template <std::size_t k, class Index, class LabelOf>
void propagate_recent(const Index* lcp, Index* longest, std::size_t n, std::size_t distinct,
                      const LabelOf& label_of, const Tick& tick) {
    RecentLabels<k, Index> recent(distinct);
    Index current = 0;
    for (std::size_t right = 0; right < n; ++right) {
        if (right % (std::size_t(1) << 20) == 0) report(tick, double(right) / double(n));
        recent.add(std::uint32_t(label_of(right)), lcp[right]);
        current = std::max(std::min(current, lcp[right]), recent.least());
        longest[right] = current;
    }
}

// Turns lcp in rank order into L in rank order; `longest` is working memory of the same size.
template <class Index, class LabelOf>
void shared_by_rank(Index* lcp, Index* longest, std::size_t n, std::size_t k, std::size_t distinct,
                    const LabelOf& label_of, const Tick& tick) {
    const auto recent = [&]<std::size_t... less>(std::index_sequence<less...>) {
        return ((k == less + 2
                     ? (propagate_recent<less + 2>(lcp, longest, n, distinct, label_of, tick), true)
                     : false) ||
                ...);
    };
    if (!recent(std::make_index_sequence<few_labels - 1>()))
        propagate_forward(lcp, longest, n, k, distinct, label_of, tick);
    // Backward: F[i] = max(F[i], min(F[i+1], lcp[i+1])).
    Index current = 0;
    for (std::size_t i = n; i-- > 0;) {
        const Index here = lcp[i];
        lcp[i] = std::max(longest[i], current);
        current = std::min(lcp[i], here);
    }
}

// Turns PLCP into L, in place, some ranks at a time: so few that what is read is still in cache
// when it is written. From the right the window with k labels that starts at each rank is found,
// from the left what windows give the ranks after their start. What stands to the right of a chunk
// is read until it has k labels; the chunk grows until that is no more than the chunk.
template <std::size_t k, class Index>
class SharedInChunks {
  public:
    SharedInChunks(const Index* suffixes, Index* lengths, std::size_t n,
                   const std::vector<std::int32_t>& labels, std::size_t distinct,
                   const DocumentOf& document)
        : suffixes_(suffixes),
          lengths_(lengths),
          n_(n),
          labels_(labels),
          distinct_(distinct),
          document_(document) {}

    void run(const Tick& tick) {
        std::size_t reported = 0;
        for (std::size_t first = 0, last; first < n_; first = last) {
            if (first >= reported) {
                report(tick, double(first) / double(n_));
                reported += std::size_t(1) << 21;
            }
            std::size_t chunk = few, stop;
            do {
                last = std::min(first + chunk, n_);
                stop = settled_from(first, last, chunk);
                chunk *= 2;
            } while (!stop);
            spread(first, last, stop);
            ranks_.erase(ranks_.begin(), ranks_.begin() + std::ptrdiff_t(last - first));
        }
    }

  private:
    static constexpr std::size_t few = 1024, ahead = 48;
    struct Rank {
        Index lcp;
        std::uint32_t label;
    };

    const Rank& rank(std::size_t first, std::size_t i) {
        while (first + ranks_.size() <= i) {
            const std::size_t at = first + ranks_.size();
            const auto next = std::size_t(suffixes_[std::min(at + ahead, n_ - 1)]);
            prefetch_to_write(lengths_ + next);
            document_.fetch(next);
            const auto place = std::size_t(suffixes_[at]);
            ranks_.push_back({lengths_[place], std::uint32_t(labels_[document_(place)])});
        }
        return ranks_[i - first];
    }

    // The rank up to which ranks from `last` on have k labels, or behind which nothing is shared;
    // 0 where that is further than `most` ranks.
    std::size_t settled_from(std::size_t first, std::size_t last, std::size_t most) {
        RecentLabels<k, Index> seen(distinct_);
        rank(first, std::min(last + k, n_) - 1);
        for (std::size_t i = last; i < n_; ++i) {
            const Rank& here = rank(first, i);
            if (i - last > most) return 0;
            if (here.lcp == 0) return i;
            seen.add(here.label, here.lcp);
            if (seen.all()) return i + 1;
        }
        return n_;
    }

    void spread(std::size_t first, std::size_t last, std::size_t stop) {
        RecentLabels<k, Index> recent(distinct_);
        base_.resize(last - first);
        Index lcp = 0;  // with the rank after
        for (std::size_t i = stop; i-- > first;) {
            const Rank& here = ranks_[i - first];
            recent.add(here.label, lcp);
            lcp = here.lcp;
            if (i < last) base_[i - first] = recent.least();
        }
        for (std::size_t i = first; i < last; ++i) {
            longest_ = std::max(base_[i - first], std::min(longest_, ranks_[i - first].lcp));
            lengths_[suffixes_[i]] = longest_;
        }
    }

    const Index* suffixes_;
    Index* lengths_;
    std::size_t n_;
    const std::vector<std::int32_t>& labels_;
    std::size_t distinct_;
    const DocumentOf& document_;
    std::vector<Rank> ranks_;  // of the chunk, and of what was read behind it
    std::vector<Index> base_;
    Index longest_ = 0;
};

// Turns PLCP into L, in place. `labels` has one number 0 .. distinct-1 per document, or distinct
// for one that is not counted; document d ends at the break ends[d]. For many labels two more
// arrays of n numbers are taken for the time of the call: what is far apart in the text is fetched
// once, in the order of ranks, and long before it is needed.
template <class Index>
void shared_repeat_lengths(const Index* suffixes, Index* lengths, std::size_t n, std::size_t k,
                           const std::vector<std::int32_t>& labels, std::size_t distinct,
                           const std::int64_t* ends, const Tick& tick) {
    if (k > distinct) {
        std::fill(lengths, lengths + n, Index(0));
        return;
    }
    const DocumentOf document(ends, labels.size(), n);
    const auto in_chunks = [&]<std::size_t... less>(std::index_sequence<less...>) {
        return ((k == less + 2 ? (SharedInChunks<less + 2, Index>(suffixes, lengths, n, labels,
                                                                  distinct, document)
                                      .run(tick),
                                  true)
                               : false) ||
                ...);
    };
    if (in_chunks(std::make_index_sequence<few_labels - 1>())) return report(tick, 1);
    constexpr std::size_t ahead = 32;
    auto lcp = make_buffer<Index>(n);
    auto label = make_buffer<std::int32_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t next = std::size_t(suffixes[std::min(i + ahead, n - 1)]);
        prefetch_to_write(lengths + next);
        document.fetch(next);
        lcp[i] = lengths[suffixes[i]];
        label[i] = labels[document(std::size_t(suffixes[i]))];
    }
    shared_by_rank(
        lcp.get(), lengths, n, k, distinct,
        [&](std::size_t rank) { return std::size_t(label[rank]); }, tick);
    for (std::size_t i = 0; i < n; ++i) {
        prefetch_to_write(lengths + suffixes[std::min(i + ahead, n - 1)]);
        lengths[suffixes[i]] = lcp[i];
    }
    report(tick, 1);
}

}  // namespace sfumato
