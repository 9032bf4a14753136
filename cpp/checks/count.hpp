// In how many places, or under how many labels, each stretch occurs in a reference.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "automaton.hpp"
#include "text.hpp"
#include "tick.hpp"

namespace sfumato::checks {

struct Counted {
    std::int64_t smallest;      // the smallest count, at most k
    std::int64_t first = -1;    // the first stretch with fewer than k, or -1
    std::int64_t failures = 0;  // how many stretches have fewer than k
    std::int64_t checked = 0;
};

// What is counted in: pieces of documents, those with one label together.
struct Reference {
    std::vector<Text> pieces;
    std::vector<std::uint32_t> groups;  // 1, 2, ... never decreasing, one a piece; or empty
    std::size_t symbols = 0;
};

// Counts up to k of one batch of stretches.
template <class Symbol>
class Tally {
   public:
    Tally(Automaton<Symbol>& automaton, std::uint32_t k)
        : automaton_(automaton), k_(k), seen_(automaton.stretches()) {
        for (std::uint32_t i = 0; i < seen_.size(); ++i) seen_[i].shorter = automaton.shorter(i);
    }

    std::uint32_t count(std::uint32_t stretch) const { return seen_[stretch].count; }

    void read(const Reference& reference, const Tick& tick) {
        std::size_t done = 0, told = 0;
        for (std::size_t i = 0; i < reference.pieces.size(); ++i) {
            const Text& piece = reference.pieces[i];
            group_ = reference.groups.empty() ? 0 : reference.groups[i];
            std::uint32_t node = Automaton<Symbol>::root;
            for (std::int64_t from = 0; from < piece.length; from += block) {
                const std::int64_t to = std::min<std::int64_t>(from + block, piece.length);
                node = with_symbols(piece, [&](const auto* symbols) {
                    return read_block(node, symbols + from, symbols + to);
                });
                done += static_cast<std::size_t>(to - from);
                if (done - told < block) continue;
                told = done;
                tick(static_cast<double>(done) / static_cast<double>(reference.symbols));
            }
        }
        if (reference.groups.empty()) hand_down();
    }

   private:
    static constexpr std::int64_t block = 1 << 20;
    struct Seen {
        std::uint32_t count = 0, group = 0, shorter = 0;
    };

    template <class Source>
    std::uint32_t read_block(std::uint32_t node, const Source* at, const Source* stop) {
        for (; at != stop; ++at) {
            if constexpr (sizeof(Source) > sizeof(Symbol)) {
                if (*at > std::numeric_limits<Symbol>::max()) {
                    node = Automaton<Symbol>::root;  // no stretch has this symbol
                    continue;
                }
            }
            node = automaton_.step(node, static_cast<Symbol>(*at));
            if (automaton_.out(node) != Automaton<Symbol>::none) note(node);
        }
        return node;
    }

    // Counts the stretches that end here. A shorter one occurs wherever a longer one does: the
    // first that has enough, or has this group already, says that all shorter ones do too.
    // Without groups the longest is counted for all, until `hand_down`.
    void note(std::uint32_t node) {
        std::uint32_t stretch = automaton_.out(node);
        if (seen_[stretch].count >= k_) return automaton_.silence(node);
        if (group_ == 0) {
            ++seen_[stretch].count;
            return;
        }
        for (; stretch != Automaton<Symbol>::none; stretch = seen_[stretch].shorter) {
            Seen& seen = seen_[stretch];
            if (seen.count >= k_ || seen.group == group_) return;
            ++seen.count;
            seen.group = group_;
        }
    }

    // Adds the count of each stretch to the longest stretch that is a suffix of it.
    void hand_down() {
        const auto& by_length = automaton_.by_length();
        for (auto at = by_length.rbegin(); at != by_length.rend(); ++at) {
            const Seen& longer = seen_[*at];
            if (longer.shorter == Automaton<Symbol>::none) continue;
            std::uint32_t& count = seen_[longer.shorter].count;
            count = std::min(k_ - std::min(k_, count), longer.count) + count;
        }
    }

    Automaton<Symbol>& automaton_;
    std::uint32_t k_;
    std::uint32_t group_ = 0;
    std::vector<Seen> seen_;
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
    std::size_t limit;  // symbols of stretches handled at once
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

// Counts stretches begin..stop with one automaton, and adds what it found to `counted`.
template <class Symbol>
void count_batch(const Reference& reference, const Demand& demand, std::size_t begin,
                 std::size_t stop, std::size_t symbols, const Tick& tick, Counted& counted) {
    constexpr auto nowhere = Automaton<Symbol>::none;
    const auto stage = [&tick](double from, double to) {
        return [&tick, from, to](double share) { tick(from + share * (to - from)); };
    };
    Automaton<Symbol> automaton(symbols);
    std::vector<std::uint32_t> numbers(stop - begin, nowhere);
    for (std::size_t i = begin; i < stop; ++i) {
        const Text text = stretch(demand, i);
        if (broken(text, demand.breaks)) continue;
        numbers[i - begin] = with_symbols(text, [&](const auto* data) {
            return automaton.insert(data, static_cast<std::size_t>(text.length));
        });
        if (i % 65536 == 0)
            stage(0, 0.2)(static_cast<double>(i - begin) / static_cast<double>(stop - begin));
    }
    automaton.link(stage(0.2, 0.3));
    Tally<Symbol> tally(automaton, demand.k);
    tally.read(reference, stage(0.3, 1));
    for (std::size_t i = begin; i < stop; ++i) {
        const std::uint32_t number = numbers[i - begin];
        const std::uint32_t found = number == nowhere ? 0 : tally.count(number);
        counted.smallest = std::min<std::int64_t>(counted.smallest, found);
        if (found >= demand.k) continue;
        if (counted.failures++ == 0) counted.first = static_cast<std::int64_t>(i);
    }
    counted.checked += static_cast<std::int64_t>(stop - begin);
}

// Counts every stretch in the reference, up to k; in batches, so that an automaton never has
// more nodes than demand.limit (or one stretch's symbols).
template <class Symbol>
Counted count_all(const Reference& reference, const Demand& demand, const Tick& tick) {
    const Stretches& all = demand.stretches;
    Counted counted{static_cast<std::int64_t>(demand.k)};
    for (std::size_t begin = 0, stop = 0; begin < all.size; begin = stop) {
        std::size_t symbols = 0;
        for (; stop < all.size; ++stop) {
            const auto length = static_cast<std::size_t>(all.stops[stop] - all.starts[stop]);
            if (stop > begin && symbols + length > demand.limit) break;
            symbols += length;
        }
        const auto size = static_cast<double>(all.size);
        const double base = static_cast<double>(begin) / size;
        const double share = static_cast<double>(stop - begin) / size;
        count_batch<Symbol>(reference, demand, begin, stop, symbols,
                            [&](double done) { tick(base + share * done); }, counted);
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
    if (bits >> 32 == 0) return count_all<std::uint32_t>(reference, demand, tick);
    return count_all<std::uint64_t>(reference, demand, tick);
}

}  // namespace sfumato::checks
