// A release laid on its original word by word: what is starred, what is hidden, and what stands
// between words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "stored.hpp"
#include "text.hpp"
#include "word_numbers.hpp"
#include "words.hpp"

namespace sfumato::checks {

struct Laid {
    Vector<std::int64_t> numbers;        // of each word; -1 for one with the mask in it
    Vector<std::int64_t> starts, stops;  // in its original
    Vector<std::int64_t> shown;          // where it, or the mask over it, is in the release
    Vector<std::int64_t> ends;           // one a document, in words
    Vector<std::uint8_t> starred;        // each word
    Vector<std::uint8_t> hidden;         // each symbol of the originals
    Vector<std::int64_t> separators;     // one before each word and one after the last; 0: blank
    bool differs = false;
    std::int64_t document = 0, offset = 0;  // of the first difference, in the release
};

inline bool is_white(std::uint64_t c) {
    switch (c) {
        case 0x20:
        case 0x85:
        case 0xA0:
        case 0x1680:
        case 0x2028:
        case 0x2029:
        case 0x202F:
        case 0x205F:
        case 0x3000: return true;
        default: return (c >= 0x9 && c <= 0xD) || (c >= 0x2000 && c <= 0x200A);
    }
}

class Laying {
  public:
    Laying(const std::vector<std::uint32_t>& mask, const std::vector<std::uint32_t>& keep,
           bool collapsed, const Tick& tick)
        : mask_(mask), keep_(keep.begin(), keep.end()), collapsed_(collapsed), numbers_(tick) {}

    // False where the release is not the original with words starred and separators hidden.
    bool lay(const Text& original, const Text& release) {
        original_ = original;
        release_ = release;
        at_ = 0;
        has_mask_ = mask_.size() == 1 && with_symbols(original, [&](const auto* symbols) {
                        const auto* end = symbols + original.length;
                        return std::find(symbols, end, mask_[0]) != end;
                    });
        if (collapsed_) return lay_collapsed();
        bool good = true;
        with_symbols(original, [&](const auto* symbols) {
            word_break::each_segment(symbols, original.length, false, true,
                                     [&](std::int64_t start, std::int64_t stop, bool word) {
                                         if (!good) return;
                                         good = word || broken(start, stop) ? take(start, stop)
                                                                            : between(start, stop);
                                     });
        });
        close_separator();
        found.ends.push_back(static_cast<std::int64_t>(found.numbers.size()));
        return good && at_ == release.length;
    }

    std::int64_t at() const { return at_; }
    Laid found;

  private:
    bool broken(std::int64_t start, std::int64_t stop) const {
        if (!has_mask_) return false;
        return with_symbols(original_, [&](const auto* symbols) {
            return std::find(symbols + start, symbols + stop, mask_[0]) != symbols + stop;
        });
    }
    bool shows(std::int64_t start, std::int64_t stop) const {
        if (stop - start > release_.length - at_) return false;
        return with_symbols(original_, [&](const auto* old) {
            return with_symbols(release_, [&](const auto* now) {
                return std::equal(old + start, old + stop, now + at_);
            });
        });
    }
    bool masks(std::int64_t times) const {
        const auto size = static_cast<std::int64_t>(mask_.size());
        if (times * size > release_.length - at_) return false;
        return with_symbols(release_, [&](const auto* now) {
            for (std::int64_t i = 0; i < times; ++i)
                if (!std::equal(mask_.begin(), mask_.end(), now + at_ + i * size)) return false;
            return true;
        });
    }

    bool take(std::int64_t start, std::int64_t stop) {
        close_separator();
        const std::int64_t times = stop - start, at = at_;
        const bool legible = shows(start, stop);
        if (!legible && !masks(times)) return false;
        at_ += legible ? times : times * static_cast<std::int64_t>(mask_.size());
        add_word(start, stop, at, legible);
        return true;
    }
    void add_word(std::int64_t start, std::int64_t stop, std::int64_t at, bool legible) {
        const bool is_break = broken(start, stop);
        found.numbers.push_back(is_break ? -1 : numbers_.number(part(original_, start, stop)));
        found.starts.push_back(start);
        found.stops.push_back(stop);
        found.shown.push_back(at);
        found.starred.push_back(!legible || is_break);
        found.hidden.insert(found.hidden.end(), static_cast<std::size_t>(stop - start),
                            !legible || is_break);
    }

    bool between(std::int64_t start, std::int64_t stop) {
        for (std::int64_t i = start; i < stop; ++i) {
            const std::uint64_t old = symbol(original_, i);
            if (masks(1)) {
                at_ += static_cast<std::int64_t>(mask_.size());
                found.hidden.push_back(1);
                blank_ = true;
                continue;
            }
            if (at_ >= release_.length) return false;
            const std::uint64_t now = symbol(release_, at_);
            if (!may_show(old, now)) return false;
            ++at_;
            show(old, now);
        }
        return true;
    }
    // Between words a symbol stands as it was, or a blank where one stood that is none.
    static bool may_show(std::uint64_t old, std::uint64_t now) {
        return now == old || (now == ' ' && !is_white(old));
    }
    void show(std::uint64_t old, std::uint64_t now) {
        found.hidden.push_back(now != old);
        if (is_white(now))
            blank_ = true;
        else if (!keep_.count(static_cast<std::uint32_t>(now)))
            shown(static_cast<char32_t>(now));
    }

    // A mask hides one symbol or more, and words whole or not at all. Each hides as few as it can:
    // what stands between two masks is found as far to the left as it fits.
    bool lay_collapsed() {
        cut_.assign(static_cast<std::size_t>(original_.length) + 1, 1);
        segments_.clear();
        with_symbols(original_, [&](const auto* symbols) {
            word_break::each_segment(symbols, original_.length, false, true,
                                     [&](std::int64_t start, std::int64_t stop, bool word) {
                                         word = word || broken(start, stop);
                                         segments_.push_back({start, stop, word});
                                         if (!word) return;
                                         for (std::int64_t i = start + 1; i < stop; ++i)
                                             cut_[static_cast<std::size_t>(i)] = 0;
                                     });
        });
        place_.assign(static_cast<std::size_t>(original_.length), -1);
        std::int64_t from = 0;
        const bool good = place_pieces(from);
        for (const Segment& one : segments_) {
            if (one.word) {
                close_separator();
                const std::int64_t shown = place_[static_cast<std::size_t>(one.start)];
                add_word(one.start, one.stop, shown >= 0 ? shown : -2 - shown, shown >= 0);
                continue;
            }
            for (std::int64_t i = one.start; i < one.stop; ++i) {
                const std::int64_t shown = place_[static_cast<std::size_t>(i)];
                if (shown < 0) {
                    found.hidden.push_back(1);
                    blank_ = true;
                } else {
                    show(symbol(original_, i), symbol(release_, shown));
                }
            }
        }
        close_separator();
        found.ends.push_back(static_cast<std::int64_t>(found.numbers.size()));
        at_ = from;
        return good;
    }
    // Finds a place for every piece between masks; `from` is where the one that has none begins.
    bool place_pieces(std::int64_t& from) {
        const auto width = static_cast<std::int64_t>(mask_.size());
        std::int64_t at = 0;
        for (bool first = true, last = false; !last; first = false, from = at_ + width) {
            at_ = from;
            while (at_ < release_.length && !masks(1)) ++at_;
            last = at_ == release_.length;
            const std::int64_t size = at_ - from, highest = original_.length - size;
            std::int64_t to = first ? at : at + 1;
            if (last) to = std::max(to, highest);
            const std::int64_t most = first ? at : highest;
            while (to <= most && !fits(to, from, size)) ++to;
            if (to > most || (last && to != highest)) return false;
            for (std::int64_t i = at; i < to; ++i)
                place_[static_cast<std::size_t>(i)] = -2 - (from - width);
            for (std::int64_t i = 0; i < size; ++i)
                place_[static_cast<std::size_t>(to + i)] = from + i;
            at = to + size;
        }
        return true;
    }
    bool fits(std::int64_t to, std::int64_t from, std::int64_t size) const {
        if (to < 0 || to + size > original_.length || !cut_[static_cast<std::size_t>(to)] ||
            !cut_[static_cast<std::size_t>(to + size)])
            return false;
        for (std::int64_t i = 0; i < size; ++i) {
            const std::uint64_t old = symbol(original_, to + i), now = symbol(release_, from + i);
            if (now != old && !(may_show(old, now) && is_between(to + i))) return false;
        }
        return true;
    }
    bool is_between(std::int64_t at) const {
        const auto segment =
            std::upper_bound(segments_.begin(), segments_.end(), at,
                             [](std::int64_t p, const Segment& one) { return p < one.stop; });
        return segment != segments_.end() && !segment->word;
    }

    void shown(char32_t now) {
        if (blank_ && !separator_.empty()) separator_.push_back(U' ');
        blank_ = false;
        separator_.push_back(now);
    }
    void close_separator() {
        std::int64_t number = 0;
        if (!separator_.empty())
            number = separators_
                         .try_emplace(separator_, static_cast<std::int64_t>(separators_.size()) + 1)
                         .first->second;
        found.separators.push_back(number);
        separator_.clear();
        blank_ = false;
    }

    std::vector<std::uint32_t> mask_;
    std::set<std::uint32_t> keep_;
    bool collapsed_;
    WordNumbers numbers_;
    std::map<std::u32string, std::int64_t> separators_;
    struct Segment {
        std::int64_t start, stop;
        bool word;
    };
    std::vector<Segment> segments_;
    std::vector<std::uint8_t> cut_;    // whether a mask may begin or end before a symbol
    std::vector<std::int64_t> place_;  // of each symbol in the release; -2 - that of its mask
    Text original_{}, release_{};
    bool has_mask_ = false;  // the original, which then has words that are breaks
    std::int64_t at_ = 0;
    std::u32string separator_;
    bool blank_ = false;
};

}  // namespace sfumato::checks
