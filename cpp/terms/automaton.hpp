// Finds every occurrence of every term of a list in one pass: an Aho-Corasick automaton over code
// points, in compressed sparse rows.
//
// States are numbered breadth first, so the children of a state are neighbours and a child's
// number is its place: children of s are [first[s], first[s + 1]), each with the code that leads
// to it, ascending. Five arrays of integers, nothing else, so that they can be saved and mapped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/tick.hpp"

namespace sfumato {

using State = std::uint32_t;
constexpr std::uint32_t no_term = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t code_points = 0x110000;
constexpr std::uint32_t star_symbol = code_points;  // stands in a text where nothing is legible

struct Occurrence {
    std::int64_t start, stop;
    std::uint32_t term;
};

// `codes` maps every code point to a code of the list's alphabet, 0 if no term has it.
struct Automaton {
    const State* first;           // states + 1
    const std::uint32_t* code;    // states; the root's is 0
    const State* fail;            // states
    const State* suffix;          // states: the longest proper suffix that is a term, or the root
    const std::uint32_t* term;    // states: the term that ends here, or no_term
    const std::uint32_t* length;  // of every term
    const std::uint32_t* codes;   // code points
    const State* starts;          // codes of the alphabet: the root's child, or the root

    std::uint32_t code_of(std::uint32_t symbol) const {
        return symbol < code_points ? codes[symbol] : 0;
    }

    State child(State state, std::uint32_t wanted) const {
        if (state == 0) return starts[wanted];
        const std::uint32_t *low = code + first[state], *high = code + first[state + 1];
        const std::uint32_t* at = std::lower_bound(low, high, wanted);
        return at != high && *at == wanted ? static_cast<State>(at - code) : 0;
    }

    State next(State state, std::uint32_t wanted) const {
        if (wanted == 0) return 0;
        while (true) {
            const State to = child(state, wanted);
            if (to || state == 0) return to;
            state = fail[state];
        }
    }
};

struct AutomatonArrays {
    std::vector<State> first, fail, suffix;
    std::vector<std::uint32_t> code, term;
};

// `terms` are codes (all above 0), one after another, ascending and distinct; term t spans
// [offsets[t], offsets[t + 1]). Cost: O(total length of the terms) states.
inline AutomatonArrays build_automaton(const std::uint32_t* terms, const std::int64_t* offsets,
                                       std::size_t count, const Tick& tick) {
    struct Range {
        std::uint32_t low, high;
    };
    AutomatonArrays a;
    std::vector<Range> level{{0, static_cast<std::uint32_t>(count)}}, below;
    a.code.push_back(0);
    a.term.push_back(no_term);
    for (std::int64_t depth = 0; !level.empty(); ++depth, level.swap(below)) {
        below.clear();
        for (const Range& range : level) {
            a.first.push_back(static_cast<State>(a.code.size()));
            std::uint32_t t = range.low;
            while (t < range.high && offsets[t + 1] - offsets[t] == depth) ++t;  // ends here
            while (t < range.high) {
                const std::uint32_t code = terms[offsets[t] + depth], low = t;
                while (t < range.high && terms[offsets[t] + depth] == code) ++t;
                a.code.push_back(code);
                a.term.push_back(offsets[low + 1] - offsets[low] == depth + 1 ? low : no_term);
                below.push_back({low, t});
            }
        }
        report(tick, 0.0);
    }
    a.first.push_back(static_cast<State>(a.code.size()));
    return a;
}

// Failure links, breadth first: a state's link leads to a state of a higher level.
inline void link_automaton(AutomatonArrays& a, Automaton view, const Tick& tick) {
    const std::size_t states = a.code.size();
    a.fail.assign(states, 0);
    a.suffix.assign(states, 0);
    view.fail = a.fail.data();
    for (State state = 0; state < states; ++state) {
        for (State to = a.first[state]; to < a.first[state + 1]; ++to) {
            const State link = state == 0 ? 0 : view.next(a.fail[state], a.code[to]);
            a.fail[to] = link;
            a.suffix[to] = a.term[link] != no_term ? link : a.suffix[link];
        }
        if ((state & 0xFFFFF) == 0) report(tick, static_cast<double>(state) / states);
    }
}

// Calls found(Occurrence) for every occurrence in text[start, stop), in order of its end, longer
// first. `text[i]` is a symbol.
template <class Text, class Found>
void scan(const Automaton& a, const Text& text, std::int64_t start, std::int64_t stop,
          const Found& found) {
    State state = 0;
    for (std::int64_t i = start; i < stop; ++i) {
        state = a.next(state, a.code_of(text[i]));
        State end = a.term[state] != no_term ? state : a.suffix[state];
        for (; end; end = a.suffix[end])
            found(Occurrence{i + 1 - static_cast<std::int64_t>(a.length[a.term[end]]), i + 1,
                             a.term[end]});
    }
}

}  // namespace sfumato
