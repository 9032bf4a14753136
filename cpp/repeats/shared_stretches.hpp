// The stretches of tokens that k share in a text, kept so that they can be counted again as tokens
// are starred: what k share in the starred text, k share in the text. Stretches of one token, of
// two, of three; a text whose repeats are long has too many and needs a suffix array.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/buffer.hpp"
#include "common/prefetch.hpp"
#include "common/tick.hpp"

namespace sfumato {

// A token's place, and whose it is.
struct Owned {
    std::uint32_t place, person;
};

// Numbers the different pairs of two numbers, from 0, and counts who has each. Pairs come person by
// person.
class PairNumbers {
  public:
    static constexpr std::uint32_t uncounted = UINT32_MAX;

    void reset(std::size_t keys) {
        size_ = std::bit_ceil(keys + keys / 2 + 16);
        slots_ = make_buffer<Slot>(size_);
        std::fill(slots_.get(), slots_.get() + size_, Slot{0, 0});
        counts_.clear();
    }
    std::size_t begin(std::uint64_t key) const {
        const std::uint64_t spread = (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
        return std::size_t(spread ^ spread >> 32) & (size_ - 1);
    }
    SFUMATO_INLINE void fetch(std::size_t slot) const { prefetch_to_write(slots_.get() + slot); }
    // The number of a key (never 0), counted for the person. `each`: every place counts.
    std::uint32_t add(std::size_t slot, std::uint64_t key, std::uint32_t person, bool each) {
        while (slots_[slot].key && slots_[slot].key != key) slot = (slot + 1) & (size_ - 1);
        if (!slots_[slot].key) {
            slots_[slot] = {key, std::uint32_t(counts_.size())};
            counts_.push_back({0, uncounted});
        }
        count(slots_[slot].number, person, each);
        return slots_[slot].number;
    }
    // Numbers that are known from the start.
    void reset_numbers(std::size_t numbers) { counts_.assign(numbers, {0, uncounted}); }
    void count(std::uint32_t number, std::uint32_t person, bool each) {
        Count& found = counts_[number];
        if (person == uncounted || (!each && found.last == person)) return;
        ++found.people;
        found.last = person;
    }
    std::uint32_t people(std::uint32_t number) const { return counts_[number].people; }
    std::size_t size() const { return counts_.size(); }

  private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t number;
    };
    struct Count {
        std::uint32_t people, last;
    };
    Buffer<Slot> slots_;
    Vector<Count> counts_;
    std::size_t size_ = 0;
};

// Whose the documents are: a number 0 .. distinct-1 for each, or distinct for one that is not
// counted; null: every place counts by itself. Document d ends at the break ends[d].
struct OwnedTexts {
    const std::int64_t* ends;
    std::size_t documents;
    const std::vector<std::int32_t>* labels;
    std::size_t distinct;

    std::size_t begin(std::size_t d) const { return d ? std::size_t(ends[d - 1]) + 1 : 0; }
    std::uint32_t person(std::size_t d) const {
        if (!labels) return 0;
        const auto label = std::size_t((*labels)[d]);
        return label >= distinct ? PairNumbers::uncounted : std::uint32_t(label);
    }
    // The documents, person by person.
    Vector<std::size_t> order() const {
        Vector<std::size_t> order(documents);
        std::iota(order.begin(), order.end(), std::size_t(0));
        if (labels)
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return (*labels)[a] < (*labels)[b];
            });
        return order;
    }
};

class SharedStretches {
  public:
    // Finds what k share; false where that is more than `most` places, or more than the numbers
    // here can tell. Nothing crosses a break (code 0).
    template <class Symbol>
    bool find(const Symbol* codes, std::size_t n, const OwnedTexts& texts, std::size_t k,
              std::size_t most, const Tick& tick) {
        n_ = n;
        if (n >= not_counted) return false;
        auto here = make_buffer<Owned>(n);
        std::size_t size = 0;
        PairNumbers numbers;
        numbers.reset_numbers(n ? std::size_t(*std::max_element(codes, codes + n)) + 1 : 1);
        for (const std::size_t d : texts.order())
            for (std::size_t p = texts.begin(d); p < std::size_t(texts.ends[d]); ++p) {
                if (!codes[p]) continue;
                here[size++] = {std::uint32_t(p), texts.person(d)};
                numbers.count(std::uint32_t(codes[p]), texts.person(d), !texts.labels);
            }
        auto number = make_buffer<std::uint32_t>(n + 1);  // of the stretch from each place; 0: none
        auto group = make_buffer<std::uint32_t>(size);
        std::fill(number.get(), number.get() + n + 1, 0u);
        for (std::size_t i = 0; i < size; ++i) group[i] = std::uint32_t(codes[here[i].place]);
        begins_.assign(1, 0);
        levels_.assign(1, 0);
        for (;;) {
            size =
                keep_shared(here.get(), group.get(), size, numbers, k, !texts.labels, number.get());
            levels_.push_back(begins_.size() - 1);
            report(tick, std::min(1.0, double(entries_.size()) / double(most)));
            if (entries_.size() > most) return false;
            if (!size) return true;
            number_longer(here.get(), group.get(), size, number.get(), numbers, !texts.labels);
        }
    }

    // L where `stars` (1) stand: T[p .. p+L) is legible and at least k share it. A stretch is
    // looked at only where both its parts are shared.
    void count(const std::uint8_t* stars, std::size_t k, std::int32_t* lengths) const {
        std::fill(lengths, lengths + n_, 0);
        std::size_t level = 1;
        bool any = true;
        Vector<std::uint64_t> open(n_ / 64 + 1, 0), shared(open.size() + 1, 0);  // by place
        for (std::size_t w = 0; w < open.size(); ++w) {
            std::uint64_t bits = 0;
            for (std::size_t p = w * 64, j = 0; j < 64 && p + j < n_; ++j)
                bits |= std::uint64_t(stars[p + j] != 1) << j;
            open[w] = bits;
        }
        for (; any && level < levels_.size() && places_of(level) > open.size(); ++level) {
            any = mark_level(
                level, k, [&](std::uint32_t p) { return open[p / 64] >> (p % 64) & 1; },
                [&](std::uint32_t p) {
                    shared[p / 64] |= open[p / 64] & std::uint64_t(1) << (p % 64);
                });
            for (std::size_t w = 0; w < open.size(); ++w)
                for (std::uint64_t left = shared[w]; left; left &= left - 1)
                    lengths[w * 64 + std::size_t(std::countr_zero(left))] = std::int32_t(level);
            for (std::size_t w = 0; w < open.size(); ++w)
                open[w] = shared[w] & (shared[w] >> 1 | shared[w + 1] << 63);
            std::fill(shared.begin(), shared.end(), 0);
        }
        // Long stretches stand in few places.
        for (; any && level < levels_.size(); ++level) {
            const auto shorter = std::int32_t(level) - 1;
            const auto is_open = [&](std::uint32_t p) {
                if (level == 1) return stars[p] != 1;
                return lengths[p] == shorter && lengths[p + 1] >= shorter;
            };
            any = mark_level(level, k, is_open, [&](std::uint32_t p) {
                if (is_open(p)) lengths[p] = shorter + 1;
            });
        }
    }

    std::size_t size() const { return n_; }

  private:
    // An entry is a place, with two marks: another person's than the entry before it, and nobody's.
    static constexpr std::uint32_t another = 1u << 31, not_counted = 1u << 30,
                                   place_of = not_counted - 1;
    static constexpr std::uint32_t none = PairNumbers::uncounted;

    // Keeps the places of stretches that k share, group by group, and numbers these stretches.
    std::size_t keep_shared(Owned* here, std::uint32_t* group, std::size_t size,
                            const PairNumbers& numbers, std::size_t k, bool each,
                            std::uint32_t* number) {
        Vector<std::uint32_t> dense(numbers.size(), none);
        Vector<std::size_t> next;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size; ++i) {
            number[here[i].place] = 0;
            if (group[i] == none || numbers.people(group[i]) < k) continue;
            std::uint32_t& mine = dense[group[i]];
            if (mine == none) {
                mine = std::uint32_t(next.size());
                next.push_back(0);
            }
            ++next[mine];
            here[kept] = here[i];
            group[kept++] = mine;
        }
        std::size_t total = entries_.size();
        for (std::size_t& one : next) {
            const std::size_t many = one;
            one = total;
            total += many;
            begins_.push_back(total);
        }
        entries_.resize(total);
        Vector<std::uint32_t> last(next.size(), none);
        for (std::size_t i = 0; i < kept; ++i) {
            const std::uint32_t g = group[i], person = here[i].person;
            const std::uint32_t mark = person == none              ? not_counted
                                       : each || last[g] != person ? another
                                                                   : 0;
            last[g] = person;
            entries_[next[g]++] = here[i].place | mark;
            number[here[i].place] = g + 1;
        }
        return kept;
    }

    // Numbers and counts the stretches that are a token longer: from each place, if there is one.
    static void number_longer(const Owned* here, std::uint32_t* group, std::size_t size,
                              const std::uint32_t* number, PairNumbers& numbers, bool each) {
        constexpr std::size_t block = 32;
        const auto open = std::count_if(
            here, here + size, [&](const Owned& one) { return number[one.place + 1] != 0; });
        numbers.reset(std::size_t(open));
        std::uint64_t keys[block];
        std::size_t begins[block];
        for (std::size_t first = 0; first < size; first += block) {
            const std::size_t many = std::min(block, size - first);
            for (std::size_t j = 0; j < many; ++j) {
                const std::uint32_t p = here[first + j].place, next = number[p + 1];
                keys[j] = next ? std::uint64_t(number[p]) << 32 | next : 0;
                begins[j] = numbers.begin(keys[j]);
                if (next) numbers.fetch(begins[j]);
            }
            for (std::size_t j = 0; j < many; ++j)
                group[first + j] =
                    keys[j] ? numbers.add(begins[j], keys[j], here[first + j].person, each) : none;
        }
    }

    std::size_t places_of(std::size_t level) const {
        return begins_[levels_[level]] - begins_[levels_[level - 1]];
    }

    // Marks, of all stretches of so many tokens that k share, the open places; whether there are.
    template <class Open, class Mark>
    bool mark_level(std::size_t level, std::size_t k, const Open& open, const Mark& mark) const {
        bool any = false;
        for (std::size_t g = levels_[level - 1]; g < levels_[level]; ++g) {
            const std::uint32_t *first = entries_.data() + begins_[g],
                                *last = entries_.data() + begins_[g + 1];
            std::size_t people = 0;
            std::uint32_t fresh = 0;  // whether the person at hand is still to be counted
            for (const std::uint32_t* one = first; one != last && people < k; ++one) {
                fresh = (fresh | *one >> 31) & (~*one >> 30);
                const auto legible = std::uint32_t(open(*one & place_of)) & fresh;
                people += legible;
                fresh &= ~legible;
            }
            if (people < k) continue;
            any = true;
            for (const std::uint32_t* one = first; one != last; ++one) mark(*one & place_of);
        }
        return any;
    }

    std::size_t n_ = 0;
    Vector<std::size_t> levels_;     // the groups of stretches of `level` tokens end there
    Vector<std::size_t> begins_;     // of each group, among the entries
    Vector<std::uint32_t> entries_;  // groups in order, each person by person
};

// Whether k show a starred word once it is legible where it is asked for, everything else as it is.
// `asked` becomes the answer.
template <class Symbol>
void shared_when_shown(const Symbol* codes, std::size_t n, const OwnedTexts& texts, std::size_t k,
                       const std::uint8_t* stars, std::uint8_t* asked) {
    const std::size_t size = n ? std::size_t(*std::max_element(codes, codes + n)) + 1 : 1;
    PairNumbers numbers;
    numbers.reset_numbers(size);
    const Vector<std::size_t> order = texts.order();
    const auto each = [&](std::size_t d, auto&& take) {
        for (std::size_t p = texts.begin(d); p < std::size_t(texts.ends[d]); ++p) take(p);
    };
    for (const std::size_t d : order)
        each(d, [&](std::size_t p) {
            if (!stars[p]) numbers.count(std::uint32_t(codes[p]), texts.person(d), !texts.labels);
        });
    Vector<std::uint32_t> shows(size, PairNumbers::uncounted);  // who was the last to show it
    for (std::size_t first = 0, last; first < order.size(); first = last) {
        const std::uint32_t person = texts.person(order[first]);
        for (last = first; last < order.size() && texts.person(order[last]) == person; ++last)
            each(order[last], [&](std::size_t p) {
                if (!stars[p] && texts.labels) shows[codes[p]] = person;
            });
        for (std::size_t i = first; i < last; ++i)
            each(order[i], [&](std::size_t p) {
                if (!asked[p]) return;
                const bool more = shows[codes[p]] != person;
                asked[p] = codes[p] && numbers.people(std::uint32_t(codes[p])) + more >= k;
            });
    }
}

}  // namespace sfumato
