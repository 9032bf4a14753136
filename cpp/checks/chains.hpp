// Whether every stretch of one text occurs at least as often in another: both are put into one
// suffix automaton (Blumer et al., The smallest automaton recognizing the subwords of a text,
// 1985). The stretches of one state occur at the same places, so that one comparison a state
// decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sfumato::checks {

class ChainCounter {
  public:
    ChainCounter() { clear(); }

    void clear() {
        states_.assign(1, State{});
        edges_.clear();
        places_.clear();
    }

    // Adds text[0..n); symbols that are not positive end a stretch. `which`: 0 wanted, 1 found.
    void add(const std::int64_t* text, std::int64_t n, int which) {
        std::int32_t last = 0;
        for (std::int64_t p = 0; p < n; ++p) {
            last = text[p] > 0 ? extend(last, text[p]) : 0;
            ++states_[last].count[which];
        }
    }

    // Whether every wanted stretch of at least k symbols was found as often.
    bool covered(std::int64_t k) {
        std::int32_t longest = 0;
        for (const State& state : states_)
            longest = state.length > longest ? state.length : longest;
        std::vector<std::int32_t> slots(longest + 2, 0), order(states_.size());
        for (const State& state : states_) ++slots[state.length + 1];
        for (std::size_t i = 1; i < slots.size(); ++i) slots[i] += slots[i - 1];
        for (std::size_t s = 0; s < states_.size(); ++s)
            order[slots[states_[s].length]++] = static_cast<std::int32_t>(s);
        for (std::size_t i = order.size(); i-- > 1;) {
            const State& state = states_[order[i]];
            if (state.length >= k && state.count[0] > state.count[1]) return false;
            states_[state.link].count[0] += state.count[0];
            states_[state.link].count[1] += state.count[1];
        }
        return true;
    }

  private:
    struct State {
        std::int32_t length = 0, link = -1, edges = -1, degree = 0;
        std::int32_t count[2] = {0, 0};
    };
    struct Edge {
        std::int64_t symbol;
        std::int32_t target, next;
    };

    // States with many edges (the first one has an edge for every distinct symbol) are searched by
    // hashing, or a text of m distinct symbols would take m^2 steps.
    static constexpr std::int32_t few = 16;
    struct Key {
        std::int64_t symbol;
        std::int32_t state;
        bool operator==(const Key&) const = default;
    };
    struct HashOfKey {
        std::size_t operator()(const Key& key) const {
            std::uint64_t h = static_cast<std::uint64_t>(key.symbol) * 0x9e3779b97f4a7c15ull;
            h = (h ^ (h >> 32) ^ static_cast<std::uint64_t>(key.state)) * 0xd6e8feb86659fd93ull;
            return static_cast<std::size_t>(h ^ (h >> 32));
        }
    };

    std::int32_t* target(std::int32_t state, std::int64_t symbol) {
        if (states_[state].degree > few) {
            const auto found = places_.find(Key{symbol, state});
            return found == places_.end() ? nullptr : &edges_[found->second].target;
        }
        for (std::int32_t e = states_[state].edges; e >= 0; e = edges_[e].next)
            if (edges_[e].symbol == symbol) return &edges_[e].target;
        return nullptr;
    }

    void connect(std::int32_t state, std::int64_t symbol, std::int32_t to) {
        edges_.push_back({symbol, to, states_[state].edges});
        const auto added = static_cast<std::int32_t>(edges_.size()) - 1;
        states_[state].edges = added;
        if (++states_[state].degree > few + 1)
            places_.emplace(Key{symbol, state}, added);
        else if (states_[state].degree == few + 1)
            for (std::int32_t e = added; e >= 0; e = edges_[e].next)
                places_.emplace(Key{edges_[e].symbol, state}, e);
    }

    std::int32_t make(std::int32_t length) {
        states_.push_back({});
        states_.back().length = length;
        return static_cast<std::int32_t>(states_.size()) - 1;
    }

    // A state for the shorter stretches of `old`, reached from `from` and its suffixes.
    std::int32_t split(std::int32_t from, std::int64_t symbol, std::int32_t old) {
        const std::int32_t copy = make(states_[from].length + 1);
        for (std::int32_t e = states_[old].edges; e >= 0; e = edges_[e].next) {
            const Edge edge = edges_[e];
            connect(copy, edge.symbol, edge.target);
        }
        states_[copy].link = states_[old].link;
        states_[old].link = copy;
        for (; from >= 0; from = states_[from].link) {
            std::int32_t* to = target(from, symbol);
            if (!to || *to != old) break;
            *to = copy;
        }
        return copy;
    }

    std::int32_t extend(std::int32_t last, std::int64_t symbol) {
        if (const std::int32_t* known = target(last, symbol)) {
            const std::int32_t old = *known;
            const bool exact = states_[old].length == states_[last].length + 1;
            return exact ? old : split(last, symbol, old);
        }
        const std::int32_t added = make(states_[last].length + 1);
        std::int32_t from = last;
        for (; from >= 0 && !target(from, symbol); from = states_[from].link)
            connect(from, symbol, added);
        if (from < 0) {
            states_[added].link = 0;
            return added;
        }
        const std::int32_t old = *target(from, symbol);
        const bool exact = states_[old].length == states_[from].length + 1;
        const std::int32_t link = exact ? old : split(from, symbol, old);
        states_[added].link = link;
        return added;
    }

    std::vector<State> states_;
    std::vector<Edge> edges_;
    std::unordered_map<Key, std::int32_t, HashOfKey> places_;  // the edges of states with many
};

}  // namespace sfumato::checks
