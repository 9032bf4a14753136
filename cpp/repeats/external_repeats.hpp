// L(p) without a suffix array of the whole text: suffixes are distributed by their first symbols
// until a class of them fits the memory allowed.
//
// Positions lie in two arrays that the caller has mapped to files, and move from one to the other.
// A class holds all suffixes with one prefix; it is split only while its prefix is a k-repeat. Then
// every longer k-repeat of its members lies in one of its parts, and L is at least the prefix's
// length. So the parts are independent, and their order does not matter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/buffer.hpp"
#include "common/tick.hpp"
#include "repeats/bucket_repeats.hpp"

namespace sfumato {

// Who is counted: occurrences, or distinct labels of documents.
struct Counted {
    std::size_t k;
    std::vector<std::int32_t> labels = {};  // of every document, 0 .. distinct-1; none: occurrences
    const std::int64_t* ends = nullptr;
    std::size_t distinct = 0;

    // The label at a position; `document` is where the search starts, quick when positions ascend.
    std::uint32_t label_at(std::size_t position, std::size_t& document) const {
        const auto at = std::int64_t(position);
        if (document > 0 && ends[document - 1] >= at) document = 0;
        for (int step = 0; ends[document] < at; ++document)
            if (++step == 8) {
                document =
                    std::size_t(std::lower_bound(ends + document, ends + labels.size(), at) - ends);
                break;
            }
        return std::uint32_t(labels[document]);
    }
};

// Whether labels given one by one are k distinct ones.
class DistinctLabels {
  public:
    DistinctLabels(std::size_t k, std::size_t distinct) : k_(k), seen_(distinct) {}
    void clear() {
        found_ = 0;
        if (++round_ != 0) return;
        std::fill(seen_.begin(), seen_.end(), 0);
        round_ = 1;
    }
    bool add(std::uint32_t label) {
        if (seen_[label] != round_) seen_[label] = round_, ++found_;
        return found_ >= k_;
    }

  private:
    std::size_t k_, found_ = 0;
    std::uint32_t round_ = 0;
    std::vector<std::uint32_t> seen_;
};

template <class Symbol, class Index>
class ExternalRepeats {
  public:
    ExternalRepeats(Keys<Symbol> keys, const Counted& counted, std::int32_t cap, std::size_t room,
                    std::int32_t* lengths, std::array<Index*, 2> spill, const Tick& tick)
        : keys_(keys),
          counted_(counted),
          cap_(cap),
          room_(std::min(room, keys.n)),
          lengths_(lengths),
          spill_(spill),
          tick_(tick),
          distinct_(counted.k, counted.distinct),
          suffixes_(make_buffer<Suffix<Index>>(room_)),
          lcp_(make_buffer<std::int32_t>(room_)),
          longest_(make_buffer<std::int32_t>(counted.labels.empty() ? 0 : room_)) {}

    // Fills L; returns at how many positions it reached the cap.
    std::size_t run() {
        std::vector<Class> waiting{{0, keys_.n, 0, text_order}};
        while (!waiting.empty()) {
            const Class one = waiting.back();
            waiting.pop_back();
            if (symbols(one.depth) >= cap_)
                settle(one, cap_);
            else if (one.size() <= room_)
                solve(one);
            else if (!split_by_pivot(one, waiting))
                split_by_byte(one, waiting);
        }
        report(tick_, 1);
        return capped_;
    }

  private:
    static constexpr int text_order = -1;  // not in a file yet: rank i is position i
    static constexpr std::size_t block = std::size_t(1) << 20;

    // Suffixes that agree on `depth` bytes, at ranks begin..end-1 of spill array `side`.
    struct Class {
        std::size_t begin, end, depth;
        int side;
        std::size_t size() const { return end - begin; }
    };

    static std::int32_t symbols(std::size_t bytes) { return std::int32_t(bytes / sizeof(Symbol)); }

    std::size_t position(const Class& one, std::size_t rank) const {
        return one.side == text_order ? rank : std::size_t(spill_[one.side][rank]);
    }

    // Calls work(position) in ascending order, and reports once in a while.
    template <class Work>
    void each(const Class& one, Work&& work) const {
        for (std::size_t begin = one.begin; begin < one.end; begin += block) {
            report(tick_, double(done_) / double(keys_.n));
            const std::size_t end = std::min(one.end, begin + block);
            for (std::size_t i = begin; i < end; ++i) work(position(one, i));
        }
    }

    Symbol symbol(std::size_t p) const { return p < keys_.n ? keys_.text[p] : Symbol(0); }

    // A byte of a suffix, the high byte of each symbol first.
    std::size_t byte(std::size_t p, std::size_t depth) const {
        const std::size_t low = sizeof(Symbol) - 1 - depth % sizeof(Symbol);
        return std::size_t(symbol(p + depth / sizeof(Symbol))) >> 8 * low & 255;
    }

    void write(std::size_t p, std::int32_t length) {
        lengths_[p] = length;
        capped_ += length >= cap_;
    }

    void settle(const Class& one, std::int32_t length) {
        each(one, [&](std::size_t p) { write(p, length); });
        done_ += one.size();
    }

    bool enough(const Class& one) {
        if (counted_.labels.empty() || one.size() < counted_.k) return one.size() >= counted_.k;
        std::size_t document = 0;
        distinct_.clear();
        for (std::size_t i = one.begin; i < one.end; ++i)
            if (distinct_.add(counted_.label_at(position(one, i), document))) return true;
        return false;
    }

    // Sorts a class that fits and writes L.
    void solve(const Class& one) {
        const std::size_t count = one.size();
        Suffix<Index>* suffixes = suffixes_.get();
        std::size_t document = 0, next = 0;
        each(one, [&](std::size_t p) {
            const auto label = counted_.labels.empty() ? 0 : counted_.label_at(p, document);
            suffixes[next++] = {0, Index(p), label};
        });
        auto group_is_enough = [&](const Suffix<Index>* group, std::size_t size) {
            if (counted_.labels.empty() || size < counted_.k) return size >= counted_.k;
            distinct_.clear();
            for (std::size_t i = 0; i < size; ++i)
                if (distinct_.add(group[i].label)) return true;
            return false;
        };
        const std::int32_t depth = symbols(one.depth);
        sort_bucket(
            keys_, suffixes, lcp_.get(), count, depth, cap_, group_is_enough,
            [&](std::size_t sorted) { report(tick_, double(done_ + sorted) / double(keys_.n)); });
        if (counted_.labels.empty())
            repeat_lengths(Ranks{}, lcp_.get(), count, counted_.k, Tick{});
        else
            shared_by_rank(
                lcp_.get(), longest_.get(), count, counted_.k, counted_.distinct,
                [&](std::size_t rank) { return std::size_t(suffixes[rank].label); }, Tick{});
        // In the order of the text, so that a file larger than memory is swept, not shuffled.
        for (std::size_t i = 0; i < count; ++i)
            suffixes[i].key = std::uint64_t(std::max(lcp_[i], depth));
        std::sort(suffixes, suffixes + count,
                  [](const auto& a, const auto& b) { return a.position < b.position; });
        for (std::size_t i = 0; i < count; ++i)
            write(std::size_t(suffixes[i].position), std::int32_t(suffixes[i].key));
        done_ += count;
    }

    struct Ranks {
        std::size_t operator[](std::size_t rank) const { return rank; }
    };

    // Writes every suffix to its part in the other array; parts follow each other.
    template <std::size_t parts, class PartOf>
    Class distribute(const Class& one, const std::array<std::size_t, parts>& counts,
                     const PartOf& part_of) {
        std::array<std::size_t, parts> next;
        for (std::size_t part = 0, at = one.begin; part < parts; ++part)
            next[part] = at, at += counts[part];
        const int side = one.side == 0 ? 1 : 0;
        Index* target = spill_[side];
        each(one, [&](std::size_t p) { target[next[part_of(p)]++] = Index(p); });
        return {one.begin, one.end, one.depth, side};
    }

    // By the next byte. Small parts are solved together, as parts of the class they come from.
    void split_by_byte(Class one, std::vector<Class>& waiting) {
        std::array<std::size_t, 256> counts{};
        each(one, [&](std::size_t p) { ++counts[byte(p, one.depth)]; });
        const bool moves = *std::max_element(counts.begin(), counts.end()) < one.size();
        const Class moved =
            moves ? distribute(one, counts, [&](std::size_t p) { return byte(p, one.depth); })
                  : one;
        Class small{one.begin, one.begin, one.depth, moved.side};
        for (std::size_t part = 0, begin = one.begin; part < 256; ++part) {
            const Class child{begin, begin + counts[part], one.depth + 1, moved.side};
            begin = child.end;
            if (small.size() + child.size() > room_) {
                if (small.size() > 0) solve(small);
                small.begin = child.begin;
            }
            small.end = child.end;
            if (child.size() <= room_) continue;
            small.begin = child.end;
            const bool complete = child.depth % sizeof(Symbol) == 0;
            const bool breaks =
                complete && symbol(position(child, child.begin) + one.depth / sizeof(Symbol)) == 0;
            if (breaks || !enough(child))
                settle(child, symbols(one.depth));
            else
                waiting.push_back(child);
        }
        if (small.size() > 0) solve(small);
    }

    // The key that most suffixes of a class have, by a sample; 0 when there is none.
    std::uint64_t frequent_key(const Class& one, std::size_t depth) const {
        std::array<std::uint64_t, 31> sample;
        for (std::size_t i = 0; i < sample.size(); ++i)
            sample[i] = keys_.at(position(one, one.begin + one.size() / sample.size() * i) + depth);
        std::sort(sample.begin(), sample.end());
        const std::uint64_t middle = sample[sample.size() / 2];
        const auto found = std::count(sample.begin(), sample.end(), middle);
        return found >= 24 && keys_.before_break(middle) == keys_.width ? middle : 0;
    }

    // Long runs of one symbol, and the like: by how many symbols a suffix has in common with a
    // frequent key. The suffixes that leave it after j symbols are parts of a class of depth + j.
    bool split_by_pivot(const Class& one, std::vector<Class>& waiting) {
        constexpr std::size_t width = Keys<Symbol>::width;
        const std::size_t depth = one.depth / sizeof(Symbol);
        const std::uint64_t pivot = frequent_key(one, depth);
        if (pivot == 0 || std::int64_t(depth + width) > cap_) return false;
        auto common = [&](std::size_t p) { return keys_.common(keys_.at(p + depth), pivot); };
        std::array<std::size_t, Keys<Symbol>::width + 1> counts{};
        std::size_t document = 0;
        bool shared = counted_.labels.empty();
        distinct_.clear();
        each(one, [&](std::size_t p) {
            const std::size_t j = common(p);
            ++counts[j];
            if (j == width && !shared) shared = distinct_.add(counted_.label_at(p, document));
        });
        if (!shared || counts[width] < counted_.k) return false;
        const Class moved = counts[width] < one.size() ? distribute(one, counts, common) : one;
        for (std::size_t j = 0, begin = one.begin; j <= width; ++j) {
            const std::size_t deeper = (depth + j) * sizeof(Symbol);
            if (counts[j] > 0) waiting.push_back({begin, begin + counts[j], deeper, moved.side});
            begin += counts[j];
        }
        return true;
    }

    Keys<Symbol> keys_;
    const Counted& counted_;
    std::int32_t cap_;
    std::size_t room_;
    std::int32_t* lengths_;
    std::array<Index*, 2> spill_;
    const Tick& tick_;
    DistinctLabels distinct_;
    Buffer<Suffix<Index>> suffixes_;
    Buffer<std::int32_t> lcp_, longest_;
    std::size_t done_ = 0, capped_ = 0;
};

// How many suffixes are sorted at once in so many bytes. Buckets beyond a few million suffixes
// would gain nothing and could not be interrupted.
template <class Index>
std::size_t bucket_room(std::size_t memory, const Counted& counted) {
    const bool shared = !counted.labels.empty();
    const std::size_t windows = 8;  // the candidates of a window's minimum
    const std::size_t each = sizeof(Suffix<Index>) + sizeof(std::int32_t) +
                             (shared ? sizeof(std::int32_t) + windows : 0);
    const std::size_t fixed = 12 * counted.distinct + 4 * counted.labels.size() + 16 * counted.k;
    const std::size_t tables = std::min(memory / 3, std::size_t(1) << 21);  // alphabet, buffers
    const std::size_t free = memory - std::min(memory / 2, fixed + tables);
    return std::clamp(free / each, std::size_t(16), std::size_t(1) << 22);
}

// Everything up to the next break occurs: L for k = 1, which needs no order and hence no cap but
// that of the type.
template <class Symbol>
std::size_t capped_break_distances(const Symbol* text, std::int32_t* lengths, std::size_t n,
                                   std::int32_t cap) {
    std::size_t capped = 0;
    std::int32_t distance = 0;
    for (std::size_t p = n; p-- > 0;) {
        distance = text[p] == 0 ? 0 : std::min(cap, distance + 1);
        lengths[p] = distance;
        capped += distance == cap;
    }
    return capped;
}

template <class Symbol, class Index>
std::size_t external_repeat_lengths(const Symbol* text, std::size_t n, const Counted& counted,
                                    std::int32_t cap, std::size_t memory, std::int32_t* lengths,
                                    std::array<Index*, 2> spill, const Tick& tick) {
    const std::size_t most = counted.ends == nullptr ? n : counted.distinct;
    if (counted.k == 1) return capped_break_distances(text, lengths, n, INT32_MAX);
    if (counted.k > most) {
        std::fill(lengths, lengths + n, 0);
        return 0;
    }
    const std::size_t room = bucket_room<Index>(memory, counted);
    return ExternalRepeats<Symbol, Index>({text, n}, counted, cap, room, lengths, spill, tick)
        .run();
}

}  // namespace sfumato
