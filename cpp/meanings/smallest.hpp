// The exact optimum of t-PAT: one level per word so that the product of the volumes is at least t
// and least; of equal products the one with the least sum of squared entropies (which is the lower
// uniform cost), then the one with the lower levels.
//
// Words are added one by one to the list of products that can still end below t; a product that
// reaches t with all later words at their least volume is a finished text. There are fewer than t
// such products, whatever the number of words. A first pass over the divisors of t alone finds the
// optimum whenever t itself can be reached, which is common and takes no time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/tick.hpp"
#include "meanings/uniform.hpp"

namespace sfumato {

class SmallestPlausibility {
  public:
    // Level j of word i has the volume V[starts[i] + j] >= 1; t is below 2^41.
    SmallestPlausibility(const std::int64_t* V, const std::int64_t* starts, std::size_t words,
                         std::int64_t t)
        : m_(words), t_(static_cast<std::uint64_t>(t)) {
        for (std::size_t i = 0; i < words; ++i) {
            std::vector<Level> row;
            for (std::int64_t j = 0; j < starts[i + 1] - starts[i]; ++j) {
                const double h = std::log2(static_cast<double>(V[starts[i] + j]));
                row.push_back({static_cast<std::uint64_t>(V[starts[i] + j]), h * h,
                               static_cast<std::int32_t>(j)});
            }
            std::stable_sort(row.begin(), row.end(),
                             [](const Level& a, const Level& b) { return a.v < b.v; });
            row.erase(std::unique(row.begin(), row.end(),
                                  [](const Level& a, const Level& b) { return a.v == b.v; }),
                      row.end());
            words_.push_back(std::move(row));
        }
    }

    // The chosen level of every word; empty when no choice reaches t.
    std::vector<std::int32_t> solve(const Tick& tick) {
        least_.assign(m_ + 1, 1);
        most_.assign(m_ + 1, 1);
        least_q_.assign(m_ + 1, 0.0);
        least_levels_.assign(m_ + 1, 0);
        for (std::size_t i = m_; i-- > 0;) {
            if (words_[i].empty()) return {};
            least_[i] = times(least_[i + 1], words_[i].front().v);
            most_[i] = times(most_[i + 1], words_[i].back().v);
            least_q_[i] = least_q_[i + 1] + words_[i].front().q;
            least_levels_[i] = least_levels_[i + 1] + words_[i].front().level;
        }
        if (most_[0] < t_) return {};
        if (least_[0] >= t_) {
            offer({least_[0], least_q_[0], least_levels_[0], 0, 0});
        } else {
            pass(true, tick);
            if (!found_) pass(false, tick);
        }
        return best_levels();
    }

  private:
    struct Level {
        std::uint64_t v;
        double q;
        std::int32_t level;
    };
    struct State {
        std::uint64_t p;
        double q;
        std::int64_t levels;
        std::uint32_t from;
        std::int32_t choice;  // an index into the word's row
    };
    struct Finished {
        std::uint64_t p;
        double q;
        std::int64_t levels;
        std::size_t words;  // how many words the state has; the others stay at their least
        std::size_t at;
    };

    // Where the state of a product stands: open addressing, at most half full.
    class Places {
      public:
        static constexpr std::uint32_t none = 0xffffffffu;

        void clear(std::size_t expected) {
            std::size_t size = 64;
            while (size < 4 * expected) size *= 2;
            slots_.assign(size, none);
        }
        std::uint32_t& of(std::uint64_t p, const std::vector<State>& states) {
            if (2 * states.size() >= slots_.size()) {
                slots_.assign(4 * slots_.size(), none);
                for (std::uint32_t x = 0; x < states.size(); ++x) find(states[x].p, states) = x;
            }
            return find(p, states);
        }

      private:
        std::uint32_t& find(std::uint64_t p, const std::vector<State>& states) {
            const std::size_t mask = slots_.size() - 1;
            std::size_t slot = (p * 0x9e3779b97f4a7c15u >> 32) & mask;
            while (slots_[slot] != none && states[slots_[slot]].p != p) slot = (slot + 1) & mask;
            return slots_[slot];
        }
        std::vector<std::uint32_t> slots_;
    };

    static std::uint64_t times(std::uint64_t a, std::uint64_t b) {
        constexpr std::uint64_t most = std::uint64_t{1} << 63;
        return a > most / b ? most : a * b;
    }

    template <class A, class B>
    static bool better(const A& a, const B& b) {
        if (a.p != b.p) return a.p < b.p;
        if (std::abs(a.q - b.q) > 1e-9) return a.q < b.q;
        return a.levels < b.levels;
    }

    void pass(bool divisors, const Tick& tick) {
        layers_.assign(m_ + 1, {});
        layers_[0].push_back({1, 0.0, 0, 0, 0});
        for (std::size_t i = 0; i < m_; ++i) {
            extend(i, divisors);
            report(tick, static_cast<double>(i + 1) / static_cast<double>(m_));
        }
    }

    bool offer(const Finished& text) {
        if (found_ && !better(text, best_)) return false;
        found_ = true;
        best_ = text;
        return true;
    }

    void extend(std::size_t i, bool divisors) {
        std::vector<State>& to = layers_[i + 1];
        const std::vector<State>& from = layers_[i];
        State finishing{};
        bool finished = false;
        at_.clear(2 * from.size());
        for (std::uint32_t f = 0; f < from.size(); ++f) {
            for (std::size_t j = 0; j < words_[i].size(); ++j) {
                const Level& l = words_[i][j];
                const State next{times(from[f].p, l.v), from[f].q + l.q, from[f].levels + l.level,
                                 f, static_cast<std::int32_t>(j)};
                const std::uint64_t end = times(next.p, least_[i + 1]);
                if (divisors && (end > t_ || t_ % end != 0)) continue;
                if (end >= t_) {
                    if (offer({end, next.q + least_q_[i + 1], next.levels + least_levels_[i + 1],
                               i + 1, 0})) {
                        finishing = next;
                        finished = true;
                    }
                    break;
                }
                if (times(next.p, most_[i + 1]) < t_) continue;
                std::uint32_t& at = at_.of(next.p, to);
                if (at == Places::none) {
                    at = static_cast<std::uint32_t>(to.size());
                    to.push_back(next);
                } else if (better(next, to[at])) {
                    to[at] = next;
                }
            }
            if (to.size() > (std::size_t{1} << 22)) throw TooManyStates();
        }
        if (finished) {
            best_.at = to.size();
            to.push_back(finishing);
        }
    }

    std::vector<std::int32_t> best_levels() const {
        std::vector<std::int32_t> result(m_);
        for (std::size_t i = best_.words; i < m_; ++i) result[i] = words_[i].front().level;
        std::size_t at = best_.at;
        for (std::size_t i = best_.words; i > 0; --i) {
            const State& state = layers_[i][at];
            result[i - 1] = words_[i - 1][static_cast<std::size_t>(state.choice)].level;
            at = state.from;
        }
        return result;
    }

    std::size_t m_;
    std::uint64_t t_;
    std::vector<std::vector<Level>> words_;
    std::vector<std::uint64_t> least_, most_;
    std::vector<double> least_q_;
    std::vector<std::int64_t> least_levels_;
    std::vector<std::vector<State>> layers_;
    Places at_;
    Finished best_{};
    bool found_ = false;
};

}  // namespace sfumato
