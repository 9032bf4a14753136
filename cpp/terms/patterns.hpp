// The best pattern of every term of one length under the guarantee `matching`: the most kept
// characters that k terms share, then the most terms, then the leftmost characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "common/tick.hpp"
#include "terms/closed_sets.hpp"

namespace sfumato {

template <class Code>
class BestPatterns {
  public:
    // `kept` (terms x length) and `matches` (terms) receive every term's best pattern; a term
    // without one keeps nothing and is matched by the whole class.
    BestPatterns(const LengthClass<Code>& all, std::uint8_t* kept, std::uint32_t* matches)
        : all_(all), kept_(kept), matches_(matches), sizes_(all.terms, 0) {
        std::fill_n(kept_, all_.terms * all_.length, std::uint8_t{0});  // also where there is none
        for (std::size_t row = 0; row < all_.terms; ++row)
            matches_[row] = static_cast<std::uint32_t>(all_.terms);
    }

    bool live(Row) const { return true; }

    bool wants(const Row* rows, std::size_t size, std::size_t bound) const {
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t have = sizes_[rows[i]];
            if (have < bound || (have == bound && matches_[rows[i]] <= size)) return true;
        }
        return false;
    }

    void take(const Row* rows, std::size_t size, const std::uint8_t* closed, std::size_t count) {
        for (std::size_t i = 0; i < size; ++i) {
            const Row row = rows[i];
            std::uint8_t* kept = kept_ + row * all_.length;
            if (count < sizes_[row]) continue;
            if (count == sizes_[row]) {
                if (size < matches_[row]) continue;
                if (size == matches_[row] && std::memcmp(closed, kept, all_.length) <= 0) continue;
            }
            std::memcpy(kept, closed, all_.length);
            sizes_[row] = static_cast<std::uint32_t>(count);
            matches_[row] = static_cast<std::uint32_t>(size);
        }
    }

  private:
    const LengthClass<Code>& all_;
    std::uint8_t* kept_;
    std::uint32_t* matches_;
    std::vector<std::uint32_t> sizes_;
};

template <class Code>
void best_patterns(const LengthClass<Code>& all, std::size_t k, std::uint8_t* kept,
                   std::uint32_t* matches, const Tick& tick) {
    BestPatterns<Code> best(all, kept, matches);
    std::vector<Row> rows(all.terms);
    std::iota(rows.begin(), rows.end(), Row{0});
    ClosedSets<Code, BestPatterns<Code>>(all, k, best, tick).run(rows);
}

}  // namespace sfumato
