// PFS-ALGO: blocks as edges from their (k-1)-prefix to their (k-1)-suffix, covered by the fewest
// paths. One node more, with an edge to every node that has too many edges out and from every node
// that has too many in, makes each node balanced; a closed walk cut at that node is a set of paths.
// Paths that start alike are spread over the walk at random, so that what stands round the
// separators varies: repeated surroundings would make the same new windows again and again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sfumato {

// The blocks in their new order, and whether each overlaps the one before it by k-1 symbols.
struct Arrangement {
    std::vector<std::int64_t> order;
    std::vector<std::uint8_t> joined;
};

class PathCover {
  public:
    // Edge e goes from[e] -> to[e], nodes below `nodes`; `rank` lists the edges in the order in
    // which they are tried.
    PathCover(std::vector<std::int64_t> from, std::vector<std::int64_t> to, std::int64_t nodes,
              const std::vector<std::int64_t>& rank, std::uint64_t seed)
        : random_(seed),
          edges_(static_cast<std::int64_t>(from.size())),
          hub_(nodes),
          from_(std::move(from)),
          to_(std::move(to)) {
        std::vector<std::int64_t> order = balance(rank);
        group(order);
        walked_.assign(from_.size(), 0);
    }

    Arrangement run(const std::vector<std::int64_t>& rank) {
        walk(hub_);
        for (const std::int64_t e : rank)
            if (!walked_[e]) walk(from_[e]);
        return std::move(result_);
    }

  private:
    // Adds the hub's edges; returns all edges in the order in which they are tried.
    std::vector<std::int64_t> balance(const std::vector<std::int64_t>& rank) {
        std::vector<std::int64_t> surplus(hub_, 0);
        for (std::int64_t e = 0; e < edges_; ++e) {
            ++surplus[from_[e]];
            --surplus[to_[e]];
        }
        struct Start {
            double share;  // how far along the walk
            std::int64_t node;
        };
        std::vector<Start> starts;
        std::vector<std::int64_t> order(rank);
        for (std::int64_t r = 0; r < edges_; ++r)
            for (const auto& [node, step] :
                 {std::pair(from_[rank[r]], 1), std::pair(to_[rank[r]], -1)}) {
                const std::int64_t paths = surplus[node] * step;
                if (paths <= 0) continue;
                surplus[node] = 0;
                for (std::int64_t j = 0; j < paths; ++j) {
                    if (step < 0)
                        order.push_back(add(node, hub_));
                    else if (paths == 1)
                        starts.push_back({share(r, 0.5, edges_), node});
                    else
                        starts.push_back({share(j, chance(), paths), node});
                }
            }
        std::stable_sort(starts.begin(), starts.end(),
                         [](const Start& a, const Start& b) { return a.share < b.share; });
        for (const Start& start : starts) order.push_back(add(hub_, start.node));
        return order;
    }

    static double share(std::int64_t j, double part, std::int64_t of) {
        return (static_cast<double>(j) + part) / static_cast<double>(of);
    }

    // From 0 to below 1, by SplitMix64: many sequences have few blocks, so starting must be cheap.
    double chance() {
        std::uint64_t z = random_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }

    std::int64_t add(std::int64_t from, std::int64_t to) {
        from_.push_back(from);
        to_.push_back(to);
        return static_cast<std::int64_t>(from_.size()) - 1;
    }

    // Groups the edges by the node they leave, in the order given.
    void group(const std::vector<std::int64_t>& order) {
        next_.assign(hub_ + 2, 0);
        for (const std::int64_t node : from_) ++next_[node + 1];
        for (std::size_t v = 1; v < next_.size(); ++v) next_[v] += next_[v - 1];
        past_.assign(next_.begin() + 1, next_.end());
        leaving_.resize(order.size());
        std::vector<std::int64_t> fill(next_);
        for (const std::int64_t e : order) leaving_[fill[from_[e]]++] = e;
    }

    // Hierholzer's closed walk from a node, appended to the result, cut at the hub.
    void walk(std::int64_t start) {
        std::vector<std::int64_t> stack, closed;  // edges
        std::int64_t node = start;
        for (;;) {
            if (next_[node] < past_[node]) {
                const std::int64_t e = leaving_[next_[node]++];
                walked_[e] = 1;
                stack.push_back(e);
                node = to_[e];
            } else if (!stack.empty()) {
                closed.push_back(stack.back());
                node = from_[stack.back()];
                stack.pop_back();
            } else {
                break;
            }
        }
        bool joined = false;
        for (auto e = closed.rbegin(); e != closed.rend(); ++e) {
            if (*e < edges_) {
                result_.order.push_back(*e);
                result_.joined.push_back(joined);
                joined = true;
            } else {
                joined = false;
            }
        }
    }

    std::uint64_t random_;
    std::int64_t edges_, hub_;
    std::vector<std::int64_t> from_, to_, leaving_, next_, past_;
    std::vector<std::uint8_t> walked_;
    Arrangement result_;
};

}  // namespace sfumato
