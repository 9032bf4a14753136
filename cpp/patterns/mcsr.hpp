// Replacing separators: the windows each choice would create, their costs, the greedy choice that
// keeps frequencies up to date, and its refinement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/tick.hpp"
#include "patterns/windows.hpp"

namespace sfumato {

// The symbols round each separator of a text: S_ij with choice j written in its place. Choices
// 0..letters-1 are letters; the last one, `letters`, deletes the separator.
class Contexts {
  public:
    Contexts(const Symbol* text, Position n, const Symbol* letters, Position count, Position k)
        : text_(text), n_(n), letters_(letters), count_(count), k_(k), around_(2 * k) {
        for (Position p = 0; p < n; ++p)
            if (text[p] == 0) separators_.push_back(p);
    }

    Position separators() const { return static_cast<Position>(separators_.size()); }
    Position choices() const { return count_ + 1; }

    // Lays the neighbourhood of separator i out; `write` then puts a choice into it.
    void at(Position i) {
        const Position p = separators_[i];
        left_ = 0;
        while (left_ < k_ - 1 && p - left_ > 0 && text_[p - left_ - 1] > 0) ++left_;
        right_ = 0;
        while (right_ < k_ - 1 && p + right_ + 1 < n_ && text_[p + right_ + 1] > 0) ++right_;
        std::copy(text_ + p - left_, text_ + p, around_.begin());
    }

    // Calls f(window, its place in the text) for every window that choice j creates.
    template <class F>
    void each(Position i, Position j, F&& f) {
        const Position p = separators_[i];
        const bool deleted = j == count_;
        Position size = left_;
        if (!deleted) around_[size++] = letters_[j];
        std::copy(text_ + p + 1, text_ + p + 1 + right_, around_.begin() + size);
        size += right_;
        const Position last = std::min(deleted ? left_ - 1 : left_, size - k_);
        for (Position s = 0; s <= last; ++s) f(around_.data() + s, p - left_ + s);
    }

  private:
    const Symbol* text_;
    Position n_;
    const Symbol* letters_;
    Position count_, k_, left_ = 0, right_ = 0;
    std::vector<Position> separators_;
    std::vector<Symbol> around_;
};

// The distinct windows that any choice at any separator would create.
inline std::vector<Symbol> candidate_windows(Contexts& contexts, Position k, const Tick& tick) {
    // The table keeps pointers, so the windows live in blocks that never move.
    std::vector<std::vector<Symbol>> arena;
    const std::size_t block = static_cast<std::size_t>(k) * 4096;
    WindowTable table(k);
    for (Position i = 0; i < contexts.separators(); ++i) {
        contexts.at(i);
        for (Position j = 0; j < contexts.choices(); ++j)
            contexts.each(i, j, [&](const Symbol* window, Position) {
                const std::uint64_t h = table.hash().of(window);
                if (table.find(window, h) >= 0) return;
                if (arena.empty() || arena.back().size() == block) {
                    arena.emplace_back();
                    arena.back().reserve(block);
                }
                std::vector<Symbol>& home = arena.back();
                home.insert(home.end(), window, window + k);
                table.insert(home.data() + home.size() - k, h);
            });
        if (i % 4096 == 4095)
            report(tick, static_cast<double>(i) / static_cast<double>(contexts.separators()));
    }
    std::vector<Symbol> flat;
    flat.reserve(static_cast<std::size_t>(table.size() * k));
    for (const std::vector<Symbol>& home : arena) flat.insert(flat.end(), home.begin(), home.end());
    return flat;
}

// The candidate windows with what is known of each.
struct Candidates {
    Candidates(const Symbol* flat, Position count, Position k) : table(k, count) {
        for (Position i = 0; i < count; ++i)
            if (table.insert(flat + i * k) != i)
                throw std::invalid_argument("the windows must be distinct");
    }
    Position number(const Symbol* window) const {
        const Position found = table.find(window);
        if (found < 0) throw std::invalid_argument("a window is not among the candidates");
        return found;
    }
    WindowTable table;
};

// How often each candidate window occurs in the text, and how often the letters written so far have
// created it.
struct Counts {
    const std::int64_t* frequency;
    std::vector<std::int64_t> created;
    std::int64_t tau;

    std::int64_t now(Position u) const { return frequency[u] + created[u]; }
    bool makes_ghost(Position u) const { return frequency[u] < tau && now(u) + 1 == tau; }
};

// Hide and Mine: left to right, the letter with the least sum of 1/(tau - f) over the windows it
// creates that are infrequent, f counting what earlier letters created. Ties: the least added
// distortion, then the first letter. Deletion is taken only when no letter is admissible; -1 then
// says that nothing is.
inline std::vector<std::int32_t> hide_and_mine(Contexts& contexts, const Candidates& candidates,
                                               Counts& counts, const std::uint8_t* forbidden,
                                               const Tick& tick) {
    const Position letters = contexts.choices() - 1;
    std::vector<std::int32_t> chosen(contexts.separators(), -1);
    for (Position i = 0; i < contexts.separators(); ++i) {
        contexts.at(i);
        double least = std::numeric_limits<double>::infinity();
        std::int64_t least_added = 0;
        for (Position j = 0; j <= letters; ++j) {
            if (j == letters && chosen[i] >= 0) break;
            double cost = 0;
            std::int64_t added = 0;
            bool admissible = true;
            contexts.each(i, j, [&](const Symbol* window, Position) {
                if (!admissible) return;
                const Position u = candidates.number(window);
                admissible = !forbidden[u];
                if (counts.now(u) < counts.tau)
                    cost += 1.0 / static_cast<double>(counts.tau - counts.now(u));
                added += 2 * counts.created[u] + 1;
            });
            if (!admissible || cost > least || (cost == least && added >= least_added)) continue;
            least = cost;
            least_added = added;
            chosen[i] = static_cast<std::int32_t>(j);
        }
        if (chosen[i] >= 0)
            contexts.each(i, chosen[i], [&](const Symbol* window, Position) {
                ++counts.created[candidates.number(window)];
            });
        if (i % 4096 == 4095)
            report(tick, static_cast<double>(i) / static_cast<double>(contexts.separators()));
    }
    return chosen;
}

// Separator by separator, left to right, another letter if it makes fewer ghosts, or as many and
// less distortion; on ties the old letter stays, then the first wins. Sweeps until nothing changes
// or `sweeps` are over. So there are never more ghosts than before, and with as many never more
// distortion.
inline void refine(Contexts& contexts, const Candidates& candidates, Counts& counts,
                   const std::uint8_t* forbidden, std::vector<std::int32_t>& chosen, int sweeps,
                   const Tick& tick) {
    const Position letters = contexts.choices() - 1;
    std::vector<std::int64_t>& created = counts.created;
    const auto write = [&](Position i, Position j, int step) {
        contexts.each(i, j, [&](const Symbol* window, Position) {
            created[candidates.number(window)] += step;
        });
    };
    std::vector<Position> seen;  // the windows of one letter; several may be equal
    bool changed = true;
    for (int sweep = 0; sweep < sweeps && changed; ++sweep) {
        changed = false;
        for (Position i = 0; i < contexts.separators(); ++i) {
            if (i % 4096 == 0)
                report(tick, static_cast<double>(i) / static_cast<double>(contexts.separators()));
            if (chosen[i] < 0 || chosen[i] == letters) continue;  // no letter is admissible
            contexts.at(i);
            write(i, chosen[i], -1);
            std::int64_t fewest = 0, least = 0;
            Position best = -1;
            for (Position turn = 0; turn <= letters; ++turn) {
                const Position j = turn == 0 ? chosen[i] : turn - 1;  // the old letter first
                if (turn > 0 && j == chosen[i]) continue;
                std::int64_t ghosts = 0, added = 0;
                bool admissible = true;
                seen.clear();
                contexts.each(i, j, [&](const Symbol* window, Position) {
                    if (!admissible) return;
                    const Position u = candidates.number(window);
                    admissible = !forbidden[u];
                    ghosts += counts.makes_ghost(u);
                    added += 2 * created[u]++ + 1;
                    seen.push_back(u);
                });
                for (const Position u : seen) --created[u];
                if (!admissible) continue;
                if (best >= 0 && (ghosts > fewest || (ghosts == fewest && added >= least)))
                    continue;
                fewest = ghosts;
                least = added;
                best = j;
            }
            write(i, best, +1);
            changed |= best != chosen[i];
            chosen[i] = static_cast<std::int32_t>(best);
        }
    }
}

// c_ij: the summed weights of the windows that each choice creates; infinite with a forbidden one.
inline std::vector<double> choice_costs(Contexts& contexts, const Candidates& candidates,
                                        const double* weight, const std::uint8_t* forbidden,
                                        const Tick& tick) {
    std::vector<double> costs(contexts.separators() * contexts.choices(), 0.0);
    std::size_t at = 0;
    for (Position i = 0; i < contexts.separators(); ++i) {
        contexts.at(i);
        for (Position j = 0; j < contexts.choices(); ++j, ++at)
            contexts.each(i, j, [&](const Symbol* window, Position) {
                const Position u = candidates.number(window);
                costs[at] += forbidden[u] ? std::numeric_limits<double>::infinity() : weight[u];
            });
        if (i % 4096 == 4095)
            report(tick, static_cast<double>(i) / static_cast<double>(contexts.separators()));
    }
    return costs;
}

// One window of one choice: separator, choice, the window's number and its place in the text.
struct Incidences {
    std::vector<std::int32_t> separators, choices, windows;
    std::vector<std::int64_t> places;
};

inline Incidences incidences(Contexts& contexts, const Candidates& candidates, const Tick& tick) {
    Incidences found;
    for (Position i = 0; i < contexts.separators(); ++i) {
        contexts.at(i);
        for (Position j = 0; j < contexts.choices(); ++j)
            contexts.each(i, j, [&](const Symbol* window, Position place) {
                found.separators.push_back(static_cast<std::int32_t>(i));
                found.choices.push_back(static_cast<std::int32_t>(j));
                found.windows.push_back(static_cast<std::int32_t>(candidates.number(window)));
                found.places.push_back(place);
            });
        if (i % 4096 == 4095)
            report(tick, static_cast<double>(i) / static_cast<double>(contexts.separators()));
    }
    return found;
}

// sum_i max_j Freq_Sij(U) for every candidate window U.
inline std::vector<std::int64_t> most_created(Contexts& contexts, const Candidates& candidates) {
    struct Count {
        Position context = -1, separator = -1;
        std::int64_t here = 0, most = 0;
    };
    std::vector<Count> counts(candidates.table.size());
    std::vector<std::int64_t> total(candidates.table.size(), 0);
    for (Position i = 0; i < contexts.separators(); ++i) {
        contexts.at(i);
        for (Position j = 0; j < contexts.choices(); ++j)
            contexts.each(i, j, [&](const Symbol* window, Position) {
                const Position u = candidates.number(window);
                Count& count = counts[u];
                if (count.separator != i) count = {-1, i, 0, 0};
                if (count.context != j) {
                    count.context = j;
                    count.here = 0;
                }
                if (++count.here > count.most) {
                    count.most = count.here;
                    ++total[u];
                }
            });
    }
    return total;
}

}  // namespace sfumato
