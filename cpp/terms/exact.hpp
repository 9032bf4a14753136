// The fewest stars of a few terms of one length in groups of at least k, by dynamic programming
// over sets of terms; and, with it, better groups of many terms: some that lie near each other are
// dissolved together and grouped anew, as long as that needs fewer stars.
//
// A group of 2k terms or more can be parted without a star more, so groups have fewer.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "terms/closed_sets.hpp"

namespace sfumato {

// Groups of the given terms with the fewest stars. Cost: O(3^n) steps for n terms.
template <class Code>
class ExactGroups {
  public:
    static constexpr std::size_t most = 16;  // terms: 0.1 s
    using Set = std::uint32_t;

    ExactGroups(const LengthClass<Code>& all, const std::vector<Row>& rows, std::size_t k)
        : all_(all), rows_(rows), k_(k), sets_(std::size_t{1} << rows.size()) {
        count_stars();
    }

    // The fewest stars in all, or `none` where the terms are too few.
    std::uint32_t run() {
        best_.assign(sets_, none);
        first_.assign(sets_, 0);
        best_[0] = 0;
        for (Set set = 1; set < sets_; ++set) {
            const Set lowest = set & (~set + 1), others = set ^ lowest;
            if (static_cast<std::size_t>(std::popcount(set)) < k_) continue;
            for (Set some = others;; some = (some - 1) & others) {
                const Set group = some | lowest;
                const auto size = static_cast<std::size_t>(std::popcount(group));
                const std::uint32_t left = best_[set ^ group];
                if (size >= k_ && size < 2 * k_ && left != none &&
                    left + stars_[group] < best_[set]) {
                    best_[set] = left + stars_[group];
                    first_[set] = group;
                }
                if (some == 0) break;
            }
        }
        return best_[sets_ - 1];
    }

    // The groups that were found, each with its rows.
    std::vector<std::vector<Row>> groups() const {
        std::vector<std::vector<Row>> found;
        for (Set set = static_cast<Set>(sets_ - 1); set; set ^= first_[set]) {
            found.emplace_back();
            for (std::size_t i = 0; i < rows_.size(); ++i)
                if (first_[set] >> i & 1) found.back().push_back(rows_[i]);
        }
        return found;
    }

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  private:
    // The stars of every set as one group: its size times the positions on which it differs.
    void count_stars() {
        stars_.assign(sets_, 0);
        std::vector<Set> differing(sets_);
        for (std::size_t p = 0; p < all_.length; ++p) {
            const Code* column = all_.column(p);
            for (Set set = 1; set < sets_; ++set) {
                const auto low = static_cast<std::size_t>(std::countr_zero(set));
                const auto high = static_cast<std::size_t>(std::bit_width(set) - 1);
                const Set without = set ^ (Set{1} << high);
                differing[set] =
                    without && (differing[without] || column[rows_[low]] != column[rows_[high]]);
                stars_[set] += differing[set];
            }
        }
        for (Set set = 1; set < sets_; ++set)
            stars_[set] *= static_cast<std::uint32_t>(std::popcount(set));
    }

    const LengthClass<Code>& all_;
    const std::vector<Row>& rows_;
    std::size_t k_, sets_;
    std::vector<std::uint32_t> stars_, best_;
    std::vector<Set> first_;
};

// Improves groups of a class: exactly if it is small, else some near groups at a time.
template <class Code>
class RegroupedTerms {
  public:
    static constexpr std::size_t together = 11;  // terms that are grouped anew at a time

    RegroupedTerms(const LengthClass<Code>& all, std::size_t k, std::int32_t* groups)
        : all_(all), k_(k), group_of_(groups) {
        for (Row row = 0; row < all_.terms; ++row) {
            const auto group = static_cast<std::size_t>(group_of_[row]);
            if (group >= groups_.size()) groups_.resize(group + 1);
            groups_[group].push_back(row);
        }
        std::erase_if(groups_, [](const auto& rows) { return rows.empty(); });
    }

    // Cost: O(M^2 l + M 3^11) a sweep; at most `sweeps` of them.
    void run(std::size_t sweeps, const Tick& tick) {
        if (all_.terms <= ExactGroups<Code>::most) {
            std::vector<std::size_t> every(groups_.size());
            std::iota(every.begin(), every.end(), std::size_t{0});
            regroup(every);
        } else {
            bool changed = true;
            for (std::size_t sweep = 0; sweep < sweeps && changed; ++sweep) {
                changed = false;
                for (std::size_t g = 0; g < groups_.size(); ++g) {
                    report(tick, static_cast<double>(sweep) / static_cast<double>(sweeps));
                    const std::vector<std::size_t> some = near(g);
                    changed = (some.size() > 1 && regroup(some)) || changed;
                }
            }
        }
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (const Row row : groups_[g]) group_of_[row] = static_cast<std::int32_t>(g);
    }

  private:
    std::size_t stars(const std::vector<Row>& rows) const {
        std::size_t differing = 0;
        for (std::size_t p = 0; p < all_.length; ++p) {
            const Code* column = all_.column(p);
            differing += std::any_of(rows.begin(), rows.end(),
                                     [&](Row row) { return column[row] != column[rows[0]]; });
        }
        return differing * rows.size();
    }

    // A group and those nearest to it, by the fewest characters in which two terms differ.
    std::vector<std::size_t> near(std::size_t group) const {
        std::vector<std::pair<std::size_t, std::size_t>> others;
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (g == group || groups_[g].size() + groups_[group].size() > together) continue;
            std::size_t least = all_.length + 1;
            for (const Row one : groups_[group])
                for (const Row two : groups_[g]) least = std::min(least, distance(one, two, least));
            if (!groups_[g].empty()) others.emplace_back(least, g);
        }
        const std::size_t kept = std::min(others.size(), together);
        std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(kept),
                          others.end());
        others.resize(kept);
        std::vector<std::size_t> found{group};
        std::size_t terms = groups_[group].size();
        for (const auto& [_, g] : others)
            if (terms + groups_[g].size() <= together) {
                found.push_back(g);
                terms += groups_[g].size();
            }
        return found;
    }

    std::size_t distance(Row one, Row two, std::size_t enough) const {
        std::size_t differing = 0;
        for (std::size_t p = 0; p < all_.length && differing < enough; ++p)
            differing += all_.column(p)[one] != all_.column(p)[two];
        return differing;
    }

    // Whether the terms of some groups were grouped anew with fewer stars.
    bool regroup(const std::vector<std::size_t>& some) {
        std::vector<Row> rows;
        std::size_t before = 0;
        for (const std::size_t g : some) {
            before += stars(groups_[g]);
            rows.insert(rows.end(), groups_[g].begin(), groups_[g].end());
        }
        if (before == 0) return false;
        std::sort(rows.begin(), rows.end());
        ExactGroups<Code> exact(all_, rows, k_);
        const std::uint32_t after = exact.run();
        if (after == ExactGroups<Code>::none || after >= before) return false;
        std::vector<std::vector<Row>> found = exact.groups();
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i < some.size())
                groups_[some[i]] = std::move(found[i]);
            else
                groups_.push_back(std::move(found[i]));
        }
        for (std::size_t i = found.size(); i < some.size(); ++i) groups_[some[i]].clear();
        return true;
    }

    const LengthClass<Code>& all_;
    std::size_t k_;
    std::int32_t* group_of_;
    std::vector<std::vector<Row>> groups_;
};

}  // namespace sfumato
