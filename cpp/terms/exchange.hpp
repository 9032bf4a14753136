// Saves stars in groups of terms by local search: a term moves to another group, two terms change
// places, or a group is dissolved into others, as long as each step needs fewer stars in all.
//
// A sweep compares every term with every other, so this is for lists of moderate size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/tick.hpp"
#include "terms/closed_sets.hpp"

namespace sfumato {

template <class Code>
class TermExchange {
  public:
    TermExchange(const LengthClass<Code>& all, std::size_t k, std::int32_t* groups)
        : all_(all), k_(k), group_of_(groups) {
        for (Row row = 0; row < all_.terms; ++row) {
            const auto group = static_cast<std::size_t>(group_of_[row]);
            if (group >= groups_.size()) groups_.resize(group + 1);
            groups_[group].rows.push_back(row);
        }
        for (Group& group : groups_) refresh(group);
    }

    // Cost: O(M^2 l) a sweep; at most `sweeps` of them.
    void run(std::size_t sweeps, const Tick& tick) {
        bool changed = true;
        for (std::size_t sweep = 0; sweep < sweeps && changed; ++sweep) {
            changed = false;
            for (Row row = 0; row < all_.terms; ++row) {
                changed = move_or_swap(row) || changed;
                if ((row & 0xFF) == 0) report(tick, static_cast<double>(sweep) / sweeps);
            }
            for (std::size_t g = 0; g < groups_.size(); ++g) changed = dissolve(g) || changed;
        }
    }

  private:
    static constexpr Row nobody = std::numeric_limits<Row>::max();

    // `kept` are the positions on which all agree; `odd` has, where all but one agree, that one.
    struct Group {
        std::vector<Row> rows;
        std::vector<std::uint8_t> kept;
        std::vector<Row> odd;
        std::size_t stars = 0;

        std::size_t cost() const { return rows.size() * stars; }
    };

    void refresh(Group& group) const {
        group.kept.assign(all_.length, 0);
        group.odd.assign(all_.length, nobody);
        group.stars = 0;
        const std::vector<Row>& rows = group.rows;
        if (rows.empty()) return;
        for (std::size_t p = 0; p < all_.length; ++p) {
            const Code* column = all_.column(p);
            const Code first = column[rows[0]];
            Row other = nobody;
            std::size_t same = 0, like_other = 0;
            for (const Row row : rows) {
                if (column[row] == first) {
                    ++same;
                } else {
                    if (other == nobody) other = row;
                    like_other += column[row] == column[other];
                }
            }
            group.kept[p] = same == rows.size();
            group.stars += !group.kept[p];
            if (same + 1 == rows.size())
                group.odd[p] = other;
            else if (same == 1 && like_other + 1 == rows.size())
                group.odd[p] = rows[0];
        }
    }

    // The stars of a group without one term and with another (either may be nobody).
    std::size_t stars_after(const Group& group, Row out, Row in) const {
        Row one = nobody;
        for (const Row row : group.rows)
            if (row != out) {
                one = row;
                break;
            }
        if (one == nobody) return 0;
        std::size_t stars = 0;
        for (std::size_t p = 0; p < all_.length; ++p) {
            const Code* column = all_.column(p);
            const bool agreed = group.kept[p] || (out != nobody && group.odd[p] == out);
            stars += !(agreed && (in == nobody || column[one] == column[in]));
        }
        return stars;
    }

    void transfer(Row row, std::size_t to) {
        std::vector<Row>& rows = groups_[group_of_[row]].rows;
        rows.erase(std::find(rows.begin(), rows.end(), row));
        groups_[to].rows.push_back(row);
        group_of_[row] = static_cast<std::int32_t>(to);
    }

    bool move_or_swap(Row row) {
        const auto from = static_cast<std::size_t>(group_of_[row]);
        Group& mine = groups_[from];
        if (mine.stars == 0) return false;
        const std::size_t size = mine.rows.size();
        const std::size_t alone = (size - 1) * stars_after(mine, row, nobody);
        std::size_t best_to = from, best_saved = 0;
        Row best_back = nobody;
        const auto offer = [&](std::size_t before, std::size_t after, std::size_t to, Row back) {
            if (before > after && before - after > best_saved) {
                best_saved = before - after;
                best_to = to;
                best_back = back;
            }
        };
        for (std::size_t to = 0; to < groups_.size(); ++to) {
            const Group& other = groups_[to];
            if (to == from || other.rows.empty()) continue;
            const std::size_t before = mine.cost() + other.cost();
            const std::size_t larger = other.rows.size() + 1;
            if (size > k_)
                offer(before, alone + larger * stars_after(other, nobody, row), to, nobody);
            for (const Row back : other.rows) {
                const std::size_t theirs = other.rows.size() * stars_after(other, back, row);
                if (theirs + best_saved >= before) continue;
                offer(before, theirs + size * stars_after(mine, row, back), to, back);
            }
        }
        if (best_to == from) return false;
        transfer(row, best_to);
        if (best_back != nobody) transfer(best_back, from);
        refresh(mine);
        refresh(groups_[best_to]);
        return true;
    }

    std::size_t total() const {
        std::size_t sum = 0;
        for (const Group& group : groups_) sum += group.cost();
        return sum;
    }

    // Each member goes where it costs least; undone if that does not pay in all.
    bool dissolve(std::size_t from) {
        const std::vector<Row> rows = groups_[from].rows;
        if (rows.empty() || groups_[from].stars == 0) return false;
        const std::size_t before = total();
        for (const Row row : rows) {
            std::size_t best_to = from, least = std::numeric_limits<std::size_t>::max();
            for (std::size_t to = 0; to < groups_.size(); ++to) {
                const Group& other = groups_[to];
                if (to == from || other.rows.empty()) continue;
                const std::size_t more =
                    (other.rows.size() + 1) * stars_after(other, nobody, row) - other.cost();
                if (more < least) {
                    least = more;
                    best_to = to;
                }
            }
            if (best_to == from) return false;  // it is the only group
            transfer(row, best_to);
            refresh(groups_[best_to]);
        }
        refresh(groups_[from]);
        if (total() < before) return true;
        for (const Row row : rows) {
            const auto to = static_cast<std::size_t>(group_of_[row]);
            transfer(row, from);
            refresh(groups_[to]);
        }
        refresh(groups_[from]);
        return false;
    }

    const LengthClass<Code>& all_;
    std::size_t k_;
    std::int32_t* group_of_;
    std::vector<Group> groups_;
};

}  // namespace sfumato
