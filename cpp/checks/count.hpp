// In how many places, or under how many labels, each stretch occurs in a reference.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "automaton.hpp"
#include "tally.hpp"
#include "text.hpp"
#include "tick.hpp"

namespace sfumato::checks {

struct Counted {
    std::int64_t smallest;      // the smallest count, at most k
    std::int64_t first = -1;    // the first stretch with fewer than k, or -1
    std::int64_t failures = 0;  // how many stretches have fewer than k
    std::int64_t checked = 0;
};

// One document after another, or (labels given) those with one label together.
// `within`: only these stretches of the documents count, not the whole documents.
inline Reference in_groups(const std::vector<Text>& texts, const std::int32_t* labels,
                           const Stretches* within) {
    std::vector<Text> pieces;
    std::vector<std::int32_t> label_of;
    const std::size_t size = within ? within->size : texts.size();
    for (std::size_t i = 0; i < size; ++i) {
        const auto document = within ? static_cast<std::size_t>(within->documents[i]) : i;
        pieces.push_back(within ? part(texts[document], within->starts[i], within->stops[i])
                                : texts[document]);
        if (labels) label_of.push_back(labels[document]);
    }
    Reference reference;
    for (const Text& piece : pieces) reference.symbols += static_cast<std::size_t>(piece.length);
    if (!labels) {
        reference.pieces = std::move(pieces);
        return reference;
    }
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return label_of[a] < label_of[b]; });
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (i == 0 || label_of[order[i]] != label_of[order[i - 1]]) ++group;
        reference.pieces.push_back(pieces[order[i]]);
        reference.groups.push_back(group);
    }
    return reference;
}

// What to count, and how far.
struct Demand {
    const std::vector<Text>& queries;
    Stretches stretches;
    std::vector<std::uint64_t> breaks;  // a stretch with one of these symbols occurs nowhere
    std::uint32_t k;
    std::size_t at_once;     // symbols of stretches handled at once
    std::int64_t part_size;  // symbols of the reference read in one go
    std::size_t memory;      // bytes that the automaton of one pass may take
};

inline Text stretch(const Demand& demand, std::size_t i) {
    const Stretches& all = demand.stretches;
    return part(demand.queries[static_cast<std::size_t>(all.documents[i])], all.starts[i],
                all.stops[i]);
}

inline bool broken(const Text& text, const std::vector<std::uint64_t>& breaks) {
    return with_symbols(text, [&](const auto* symbols) {
        return std::any_of(breaks.begin(), breaks.end(), [&](std::uint64_t symbol) {
            return std::find(symbols, symbols + text.length, symbol) != symbols + text.length;
        });
    });
}

// A stretch on its way into the automaton.
template <class Symbol>
struct Descent {
    Text text;
    std::size_t number;
    typename Automaton<Symbol>::Cursor cursor{};
    std::int64_t depth = 0;
    bool ended = false;
};

// Takes stretches as far as the automaton knows them, in turns: each waits for memory while the
// others go on.
template <class Symbol>
void descend(const Automaton<Symbol>& automaton, std::vector<Descent<Symbol>>& descents) {
    using Found = typename Automaton<Symbol>::Found;
    for (std::size_t active = descents.size(); active > 0;) {
        for (auto& descent : descents) {
            Found found = descent.ended ? Found::wait : Found::beside;
            while (found == Found::beside) {
                found = Found::nothing;
                if (descent.depth < descent.text.length)
                    found = automaton.probe(
                        descent.cursor, read_symbol<Symbol>(symbol(descent.text, descent.depth)));
                if (found == Found::beside || found == Found::away) ++descent.depth;
            }
            descent.ended |= found == Found::nothing;
            active -= found == Found::nothing;
        }
    }
}

// Puts stretches begin..stop into the automaton, or as many as the memory allows (one at least);
// returns their numbers.
template <class Symbol>
std::vector<std::uint32_t> insert_some(Automaton<Symbol>& automaton, const Demand& demand,
                                       std::size_t begin, std::size_t stop, const Tick& tick) {
    constexpr std::size_t together = 32, block = 1 << 16;
    std::vector<std::uint32_t> numbers;
    std::vector<Descent<Symbol>> descents;
    for (std::size_t i = begin; i < stop; ++i) {
        const Text text = stretch(demand, i);
        numbers.push_back(Automaton<Symbol>::none);
        if (!broken(text, demand.breaks)) descents.push_back({text, i - begin});
        const std::size_t taken = automaton.bytes() + 12 * numbers.size();
        // What waits is not in the automaton yet: close to the end each goes in by itself.
        const bool close = taken + demand.memory / 16 >= demand.memory;
        if (descents.size() < together && i + 1 < stop && !close) continue;
        descend(automaton, descents);
        for (const auto& [symbols, number, cursor, depth, ended] : descents)
            numbers[number] = with_symbols(symbols, [&](const auto* data) {
                return automaton.insert(data, static_cast<std::size_t>(symbols.length),
                                        static_cast<std::size_t>(depth), cursor.node);
            });
        descents.clear();
        if (automaton.bytes() + 12 * numbers.size() >= demand.memory) break;
        if (i % block < together)
            tick(static_cast<double>(i - begin) / static_cast<double>(stop - begin));
    }
    return numbers;
}

// Counts stretches from `begin` on, at most up to `stop`, with one automaton, and adds what it
// found to `counted`. Returns the first stretch that is not counted.
template <class Symbol>
std::size_t count_batch(const Reference& reference, const Demand& demand, std::size_t begin,
                        std::size_t stop, std::size_t symbols, const Tick& tick, Counted& counted) {
    constexpr auto nowhere = Automaton<Symbol>::none;
    if (symbols >= Automaton<Symbol>::most_nodes)
        throw std::invalid_argument("stretch " + std::to_string(begin) +
                                    " is too long to be counted: split its document");
    // How many stretches a pass takes shows when they are in: the share never goes back.
    const auto size = static_cast<double>(demand.stretches.size);
    const double base = static_cast<double>(begin) / size;
    Automaton<Symbol> automaton(symbols, demand.memory);
    const auto numbers = insert_some(automaton, demand, begin, stop, [&](double) { tick(base); });
    const double taken = static_cast<double>(numbers.size()) / size;
    automaton.link([&](double share) { tick(base + taken * 0.1 * share); });
    Tally<Symbol> tally(automaton, demand.k);
    tally.read(reference, demand.part_size,
               [&](double share) { tick(base + taken * (0.1 + 0.9 * share)); });
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint32_t found = numbers[i] == nowhere ? 0 : tally.count(numbers[i]);
        counted.smallest = std::min<std::int64_t>(counted.smallest, found);
        if (found >= demand.k) continue;
        if (counted.failures++ == 0) counted.first = static_cast<std::int64_t>(begin + i);
    }
    counted.checked += static_cast<std::int64_t>(numbers.size());
    return begin + numbers.size();
}

// Counts every stretch in the reference, up to k; in passes, so that an automaton never has more
// nodes than demand.at_once, nor takes more than demand.memory (or what one stretch takes).
template <class Symbol>
Counted count_all(const Reference& reference, const Demand& demand, const Tick& tick) {
    const Stretches& all = demand.stretches;
    Counted counted{static_cast<std::int64_t>(demand.k)};
    for (std::size_t begin = 0, stop = 0; begin < all.size;) {
        std::size_t symbols = 0;
        for (stop = begin; stop < all.size; ++stop) {
            const auto length = static_cast<std::size_t>(all.stops[stop] - all.starts[stop]);
            if (stop > begin && symbols + length > demand.at_once) break;
            symbols += length;
        }
        begin = count_batch<Symbol>(reference, demand, begin, stop, symbols, tick, counted);
    }
    return counted;
}

// The same, with the narrowest symbols that can tell the stretches apart.
inline Counted count(const Reference& reference, const Demand& demand, const Tick& tick) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < demand.stretches.size; ++i) {
        const Text text = stretch(demand, i);
        with_symbols(text, [&](const auto* symbols) {
            std::decay_t<decltype(*symbols)> all = 0;
            for (std::int64_t j = 0; j < text.length; ++j) all |= symbols[j];
            bits |= all;
        });
    }
    if (bits >> 8 == 0) return count_all<std::uint8_t>(reference, demand, tick);
    if (bits >> 16 == 0) return count_all<std::uint16_t>(reference, demand, tick);
    if (bits >> 31 == 0) return count_all<std::uint32_t>(reference, demand, tick);
    return count_all<std::uint64_t>(reference, demand, tick);
}

}  // namespace sfumato::checks
