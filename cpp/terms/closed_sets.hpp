// Visits every closed set of kept positions that at least k terms of one length share.
//
// A set of positions is closed when the terms that agree on it agree nowhere else; a pattern that
// keeps as much as it can is closed. Each closed set is reached once, by extending a smaller one
// with a position to its right and closing again: an extension that closes to the left of its
// position was reached another way. A set that fewer than k terms share is not extended (the
// paper's Step 1-4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/tick.hpp"

namespace sfumato {

using Row = std::uint32_t;

// The terms of one length: codes position by position, `terms` to a position.
template <class Code>
struct LengthClass {
    const Code* columns;
    std::size_t terms, length;
    std::size_t alphabet;  // every code is below it

    const Code* column(std::size_t position) const { return columns + position * terms; }
};

// Splits rows by their code at a position, into runs of at least k rows; smaller ones are left
// out. Runs come in the order in which their codes first appear.
template <class Code>
class Splitter {
  public:
    explicit Splitter(const LengthClass<Code>& all) : all_(all), counts_(all.alphabet, 0) {}

    void split(const Row* rows, std::size_t size, std::size_t position, std::size_t k,
               std::vector<Row>& out, std::vector<std::size_t>& ends) {
        ends.clear();
        codes_.clear();
        const Code* column = all_.column(position);
        for (std::size_t i = 0; i < size; ++i)
            if (counts_[column[rows[i]]]++ == 0) codes_.push_back(column[rows[i]]);
        std::size_t total = 0;
        for (const Code code : codes_) {
            const std::size_t count = counts_[code];
            if (count < k) {
                counts_[code] = absent;
                continue;
            }
            counts_[code] = static_cast<std::uint32_t>(total);
            total += count;
            ends.push_back(total);
        }
        out.resize(total);
        for (std::size_t i = 0; i < size; ++i) {
            std::uint32_t& at = counts_[column[rows[i]]];
            if (at != absent) out[at++] = rows[i];
        }
        for (const Code code : codes_) counts_[code] = 0;
    }

  private:
    static constexpr std::uint32_t absent = UINT32_MAX;
    const LengthClass<Code>& all_;
    std::vector<std::uint32_t> counts_;
    std::vector<Code> codes_;
};

// Marks the positions on which all the rows agree, and counts them.
template <class Code>
std::size_t close(const LengthClass<Code>& all, const Row* rows, std::size_t size,
                  std::uint8_t* closed) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < all.length; ++p) {
        const Code* column = all.column(p);
        std::size_t i = 1;
        while (i < size && column[rows[i]] == column[rows[0]]) ++i;
        closed[p] = i == size;
        count += closed[p];
    }
    return count;
}

// A Visitor has
//   live(row): false once the row takes no more part;
//   wants(rows, size, bound): whether a set of at most `bound` positions, shared by some of these
//     rows, is of any use;
//   take(rows, size, closed, count): a closed set and all the live rows that share it.
template <class Code, class Visitor>
class ClosedSets {
  public:
    ClosedSets(const LengthClass<Code>& all, std::size_t k, Visitor& visitor, const Tick& tick)
        : all_(all),
          k_(k),
          visitor_(visitor),
          tick_(tick),
          splitter_(all),
          levels_(all.length + 1) {}

    void run(const std::vector<Row>& rows) {
        if (rows.empty() || rows.size() < k_) return;
        std::vector<std::uint8_t> closed(all_.length);
        const std::size_t count = close(all_, rows.data(), rows.size(), closed.data());
        visit(rows.data(), rows.size(), closed.data(), count, 0, 0);
    }

  private:
    struct Level {
        std::vector<Row> live, rows;
        std::vector<std::size_t> ends;
        std::vector<std::uint8_t> closed;
    };

    void visit(const Row* rows, std::size_t size, const std::uint8_t* closed, std::size_t count,
               std::size_t next, std::size_t depth) {
        if ((++visits_ & 0xFFFF) == 0) report(tick_, share_);
        visitor_.take(rows, size, closed, count);
        Level& level = levels_[depth];
        level.closed.resize(all_.length);
        level.live.assign(rows, rows + size);
        std::size_t open = 0;
        for (std::size_t p = next; p < all_.length; ++p) open += !closed[p];
        for (std::size_t p = next; p < all_.length; ++p) {
            if (closed[p]) continue;
            keep_live(level.live);
            if (level.live.size() < k_) return;
            if (!visitor_.wants(level.live.data(), level.live.size(), count + open)) return;
            --open;
            splitter_.split(level.live.data(), level.live.size(), p, k_, level.rows, level.ends);
            extend(level, closed, count + 1 + open, p, depth);
            if (depth == 0) share_ = static_cast<double>(p + 1) / static_cast<double>(all_.length);
        }
    }

    void extend(Level& level, const std::uint8_t* closed, std::size_t bound, std::size_t p,
                std::size_t depth) {
        std::size_t start = 0;
        for (const std::size_t end : level.ends) {
            const Row* group = level.rows.data() + start;
            const std::size_t size = end - start;
            start = end;
            if (!visitor_.wants(group, size, bound)) continue;
            const std::size_t count = close(all_, group, size, level.closed.data());
            if (std::memcmp(level.closed.data(), closed, p) != 0) continue;
            visit(group, size, level.closed.data(), count, p + 1, depth + 1);
        }
    }

    void keep_live(std::vector<Row>& rows) const {
        std::size_t kept = 0;
        for (const Row row : rows)
            if (visitor_.live(row)) rows[kept++] = row;
        rows.resize(kept);
    }

    const LengthClass<Code>& all_;
    std::size_t k_;
    Visitor& visitor_;
    const Tick& tick_;
    Splitter<Code> splitter_;
    std::vector<Level> levels_;
    std::size_t visits_ = 0;
    double share_ = 0;
};

}  // namespace sfumato
