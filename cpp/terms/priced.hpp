// Groups of few stars by prices: every term has a price, in stars, and rises in price while no
// pattern covers it and falls while several do (Lagrangian relaxation, subgradient steps).
//
// A pattern that k terms match costs its stars for each term it covers; it is worth taking while
// the prices of some k of its terms or more are higher. The prices, less what all patterns gain by
// them, are never more than the fewest stars of any groups: when the groups found have as many,
// they are the best there are. Every few steps groups are made from the patterns that gain most,
// and improved by exchanging terms. All in whole numbers, so that every machine finds the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "terms/closed_sets.hpp"
#include "terms/exchange.hpp"

namespace sfumato {

template <class Code>
class PricedGroups {
  public:
    static constexpr std::size_t most_patterns = 20'000;

    // `groups` has the group of every term, and is replaced where fewer stars are found.
    PricedGroups(const LengthClass<Code>& all, std::size_t k, std::int32_t* groups)
        : all_(all), k_(k), group_of_(groups) {}

    // Cost: for every step the terms of all patterns; and an exchange of terms every second.
    void run(std::size_t steps, const Tick& tick) {
        std::vector<Row> rows(all_.terms);
        std::iota(rows.begin(), rows.end(), Row{0});
        ClosedSets<Code, PricedGroups> sets(all_, k_, *this, tick);
        sets.run(rows);
        if (patterns_.size() >= most_patterns) return;  // too many to price
        best_ = stars_of(std::vector<std::int32_t>(group_of_, group_of_ + all_.terms));
        price_.assign(all_.terms, std::numeric_limits<std::int64_t>::max());
        for (const Pattern& one : patterns_)
            for (const Row row : one.rows)
                price_[row] = std::min(price_[row], static_cast<std::int64_t>(one.stars) * unit);
        std::int64_t pace = unit, bound = 0;
        for (std::size_t step = 0; step < steps && best_ * unit > bound + unit - 1; ++step) {
            report(tick, static_cast<double>(step) / static_cast<double>(steps));
            const std::int64_t now = gain();
            pace = now > bound ? pace : pace * 15 / 16;
            bound = std::max(bound, now);
            if (step % 2 == 0) make_groups(tick);
            if (!move_prices(now, pace)) break;
        }
    }

    // What the visits of closed sets ask for.
    bool live(Row) const { return true; }
    bool wants(const Row*, std::size_t, std::size_t) const {
        return patterns_.size() < most_patterns;
    }
    void take(const Row* rows, std::size_t size, const std::uint8_t*, std::size_t count) {
        patterns_.push_back({std::vector<Row>(rows, rows + size), all_.length - count, 0});
    }

  private:
    static constexpr std::int64_t unit = 1 << 16;  // a star's price

    struct Pattern {
        std::vector<Row> rows;
        std::size_t stars;
        std::int64_t gain;  // negative: it is worth taking
    };

    // The bound by these prices; counts how often each term is covered, and orders the terms of
    // every pattern from the dearest.
    std::int64_t gain() {
        covered_.assign(all_.terms, 0);
        std::int64_t bound = std::accumulate(price_.begin(), price_.end(), std::int64_t{0});
        for (Pattern& one : patterns_) {
            const auto cost = static_cast<std::int64_t>(one.stars) * unit;
            std::sort(one.rows.begin(), one.rows.end(), [&](Row a, Row b) {
                return price_[a] != price_[b] ? price_[a] > price_[b] : a < b;
            });
            std::size_t taken = 0;
            one.gain = 0;
            while (taken < one.rows.size() && (taken < k_ || price_[one.rows[taken]] > cost))
                one.gain += cost - price_[one.rows[taken++]];
            if (one.gain >= 0) continue;
            bound += one.gain;
            for (std::size_t i = 0; i < taken; ++i) ++covered_[one.rows[i]];
        }
        return bound;
    }

    // Whether some price moves: those of terms that are not covered exactly once.
    bool move_prices(std::int64_t bound, std::int64_t pace) {
        std::int64_t norm = 0;
        for (const std::int64_t times : covered_) norm += (1 - times) * (1 - times);
        if (norm == 0) return false;
        const std::int64_t step = (best_ * unit - bound) / norm * pace / unit;
        if (step <= 0) return false;
        for (Row row = 0; row < all_.terms; ++row)
            price_[row] = std::max<std::int64_t>(0, price_[row] + step * (1 - covered_[row]));
        return true;
    }

    // Takes patterns from the greatest gain; what is left joins where it needs fewest stars.
    void make_groups(const Tick& tick) {
        std::vector<const Pattern*> order;
        for (const Pattern& one : patterns_) order.push_back(&one);
        std::stable_sort(order.begin(), order.end(), [](const Pattern* a, const Pattern* b) {
            return a->gain != b->gain ? a->gain < b->gain : a->stars < b->stars;
        });
        std::vector<std::int32_t> made(all_.terms, -1);
        std::int32_t groups = 0;
        std::vector<Row> free;
        for (const Pattern* one : order) {
            free.clear();
            const auto cost = static_cast<std::int64_t>(one->stars) * unit;
            for (const Row row : one->rows)
                if (made[row] < 0 && (free.size() < k_ || price_[row] > cost)) free.push_back(row);
            if (free.size() < k_) continue;
            for (const Row row : free) made[row] = groups;
            ++groups;
        }
        if (groups == 0) return;
        for (Row row = 0; row < all_.terms; ++row)
            if (made[row] < 0) made[row] = cheapest(row, made, groups);
        TermExchange<Code>(all_, k_, made.data()).run(20, tick);
        const std::int64_t stars = stars_of(made);
        if (stars >= best_) return;
        best_ = stars;
        std::copy(made.begin(), made.end(), group_of_);
    }

    // The group that a term joins for the fewest stars more.
    std::int32_t cheapest(Row row, const std::vector<std::int32_t>& made,
                          std::int32_t groups) const {
        std::vector<std::vector<Row>> members(groups);
        for (Row other = 0; other < all_.terms; ++other)
            if (made[other] >= 0) members[made[other]].push_back(other);
        std::int32_t best = 0;
        std::size_t least = std::numeric_limits<std::size_t>::max();
        for (std::int32_t g = 0; g < groups; ++g) {
            const std::size_t before = differing(members[g]) * members[g].size();
            members[g].push_back(row);
            const std::size_t more = differing(members[g]) * members[g].size() - before;
            if (more < least) {
                least = more;
                best = g;
            }
        }
        return best;
    }

    std::size_t differing(const std::vector<Row>& rows) const {
        std::size_t count = 0;
        for (std::size_t p = 0; p < all_.length; ++p) {
            const Code* column = all_.column(p);
            count += std::any_of(rows.begin(), rows.end(),
                                 [&](Row row) { return column[row] != column[rows[0]]; });
        }
        return count;
    }

    std::int64_t stars_of(const std::vector<std::int32_t>& made) const {
        std::vector<std::vector<Row>> members;
        for (Row row = 0; row < all_.terms; ++row) {
            const auto group = static_cast<std::size_t>(made[row]);
            if (group >= members.size()) members.resize(group + 1);
            members[group].push_back(row);
        }
        std::int64_t stars = 0;
        for (const std::vector<Row>& rows : members)
            if (!rows.empty()) stars += static_cast<std::int64_t>(differing(rows) * rows.size());
        return stars;
    }

    const LengthClass<Code>& all_;
    std::size_t k_;
    std::int32_t* group_of_;
    std::vector<Pattern> patterns_;
    std::vector<std::int64_t> price_, covered_;
    std::int64_t best_ = 0;
};

}  // namespace sfumato
