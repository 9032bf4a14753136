// Windows of k symbols: a rolling hash over a text, and an exact table of windows.
//
// Symbols are positive; 0 is a separator and -1 ends a sequence. A window with either is no window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/prefetch.hpp"

namespace sfumato {

using Symbol = std::int32_t;
using Position = std::int64_t;

// The polynomial hash of k symbols, modulo 2^64. Equal hashes are settled by comparison, so that
// its weakness costs time only.
class WindowHash {
  public:
    explicit WindowHash(Position k) : k_(k) {
        for (Position i = 1; i < k; ++i) top_ *= base;
    }

    std::uint64_t of(const Symbol* window) const {
        std::uint64_t h = 0;
        for (Position i = 0; i < k_; ++i) h = h * base + static_cast<std::uint64_t>(window[i]);
        return h;
    }

    std::uint64_t roll(std::uint64_t h, Symbol out, Symbol in) const {
        return (h - static_cast<std::uint64_t>(out) * top_) * base + static_cast<std::uint64_t>(in);
    }

    Position length() const { return k_; }

  private:
    static constexpr std::uint64_t base = 0x9e3779b97f4a7c15ull;
    Position k_;
    std::uint64_t top_ = 1;
};

// Calls f(position, hash) for every window of text[0..n).
template <class F>
void each_window(const Symbol* text, Position n, const WindowHash& hash, F&& f) {
    const Position k = hash.length();
    Position run = 0;
    std::uint64_t h = 0;
    for (Position p = 0; p < n; ++p) {
        if (text[p] <= 0) {
            run = 0;
            continue;
        }
        ++run;
        if (run == k)
            h = hash.of(text + p - k + 1);
        else if (run > k)
            h = hash.roll(h, text[p - k], text[p]);
        if (run >= k) f(p - k + 1, h);
    }
}

// The same some windows later than `expect(hash)` was called for them: a search in a large table
// mostly waits for memory, and the waits overlap.
template <class E, class F>
void each_window_expected(const Symbol* text, Position n, const WindowHash& hash, E&& expect,
                          F&& f) {
    constexpr std::size_t later = 16;
    std::pair<Position, std::uint64_t> waiting[later];
    std::size_t seen = 0;
    each_window(text, n, hash, [&](Position p, std::uint64_t h) {
        expect(h);
        auto& [place, its] = waiting[seen++ % later];
        if (seen > later) f(place, its);
        place = p;
        its = h;
    });
    for (std::size_t i = seen > later ? seen - later : 0; i < seen; ++i)
        f(waiting[i % later].first, waiting[i % later].second);
}

// Distinct windows, numbered in the order of insertion; holds pointers to symbols that must stay.
class WindowTable {
  public:
    explicit WindowTable(Position k, Position expected = 64) : hash_(k) { resize(expected); }

    const WindowHash& hash() const { return hash_; }
    Position size() const { return static_cast<Position>(windows_.size()); }
    const Symbol* window(Position number) const { return windows_[number]; }

    // Asks for the memory that a search for this hash reads first.
    void expect(std::uint64_t h) const { prefetch(&slots_[slot_of(h)]); }

    // The window's number, or -1.
    Position find(const Symbol* window, std::uint64_t h) const {
        for (std::size_t slot = slot_of(h);; slot = (slot + 1) & mask_) {
            const Slot& here = slots_[slot];
            if (here.number < 0) return -1;
            if (here.tag == tag_of(h) && equal(window, windows_[here.number])) return here.number;
        }
    }
    Position find(const Symbol* window) const { return find(window, hash_.of(window)); }

    // The window's number, new or old.
    Position insert(const Symbol* window, std::uint64_t h) {
        const Position found = find(window, h);
        if (found >= 0) return found;
        if (windows_.size() * 2 >= slots_.size()) resize(static_cast<Position>(slots_.size()));
        windows_.push_back(window);
        place(h, size() - 1);
        return size() - 1;
    }
    Position insert(const Symbol* window) { return insert(window, hash_.of(window)); }

  private:
    struct Slot {
        std::uint32_t tag = 0;
        std::int32_t number = -1;
    };

    std::size_t slot_of(std::uint64_t h) const {
        return static_cast<std::size_t>((h * 0xff51afd7ed558ccdull) >> shift_);
    }
    static std::uint32_t tag_of(std::uint64_t h) {
        return static_cast<std::uint32_t>(h ^ (h >> 32));
    }
    bool equal(const Symbol* a, const Symbol* b) const {
        return std::equal(a, a + hash_.length(), b);
    }

    void place(std::uint64_t h, Position number) {
        std::size_t slot = slot_of(h);
        while (slots_[slot].number >= 0) slot = (slot + 1) & mask_;
        slots_[slot] = {tag_of(h), static_cast<std::int32_t>(number)};
    }

    void resize(Position expected) {
        int bits = 4;
        while ((Position{1} << bits) < 2 * expected) ++bits;
        shift_ = 64 - bits;
        mask_ = (std::size_t{1} << bits) - 1;
        slots_.assign(mask_ + 1, Slot{});
        for (Position i = 0; i < size(); ++i) place(hash_.of(windows_[i]), i);
    }

    WindowHash hash_;
    int shift_ = 60;
    std::size_t mask_ = 0;
    std::vector<Slot> slots_;
    std::vector<const Symbol*> windows_;
};

// The distinct windows of one or more texts: where each was first, and how often it occurred. The
// texts must stay.
struct DistinctWindows {
    explicit DistinctWindows(Position k) : table(k, 1024) {}

    // Counts the windows of text[0..n); `offset` is added to their places.
    void add(const Symbol* text, Position n, Position offset) {
        const auto expect = [&](std::uint64_t h) { table.expect(h); };
        each_window_expected(text, n, table.hash(), expect, [&](Position p, std::uint64_t h) {
            const Position u = table.insert(text + p, h);
            if (u == static_cast<Position>(places.size())) {
                places.push_back(offset + p);
                counts.push_back(0);
            }
            ++counts[u];
        });
    }

    WindowTable table;
    std::vector<std::int64_t> places, counts;
};

}  // namespace sfumato
