// How often n-grams of tokens stand with everybody else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/buffer.hpp"

namespace sfumato {

using Position = std::int64_t;

// Tokens as numbers; document d is [ends[d-1] + 1, ends[d]), at ends[d] stands no token. Code 0
// inside a document is a break, which nobody knows.
struct TokenTexts {
    const std::uint32_t* codes;
    const std::uint32_t* lengths;  // null where they are not shown
    const Position* ends;
    Position documents;
    const std::int32_t* labels;  // one a document, or null: each place is left out by itself
    Position judged;             // documents; those after them are public, and never left out
    std::uint32_t symbols;       // every code is smaller

    Position size() const { return documents ? ends[documents - 1] + 1 : 0; }
    Position begin(Position d) const { return d ? ends[d - 1] + 1 : 0; }
    std::uint32_t length(Position i) const { return lengths ? lengths[i] : 0; }
    // The neighbours of a place: a code, the start or end of the document, or 0 at a break.
    std::uint32_t left(Position d, Position i) const {
        return i == begin(d) ? symbols : codes[i - 1];
    }
    std::uint32_t right(Position d, Position i) const {
        return i + 1 == ends[d] ? symbols + 1 : codes[i + 1];
    }
};

// Documents in the order of their labels, those of one label together; public ones come last.
class People {
  public:
    explicit People(const TokenTexts& texts) : texts_(texts) {
        for (Position d = 0; d < texts.documents; ++d) order_.push_back(d);
        if (texts.labels)
            std::stable_sort(
                order_.begin(), order_.begin() + texts.judged,
                [&](Position a, Position b) { return texts.labels[a] < texts.labels[b]; });
    }

    // Calls work(document, person) person by person. Public texts are the person 0, nobody.
    template <class Work>
    void each(Work&& work) const {
        std::uint32_t person = 0;
        for (Position at = 0; at < texts_.documents; ++at) {
            const Position d = order_[at];
            if (at >= texts_.judged)
                person = 0;
            else if (at == 0 || !texts_.labels || texts_.labels[d] != texts_.labels[order_[at - 1]])
                ++person;
            work(d, person);
        }
    }

  private:
    const TokenTexts& texts_;
    Vector<Position> order_;
};

// How often each place's n-gram stands with everybody else: not with the place's own person, or
// (without labels) not at the place itself.
class Others {
  public:
    explicit Others(const TokenTexts& texts) : texts_(texts), people_(texts) {}

    // Of small numbers, one a place, 0 for none; they become their counts.
    void count(Vector<std::uint32_t>& numbers) const {
        const std::uint32_t largest =
            numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
        Vector<std::uint32_t> total(std::size_t(largest) + 1, 0), own(total);
        for (const std::uint32_t number : numbers) ++total[number];
        total[0] = 0;
        if (!texts_.labels) {
            for (std::uint32_t& number : numbers) number = number ? total[number] - 1 : 0;
            return;
        }
        Vector<Position> mine;
        std::uint32_t open = 0;
        const auto close = [&] {  // a copy tells whose own counts are taken away again
            seen_.clear();
            for (const Position d : mine)
                for (Position i = texts_.begin(d); i < texts_.ends[d]; ++i) {
                    seen_.push_back(numbers[i]);
                    numbers[i] = numbers[i] ? total[numbers[i]] - own[numbers[i]] : 0;
                }
            for (const std::uint32_t number : seen_) own[number] = 0;
            mine.clear();
        };
        people_.each([&](Position d, std::uint32_t person) {
            if (person != open) close();
            open = person;
            if (!person) return;
            mine.push_back(d);
            for (Position i = texts_.begin(d); i < texts_.ends[d]; ++i) ++own[numbers[i]];
        });
        close();
    }

    static constexpr std::uint64_t none = UINT64_MAX;

    // Of keys of 64 bits: `key(d, i)`, or none. Keys are spread over parts that are counted one
    // after another, each in a table that the cache holds. `numbers`, if given, become the keys'
    // numbers, from 1. `asked`, if given, flags the places whose counts are wanted: others are 0.
    template <class KeyOf>
    Vector<std::uint32_t> count(KeyOf&& key, Vector<std::uint32_t>* numbers = nullptr,
                                const Vector<std::uint8_t>* asked = nullptr) const {
        const Position n = texts_.size();
        const Wanted wanted(asked, n, texts_, key);
        Vector<std::uint32_t> found(std::size_t(n), 0);
        if (numbers) numbers->assign(std::size_t(n), 0);
        const auto each = [&](auto&& take) {
            people_.each([&](Position d, std::uint32_t person) {
                for (Position i = texts_.begin(d); i <= texts_.ends[d]; ++i) {
                    const std::uint64_t here = key(d, i);
                    if (here == none) continue;
                    const std::uint64_t spread = mixed(here);
                    if (wanted(spread)) take(spread, person, i);
                }
            });
        };
        const int bits = parts_for(n);
        Vector<Position> begins((std::size_t(1) << bits) + 1, 0);
        each([&](std::uint64_t spread, std::uint32_t, Position) {
            ++begins[std::size_t(spread >> (64 - bits)) + 1];
        });
        for (std::size_t p = 1; p < begins.size(); ++p) begins[p] += begins[p - 1];
        Buffer<Entry> entries = make_buffer<Entry>(std::size_t(begins.back()));
        Vector<Position> next(begins.begin(), begins.end() - 1);
        each([&](std::uint64_t spread, std::uint32_t person, Position i) {
            entries[std::size_t(next[spread >> (64 - bits)]++)] = {spread, std::uint32_t(i),
                                                                   person};
        });
        Part part;
        std::uint32_t before = 0;
        for (std::size_t p = 0; p + 1 < begins.size(); ++p)
            before = part.count(entries.get() + begins[p], entries.get() + begins[p + 1],
                                !texts_.labels, before, found, numbers);
        return found;
    }

  private:
    struct Entry {
        std::uint64_t key;
        std::uint32_t place, person;
    };

    // A bijection: different keys stay different.
    static std::uint64_t mixed(std::uint64_t key) {
        key = (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
        key = (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
        return key ^ key >> 32;
    }

    static int parts_for(Position n) {
        int bits = 1;
        while (bits < 12 && (n >> bits) > (1 << 14)) ++bits;
        return bits;
    }

    // Which keys may be asked for: a bit for each, found by its lower half.
    class Wanted {
      public:
        template <class KeyOf>
        Wanted(const Vector<std::uint8_t>* asked, Position n, const TokenTexts& texts, KeyOf& key) {
            if (!asked) return;
            std::size_t size = 1 << 10;
            const auto places = std::count(asked->begin(), asked->end(), std::uint8_t(1));
            while (size < std::size_t(places) * 8 && size < (std::size_t(1) << 31)) size *= 2;
            bits_.assign(size / 64, 0);
            for (Position d = 0; d < texts.documents && texts.begin(d) < n; ++d)
                for (Position i = texts.begin(d); i <= texts.ends[d]; ++i)
                    if ((*asked)[i]) {
                        const std::uint64_t here = key(d, i);
                        if (here == none) continue;
                        const std::size_t bit = std::size_t(mixed(here)) & (size - 1);
                        bits_[bit / 64] |= std::uint64_t(1) << (bit % 64);
                    }
        }
        bool operator()(std::uint64_t spread) const {
            if (bits_.empty()) return true;
            const std::size_t bit = std::size_t(spread) & (bits_.size() * 64 - 1);
            return bits_[bit / 64] >> (bit % 64) & 1;
        }

      private:
        Vector<std::uint64_t> bits_;
    };

    // The keys of one part: how often each stands anywhere, and with each person. A person's
    // entries follow each other.
    class Part {
      public:
        std::uint32_t count(Entry* first, Entry* last, bool alone, std::uint32_t before,
                            Vector<std::uint32_t>& found, Vector<std::uint32_t>* numbers) {
            std::size_t size = 16;
            while (size < 2 * std::size_t(last - first)) size *= 2;
            slots_.assign(size, {});
            keys_.clear();
            own_.clear();
            for (Entry* one = first; one != last; ++one) {
                const std::uint32_t id = number(one->key, size);
                Key& key = keys_[id];
                ++key.total;
                if (key.person != one->person || key.total == 1) {
                    key.person = one->person;
                    key.own = std::uint32_t(own_.size());
                    own_.push_back(0);
                }
                ++own_[key.own];
                one->key = std::uint64_t(id) << 32 | key.own;
            }
            for (const Entry* one = first; one != last; ++one) {
                const std::uint32_t id = std::uint32_t(one->key >> 32);
                if (numbers) (*numbers)[one->place] = before + id + 1;
                const std::uint32_t own = alone ? 1 : own_[std::uint32_t(one->key)];
                if (one->person) found[one->place] = keys_[id].total - own;
            }
            if (UINT32_MAX - before < keys_.size() + 1)
                throw std::length_error("too many different n-grams");
            return before + std::uint32_t(keys_.size());
        }

      private:
        struct Slot {
            std::uint64_t key = 0;
            std::uint32_t number = 0;  // from 1
        };
        struct Key {
            std::uint32_t total, person, own;
        };
        std::uint32_t number(std::uint64_t key, std::size_t size) {
            std::size_t slot = std::size_t(key) & (size - 1);
            while (slots_[slot].number && slots_[slot].key != key) slot = (slot + 1) & (size - 1);
            if (!slots_[slot].number) {
                keys_.push_back({0, 0, 0});
                slots_[slot] = {key, std::uint32_t(keys_.size())};
            }
            return slots_[slot].number - 1;
        }

        Vector<Slot> slots_;
        Vector<Key> keys_;
        Vector<std::uint32_t> own_;
    };

    const TokenTexts& texts_;
    People people_;
    mutable Vector<std::uint32_t> seen_;
};

}  // namespace sfumato
