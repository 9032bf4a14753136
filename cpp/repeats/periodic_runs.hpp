// Text that repeats itself: "Ann Ann Ann". A cover counts occurrences that overlap, and one star of
// its own parts them: of a run of n words it leaves n - 1, which then stand once, and the next
// round leaves n - 2. Here such a run is parted at once into pieces that do not overlap and are
// equal, as long as k of them have room in all runs of the same period and root.
//
// What is laid here need not hold: the next round counts it as it counts every other star.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "repeats/units.hpp"

namespace sfumato {

// Units (of all documents) whose codes are 0 where a star or a break stands; `stars` are those of
// this round's cover.
template <class Code, class Units>
class PeriodicRuns {
  public:
    PeriodicRuns(const Code* codes, const Units& units, const std::uint8_t* kept, Position k,
                 std::uint8_t* stars)
        : codes_(codes), units_(units), kept_(kept), k_(k), stars_(stars) {}

    // Parts the runs that the cover cut: how many.
    Position part() {
        find_cut();
        std::map<Position, Position> shortest;  // by period: what other runs must exceed
        for (const auto& [root, runs] : classes_) {
            const Position alone = longest_piece(runs, root.first).size;
            const auto [known, is_new] = shortest.try_emplace(root.first, alone);
            if (!is_new) known->second = std::min(known->second, alone);
        }
        Position scans = 0;
        for (const auto& [period, least] : shortest)
            if (scans++ < most_scans) find_others(period, least);
        Position parted = 0;
        for (const auto& [root, runs] : classes_) parted += lay(runs, root.first);
        return parted;
    }

  private:
    struct Run {
        Position first, past;  // units
        Position phase;        // from its first unit to where the least rotation of its root begins
        bool cut;              // by the cover
    };
    using Root = std::pair<Position, std::uint64_t>;  // period, hash of the least rotation
    static constexpr Position most_scans = 8, most_periods = 8;

    bool equal(Position a, Position b) const {
        const Position size = units_.past(a) - units_.first(a);
        if (units_.past(b) - units_.first(b) != size) return false;
        const Code *x = codes_ + units_.first(a), *y = codes_ + units_.first(b);
        for (Position i = 0; i < size; ++i)
            if (x[i] == 0 || x[i] != y[i]) return false;
        return true;
    }

    bool is_break(Position a) const { return !equal(a, a); }

    bool starred(Position a) const {
        for (Position p = units_.first(a); p < units_.past(a); ++p)
            if (stars_[p]) return true;
        return false;
    }

    bool can_be_starred(Position a) const {
        for (Position p = units_.first(a); p < units_.past(a); ++p)
            if (!kept_ || !kept_[p]) return true;
        return false;
    }

    void star(Position a) {
        for (Position p = units_.first(a); p < units_.past(a); ++p) stars_[p] = !kept_ || !kept_[p];
    }

    void find_cut() {
        const Position count = units_.count();
        for (Position i = 0, free = 0; i < count;) {  // free: where the last run ended
            Position j = i;
            while (j < count && !starred(j) && !is_break(j)) ++j;
            const bool is_cut = (i > free && !is_break(i - 1)) || (j < count && !is_break(j));
            if (j > i && is_cut) free = part_of_run(free, i, j);
            i = std::max(free, j + 1);
        }
    }

    // The run in which [i, j) occurs a second time, if it overlaps or touches the first: notes it,
    // and tells where it ends. The first and the last token may be parts of the run's.
    Position part_of_run(Position free, Position i, Position j) {
        for (const Position inner : {0, 1}) {
            if (inner && (!std::is_same_v<Units, Tokens> || j - i <= 2)) break;
            const auto [first, past, period] = run_around(free, i + inner, j - inner);
            if (past - j < period && i - first < period) continue;
            note(first, past, period, true);
            cut_.emplace_back(first, past);
            return past;
        }
        return free;
    }

    struct Stretch {
        Position first, past, period;
    };

    // As far as [i, j) goes on by its smallest period that does.
    Stretch run_around(Position free, Position i, Position j) {
        const Position size = j - i;
        borders_.assign(static_cast<std::size_t>(size) + 1, 0);
        for (Position b = 0, at = 1; at < size; ++at) {
            while (b > 0 && !equal(i + at, i + b)) b = borders_[b];
            if (equal(i + at, i + b)) ++b;
            borders_[at + 1] = b;
        }
        Position border = borders_[size];
        for (Position tries = 0;; ++tries) {
            Stretch run{i, j, size - border};
            while (run.past < units_.count() && equal(run.past, run.past - run.period)) ++run.past;
            while (run.first > free && equal(run.first - 1, run.first - 1 + run.period))
                --run.first;
            const bool goes_on = run.past - j >= run.period || i - run.first >= run.period;
            if (goes_on || border == 0 || tries == most_periods) return run;
            border = borders_[border];
        }
    }

    void note(Position first, Position past, Position period, bool cut) {
        const Position phase = least_rotation(first, period);
        std::uint64_t hash = 1;
        for (Position i = 0; i < period; ++i) {
            const Position a = first + (phase + i) % period;
            for (Position p = units_.first(a); p < units_.past(a); ++p)
                hash = (hash ^ (hash >> 29) ^ (static_cast<std::uint64_t>(codes_[p]) + 1)) *
                       0x9e3779b97f4a7c15ull;
            hash = (hash ^ (hash >> 31)) * 0xd6e8feb86659fd93ull;
        }
        if (cut)
            classes_[{period, hash}].push_back({first, past, phase, true});
        else if (const auto known = classes_.find({period, hash}); known != classes_.end())
            known->second.push_back({first, past, phase, false});
    }

    bool less(Position a, Position b) const {
        return std::lexicographical_compare(codes_ + units_.first(a), codes_ + units_.past(a),
                                            codes_ + units_.first(b), codes_ + units_.past(b));
    }

    Position least_rotation(Position first, Position period) const {
        Position i = 0, j = 1, same = 0;
        while (i < period && j < period && same < period) {
            const Position x = first + (i + same) % period, y = first + (j + same) % period;
            if (equal(x, y)) {
                ++same;
                continue;
            }
            (less(y, x) ? i : j) += same + 1;
            if (i == j) ++j;
            same = 0;
        }
        return std::min(i, j);
    }

    // Runs of a period, longer than `least`, that the cover left whole. Runs of two periods overlap
    // little, so that noting them by their roots takes O(n) in all; of shorter ones only so many
    // are noted as take not much longer.
    void find_others(Position period, Position least) {
        const Position count = units_.count();
        Position spare = 4 * count;
        for (Position at = period; at < count;) {
            if (!equal(at, at - period)) {
                ++at;
                continue;
            }
            const Position first = at - period;
            while (at < count && equal(at, at - period)) ++at;
            if (at - first <= least || is_noted(first, at)) continue;
            if (at - first < 2 * period) {
                if (spare < period) continue;
                spare -= period;
            }
            note(first, at, period, false);
        }
    }

    bool is_noted(Position first, Position past) const {
        const auto run = std::upper_bound(
            cut_.begin(), cut_.end(), first,
            [](Position at, const std::pair<Position, Position>& one) { return at < one.second; });
        return run != cut_.end() && run->first < past;
    }

    // How many equal pieces of `size` a run has room for, each with a star before the next, all
    // beginning at the same unit of the root.
    static Position room(const Run& run, Position phase, Position period, Position size) {
        const Position free = run.past - run.first - offset(run, phase, period);
        const Position step = (size + period) / period * period;  // room for a star, in periods
        return free < size ? 0 : 1 + (free - size) / step;
    }

    static Position offset(const Run& run, Position phase, Position period) {
        return (run.phase - phase + period) % period;
    }

    struct Piece {
        Position size, phase;
    };

    // The longest piece that k have room for; 0: none.
    Piece longest_piece(const std::vector<Run>& runs, Position period) const {
        const auto longest =
            std::max_element(runs.begin(), runs.end(), [](const Run& one, const Run& other) {
                return one.past - one.first < other.past - other.first;
            });
        Position skipped = 0;  // so that the star before a piece is one that may be
        while (skipped < period && !can_be_starred(longest->first + skipped + period - 1))
            ++skipped;
        const Position phase = (longest->phase - skipped + period) % period;
        const auto pieces = [&](Position size) {
            Position found = 0;
            for (const Run& run : runs) found += room(run, phase, period, size);
            return found;
        };
        Position fits = 0, too_long = longest->past - longest->first + 1;
        while (too_long - fits > 1) {
            const Position size = fits + (too_long - fits) / 2;
            (pieces(size) >= k_ ? fits : too_long) = size;
        }
        Position runs_with_room = 0;
        for (const Run& run : runs) runs_with_room += room(run, phase, period, fits) > 0;
        // Where one run gives several pieces, the star between them completes a period.
        if (runs_with_room < k_) fits = (fits + 1) / period * period - 1;
        return {std::max<Position>(fits, 0), phase};
    }

    // Stars after each piece, in runs longer than that: how many runs.
    Position lay(const std::vector<Run>& runs, Position period) {
        const Piece piece = longest_piece(runs, period);
        if (piece.size == 0) return 0;
        Position parted = 0;
        for (const Run& run : runs) {
            const Position skipped = offset(run, piece.phase, period);
            if (run.past - run.first - (run.cut ? 0 : skipped) <= piece.size) continue;
            const std::vector<Position> ends = ends_of_pieces(run, skipped, piece.size);
            if (ends.empty()) continue;  // what the cover starred stays
            for (Position p = units_.first(run.first); p < units_.past(run.past - 1); ++p)
                stars_[p] = 0;
            for (const Position a : ends) star(a);
            ++parted;
        }
        return parted;
    }

    std::vector<Position> ends_of_pieces(const Run& run, Position skipped, Position size) const {
        std::vector<Position> ends;
        if (skipped && can_be_starred(run.first + skipped - 1))
            ends.push_back(run.first + skipped - 1);
        for (Position begin = run.first + skipped; begin + size < run.past;) {
            Position end = begin + size;
            while (end > begin && !can_be_starred(end)) --end;
            if (can_be_starred(end)) ends.push_back(end);
            begin = std::max(end, begin) + 1;
        }
        return ends;
    }

    const Code* codes_;
    Units units_;
    const std::uint8_t* kept_;  // symbols that are never starred, or null
    Position k_;
    std::uint8_t* stars_;
    std::map<Root, std::vector<Run>> classes_;
    std::vector<std::pair<Position, Position>> cut_;  // where the runs that the cover cut stand
    std::vector<Position> borders_;
};

}  // namespace sfumato
