// The scans of induced sorting (Nong, Zhang, Chan 2009; marks as in Mori's sais): from the order
// of some suffixes to the order of their neighbours on the left.
//
// A suffix is descending (type L) when the next suffix is smaller, else ascending (type S). An
// ascending suffix after a descending one is a leftmost S-type (LMS) one. Entries are positions
// with a mark in the sign bit; the scans differ in what the mark says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "common/prefetch.hpp"
#include "common/tick.hpp"

namespace sfumato {

template <class Index>
inline constexpr Index marked = std::numeric_limits<Index>::min();

template <class Index>
Index without_mark(Index entry) {
    return entry & std::numeric_limits<Index>::max();
}

template <class Index>
Index mark_if(bool condition) {
    return condition ? marked<Index> : Index(0);
}

// Where the next suffix of a bucket goes, and the number of the group it last took one from.
template <class Index>
struct Bucket {
    Index next, group;
};

// How far the scans look ahead. Buckets of small alphabets are always in cache.
template <class Symbol>
inline constexpr std::size_t ahead = sizeof(Symbol) <= 2 ? 64 : 24;
template <class Symbol>
inline constexpr bool many_buckets = sizeof(Symbol) > 2;

template <class Symbol, class Index>
class InducedSorting {
  public:
    InducedSorting(const Symbol* text, std::size_t n, Index* suffixes)
        : text_(text), suffixes_(suffixes), n_(n) {}

    // Sorts the substrings between LMS positions, first part. `entries` suffixes from rank 0 on are
    // LMS positions, and descending suffixes after descending ones, by symbol; buckets 2c+1 are
    // theirs. Descending suffixes after ascending ones go to the buckets 2c, beyond `entries`. A
    // marked entry differs from the one before it. Returns the last group's number.
    Index descend_between_lms(std::size_t entries, Bucket<Index>* buckets, const Tick& tick) {
        Index group = 1;
        put_before<true>(Index(n_), group, buckets);
        in_blocks(0, entries, tick, [&](std::size_t i, std::size_t last) {
            group = scan_between<true>(i, last, entries, buckets, group);
        });
        return group;
    }

    // Second part: the entries of ranks first .. last-1, from the right, are descending suffixes
    // after ascending ones, and ascending after ascending ones, by symbol. LMS positions go to the
    // buckets 2c+1, the rest to 2c. A marked entry differs from the one after it.
    void ascend_between_lms(std::size_t first, std::size_t last, Bucket<Index>* buckets,
                            Index group, const Tick& tick) {
        in_blocks(0, last - first, tick, [&](std::size_t i, std::size_t stop) {
            group = scan_between<false>(last - 1 - i, last - 1 - stop, first, buckets, group);
        });
    }

    // Sorts everything. The sorted LMS positions are at the ends of their buckets, zeros elsewhere.
    void induce_all(Index* starts, Index* ends, const Tick& tick) {
        const Symbol last = text_[n_ - 1];
        suffixes_[starts[last]++] = Index(n_ - 1) | mark_if<Index>(text_[n_ - 2] < last);
        in_blocks(0, n_, part(tick, 0, 0.5),
                  [&](std::size_t i, std::size_t stop) { scan_all<true>(i, stop, n_, starts); });
        in_blocks(0, n_, part(tick, 0.5, 1), [&](std::size_t i, std::size_t stop) {
            scan_all<false>(n_ - 1 - i, n_ - 1 - stop, 0, ends);
        });
    }

  private:
    // Puts the suffix before `entry` into its bucket, marked if it starts a new group there.
    template <bool descending>
    void put_before(Index entry, Index group, Bucket<Index>* buckets) {
        const Symbol here = text_[entry - 1], before = text_[entry - 2];
        const bool side = descending ? before >= here : before > here;
        Bucket<Index>& bucket = buckets[2 * std::size_t(here) + side];
        const Index mark = mark_if<Index>(bucket.group != group);
        bucket.group = group;
        suffixes_[descending ? bucket.next++ : --bucket.next] = (entry - 1) | mark;
    }

    // Ranks i up to `stop` (or down to it, exclusive); `limit` bounds what may be looked at.
    template <bool descending>
    Index scan_between(std::size_t i, std::size_t stop, std::size_t limit, Bucket<Index>* buckets,
                       Index group) {
        constexpr std::ptrdiff_t step = descending ? 1 : -1;
        const std::size_t quiet = looks_ahead_until<descending>(i, stop, limit);
        auto advance = [&](std::size_t& rank) {
            const Index entry = suffixes_[rank];
            group += entry < 0;
            put_before<descending>(without_mark(entry), group, buckets);
            rank += std::size_t(step);
        };
        while (i != quiet) {
            look_ahead<step>(i, buckets);
            advance(i);
        }
        while (i != stop) advance(i);
        return group;
    }

    template <bool descending>
    void scan_all(std::size_t i, std::size_t stop, std::size_t limit, Index* buckets) {
        constexpr std::ptrdiff_t step = descending ? 1 : -1;
        const std::size_t quiet = looks_ahead_until<descending>(i, stop, limit);
        auto advance = [&](std::size_t& rank) {
            Index entry = suffixes_[rank];
            suffixes_[rank] = descending ? entry ^ marked<Index> : without_mark(entry);
            if (entry > 0) {
                --entry;
                const Symbol here = text_[entry], before = text_[entry - (entry > 0)];
                Index& next = buckets[here];
                suffixes_[descending ? next++ : --next] =
                    entry | mark_if<Index>(descending ? before < here : before > here);
            }
            rank += std::size_t(step);
        };
        while (i != quiet) {
            look_ahead<step>(i, buckets);
            advance(i);
        }
        while (i != stop) advance(i);
    }

    // The rank at which looking ahead would leave the array.
    template <bool descending>
    static std::size_t looks_ahead_until(std::size_t i, std::size_t stop, std::size_t limit) {
        constexpr std::size_t reach = 4 * ahead<Symbol>;
        if (descending) return std::max(i, std::min(stop, limit > reach ? limit - reach : 0));
        const std::size_t lowest = limit + reach;
        return std::ptrdiff_t(i) < std::ptrdiff_t(lowest)      ? i
               : std::ptrdiff_t(stop) < std::ptrdiff_t(lowest) ? lowest
                                                               : stop;
    }

    // Entries are wanted first, then the symbols before them; in large alphabets also the
    // symbols' buckets, and where these point to.
    template <std::ptrdiff_t step, class Buckets>
    SFUMATO_INLINE void look_ahead(std::size_t i, const Buckets* buckets) const {
        constexpr std::ptrdiff_t distance = step * std::ptrdiff_t(ahead<Symbol>);
        const Index* entry = suffixes_ + i;
        if constexpr (many_buckets<Symbol>) {
            prefetch(entry + 4 * distance);
            prefetch(text_ + place_before<Buckets>(entry[3 * distance]));
            prefetch_to_write(buckets + bucket_before<Buckets>(entry[2 * distance]));
            prefetch_to_write(suffixes_ +
                              next_of(buckets[bucket_before<Buckets>(entry[distance])]));
        } else {
            prefetch(entry + 2 * distance);
            const Symbol* place = text_ + place_before<Buckets>(entry[distance]);
            prefetch(place);
            prefetch(place - 1);
        }
    }

    static Index next_of(const Bucket<Index>& bucket) { return bucket.next; }
    static Index next_of(Index next) { return next; }

    // The suffix before an entry, or 0 where nothing will be induced. What is read here may not be
    // an entry yet, so it is checked before it is followed.
    template <class Buckets>
    SFUMATO_INLINE std::size_t place_before(Index entry) const {
        const bool every = !std::is_same_v<Buckets, Index>;
        const std::size_t place = std::size_t(every ? without_mark(entry) : entry) - 1;
        return place < n_ ? place : 0;
    }

    // The bucket of the suffix before an entry; where there are two, the first.
    template <class Buckets>
    SFUMATO_INLINE std::size_t bucket_before(Index entry) const {
        const std::size_t symbol = std::size_t(text_[place_before<Buckets>(entry)]);
        return std::is_same_v<Buckets, Index> ? symbol : 2 * symbol;
    }

    const Symbol* text_;
    Index* suffixes_;
    std::size_t n_;
};

}  // namespace sfumato
