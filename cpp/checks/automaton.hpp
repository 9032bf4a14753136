// The pattern matching machine of Aho and Corasick (Efficient string matching: an aid to
// bibliographic search, CACM 18(6), 1975): a trie of stretches with failure links.
//
// It is exact (no fingerprints) and linear in the total length of the stretches and the text,
// whatever they are. A run of nodes made by one stretch is numbered consecutively, so that the
// child of a node is mostly its successor; all other edges are in one hash table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tick.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define SFUMATO_CHECKS_PREFETCH(address) __builtin_prefetch(address)
#else
#define SFUMATO_CHECKS_PREFETCH(address) ((void)0)
#endif

namespace sfumato::checks {

// Symbols of texts as the automaton reads them: at least as wide as those of its stretches. What
// is wider still is in no stretch.
template <class Symbol>
using Read = std::conditional_t<sizeof(Symbol) == 8, std::uint64_t, std::uint32_t>;

// No 32-bit symbol of a stretch is above 0x7fffffff: 0xffffffff stands for all that are too wide.
template <class Symbol, class Source>
Read<Symbol> read_symbol(Source symbol) {
    if constexpr (sizeof(Source) > sizeof(Read<Symbol>))
        return symbol > 0x7fffffff ? 0xffffffff : static_cast<Read<Symbol>>(symbol);
    else
        return symbol;
}

template <class Symbol>
class Automaton {
  public:
    // Where a reader is, and the edge it is about to look at.
    struct Cursor {
        std::uint32_t node = root;
        bool waits = false;
        std::size_t slot = 0;
    };
    enum class Found { beside, away, wait, nothing };

    static constexpr std::uint32_t root = 0;
    static constexpr std::uint32_t none = 0x7fffffff;  // no stretch
    static constexpr std::size_t most_nodes = none;

    // `symbols`: the total length of the stretches to come, an upper bound on the nodes. Where less
    // memory is allowed than they would take, only that is reserved.
    explicit Automaton(std::size_t symbols, std::size_t memory = SIZE_MAX) {
        const std::size_t room = std::min(symbols, memory / each_node) + 1;
        labels_.reserve(room);
        nodes_.reserve(room);
        labels_.push_back(Symbol{});
        nodes_.push_back({root, none});
        edges_.resize(1024);
    }

    // The number of this stretch; equal stretches have equal numbers. Its first `depth` symbols
    // are known to lead to `node`.
    template <class Source>
    std::uint32_t insert(const Source* symbols, std::size_t length, std::size_t depth,
                         std::uint32_t node) {
        for (; depth < length; ++depth) {
            const std::uint32_t next = child(node, read_symbol<Symbol>(symbols[depth]));
            if (next == root) break;
            node = next;
        }
        if (depth < length) node = grow(node, depth, symbols, length);
        const std::uint32_t found = nodes_[node].out & low;
        if (found != none) return found;
        nodes_[node].out = (nodes_[node].out & flag) | static_cast<std::uint32_t>(ends_.size());
        ends_.push_back(node);
        return static_cast<std::uint32_t>(ends_.size() - 1);
    }

    // Sets failure links, level by level: once, after the last insert.
    void link(const Tick& tick);

    std::size_t stretches() const { return ends_.size(); }

    // What it takes with what is made of it later, arrays that are moved when they grow included.
    std::size_t bytes() const {
        constexpr std::size_t each_run = 3 * sizeof(Run), each_stretch = 48;
        return nodes_.size() * each_node + edges_.size() * sizeof(Edge) * 3 / 2 +
               runs_.size() * each_run + ends_.size() * each_stretch;
    }

    // All stretches, short ones first.
    const std::vector<std::uint32_t>& by_length() const { return by_length_; }

    // The longest stretch that is a proper suffix of this one, or none.
    std::uint32_t shorter(std::uint32_t stretch) const { return out(fail(ends_[stretch])); }

    // The longest stretch that ends where the text read so far ends, or none.
    std::uint32_t out(std::uint32_t node) const { return nodes_[node].out & low; }

    // Forgets the stretches that end at a node: nobody needs to hear of them again.
    void silence(std::uint32_t node) { nodes_[node].out |= none; }

    // Moves the cursor to the child by this symbol. Memory that may be far away is only asked for;
    // the caller does something else before it goes on (wait: asks again, away: uses the node).
    Found probe(Cursor& cursor, Read<Symbol> symbol) const {
        if (!cursor.waits) {
            const std::uint32_t node = cursor.node;
            if (node == root && symbol < top_.size()) {
                cursor.node = top_[static_cast<std::size_t>(symbol)];
                return cursor.node == root ? Found::nothing : Found::beside;
            }
            if ((nodes_[node].out & flag) && labels_[node + 1] == symbol) {
                ++cursor.node;
                return Found::beside;
            }
            if (!(nodes_[node].fail & flag)) return Found::nothing;
            cursor.slot = home(node, symbol);
            SFUMATO_CHECKS_PREFETCH(&edges_[cursor.slot]);
            cursor.waits = true;
            return Found::wait;
        }
        cursor.waits = false;
        const std::uint32_t next = look(cursor.slot, cursor.node, symbol);
        if (next == root) return Found::nothing;
        cursor.node = next;
        fetch(next);
        return Found::away;
    }

    // Moves the cursor to the longest proper suffix that begins a stretch.
    void fall(Cursor& cursor) const {
        cursor.node = fail(cursor.node);
        fetch(cursor.node);
    }

    void fetch(std::uint32_t node) const {
        SFUMATO_CHECKS_PREFETCH(&nodes_[node]);
        SFUMATO_CHECKS_PREFETCH(&labels_[node] + 1);
    }

    // The node of the longest suffix of (string of node) + symbol that begins a stretch.
    std::uint32_t step(std::uint32_t node, Read<Symbol> symbol) const {
        for (;;) {
            const std::uint32_t next = child(node, symbol);
            if (next != root || node == root) return next;
            node = fail(node);
        }
    }

  private:
    static constexpr std::uint32_t flag = 0x80000000, low = 0x7fffffff;

    struct Node {
        std::uint32_t fail;  // flag: some child is in the table
        std::uint32_t out;   // flag: the next node is a child
    };
    struct Edge {
        std::uint32_t parent = 0, child = 0;  // no edge leads to the root: child 0 is a free slot
        Symbol symbol{};
    };
    struct Run {
        std::uint32_t parent, first, stop, depth;  // depth of the parent
    };

    static constexpr std::size_t each_node = sizeof(Symbol) + sizeof(Node);

    std::uint32_t fail(std::uint32_t node) const { return nodes_[node].fail & low; }

    // The child by this symbol, or the root.
    std::uint32_t child(std::uint32_t node, Read<Symbol> symbol) const {
        if (node == root && symbol < top_.size()) return top_[static_cast<std::size_t>(symbol)];
        if ((nodes_[node].out & flag) && labels_[node + 1] == symbol) return node + 1;
        if (!(nodes_[node].fail & flag)) return root;
        return look(home(node, symbol), node, symbol);
    }

    std::uint32_t look(std::size_t slot, std::uint32_t node, Read<Symbol> symbol) const {
        for (;; slot = (slot + 1) & (edges_.size() - 1)) {
            const Edge& edge = edges_[slot];
            if (edge.child == 0) return root;
            if (edge.parent == node && edge.symbol == symbol) return edge.child;
        }
    }

    std::size_t home(std::uint32_t node, Read<Symbol> symbol) const {
        std::uint64_t mixed = node * 0x9e3779b97f4a7c15u + symbol * 0xd6e8feb86659fd93u;
        mixed ^= mixed >> 32;
        mixed *= 0xd6e8feb86659fd93u;
        return static_cast<std::size_t>(mixed >> 32 ^ mixed) & (edges_.size() - 1);
    }

    void place(const Edge& edge) {
        std::size_t slot = home(edge.parent, edge.symbol);
        while (edges_[slot].child != 0) slot = (slot + 1) & (edges_.size() - 1);
        edges_[slot] = edge;
    }

    void add_edge(const Edge& edge) {
        if (edge.parent == root && edge.symbol < top_.size())
            top_[static_cast<std::size_t>(edge.symbol)] = edge.child;
        else {
            if (2 * ++filled_ > edges_.size()) {
                std::vector<Edge> old(2 * edges_.size());
                old.swap(edges_);
                for (const Edge& moved : old)
                    if (moved.child != 0) place(moved);
            }
            place(edge);
        }
        nodes_[edge.parent].fail |= flag;
    }

    // Adds the nodes of symbols[depth..length) below `parent`; returns the last.
    template <class Source>
    std::uint32_t grow(std::uint32_t parent, std::size_t depth, const Source* symbols,
                       std::size_t length) {
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        if (parent + 1 == first && parent != root)
            nodes_[parent].out |= flag;
        else
            add_edge({parent, first, static_cast<Symbol>(symbols[depth])});
        labels_.insert(labels_.end(), symbols + depth, symbols + length);
        nodes_.resize(nodes_.size() + (length - depth) - 1, {root, none | flag});
        nodes_.push_back({root, none});
        const auto stop = static_cast<std::uint32_t>(nodes_.size());
        runs_.push_back({parent, first, stop, static_cast<std::uint32_t>(depth)});
        return stop - 1;
    }

    void sort_runs();

    std::vector<Symbol> labels_;  // the symbol that leads to a node
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::size_t filled_ = 0;
    std::array<std::uint32_t, 256> top_{};  // the root's children by small symbols
    std::vector<std::uint32_t> ends_;       // the last node of each stretch
    std::vector<std::uint32_t> by_length_;
    std::vector<Run> runs_;
};

// Shallow runs first (a counting sort).
template <class Symbol>
void Automaton<Symbol>::sort_runs() {
    std::size_t deepest = 0;
    for (const Run& run : runs_) deepest = std::max<std::size_t>(deepest, run.depth);
    std::vector<std::uint32_t> place(deepest + 2);
    for (const Run& run : runs_) ++place[run.depth + 1];
    for (std::size_t depth = 1; depth < place.size(); ++depth) place[depth] += place[depth - 1];
    std::vector<Run> sorted(runs_.size());
    for (const Run& run : runs_) sorted[place[run.depth]++] = run;
    runs_.swap(sorted);
}

template <class Symbol>
void Automaton<Symbol>::link(const Tick& tick) {
    sort_runs();
    struct Front {
        std::uint32_t node, stop, fail;  // next node of a run, its end, its parent's failure
    };
    constexpr std::size_t ahead = 12, block = 1 << 20;
    std::vector<Front> fronts;
    std::size_t begun = 0, done = 0, told = 0;
    for (std::size_t depth = 0; begun < runs_.size() || !fronts.empty(); ++depth) {
        for (; begun < runs_.size() && runs_[begun].depth == depth; ++begun)
            fronts.push_back({runs_[begun].first, runs_[begun].stop, fail(runs_[begun].parent)});
        std::size_t kept = 0;
        for (std::size_t i = 0; i < fronts.size(); ++i) {
            if (i + ahead < fronts.size()) {
                SFUMATO_CHECKS_PREFETCH(&nodes_[fronts[i + ahead].fail]);
                SFUMATO_CHECKS_PREFETCH(&labels_[fronts[i + ahead].fail]);
                SFUMATO_CHECKS_PREFETCH(&nodes_[fronts[i + ahead].node]);
                SFUMATO_CHECKS_PREFETCH(&labels_[fronts[i + ahead].node]);
            }
            Front front = fronts[i];
            if (depth > 0) front.fail = step(front.fail, labels_[front.node]);
            Node& node = nodes_[front.node];
            node.fail |= front.fail;
            if ((node.out & low) == none)
                node.out = (node.out & flag) | out(front.fail);
            else
                by_length_.push_back(node.out & low);
            if (++front.node < front.stop) fronts[kept++] = front;
        }
        done += fronts.size();
        fronts.resize(kept);
        if (done - told >= block) {
            told = done;
            tick(static_cast<double>(done) / static_cast<double>(nodes_.size()));
        }
    }
    std::vector<Run>().swap(runs_);
}

}  // namespace sfumato::checks
