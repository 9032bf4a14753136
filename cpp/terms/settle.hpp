// What becomes of every replaced place of a document when its candidates are counted.
//
// A place stays as its string if k terms that are published so could stand there. Otherwise it is
// hidden: its neighbours' counts take it that anything may stand there, and are made again, until
// all that stay have k. Then a hidden place is starred, letter for letter, if k terms of its length
// could stand there that would have been hidden too, whatever stands in the other hidden places.
// Else it becomes the mark that the pooled terms share. Marks side by side are one; where fewer
// than k pooled terms could stand at it, it grows to everything between punctuation, and then to
// the document, where they all can. Every step follows from what is seen, so all texts that are
// seen alike end alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "terms/candidates.hpp"

namespace sfumato {

struct Stretch {
    std::int64_t start, stop;
};

class Settler {
  public:
    // The places are replaced in the text; what is hidden is starred as a direct identifier.
    Settler(const Settling& all, const StarredText& text, std::int64_t size,
            const std::vector<Occurrence>& places)
        : all_(all),
          size_(size),
          places_(places),
          seen_{text, std::vector<Sight>(size, in_clear), {}},
          marked_(places.size(), 0),
          starred_(places.size(), 0),
          dirty_(places.size(), 1) {
        near_ = all_.terms.nodes->longest();
        if (all_.direct) near_ = std::max(near_, all_.direct->nodes->longest());
        look();
    }

    // Cost: the sizes of the places' groups, times the terms that may go on from their neighbours;
    // again for the places near one that became a mark.
    void run() {
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (static_cast<std::int64_t>(group_of(i)) == all_.published.pool) mark(i);
        std::fill(dirty_.begin(), dirty_.end(), 1);
        do {
            while (mark_places()) continue;
        } while (grow_marks());
    }

    // Where marks stand, in order, and how far terms may reach into clear text after each place.
    const std::vector<Stretch>& marks() const { return marks_; }
    std::vector<std::int64_t> reaches() {
        std::vector<std::int64_t> result;
        CandidateCounter counter(all_, seen_);
        for (std::size_t i = 0; i < places_.size(); ++i)
            result.push_back(marked_[i] ? places_[i].stop
                                        : counter.reach(group_of(i), places_[i].stop));
        return result;
    }
    // Whether a place is starred, letter for letter.
    bool is_starred(std::size_t place) const { return starred_[place]; }
    bool met() const { return met_; }

  private:
    static constexpr std::size_t most_groups = 64;  // of one length that are tried at a place

    std::uint32_t group_of(std::size_t place) const {
        return all_.published.groups[places_[place].term];
    }

    std::uint32_t given(std::int64_t at) const { return seen_.text.given(at); }

    void look() {
        if (all_.words) {
            seen_.wordlike.resize(size_);
            for (std::int64_t i = 0; i < size_; ++i)
                seen_.wordlike[i] = given(i) < code_points && all_.words[given(i)];
        }
        for (std::int64_t i = 0; i < size_; ++i)
            if (seen_.text.mark(i) == starred_direct) seen_.sight[i] = out_of_reach;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const Occurrence& o = places_[i];
            for (std::int64_t at = o.start; at < o.stop; ++at) {
                seen_.sight[at] = at_place;
                if (all_.words) seen_.wordlike[at] = 0;
            }
            if (all_.words) seen_.wordlike[o.start] = all_.groups[group_of(i)].may_begin_word;
        }
    }

    // Terms of rare lengths that are starred, and tell it.
    bool is_exempt(std::uint32_t group) const {
        const PublishedTerms& published = all_.published;
        return published.first[group + 1] - published.first[group] <
               static_cast<std::int64_t>(published.k);
    }

    void mark(std::size_t place) {
        marked_[place] = 1;
        cover(places_[place].start, places_[place].stop);
    }

    void cover(std::int64_t start, std::int64_t stop) {
        for (std::int64_t at = start; at < stop; ++at) {
            seen_.sight[at] = under_mark;
            if (all_.words) seen_.wordlike[at] = at == start;  // a letter may stand there
        }
        const auto begins = [](const Occurrence& o, std::int64_t at) { return o.start < at; };
        auto i = static_cast<std::size_t>(
            std::lower_bound(places_.begin(), places_.end(), start - 2 * near_, begins) -
            places_.begin());
        for (; i < places_.size() && places_[i].start <= stop + 2 * near_; ++i) dirty_[i] = 1;
    }

    // One round over the places that may have changed; whether any became a mark.
    bool mark_places() {
        bool changed = false;
        std::size_t i = 0;
        while (i < places_.size()) {
            if (!dirty_[i] || marked_[i]) {
                dirty_[i++] = 0;
                continue;
            }
            std::size_t last = i + 1;
            while (last < places_.size() && dirty_[last]) ++last;
            CandidateCounter counter(all_, seen_);
            std::int64_t at = std::max<std::int64_t>(0, places_[i].start - 2 * near_);
            at = start_of(at);
            for (; i < last; ++i) {
                dirty_[i] = 0;
                if (marked_[i]) continue;
                advance(counter, at, places_[i].start);
                at = places_[i].start;
                const std::uint32_t group = group_of(i);
                if (is_exempt(group) ||
                    counter.count(group, places_[i].stop, all_.published.k) >= all_.published.k)
                    continue;
                mark(i);
                changed = true;
            }
        }
        return changed;
    }

    // The start of the place, or of the mark, that a character belongs to.
    std::int64_t start_of(std::int64_t at) const {
        if (seen_.sight[at] == at_place) return places_[place_at(at)].start;
        while (at > 0 && seen_.sight[at] == under_mark && seen_.sight[at - 1] == under_mark) --at;
        return at;
    }

    std::size_t place_at(std::int64_t at) const {
        const auto after = std::upper_bound(
            places_.begin(), places_.end(), at,
            [](std::int64_t wanted, const Occurrence& o) { return wanted < o.start; });
        return static_cast<std::size_t>(after - places_.begin()) - 1;
    }

    void advance(CandidateCounter& counter, std::int64_t at, std::int64_t stop) const {
        while (at < stop) {
            if (seen_.sight[at] == in_clear) {
                counter.pass_clear(at++);
            } else if (seen_.sight[at] == out_of_reach) {
                counter.pass_hidden(at++);
            } else if (seen_.sight[at] == under_mark) {
                counter.pass_mark();
                while (at < stop && seen_.sight[at] == under_mark) ++at;
            } else {
                const std::size_t place = place_at(at);
                counter.pass_place(group_of(place));
                at = places_[place].stop;
            }
        }
    }

    // Lets the marks grow at which fewer than k pooled terms could stand; whether any did.
    bool grow_marks() {
        marks_.clear();
        std::fill(starred_.begin(), starred_.end(), 0);
        for (std::int64_t at = 0; at < size_; ++at) {
            if (seen_.sight[at] != under_mark) continue;
            const std::int64_t start = at;
            while (at < size_ && seen_.sight[at] == under_mark) ++at;
            if (!star(start, at)) marks_.push_back({start, at});
        }
        bool changed = false;
        for (const Stretch& one : marks_)
            if (!is_shared(one)) {
                grow(one);
                changed = true;
            }
        return changed;
    }

    // Stars a hidden place that stands alone, if enough terms would be starred so; whether it did.
    bool star(std::int64_t start, std::int64_t stop) {
        if (places_.empty() || places_[0].start > start) return false;
        const std::size_t place = place_at(start);
        const PublishedTerms& published = all_.published;
        if (places_[place].start != start || places_[place].stop != stop ||
            static_cast<std::int64_t>(group_of(place)) == published.pool)
            return false;
        const std::int64_t from = start_of(std::max<std::int64_t>(0, start - 2 * near_));
        CandidateCounter counter(all_, seen_), hopeful(all_, seen_, true);
        advance(counter, from, start);
        advance(hopeful, from, start);
        std::size_t found = 0;
        for (const std::uint32_t group : shrunk_groups(hopeful, start, stop)) {
            if (hopeful.count(group, stop, published.k) >= published.k) continue;
            found += counter.count(group, stop, published.k);
            if (found >= published.k) break;
        }
        starred_[place] = found >= published.k;
        return starred_[place];
    }

    // Groups of a place's length that its neighbours may make too small: not all, but the same for
    // whatever stands at the place.
    std::vector<std::uint32_t> shrunk_groups(const CandidateCounter& counter, std::int64_t start,
                                             std::int64_t stop) const {
        std::vector<std::uint32_t> groups;
        const std::int64_t length = stop - start;
        const Automaton& a = all_.terms.automaton;
        if (stop < size_ && seen_.sight[stop] == in_clear)
            all_.groups.shrunk_by_next(length, a.code_of(given(stop)), most_groups, groups);
        for (const std::uint32_t code : counter.next_codes(8, 32))
            all_.groups.shrunk_by_first(length, code, most_groups / 4, groups);
        std::sort(groups.begin(), groups.end());
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
        return groups;
    }

    bool is_shared(const Stretch& one) {
        const PublishedTerms& published = all_.published;
        CandidateCounter counter(all_, seen_);
        const auto pool = static_cast<std::uint32_t>(published.pool);
        if (one.start == 0 && one.stop == size_) {
            met_ = met_ && published.pool >= 0 &&
                   counter.count_alone(pool, published.k) >= published.k;
            return true;
        }
        if (published.pool < 0) return false;
        const std::int64_t from = start_of(std::max<std::int64_t>(0, one.start - 2 * near_));
        advance(counter, from, one.start);
        return counter.count(pool, one.stop, published.k) >= published.k;
    }

    void grow(const Stretch& one) {
        std::int64_t start = one.start, stop = one.stop;
        while (start > 0 && !is_edge(start - 1)) --start;
        while (stop < size_ && !is_edge(stop)) ++stop;
        while (start < one.start && given(start) == ' ') ++start;
        while (stop > one.stop && given(stop - 1) == ' ') --stop;
        if (start == one.start && stop == one.stop) {
            start = 0;
            stop = size_;
        }
        cover(start, stop);
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i].start < stop && start < places_[i].stop) marked_[i] = 1;
    }

    // A character that parts sentences, and stands in no place.
    bool is_edge(std::int64_t at) const {
        return seen_.sight[at] == in_clear && given(at) < code_points && all_.edges[given(at)];
    }

    const Settling& all_;
    std::int64_t size_;
    const std::vector<Occurrence>& places_;
    SeenText seen_;
    std::vector<std::uint8_t> marked_, starred_, dirty_;
    std::vector<Stretch> marks_;
    std::int64_t near_ = 0;
    bool met_ = true;
};

}  // namespace sfumato
