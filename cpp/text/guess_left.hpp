// Guesses what follows a context, by the symbols to its left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "common/buffer.hpp"
#include "common/prefetch.hpp"
#include "common/pulse.hpp"

namespace sfumato {

// What a release shows: the codes, 0 under stars (as at breaks), and zeros around, so that a
// context may be read at the ends too.
template <class Code>
class Visible {
  public:
    Visible(int64_t size, int64_t context)
        : size_(size),
          room_(make_buffer<Code>(static_cast<size_t>(size + 2 * context + 2))),
          codes_(room_.get() + context + 1) {
        std::fill(room_.get(), codes_, Code{0});
        std::fill(codes_ + size, codes_ + size + context + 1, Code{0});
    }

    int64_t size() const { return size_; }
    const Code* codes() const { return codes_; }
    Code* codes() { return codes_; }

    size_t symbols = 1;  // every code is smaller

  private:
    int64_t size_;
    Buffer<Code> room_;
    Code* codes_;
};

// Answers question after question in linear time altogether: it is a radix sort of the visible
// positions by what stands to their left, nearest symbol first, done only where it is asked. Nodes
// are contexts; a node's positions are a slice of one array, and are sorted by the next symbol to
// the left when a child is first asked for.
template <class Code, class Position>
class LeftModel {
  public:
    LeftModel(const Visible<Code>& release, Pulse& pulse)
        : codes_(release.codes()),
          size_(release.size()),
          symbols_(release.symbols),
          pulse_(pulse),
          counts_(release.symbols, 0) {
        pulse_.blocks(0, size_, [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) ++counts_[codes_[p]];
        });
        counts_[0] = 0;
        const auto most = std::max_element(counts_.begin(), counts_.end());
        nodes_.push_back({0, std::accumulate(counts_.begin(), counts_.end(), size_t{0}), 0, false,
                          static_cast<uint32_t>(most - counts_.begin())});
        std::fill(counts_.begin(), counts_.end(), 0);
    }

    // Whether nothing at all is visible; then there are no guesses.
    bool empty() const { return nodes_[0].end == 0; }

    // The most frequent symbol after the longest part of the context that was seen, the smallest
    // on ties. The context's last symbol is the nearest.
    uint32_t guess(const std::vector<uint32_t>& left) {
        size_t node = 0;
        for (auto symbol = left.rbegin(); symbol != left.rend(); ++symbol) {
            const size_t next = child(node, *symbol);
            if (next == none) break;
            node = next;
        }
        if (nodes_[node].guess == 0) nodes_[node].guess = most_frequent(nodes_[node]);
        return nodes_[node].guess;
    }

  private:
    static constexpr size_t none = SIZE_MAX;
    struct Node {
        size_t begin, end;
        int64_t depth;
        bool sorted;
        uint32_t guess;  // 0: not asked yet
    };

    struct Pair {
        Code before;
        Position position;
        bool operator<(const Pair& other) const {
            return before != other.before ? before < other.before : position < other.position;
        }
    };

    // Calls visit(p, the code `back` before p) for positions that are far apart in memory.
    template <class Visit>
    void each(const Position* positions, size_t size, int64_t back, Visit&& visit) const {
        constexpr size_t ahead = 24;
        for (size_t i = 0; i < size; ++i) {
            if (i + ahead < size) prefetch(codes_ + positions[i + ahead] - back);
            visit(positions[i], codes_[positions[i] - back]);
        }
    }

    uint32_t most_frequent(const Node& node) {
        const size_t size = node.end - node.begin;
        const Position* positions = positions_.get() + node.begin;
        pulse_(static_cast<int64_t>(size));
        if (size >= symbols_) {
            each(positions, size, 0, [&](Position, Code code) { ++counts_[code]; });
            const auto most = std::max_element(counts_.begin(), counts_.end());
            const auto best = static_cast<uint32_t>(most - counts_.begin());
            std::fill(counts_.begin(), counts_.end(), 0);
            return best;
        }
        uint32_t best = 0;
        for (size_t i = 0; i < size; ++i) {
            const uint32_t code = codes_[positions[i]];
            const size_t count = ++counts_[code];
            if (count > counts_[best] || (count == counts_[best] && code < best)) best = code;
        }
        for (size_t i = 0; i < size; ++i) counts_[codes_[positions[i]]] = 0;
        return best;
    }

    size_t child(size_t node, uint32_t symbol) {
        const uint64_t key = static_cast<uint64_t>(node) << 32 | symbol;
        const auto known = children_.find(key);
        if (known != children_.end()) return known->second;
        if (!nodes_[node].sorted) sort(node);
        const Node parent = nodes_[node];
        const auto before = [&](Position p) { return codes_[p - parent.depth - 1]; };
        const auto at = positions_.get();
        const auto first = std::partition_point(at + parent.begin, at + parent.end,
                                                [&](Position p) { return before(p) < symbol; });
        const auto last = std::partition_point(first, at + parent.end,
                                               [&](Position p) { return before(p) <= symbol; });
        size_t found = none;
        if (first != last) {
            found = nodes_.size();
            nodes_.push_back({static_cast<size_t>(first - at), static_cast<size_t>(last - at),
                              parent.depth + 1, false, 0});
        }
        children_.emplace(key, found);
        return found;
    }

    // Sorts a node's positions by the symbol one further to the left.
    void sort(size_t node) {
        nodes_[node].sorted = true;
        if (node == 0) return sort_all();
        const size_t size = nodes_[node].end - nodes_[node].begin;
        Position* positions = positions_.get() + nodes_[node].begin;
        size_t i = 0;
        each(positions, size, nodes_[node].depth + 1,
             [&](Position p, Code before) { pairs_[i++] = {before, p}; });
        if (size < symbols_) {  // counting symbols would take longer
            std::sort(pairs_.get(), pairs_.get() + size);
            for (i = 0; i < size; ++i) positions[i] = pairs_[i].position;
        } else {
            std::vector<size_t> next(symbols_ + 1, 0);
            for (i = 0; i < size; ++i) ++next[pairs_[i].before + size_t{1}];
            std::partial_sum(next.begin(), next.end(), next.begin());
            for (i = 0; i < size; ++i) positions[next[pairs_[i].before]++] = pairs_[i].position;
        }
        pulse_(static_cast<int64_t>(size));
    }

    // The same for the root, whose positions are not listed before.
    void sort_all() {
        std::vector<size_t> next(symbols_ + 1, 0);
        pulse_.blocks(0, size_, [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) next[codes_[p - 1] + size_t{1}] += codes_[p] != 0;
        });
        pairs_ = make_buffer<Pair>(*std::max_element(next.begin(), next.end()));
        std::partial_sum(next.begin(), next.end(), next.begin());
        positions_ = make_buffer<Position>(nodes_[0].end);
        pulse_.blocks(0, size_, [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p)
                if (codes_[p]) positions_[next[codes_[p - 1]]++] = static_cast<Position>(p);
        });
    }

    const Code* codes_;
    int64_t size_;
    size_t symbols_;
    Pulse& pulse_;
    std::vector<size_t> counts_;
    Buffer<Position> positions_;
    Buffer<Pair> pairs_;  // room to sort in, for the largest node but the root
    std::vector<Node> nodes_;
    std::unordered_map<uint64_t, size_t> children_;
};

}  // namespace sfumato
