// Reads a reference through an automaton and counts the stretches it meets, up to k.
//
// Following one text, the automaton waits for memory at almost every failure. So several parts of
// the reference are read in turns (lanes), each asking for the memory it needs next before the
// others go on. A part that begins inside a document warms up on the symbols before it; should its
// node then not be the one the part before has ended with, it is read again from that one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "automaton.hpp"
#include "text.hpp"
#include "tick.hpp"

namespace sfumato::checks {

// What is counted in: pieces of documents, those with one label together.
struct Reference {
    std::vector<Text> pieces;
    std::vector<std::uint32_t> groups;  // 1, 2, ... never decreasing, one a piece; or empty
    std::size_t symbols = 0;
};

// Symbols from..to of a piece, and what was met there.
struct Part {
    std::size_t piece;
    std::int64_t from, to;
    std::uint32_t entered = 0, left = 0;       // the nodes before and behind it
    std::size_t lane = 0, begin = 0, end = 0;  // the nodes at which stretches end
};

template <class Symbol>
class Tally {
  public:
    Tally(Automaton<Symbol>& automaton, std::uint32_t k)
        : automaton_(automaton), k_(k), seen_(automaton.stretches()) {
        for (std::uint32_t i = 0; i < seen_.size(); ++i) seen_[i].shorter = automaton.shorter(i);
    }

    std::uint32_t count(std::uint32_t stretch) const { return seen_[stretch].count; }

    // Counts in all pieces; the parts read in turns have `part_size` symbols at most.
    void read(const Reference& reference, std::int64_t part_size, const Tick& tick) {
        warm_ = part_size / 128;
        std::vector<Part> parts;
        std::int64_t waiting = 0;
        double done = 0;
        std::uint32_t node = root;
        for (std::size_t i = 0; i < reference.pieces.size(); ++i) {
            const std::int64_t length = reference.pieces[i].length;
            for (std::int64_t from = 0; from < length; from += part_size) {
                parts.push_back({i, from, std::min(from + part_size, length)});
                waiting += parts.back().to - from;
                if (waiting < at_once * part_size && parts.size() < most_parts) continue;
                node = read_parts(reference, parts, node);
                parts.clear();
                done += static_cast<double>(waiting);
                waiting = 0;
                tick(done / static_cast<double>(reference.symbols));
            }
        }
        read_parts(reference, parts, node);
        if (reference.groups.empty()) hand_down();
    }

  private:
    using Found = typename Automaton<Symbol>::Found;
    static constexpr std::uint32_t root = Automaton<Symbol>::root, none = Automaton<Symbol>::none;
    static constexpr std::size_t lanes = 16, most_parts = 1 << 14;
    static constexpr std::int64_t at_once = 64, buffer = 256;

    struct Seen {
        std::uint32_t count = 0, group = 0, shorter = 0;
    };
    struct Lane {
        typename Automaton<Symbol>::Cursor cursor;
        Part* part = nullptr;
        bool arrived = false, tells = false;
        std::int64_t next = 0;  // the first symbol not yet in the buffer
        std::size_t at = 0, have = 0;
        std::array<Read<Symbol>, buffer> symbols;
        std::vector<std::uint32_t> nodes;
    };

    // Reads parts in turns, then counts what they met in their order; returns the last node.
    std::uint32_t read_parts(const Reference& reference, std::vector<Part>& parts,
                             std::uint32_t node) {
        std::size_t begun = 0, active = 0;
        for (Lane& lane : lanes_) {
            lane.nodes.clear();
            active += begin_part(lane, parts, begun);
        }
        while (active > 0)
            for (Lane& lane : lanes_)
                if (lane.part && !advance(lane, reference))
                    active -= !begin_part(lane, parts, begun);
        for (const Part& part : parts) {
            group_ = reference.groups.empty() ? 0 : reference.groups[part.piece];
            if (part.from > 0 && part.entered != node) {
                node = read_again(reference.pieces[part.piece], part, node);
            } else {
                tell(lanes_[part.lane].nodes, part);
                node = part.left;
            }
        }
        return node;
    }

    bool begin_part(Lane& lane, std::vector<Part>& parts, std::size_t& begun) {
        lane.part = begun < parts.size() ? &parts[begun++] : nullptr;
        if (!lane.part) return false;
        lane.cursor = {};
        lane.arrived = lane.tells = false;
        lane.next = std::max<std::int64_t>(0, lane.part->from - warm_);
        lane.at = lane.have = 0;
        lane.part->lane = static_cast<std::size_t>(&lane - lanes_.data());
        lane.part->begin = lane.nodes.size();
        return true;
    }

    // Reads on until memory has to be waited for. False if the part is finished.
    bool advance(Lane& lane, const Reference& reference) {
        for (;;) {
            if (lane.arrived) {
                lane.arrived = false;
                if (lane.tells && automaton_.out(lane.cursor.node) != none)
                    lane.nodes.push_back(lane.cursor.node);
            }
            if (lane.at == lane.have && !fill(lane, reference)) {
                lane.part->left = lane.cursor.node;
                lane.part->end = lane.nodes.size();
                return false;
            }
            const bool at_root = lane.cursor.node == root;
            switch (automaton_.probe(lane.cursor, lane.symbols[lane.at])) {
                case Found::beside:
                    lane.arrived = true;
                    ++lane.at;
                    break;
                case Found::away:
                    lane.arrived = true;
                    ++lane.at;
                    return true;
                case Found::wait: return true;
                case Found::nothing:
                    if (at_root) {
                        ++lane.at;
                        break;
                    }
                    automaton_.fall(lane.cursor);
                    return true;
            }
        }
    }

    // The next symbols of a lane's part; those before the part warm up.
    bool fill(Lane& lane, const Reference& reference) {
        const Part& part = *lane.part;
        if (lane.next == part.to) return false;
        if (lane.next == part.from) {
            lane.part->entered = lane.cursor.node;
            lane.tells = true;
        }
        const std::int64_t stop =
            std::min(lane.next + buffer, lane.next < part.from ? part.from : part.to);
        with_symbols(reference.pieces[part.piece], [&](const auto* symbols) {
            std::transform(symbols + lane.next, symbols + stop, lane.symbols.begin(),
                           [](auto symbol) { return read_symbol<Symbol>(symbol); });
        });
        lane.at = 0;
        lane.have = static_cast<std::size_t>(stop - lane.next);
        lane.next = stop;
        return true;
    }

    std::uint32_t read_again(const Text& piece, const Part& part, std::uint32_t node) {
        with_symbols(piece, [&](const auto* symbols) {
            for (std::int64_t i = part.from; i < part.to; ++i) {
                node = automaton_.step(node, read_symbol<Symbol>(symbols[i]));
                if (automaton_.out(node) != none) note(node);
            }
        });
        return node;
    }

    void tell(const std::vector<std::uint32_t>& nodes, const Part& part) {
        constexpr std::size_t ahead = 16;
        for (std::size_t i = part.begin; i < part.end; ++i) {
            if (i + 2 * ahead < part.end) automaton_.fetch(nodes[i + 2 * ahead]);
            if (i + ahead < part.end) {
                const std::uint32_t stretch = automaton_.out(nodes[i + ahead]);
                if (stretch != none) SFUMATO_CHECKS_PREFETCH(&seen_[stretch]);
            }
            if (automaton_.out(nodes[i]) != none) note(nodes[i]);
        }
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
        for (; stretch != none; stretch = seen_[stretch].shorter) {
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
            if (longer.shorter == none) continue;
            std::uint32_t& count = seen_[longer.shorter].count;
            count += std::min(k_ - count, longer.count);
        }
    }

    Automaton<Symbol>& automaton_;
    std::uint32_t k_;
    std::uint32_t group_ = 0;  // of the part that is counted; 0 if there are none
    std::int64_t warm_ = 0;    // symbols to warm up on
    std::vector<Seen> seen_;
    std::array<Lane, lanes> lanes_;
};

}  // namespace sfumato::checks
