// The suffix array by induced sorting (Nong, Zhang, Chan 2009): linear time, any dense alphabet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/scratch.hpp"
#include "common/tick.hpp"
#include "repeats/induced_sorting.hpp"
#include "repeats/lms_names.hpp"

namespace sfumato {

class Bits {
  public:
    explicit Bits(std::size_t n) : words_(n / 64 + 1) {}
    void set(std::size_t i) { words_[i / 64] |= std::uint64_t(1) << (i % 64); }
    bool operator[](std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }

  private:
    std::vector<std::uint64_t> words_;
};

// One level of the recursion: a text of `n` symbols 0 .. sigma-1, n >= 2.
template <class Symbol, class Index>
class SuffixSorting {
  public:
    SuffixSorting(const Symbol* text, std::size_t n, std::size_t sigma, Index* suffixes,
                  Scratch<Index> scratch)
        : text_(text),
          n_(n),
          sigma_(sigma),
          suffixes_(suffixes),
          scratch_(std::move(scratch)),
          starts_(scratch_.take(sigma + 1)),
          lms_starts_(scratch_.take(sigma + 1)) {}

    void sort(const Tick& tick) {
        const std::size_t lms = classify();
        if (lms > 0 && !sort_by_lookup(lms, part(tick, 0.1, 0.5))) {
            const std::size_t names = sort_between_lms(lms, part(tick, 0.05, 0.35));
            if (names < lms) sort_lms(lms, part(tick, 0.35, 0.6));
        }
        place_lms(lms);
        Index* ends = scratch_.take(sigma_);
        std::copy(starts_ + 1, starts_ + sigma_ + 1, ends);
        InducedSorting<Symbol, Index>(text_, n_, suffixes_)
            .induce_all(starts_, ends, part(tick, 0.6, 1));
    }

  private:
    static constexpr std::size_t far = 64;  // how far the loops below look ahead

    // Suffixes of each symbol by their type (first letter) and that of the one before.
    enum Kind { LL = 0, LS = 1, SL = 2, SS = 3 };

    // One scan from the right: counts by symbol and kind, the starts of all buckets, and the
    // LMS positions, in text order.
    std::size_t classify() {
        counts_ = scratch_.take(4 * sigma_);
        std::fill(counts_, counts_ + 4 * sigma_, Index(0));
        Index* list = suffixes_ + n_ - 1;
        std::int64_t here = std::int64_t(text_[n_ - 1]), ascending = 0;
        for (std::size_t i = n_ - 1; i-- > 0;) {
            if constexpr (many_buckets<Symbol>)
                prefetch_to_write(counts_ + 4 * std::size_t(text_[i < far ? 0 : i - far]));
            const std::int64_t before = std::int64_t(text_[i]);
            const std::int64_t before_ascends = before < here + ascending;
            ++counts_[4 * here + 2 * ascending + before_ascends];
            *list = Index(i + 1);
            list -= ascending & ~before_ascends;
            here = before;
            ascending = before_ascends;
        }
        Index sum = 0;
        for (std::size_t c = 0; c < sigma_; ++c) {
            starts_[c] = sum;
            for (int kind = 0; kind < 4; ++kind) sum += counts_[4 * c + kind];
            sum += c == std::size_t(text_[0]);
        }
        starts_[sigma_] = sum;
        const std::size_t lms = std::size_t(suffixes_ + n_ - 1 - list);
        lms_ = scratch_.take(lms);
        std::copy(suffixes_ + n_ - lms, suffixes_ + n_, lms_);
        return lms;
    }

    // Sorts the LMS positions by the names that a table gives their substrings. Only texts of bytes
    // with few different substrings; else nothing is done.
    bool sort_by_lookup(std::size_t lms, const Tick& tick) {
        if constexpr (sizeof(Symbol) > 1) {
            return false;
        } else {
            Index* names = suffixes_ + lms;
            LmsNames<Index> table(text_, n_, lms_, lms);
            const std::size_t different = table.write(names);
            if (different == 0) return false;
            Index sum = 0;
            for (std::size_t c = 0; c < sigma_; ++c) {
                lms_starts_[c] = sum;
                sum += counts_[4 * c + SL];
            }
            lms_starts_[sigma_] = sum;
            sort_names(names, lms, different, scratch_.rest(), tick);
            for (std::size_t i = 0; i < lms; ++i) {
                prefetch(lms_ + suffixes_[std::min(i + far, lms - 1)]);
                suffixes_[i] = lms_[suffixes_[i]];
            }
            return true;
        }
    }

    // Sorts the suffixes of the text of names that is in `suffixes_`, to its beginning.
    void sort_names(Index* names, std::size_t count, std::size_t different, Scratch<Index> below,
                    const Tick& tick) {
        below.offer(names + count, std::size_t(suffixes_ + n_ - names) - count);
        if (count < 2) {
            suffixes_[0] = 0;
        } else {
            SuffixSorting<Index, Index>(names, count, different, suffixes_, std::move(below))
                .sort(tick);
        }
    }

    // What is left of the first LMS position takes no part in sorting the substrings between LMS
    // positions, and nothing is induced from that LMS position.
    void uncount_through_first_lms() {
        bool ascending = true;
        for (std::size_t p = std::size_t(lms_[0]); p > 0; --p) {
            const bool before_ascends =
                text_[p - 1] < text_[p] || (text_[p - 1] == text_[p] && ascending);
            --counts_[4 * std::size_t(text_[p]) + 2 * ascending + before_ascends];
            ascending = before_ascends;
        }
    }

    // Sorts the substrings from each LMS position to the next; the LMS positions come to ranks 0 ..
    // lms-1, marked where they differ from the one after. Returns the number of different
    // substrings.
    std::size_t sort_between_lms(std::size_t lms, const Tick& tick) {
        Scratch<Index> local = scratch_.rest();
        auto* buckets = reinterpret_cast<Bucket<Index>*>(local.take(4 * sigma_));
        Index* second = local.take(2 * sigma_);
        uncount_through_first_lms();
        const std::size_t entries = lay_out_first(buckets, lms);
        const std::size_t end = lay_out_second(buckets, second, entries);
        InducedSorting<Symbol, Index> sorting(text_, n_, suffixes_);
        const Index group = sorting.descend_between_lms(entries, buckets, part(tick, 0, 0.5));
        for (std::size_t c = 0; c < sigma_; ++c) {
            turn_marks(std::size_t(buckets[2 * c].next - counts_[4 * c + LS]),
                       std::size_t(buckets[2 * c].next));
            buckets[2 * c].next = second[2 * c];
            buckets[2 * c + 1].next = second[2 * c + 1];
        }
        sorting.ascend_between_lms(entries + 1, end, buckets, group, part(tick, 0.5, 1));
        for (std::size_t c = 0; c < sigma_; ++c) lms_starts_[c] = buckets[2 * c + 1].next;
        lms_starts_[sigma_] = Index(lms);
        return std::size_t(
            std::count_if(suffixes_, suffixes_ + lms, [](Index entry) { return entry < 0; }));
    }

    // How many of the sorted LMS positions differ from both neighbours.
    std::size_t count_unique(std::size_t lms) const {
        std::size_t count = suffixes_[0] < 0;
        for (std::size_t i = 1; i < lms; ++i) count += (suffixes_[i - 1] & suffixes_[i]) < 0;
        return count;
    }

    // Ranks from 0 on, by symbol: descending after descending suffixes, then the LMS positions.
    std::size_t lay_out_first(Bucket<Index>* buckets, std::size_t lms) {
        Index sum = 0;
        for (std::size_t c = 0; c < sigma_; ++c) {
            buckets[2 * c + 1] = {sum, 0};
            buckets[2 * c] = {sum + counts_[4 * c + LL], 0};
            sum += counts_[4 * c + LL] + counts_[4 * c + SL];
        }
        for (std::size_t j = 1; j < lms; ++j) {
            const Index soon = lms_[std::min(j + far, lms - 1)];
            if constexpr (many_buckets<Symbol>)
                prefetch_to_write(buckets + 2 * std::size_t(text_[soon]));
            suffixes_[buckets[2 * std::size_t(text_[lms_[j]])].next++] = lms_[j];
        }
        for (std::size_t c = 0; c < sigma_; ++c)
            if (const Index count = counts_[4 * c + SL])
                suffixes_[buckets[2 * c].next - count] |= marked<Index>;
        return std::size_t(sum);
    }

    // Beyond one free rank, by symbol: descending after ascending suffixes, then ascending after
    // ascending ones. `second` gets the ends of the latter and of the sorted LMS positions.
    std::size_t lay_out_second(Bucket<Index>* buckets, Index* second, std::size_t entries) {
        Index sum = Index(entries) + 1, lms = 0;
        const std::size_t first = std::size_t(text_[lms_[0]]);
        for (std::size_t c = 0; c < sigma_; ++c) {
            buckets[2 * c].next = sum;
            sum += counts_[4 * c + LS] + counts_[4 * c + SS];
            lms += counts_[4 * c + SL] + (c == first);
            second[2 * c] = sum;
            second[2 * c + 1] = lms;
        }
        return std::size_t(sum);
    }

    // From "differs from the one before" to "differs from the one after".
    void turn_marks(std::size_t i, std::size_t stop) {
        if (i == stop) return;
        for (; i + 1 < stop; ++i)
            suffixes_[i] = without_mark(suffixes_[i]) | (suffixes_[i + 1] & marked<Index>);
        suffixes_[i] |= marked<Index>;
    }

    // Sorts the LMS positions by sorting the text of their substrings' names. A substring that
    // occurs once needs no more sorting: its suffix stays where it is, and only those that end
    // another stretch of names are in that text.
    void sort_lms(std::size_t lms, const Tick& tick) {
        const bool some = count_unique(lms) > lms / 16;
        Bits settled(some ? n_ / 2 : 0), fixed(some ? lms : 0);
        Scratch<Index> below = scratch_.rest();
        Index* aside = below.take(some ? find_settled(lms, settled) : 0);
        Index* by_place = suffixes_ + lms;  // lms are at least two symbols apart
        Index name = 0;
        for (std::size_t i = 0; i < lms; ++i) {
            const Index soon = without_mark(suffixes_[std::min(i + far, lms - 1)]);
            prefetch_to_write(by_place + soon / 2);
            const Index p = without_mark(suffixes_[i]);
            if (some && settled[std::size_t(p) / 2]) {
                fixed.set(i);
                *aside++ = p;
            } else {
                by_place[p / 2] = name;
                name += suffixes_[i] < 0;
            }
        }
        std::size_t kept = 0;
        for (std::size_t j = 0; j < lms; ++j) {
            const Index p = lms_[j];
            if (some && settled[std::size_t(p) / 2]) continue;
            by_place[kept] = by_place[p / 2];
            lms_[kept++] = p;
        }
        sort_names(by_place, kept, std::size_t(name), below.rest(), tick);
        std::size_t next = kept;
        for (std::size_t i = lms; i-- > 0;) {
            prefetch(lms_ + suffixes_[next > far ? next - far : 0]);
            suffixes_[i] = some && fixed[i] ? *--aside : lms_[suffixes_[--next]];
        }
    }

    // LMS positions whose substring occurs once and that follow such a one, by half their position.
    std::size_t find_settled(std::size_t lms, Bits& settled) {
        Bits unique(n_ / 2);
        bool differs = true;  // from the one before
        for (std::size_t i = 0; i < lms; ++i) {
            if (differs && suffixes_[i] < 0)
                unique.set(std::size_t(without_mark(suffixes_[i])) / 2);
            differs = suffixes_[i] < 0;
        }
        std::size_t count = 0;
        bool before = true;
        for (std::size_t j = 0; j < lms; ++j) {
            const bool here = unique[std::size_t(lms_[j]) / 2];
            if (before && here) settled.set(std::size_t(lms_[j]) / 2), ++count;
            before = here;
        }
        return count;
    }

    // Moves the sorted LMS positions from ranks 0 .. lms-1 to the ends of their buckets.
    void place_lms(std::size_t lms) {
        std::size_t filled = n_;
        for (std::size_t c = lms > 0 ? sigma_ : 0; c-- > 0;) {
            const std::size_t first = std::size_t(lms_starts_[c]);
            const std::size_t count = std::size_t(lms_starts_[c + 1]) - first;
            if (count == 0) continue;
            const std::size_t end = std::size_t(starts_[c + 1]);
            std::fill(suffixes_ + end, suffixes_ + filled, Index(0));
            for (std::size_t j = count; j-- > 0;)
                suffixes_[end - count + j] = without_mark(suffixes_[first + j]);
            filled = end - count;
        }
        std::fill(suffixes_, suffixes_ + filled, Index(0));
    }

    const Symbol* text_;
    std::size_t n_, sigma_;
    Index* suffixes_;
    Scratch<Index> scratch_;
    Index *starts_, *lms_starts_, *counts_ = nullptr, *lms_ = nullptr;
};

// Writes the starts of all suffixes in lexicographic order; a suffix that is a proper prefix of
// another comes first. `text` has symbols 0 .. sigma-1; `space` is working memory of n numbers.
template <class Symbol, class Index>
void suffix_array(const Symbol* text, Index* suffixes, std::size_t n, std::size_t sigma,
                  Index* space, const Tick& tick) {
    if (n == 1) suffixes[0] = 0;
    if (n < 2) return;
    Scratch<Index> scratch;
    scratch.offer(space, n);
    SuffixSorting<Symbol, Index>(text, n, sigma, suffixes, std::move(scratch)).sort(tick);
}

}  // namespace sfumato
