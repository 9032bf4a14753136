// The suffix array by induced sorting (Nong, Zhang, Chan 2009): linear time, any dense alphabet.
#pragma once

#include <cstddef>
#include <vector>

#include "tick.hpp"

namespace sfumato {

// One level of induced sorting. The end of the text counts as smaller than every symbol.
template <class Symbol, class Index>
class InducedSorting {
  public:
    InducedSorting(const Symbol* text, Index* suffixes, std::size_t n, std::size_t sigma)
        : text_(text), suffixes_(suffixes), n_(n), ascending_(n), starts_(sigma + 1) {
        for (std::size_t i = n - 1; i-- > 0;)
            ascending_[i] = text[i] < text[i + 1] || (text[i] == text[i + 1] && ascending_[i + 1]);
        for (std::size_t i = 0; i < n; ++i) ++starts_[std::size_t(text[i]) + 1];
        for (std::size_t c = 0; c < sigma; ++c) starts_[c + 1] += starts_[c];
    }

    void sort(const Tick& tick) {
        std::vector<Index> valleys;  // leftmost ascending positions, in text order
        for (std::size_t i = 1; i < n_; ++i)
            if (is_valley(i)) valleys.push_back(Index(i));
        if (valleys.empty()) return induce(valleys);
        induce(valleys);
        report(tick, 0.3);
        std::vector<Index> sorted;
        for (std::size_t i = 0; i < n_; ++i)
            if (is_valley(std::size_t(suffixes_[i]))) sorted.push_back(suffixes_[i]);
        std::vector<Index> reduced(valleys.size());
        const std::size_t names = name(valleys, sorted, reduced);
        std::vector<Index> order(valleys.size());
        if (names < valleys.size()) {
            InducedSorting<Index, Index>(reduced.data(), order.data(), order.size(), names).sort({});
        } else {
            for (std::size_t i = 0; i < reduced.size(); ++i)
                order[std::size_t(reduced[i])] = Index(i);
        }
        for (std::size_t i = 0; i < order.size(); ++i)
            sorted[i] = valleys[std::size_t(order[i])];
        report(tick, 0.7);
        induce(sorted);
        report(tick, 1);
    }

  private:
    bool is_valley(std::size_t i) const { return i > 0 && ascending_[i] && !ascending_[i - 1]; }

    // Sorts all suffixes given the valleys in order (or, when they are in text order, all
    // substrings up to the next valley).
    void induce(const std::vector<Index>& valleys) {
        for (std::size_t i = 0; i < n_; ++i) suffixes_[i] = -1;
        std::vector<Index> heads(starts_.begin() + 1, starts_.end());
        for (std::size_t i = valleys.size(); i-- > 0;)
            suffixes_[--heads[std::size_t(text_[valleys[i]])]] = valleys[i];
        heads.assign(starts_.begin(), starts_.end() - 1);
        suffixes_[heads[std::size_t(text_[n_ - 1])]++] = Index(n_ - 1);
        for (std::size_t i = 0; i < n_; ++i) {
            const Index p = suffixes_[i];
            if (p > 0 && !ascending_[std::size_t(p - 1)])
                suffixes_[heads[std::size_t(text_[p - 1])]++] = p - 1;
        }
        heads.assign(starts_.begin() + 1, starts_.end());
        for (std::size_t i = n_; i-- > 0;) {
            const Index p = suffixes_[i];
            if (p > 0 && ascending_[std::size_t(p - 1)])
                suffixes_[--heads[std::size_t(text_[p - 1])]] = p - 1;
        }
    }

    // Numbers the substrings between valleys by rank, equal ones alike.
    std::size_t name(const std::vector<Index>& valleys, const std::vector<Index>& sorted,
                     std::vector<Index>& reduced) const {
        std::vector<Index> where(n_, -1);
        for (std::size_t i = 0; i < valleys.size(); ++i) where[std::size_t(valleys[i])] = Index(i);
        auto end = [&](Index p) {
            const std::size_t next = std::size_t(where[std::size_t(p)]) + 1;
            return next < valleys.size() ? std::size_t(valleys[next]) : n_;
        };
        Index names = 0;
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            if (i > 0) {
                std::size_t a = std::size_t(sorted[i - 1]), b = std::size_t(sorted[i]);
                const std::size_t a_end = end(sorted[i - 1]), b_end = end(sorted[i]);
                bool same = a_end - a == b_end - b && a_end < n_ && b_end < n_;
                for (; same && a <= a_end; ++a, ++b) same = text_[a] == text_[b];
                names += !same;
            }
            reduced[std::size_t(where[std::size_t(sorted[i])])] = names;
        }
        return std::size_t(names) + 1;
    }

    const Symbol* text_;
    Index* suffixes_;
    std::size_t n_;
    std::vector<bool> ascending_;
    std::vector<Index> starts_;
};

// Writes the starts of all suffixes in lexicographic order; a suffix that is a proper prefix of
// another comes first. `text` has symbols 0 .. sigma-1.
template <class Symbol, class Index>
void suffix_array(const Symbol* text, Index* suffixes, std::size_t n, std::size_t sigma,
                  const Tick& tick) {
    if (n > 0) InducedSorting<Symbol, Index>(text, suffixes, n, sigma).sort(tick);
}

}  // namespace sfumato
