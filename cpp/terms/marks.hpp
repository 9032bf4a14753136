// Which characters of a document are starred so that no term stays in clear.
//
// Direct identifiers and blocked places are starred whole. Of the terms, the leftmost and longest
// occurrences are replaced by their published patterns, and what overlaps something replaced is
// starred too: where candidates are counted, what two or more of them would overlap, so that all
// of them are published alike. Stars make new borders of words, and two patterns side by side can
// spell a term, so the document is searched again until no term is in clear other than inside one
// published pattern.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "terms/automaton.hpp"
#include "terms/settle.hpp"
#include "terms/starred_text.hpp"

namespace sfumato {

class Redaction {
  public:
    // One document: `words` says which symbols belong to words, and is null when a term may begin
    // and end anywhere. Marks, all of them clear, are written in place.
    Redaction(const std::uint32_t* text, std::int64_t size, const std::uint8_t* words,
              std::uint8_t* marks)
        : text_(text, marks), size_(size), words_(words) {}

    // `blocked` (null: none) flags places that are starred like direct identifiers, whatever they
    // hold. Cost: O(n + occurrences) a round; a round that changes nothing is the last.
    void run(const Settling& all, const std::uint8_t* blocked) {
        const Automaton& terms = all.terms.automaton;
        const Automaton* direct = all.direct ? &all.direct->automaton : nullptr;
        std::vector<Occurrence> found = occurrences(terms);
        if (direct) star_direct(occurrences(*direct));
        if (blocked) star_places(blocked);
        choose(found, all.published);
        if (all.published.k > 0)
            settle(all);
        else
            star_overlaps(found);
        bool changed = true;
        while (changed) {
            found = occurrences(terms);
            changed = direct && star_direct(occurrences(*direct));
            changed = choose(found, all.published) || changed;
            changed = star_overlaps(found) || changed;
        }
        std::erase_if(chosen_,
                      [&](const Occurrence& o) { return text_.mark(o.start) != replaced; });
        text_.forget_stars(size_);
    }

    // Whether every mark is shared by k terms.
    bool is_met() const { return is_met_; }

    const std::vector<Occurrence>& chosen() const { return chosen_; }

  private:
    // Every occurrence in clear between borders, ordered by start, longer first.
    std::vector<Occurrence> occurrences(const Automaton& automaton) const {
        std::vector<Occurrence> result;
        scan(automaton, text_, 0, size_, [&](const Occurrence& o) {
            if (is_border(o.start) && is_border(o.stop)) result.push_back(o);
        });
        std::sort(result.begin(), result.end(), [](const Occurrence& a, const Occurrence& b) {
            return a.start != b.start ? a.start < b.start : a.stop > b.stop;
        });
        return result;
    }

    bool is_border(std::int64_t at) const {
        return !words_ || at == 0 || at == size_ || !(is_word(text_[at - 1]) && is_word(text_[at]));
    }
    bool is_word(std::uint32_t symbol) const { return symbol < code_points && words_[symbol]; }

    // Whether a character belongs to a replaced term, and to which: they overlap nowhere.
    bool is_owned(std::int64_t at) const { return text_.mark(at) == replaced; }
    std::size_t owner(std::int64_t at) const {
        const auto after = std::upper_bound(
            chosen_.begin(), chosen_.end(), at,
            [](std::int64_t wanted, const Occurrence& o) { return wanted < o.start; });
        return static_cast<std::size_t>(after - chosen_.begin()) - 1;
    }

    bool star_direct(const std::vector<Occurrence>& found) {
        for (const Occurrence& o : found)
            for (std::int64_t i = o.start; i < o.stop; ++i) {
                if (is_owned(i)) star_whole(owner(i));
                star(i, starred_direct);
            }
        return !found.empty();
    }

    bool star_places(const std::uint8_t* blocked) {
        bool any = false;
        for (std::int64_t i = 0; i < size_; ++i)
            if (blocked[i]) {
                star(i, starred_direct);
                any = true;
            }
        return any;
    }

    // Replaces the leftmost-longest of the occurrences that overlap nothing changed. `found` was
    // made before, so that what overlaps these is still in it. What is chosen stays in order.
    bool choose(const std::vector<Occurrence>& found, const PublishedTerms& published) {
        const std::size_t before = chosen_.size();
        for (const Occurrence& o : found) {
            bool is_clear = true;
            for (std::int64_t i = o.start; i < o.stop && is_clear; ++i)
                is_clear = text_.mark(i) == clear;
            if (!is_clear) continue;
            const std::uint8_t* stars = published.stars + published.offsets[o.term];
            for (std::int64_t i = o.start; i < o.stop; ++i) {
                if (stars[i - o.start]) text_.star(i);
                text_.set_mark(i, replaced);
            }
            chosen_.push_back(o);
        }
        std::inplace_merge(
            chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(before), chosen_.end(),
            [](const Occurrence& a, const Occurrence& b) { return a.start < b.start; });
        return chosen_.size() > before;
    }

    // Counts the candidates of every place, and hides more where they are too few.
    void settle(const Settling& all) {
        Settler settler(all, text_, size_, chosen_);
        settler.run();
        const std::vector<std::int64_t> reaches = settler.reaches();
        for (std::size_t p = 0; p < chosen_.size(); ++p)
            for (std::int64_t i = chosen_[p].stop; i < reaches[p]; ++i)
                if (!is_owned(i)) star(i, starred_overlap);
        for (std::size_t p = 0; p < chosen_.size(); ++p)
            if (settler.is_starred(p)) star_whole(p);
        for (const Stretch& one : settler.marks()) {
            if (is_owned(one.start) && is_pooled(chosen_[owner(one.start)], one, all))
                continue;  // the mark is its own string
            for (std::int64_t i = one.start; i < one.stop; ++i) {
                text_.star(i);
                text_.set_mark(i, shared_mark);
            }
        }
        is_met_ = settler.met();
    }

    static bool is_pooled(const Occurrence& o, const Stretch& mark, const Settling& all) {
        return o.start == mark.start && o.stop == mark.stop &&
               static_cast<std::int64_t>(all.published.groups[o.term]) == all.published.pool;
    }

    // Stars what the occurrences have outside replaced terms. One that several replaced terms
    // spell together has the last of them starred whole.
    bool star_overlaps(const std::vector<Occurrence>& found) {
        bool changed = false;
        for (const Occurrence& o : found) {
            bool outside = false, legible = true;
            for (std::int64_t i = o.start; i < o.stop; ++i) {
                legible = legible && !text_.is_starred(i);
                if (is_owned(i)) continue;
                outside = true;
                changed = changed || !text_.is_starred(i);
                star(i, starred_overlap);
            }
            if (outside || !legible || owner(o.start) == owner(o.stop - 1)) continue;
            star_whole(owner(o.stop - 1));
            changed = true;
        }
        return changed;
    }

    void star_whole(std::size_t owner) {
        for (std::int64_t i = chosen_[owner].start; i < chosen_[owner].stop; ++i) {
            text_.star(i);
            text_.set_mark(i, starred_place);
        }
    }

    void star(std::int64_t at, Mark mark) {
        text_.star(at);
        if (text_.mark(at) == clear || mark == starred_direct) text_.set_mark(at, mark);
    }

    StarredText text_;
    std::int64_t size_;
    const std::uint8_t* words_;
    std::vector<Occurrence> chosen_;  // in order
    bool is_met_ = true;
};

}  // namespace sfumato
