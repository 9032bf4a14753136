// Groups the terms of one length, at least k to a group, so that few characters are starred when
// every group is published as the one pattern that covers it (the guarantee `published`).
//
// The number of stars rises step by step. At each step every pattern with that many stars that k
// terms without a group share becomes their group. Then a pattern that too few of them share may
// borrow terms that their own groups can spare, if that costs no more stars than the terms
// without a group would lose by waiting for one more step. A term's fewest stars under `matching`
// bound its stars here from below, so it takes part from that step on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "common/tick.hpp"
#include "terms/closed_sets.hpp"

namespace sfumato {

template <class Code>
class TermGroups {
  public:
    static constexpr std::int32_t none = -1;

    // `least` has every term's fewest stars under `matching`; `groups` receives its group.
    TermGroups(const LengthClass<Code>& all, std::size_t k, const std::uint32_t* least,
               std::int32_t* groups)
        : all_(all), k_(k), least_(least), groups_(groups) {
        std::fill(groups_, groups_ + all_.terms, none);
    }

    void run(const Tick& tick) {
        if (all_.terms < k_) return;
        std::size_t waiting = all_.terms;
        for (stars_ = 0; stars_ <= all_.length && waiting; ++stars_) {
            for (const bool borrowing : {false, true}) {
                borrowing_ = borrowing;
                ClosedSets<Code, TermGroups>(all_, k_, *this, tick).run(taking_part());
            }
            waiting = static_cast<std::size_t>(std::count(groups_, groups_ + all_.terms, none));
        }
        for (Row row = 0; row < all_.terms; ++row)
            if (groups_[row] == none) widen_a_group(row);
    }

    // The positions that stay legible: those on which a term's whole group agrees.
    void write_kept(std::uint8_t* kept) const {
        for (const std::vector<Row>& members : members_of_groups()) {
            if (members.empty()) continue;
            std::uint8_t* first = kept + members[0] * all_.length;
            close(all_, members.data(), members.size(), first);
            for (const Row row : members)
                if (row != members[0])
                    std::copy(first, first + all_.length, kept + row * all_.length);
        }
    }

    bool live(Row row) const {
        return groups_[row] == none || (borrowing_ && can_be_borrowed(row));
    }

    bool wants(const Row* rows, std::size_t size, std::size_t bound) const {
        if (bound < all_.length - stars_) return false;
        if (!borrowing_) return true;
        return std::any_of(rows, rows + size, [&](Row row) { return groups_[row] == none; });
    }

    void take(const Row* rows, std::size_t size, const std::uint8_t*, std::size_t count) {
        if (count < all_.length - stars_) return;
        chosen_.clear();
        for (std::size_t i = 0; i < size; ++i)
            if (groups_[rows[i]] == none) chosen_.push_back(rows[i]);
        if (chosen_.size() < k_ && !(borrowing_ && borrow(rows, size))) return;
        const auto group = static_cast<std::int32_t>(sizes_.size());
        for (const Row row : chosen_) {
            if (groups_[row] != none) --sizes_[groups_[row]];
            groups_[row] = group;
        }
        sizes_.push_back(chosen_.size());
        stars_of_.push_back(stars_);
    }

  private:
    bool can_be_borrowed(Row row) const {
        return sizes_[groups_[row]] > k_ && stars_of_[groups_[row]] <= stars_;
    }

    std::vector<Row> taking_part() const {
        std::vector<Row> rows;
        bool any = false;
        for (Row row = 0; row < all_.terms; ++row)
            if (least_[row] <= stars_ && live(row)) {
                rows.push_back(row);
                any = any || groups_[row] == none;
            }
        return any ? rows : std::vector<Row>{};
    }

    // Completes the chosen terms to k with the cheapest that can be spared, if it pays.
    bool borrow(const Row* rows, std::size_t size) {
        if (chosen_.empty()) return false;
        const std::size_t waiting = chosen_.size();
        lenders_.clear();
        for (std::size_t i = 0; i < size; ++i)
            if (groups_[rows[i]] != none && can_be_borrowed(rows[i])) lenders_.push_back(rows[i]);
        if (waiting + lenders_.size() < k_) return false;
        std::stable_sort(lenders_.begin(), lenders_.end(), [&](Row a, Row b) {
            return stars_of_[groups_[a]] > stars_of_[groups_[b]];
        });
        std::size_t cost = 0;
        lent_.clear();
        for (const Row row : lenders_) {
            const std::int32_t group = groups_[row];
            const auto lent =
                static_cast<std::size_t>(std::count(lent_.begin(), lent_.end(), group));
            if (sizes_[group] - lent <= k_) continue;
            cost += stars_ - stars_of_[group];
            if (cost > waiting) return false;
            lent_.push_back(group);
            chosen_.push_back(row);
            if (chosen_.size() == k_) return true;
        }
        return false;
    }

    std::vector<std::vector<Row>> members_of_groups() const {
        std::vector<std::vector<Row>> members(sizes_.size());
        for (Row row = 0; row < all_.terms; ++row) {
            if (groups_[row] == none) continue;
            const auto group = static_cast<std::size_t>(groups_[row]);
            if (group >= members.size()) members.resize(group + 1);  // they were grouped anew
            members[group].push_back(row);
        }
        return members;
    }

    // A last term, of fewer than k, joins the group that it makes lose the fewest characters.
    void widen_a_group(Row row) {
        std::vector<std::vector<Row>> members = members_of_groups();
        std::size_t least = std::numeric_limits<std::size_t>::max();
        std::int32_t best = none;
        std::vector<std::uint8_t> closed(all_.length);
        for (std::size_t g = 0; g < members.size(); ++g) {
            if (members[g].empty()) continue;
            const std::size_t before =
                all_.length - close(all_, members[g].data(), members[g].size(), closed.data());
            members[g].push_back(row);
            const std::size_t after =
                all_.length - close(all_, members[g].data(), members[g].size(), closed.data());
            const std::size_t cost = after * members[g].size() - before * (members[g].size() - 1);
            if (cost < least) {
                least = cost;
                best = static_cast<std::int32_t>(g);
            }
        }
        groups_[row] = best;
        ++sizes_[best];
    }

    const LengthClass<Code>& all_;
    std::size_t k_;
    const std::uint32_t* least_;
    std::int32_t* groups_;
    std::size_t stars_ = 0;
    bool borrowing_ = false;
    std::vector<std::size_t> sizes_, stars_of_;
    std::vector<Row> chosen_, lenders_;
    std::vector<std::int32_t> lent_;
};

}  // namespace sfumato
