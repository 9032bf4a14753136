// Guesses what follows a context, by the symbols to its left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pulse.hpp"

namespace sfumato {

// What a release shows: the codes, 0 under stars (as at breaks).
template <class Code>
struct Visible {
    std::vector<Code> codes;
    size_t symbols;  // every code is smaller

    int64_t size() const { return static_cast<int64_t>(codes.size()); }
    uint32_t at(int64_t p) const { return p < 0 || p >= size() ? 0 : codes[p]; }
};

// Answers question after question in linear time altogether: it is a radix sort of the visible
// positions by what stands to their left, nearest symbol first, done only where it is asked. Nodes
// are contexts; a node's positions are a slice of one array, and are sorted by the next symbol to
// the left when a child is first asked for.
template <class Code, class Position>
class LeftModel {
  public:
    LeftModel(const Visible<Code>& release, Pulse& pulse)
        : of_(release), pulse_(pulse), counts_(release.symbols, 0) {
        pulse_.blocks(0, of_.size(), [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) ++counts_[of_.codes[p]];
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

    uint32_t most_frequent(const Node& node) {
        uint32_t best = 0;
        for (size_t i = node.begin; i < node.end; ++i) {
            const uint32_t code = of_.codes[positions_[i]];
            const size_t count = ++counts_[code];
            if (count > counts_[best] || (count == counts_[best] && code < best)) best = code;
        }
        for (size_t i = node.begin; i < node.end; ++i) counts_[of_.codes[positions_[i]]] = 0;
        pulse_(static_cast<int64_t>(node.end - node.begin));
        return best;
    }

    size_t child(size_t node, uint32_t symbol) {
        const uint64_t key = static_cast<uint64_t>(node) << 32 | symbol;
        const auto known = children_.find(key);
        if (known != children_.end()) return known->second;
        if (!nodes_[node].sorted) sort(node);
        const Node parent = nodes_[node];
        const auto before = [&](Position p) { return of_.at(p - parent.depth - 1); };
        const auto at = positions_.begin();
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
        Position* positions = positions_.data() + nodes_[node].begin;
        std::vector<std::pair<uint32_t, Position>> pairs(size);
        for (size_t i = 0; i < size; ++i)
            pairs[i] = {of_.at(positions[i] - nodes_[node].depth - 1), positions[i]};
        if (size < of_.symbols) {  // counting symbols would take longer
            std::sort(pairs.begin(), pairs.end());
            for (size_t i = 0; i < size; ++i) positions[i] = pairs[i].second;
        } else {
            std::vector<size_t> next(of_.symbols + 1, 0);
            for (const auto& pair : pairs) ++next[pair.first + 1];
            std::partial_sum(next.begin(), next.end(), next.begin());
            for (const auto& pair : pairs) positions[next[pair.first]++] = pair.second;
        }
        pulse_(static_cast<int64_t>(size));
    }

    // The same for the root, whose positions are not listed before.
    void sort_all() {
        std::vector<size_t> next(of_.symbols + 1, 0);
        pulse_.blocks(0, of_.size(), [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) next[of_.at(p - 1) + 1] += of_.codes[p] != 0;
        });
        std::partial_sum(next.begin(), next.end(), next.begin());
        positions_.resize(nodes_[0].end);
        pulse_.blocks(0, of_.size(), [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p)
                if (of_.codes[p]) positions_[next[of_.at(p - 1)]++] = static_cast<Position>(p);
        });
    }

    const Visible<Code>& of_;
    Pulse& pulse_;
    std::vector<size_t> counts_;
    std::vector<Position> positions_;
    std::vector<Node> nodes_;
    std::unordered_map<uint64_t, size_t> children_;
};

}  // namespace sfumato
