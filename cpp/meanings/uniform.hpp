// The exact optimum of uniform t-PAT: choose one level per word so that the entropies add up to at
// least log t and alpha/m^2 (S - log t)^2 + (1 - alpha)/m sum_i (H_i - log(t)/m)^2 is least.
//
// Only (S, Q), the sums of entropies and of local terms, matter, so words are added one by one to
// a list of such states. A state is dropped when a lower bound of every completion is no better
// than the best text known, or when another state with a larger S is better whatever follows. The
// bound is the Lagrangian one: q_j >= min_j (q_j - v H_j) + v H for any multiplier v.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/tick.hpp"

namespace sfumato {

struct TooManyStates : std::runtime_error {
    TooManyStates() : std::runtime_error("too many states") {}
};

class UniformPlausibility {
  public:
    // Level j of word i has the entropy H[starts[i] + j], in bits.
    UniformPlausibility(const double* H, const std::int64_t* starts, std::size_t words,
                        double log_t, double alpha)
        : m_(words), L_(log_t) {
        const double m = static_cast<double>(words);
        A_ = alpha / (m * m);
        B_ = (1 - alpha) / m;
        // Entropies as whole numbers: their sums do not depend on the order of the words.
        one_ = std::ldexp(1.0, words > 8192 ? 38 : 45);
        const double slack = m / 2 + 1;
        const bool resolved = 2 * slack / one_ < std::exp2(-log_t);
        target_ = std::llround(log_t * one_) +
                  static_cast<std::int64_t>(std::ceil(resolved ? -slack : slack));
        for (std::size_t i = 0; i < words; ++i) {
            std::vector<Level> row;
            for (std::int64_t j = 0; j < starts[i + 1] - starts[i]; ++j) {
                const double h = H[starts[i] + j], off = h - log_t / m;
                const std::int64_t s = std::llround(h * one_);
                const bool known =
                    std::any_of(row.begin(), row.end(), [s](const Level& l) { return l.s == s; });
                if (!known) row.push_back({s, off * off, static_cast<std::int32_t>(j)});
            }
            words_.push_back(std::move(row));
        }
    }

    // The chosen level of every word; empty when no choice reaches log t.
    std::vector<std::int32_t> solve(const Tick& tick) {
        if (!reachable()) return {};
        bound_suffixes();
        first_solution();
        std::vector<std::vector<State>> layers(m_ + 1);
        layers[0].push_back({0, 0.0, 0, 0});
        for (std::size_t i = 0; i < m_; ++i) {
            extend(i, layers[i], layers[i + 1]);
            report(tick, static_cast<double>(i + 1) / static_cast<double>(m_));
        }
        return best_of(layers);
    }

  private:
    struct Level {
        std::int64_t s;
        double q;
        std::int32_t level;
    };
    struct State {
        std::int64_t s;
        double q;
        std::uint32_t from;
        std::int32_t choice;
    };
    static constexpr std::size_t most_states = std::size_t{1} << 22;

    double over(std::int64_t s) const { return static_cast<double>(s) / one_ - L_; }
    double cost(std::int64_t s, double q) const { return A_ * over(s) * over(s) + B_ * q; }

    bool reachable() const {
        std::int64_t most = 0;
        for (const auto& row : words_) {
            if (row.empty()) return false;
            most += std::max_element(row.begin(), row.end(), less_s)->s;
        }
        return most >= target_;
    }

    static bool less_s(const Level& a, const Level& b) { return a.s < b.s; }

    // The choice that is best for one multiplier: it gives a bound, and often a good text.
    double relaxed(double v, std::vector<std::size_t>* choice) const {
        double sum = 0;
        for (std::size_t i = 0; i < m_; ++i) {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t j = 0; j < words_[i].size(); ++j) {
                const double here = price(words_[i][j], v);
                if (here < least) {
                    least = here;
                    if (choice) (*choice)[i] = j;
                }
            }
            sum += least;
        }
        return sum + v * L_ + penalty(v);
    }

    double price(const Level& l, double v) const {
        return B_ * l.q - v * static_cast<double>(l.s) / one_;
    }
    // The least of A o^2 + v o over o >= 0.
    double penalty(double v) const {
        if (v >= 0) return 0;
        return A_ > 0 ? -v * v / (4 * A_) : -std::numeric_limits<double>::infinity();
    }

    void bound_suffixes() {
        double low = A_ > 0 ? -4 * A_ * (L_ + 64) : 0, high = 1e-6;
        while (high < 1e6 && relaxed(high * 2, nullptr) > relaxed(high, nullptr)) high *= 2;
        high *= 2;
        for (int step = 0; step < 60; ++step) {  // the bound is concave in v
            const double a = low + (high - low) / 3, b = high - (high - low) / 3;
            if (relaxed(a, nullptr) < relaxed(b, nullptr))
                low = a;
            else
                high = b;
        }
        best_v_ = (low + high) / 2;
        const double scale = std::max(std::abs(best_v_), B_ / 8);
        for (double step : {0.0, 0.01, 0.03, 0.08, 0.15, 0.3, 0.5, 0.8, 1.0, 1.6, 2.5, 4.0}) {
            multipliers_.push_back(best_v_ + step * scale);
            if (step > 0 && (A_ > 0 || best_v_ - step * scale >= 0))
                multipliers_.push_back(best_v_ - step * scale);
        }
        const std::size_t count = multipliers_.size();
        suffix_.assign((m_ + 1) * count, 0.0);
        least_s_.assign(m_ + 1, 0);
        most_s_.assign(m_ + 1, 0);
        least_q_.assign(m_ + 1, 0.0);
        for (std::size_t i = m_; i-- > 0;) {
            const auto& row = words_[i];
            least_s_[i] = least_s_[i + 1] + std::min_element(row.begin(), row.end(), less_s)->s;
            most_s_[i] = most_s_[i + 1] + std::max_element(row.begin(), row.end(), less_s)->s;
            double q = std::numeric_limits<double>::infinity();
            for (const Level& l : row) q = std::min(q, l.q);
            least_q_[i] = least_q_[i + 1] + q;
            for (std::size_t k = 0; k < count; ++k) {
                double least = std::numeric_limits<double>::infinity();
                for (const Level& l : row) least = std::min(least, price(l, multipliers_[k]));
                suffix_[i * count + k] = suffix_[(i + 1) * count + k] + least;
            }
        }
    }

    // No completion of a state after word i costs less.
    double bound(std::size_t i, std::int64_t s, double q) const {
        const std::size_t count = multipliers_.size();
        const double missing = -over(s);
        double result = B_ * (q + least_q_[i]);
        if (s + least_s_[i] >= target_) {
            const double o = std::max(0.0, over(s + least_s_[i]));
            result += A_ * o * o;
        }
        for (std::size_t k = 0; k < count; ++k)
            result = std::max(result, B_ * q + suffix_[i * count + k] + multipliers_[k] * missing +
                                          penalty(multipliers_[k]));
        return result;
    }

    // A good text to start from: relaxed choices around the best multiplier, repaired upward and
    // improved by changing one word, or one word up and one down.
    void first_solution() {
        best_cost_ = std::numeric_limits<double>::infinity();
        std::vector<std::size_t> choice(m_);
        for (double v : multipliers_) {
            relaxed(v, &choice);
            repair(choice);
            improve(choice);
        }
    }

    void repair(std::vector<std::size_t>& choice) const {
        std::int64_t s = sum(choice);
        while (s < target_) {
            double least = std::numeric_limits<double>::infinity();
            std::size_t word = 0, level = 0;
            for (std::size_t i = 0; i < m_; ++i) {
                const Level& now = words_[i][choice[i]];
                for (std::size_t j = 0; j < words_[i].size(); ++j) {
                    const Level& next = words_[i][j];
                    if (next.s <= now.s) continue;
                    const double gain =
                        static_cast<double>(std::min(next.s - now.s, target_ - s)) / one_;
                    const double rate = B_ > 0 ? (next.q - now.q) / gain
                                               : static_cast<double>(next.s - now.s) / one_ / gain;
                    if (rate < least) {
                        least = rate;
                        word = i;
                        level = j;
                    }
                }
            }
            s += words_[word][level].s - words_[word][choice[word]].s;
            choice[word] = level;
        }
    }

    std::int64_t sum(const std::vector<std::size_t>& choice) const {
        std::int64_t s = 0;
        for (std::size_t i = 0; i < m_; ++i) s += words_[i][choice[i]].s;
        return s;
    }

    void improve(std::vector<std::size_t>& choice) {
        for (bool better = true; better;) {
            std::int64_t s = 0;
            double q = 0;
            for (std::size_t i = 0; i < m_; ++i) {
                s += words_[i][choice[i]].s;
                q += words_[i][choice[i]].q;
            }
            double least = cost(s, q) - 1e-13;
            std::size_t word = m_, level = 0;
            for (std::size_t i = 0; i < m_; ++i) {
                for (std::size_t j = 0; j < words_[i].size(); ++j) {
                    const Level &next = words_[i][j], &now = words_[i][choice[i]];
                    const std::int64_t s2 = s + next.s - now.s;
                    const double c = cost(s2, q + next.q - now.q);
                    if (s2 >= target_ && c < least) {
                        least = c;
                        word = i;
                        level = j;
                    }
                }
            }
            better = word < m_;
            if (better)
                choice[word] = level;
            else
                keep(choice, cost(s, q));
        }
    }

    void keep(const std::vector<std::size_t>& choice, double c) {
        if (c >= best_cost_) return;
        best_cost_ = c;
        best_.resize(m_);
        for (std::size_t i = 0; i < m_; ++i) best_[i] = words_[i][choice[i]].level;
    }

    void extend(std::size_t i, const std::vector<State>& from, std::vector<State>& to) const {
        const double slack = best_cost_ * 1e-12 + 1e-15;
        for (std::uint32_t f = 0; f < from.size(); ++f) {
            for (const Level& l : words_[i]) {
                const std::int64_t s = from[f].s + l.s;
                const double q = from[f].q + l.q;
                if (s + most_s_[i + 1] < target_) continue;
                if (bound(i + 1, s, q) > best_cost_ + slack) continue;
                to.push_back({s, q, f, l.level});
            }
            if (to.size() > most_states) throw TooManyStates();
        }
        undominated(i + 1, to);
    }

    // With s1 >= s2, the first state is never worse when its lead in Q outweighs the extra
    // overshoot, which in any text better than the best known stays below `most_over`.
    void undominated(std::size_t i, std::vector<State>& states) const {
        std::sort(states.begin(), states.end(), [](const State& a, const State& b) {
            if (a.s != b.s) return a.s > b.s;
            if (a.q != b.q) return a.q < b.q;
            return a.from != b.from ? a.from < b.from : a.choice < b.choice;
        });
        std::size_t kept = 0;
        for (std::size_t x = 0; x < states.size(); ++x) {
            const State& state = states[x];
            const double rest = best_cost_ * (1 + 1e-12) - B_ * (state.q + least_q_[i]);
            const double most_over = A_ > 0 && rest > 0 ? std::sqrt(rest / A_) : 0;
            bool dominated = false;
            for (std::size_t y = kept; y-- > 0 && kept - y <= 12 && !dominated;) {
                const double lead = static_cast<double>(states[y].s - state.s) / one_;
                dominated = A_ * lead * (2 * most_over + lead) + B_ * (states[y].q - state.q) <= 0;
            }
            if (!dominated) states[kept++] = state;
        }
        states.resize(kept);
    }

    std::vector<std::int32_t> best_of(const std::vector<std::vector<State>>& layers) const {
        const std::vector<State>& last = layers[m_];
        double least = best_cost_ - 1e-13;
        std::size_t at = last.size();
        for (std::size_t x = 0; x < last.size(); ++x) {
            const double c = cost(last[x].s, last[x].q);
            if (last[x].s >= target_ && c < least) {
                least = c;
                at = x;
            }
        }
        if (at == last.size()) return best_;
        std::vector<std::int32_t> result(m_);
        for (std::size_t i = m_; i > 0; --i) {
            result[i - 1] = layers[i][at].choice;
            at = layers[i][at].from;
        }
        return result;
    }

    std::size_t m_;
    double L_, A_, B_, one_, best_v_ = 0, best_cost_ = 0;
    std::int64_t target_;
    std::vector<std::vector<Level>> words_;
    std::vector<double> multipliers_, suffix_, least_q_;
    std::vector<std::int64_t> least_s_, most_s_;
    std::vector<std::int32_t> best_;
};

}  // namespace sfumato
