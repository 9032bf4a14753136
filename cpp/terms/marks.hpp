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

namespace sfumato {

enum Mark : std::uint8_t {
    clear = 0,
    starred_overlap = 1,
    starred_direct = 2,
    replaced = 3,
    starred_place = 4,  // a replaced term of which not even its string is shown, but its length
    shared_mark = 5,    // a place, or more, that becomes the pool's mark
};

class Redaction {
  public:
    // One document: `wordlike` says which characters belong to words, and is null when a term may
    // begin and end anywhere. Marks and the starred text are written in place.
    Redaction(std::uint32_t* text, std::int64_t size, std::uint8_t* wordlike, std::uint8_t* marks)
        : text_(text), size_(size), wordlike_(wordlike), marks_(marks), owner_(size, nobody) {
        std::fill(marks_, marks_ + size_, clear);
    }

    // `blocked` (null: none) flags places that are starred like direct identifiers, whatever they
    // hold. Cost: O(n + occurrences) a round; a round that changes nothing is the last.
    void run(const Settling& all, const std::uint8_t* blocked) {
        const Automaton& terms = all.terms.automaton;
        const Automaton* direct = all.direct ? &all.direct->automaton : nullptr;
        const std::vector<std::uint32_t> original(text_, text_ + size_);
        std::vector<Occurrence> found = occurrences(terms);
        if (direct) star_direct(occurrences(*direct));
        if (blocked) star_places(blocked);
        choose(found, all.published);
        if (all.published.k > 0)
            settle(all, original);
        else
            star_overlaps(found);
        bool changed = true;
        while (changed) {
            found = occurrences(terms);
            changed = direct && star_direct(occurrences(*direct));
            changed = choose(found, all.published) || changed;
            changed = star_overlaps(found) || changed;
        }
        std::erase_if(chosen_, [&](const Occurrence& o) { return marks_[o.start] != replaced; });
    }

    // Whether every mark is shared by k terms.
    bool is_met() const { return is_met_; }

    const std::vector<Occurrence>& chosen() const { return chosen_; }

  private:
    static constexpr std::int64_t nobody = -1;

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
        return !wordlike_ || at == 0 || at == size_ || !(wordlike_[at - 1] && wordlike_[at]);
    }

    bool star_direct(const std::vector<Occurrence>& found) {
        for (const Occurrence& o : found)
            for (std::int64_t i = o.start; i < o.stop; ++i) {
                if (owner_[i] != nobody) star_whole(owner_[i]);
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
    // made before, so that what overlaps these is still in it.
    bool choose(const std::vector<Occurrence>& found, const PublishedTerms& published) {
        const std::size_t before = chosen_.size();
        for (const Occurrence& o : found) {
            if (std::any_of(marks_ + o.start, marks_ + o.stop, [](auto m) { return m != clear; }))
                continue;
            const std::uint8_t* stars = published.stars + published.offsets[o.term];
            for (std::int64_t i = o.start; i < o.stop; ++i) {
                if (stars[i - o.start]) star(i, replaced);
                marks_[i] = replaced;
                owner_[i] = static_cast<std::int64_t>(chosen_.size());
            }
            chosen_.push_back(o);
        }
        return chosen_.size() > before;
    }

    // Counts the candidates of every place, and hides more where they are too few.
    void settle(const Settling& all, const std::vector<std::uint32_t>& original) {
        std::vector<std::uint8_t> hidden(size_, 0);
        for (std::int64_t i = 0; i < size_; ++i) hidden[i] = marks_[i] == starred_direct;
        Settler settler(all, original.data(), size_, chosen_, hidden);
        settler.run();
        const std::vector<std::int64_t> reaches = settler.reaches();
        for (std::size_t p = 0; p < chosen_.size(); ++p)
            for (std::int64_t i = chosen_[p].stop; i < reaches[p]; ++i)
                if (owner_[i] == nobody) star(i, starred_overlap);
        for (std::size_t p = 0; p < chosen_.size(); ++p)
            if (settler.is_starred(p)) star_whole(static_cast<std::int64_t>(p));
        for (const Stretch& one : settler.marks()) {
            if (owner_[one.start] != nobody && is_pooled(chosen_[owner_[one.start]], one, all))
                continue;  // the mark is its own string
            for (std::int64_t i = one.start; i < one.stop; ++i) {
                owner_[i] = nobody;
                star(i, shared_mark);
                marks_[i] = shared_mark;
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
                legible = legible && text_[i] != star_symbol;
                if (owner_[i] != nobody) continue;
                outside = true;
                changed = changed || text_[i] != star_symbol;
                star(i, starred_overlap);
            }
            if (outside || !legible || owner_[o.start] == owner_[o.stop - 1]) continue;
            star_whole(owner_[o.stop - 1]);
            changed = true;
        }
        return changed;
    }

    void star_whole(std::int64_t owner) {
        for (std::int64_t i = chosen_[owner].start; i < chosen_[owner].stop; ++i) {
            owner_[i] = nobody;
            marks_[i] = clear;
            star(i, starred_place);
        }
    }

    void star(std::int64_t at, Mark mark) {
        text_[at] = star_symbol;
        if (wordlike_) wordlike_[at] = 0;
        if (marks_[at] == clear || mark == starred_direct) marks_[at] = mark;
    }

    std::uint32_t* text_;
    std::int64_t size_;
    std::uint8_t* wordlike_;
    std::uint8_t* marks_;
    std::vector<std::int64_t> owner_;
    std::vector<Occurrence> chosen_;
    bool is_met_ = true;
};

}  // namespace sfumato
