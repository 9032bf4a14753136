// A document is one story: where the names that were found with certainty stand again.
//
// A name's words are its parts; titles, particles and degrees are none, single letters are
// initials. A part that is no usual word is a mention wherever it stands (with a capital, or of
// four letters and more); a usual one ("Will Young") after a title or beside another part. Initials
// count with points ("E. M.") or, of three, in capitals. User names are made of first and last
// words. The names of one scope (a document, or all of a person's) are looked for in its documents.
#pragma once

#include <cstdint>
#include <vector>

#include "tagger/hash.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/tokens.hpp"
#include "tagger/words.hpp"

namespace sfumato::tagger {

// Bits of the helping words.
constexpr std::uint16_t introduces = 1, no_part = 2;
constexpr std::int64_t lower_part = 4, short_glued = 5, bare_initials = 3;

// What a word may be in a scope.
enum Role : std::uint8_t { Strong = 1, Weak = 2, Glued = 4, Sequence = 8, Initial = 16 };

// Roles by hash; those of an earlier scope count no more.
class Roles {
  public:
    void begin() {
        ++scope_;
        count_ = 0;
    }
    bool empty() const { return count_ == 0; }
    std::uint8_t operator[](std::uint64_t key) const {
        for (std::size_t at = key & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.scope != scope_) return 0;
            if (slot.key == key) return slot.roles;
        }
    }
    void add(std::uint64_t key, std::uint8_t roles) {
        if (2 * count_ >= slots_.size()) grow();
        for (std::size_t at = key & mask();; at = (at + 1) & mask()) {
            Slot& slot = slots_[at];
            if (slot.scope != scope_) {
                slot = {key, scope_, roles};
                ++count_;
                return;
            }
            if (slot.key == key) {
                slot.roles |= roles;
                return;
            }
        }
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t scope = 0;
        std::uint8_t roles = 0;
    };
    std::size_t mask() const { return slots_.size() - 1; }
    void grow() {
        std::vector<Slot> old(4 * slots_.size());
        old.swap(slots_);
        count_ = 0;
        for (const Slot& slot : old)
            if (slot.scope == scope_) add(slot.key, slot.roles);
    }

    std::vector<Slot> slots_ = std::vector<Slot>(256);
    std::uint32_t scope_ = 0;
    std::size_t count_ = 0;
};

struct Run {  // letters, numbers and accents in a row; digits at its end stand apart
    std::int64_t start, stop;
    std::uint64_t hash = 0;  // lower case, without the digits at the end
    std::int64_t letters = 0;
    bool capital = false, capitals = true, digits = false;
};

template <class Symbol>
Run run_at(const Symbol* text, std::int64_t start, std::int64_t length) {
    Run run{start, run_end(text, length, start)};
    std::int64_t end = run.stop;
    while (end > start + 1 && text[end - 1] >= '0' && text[end - 1] <= '9') --end;
    run.digits = end < run.stop;
    run.letters = end - start;
    Hash hash;
    for (std::int64_t i = start; i < end; ++i) {
        hash.add(lowered(text[i]));
        run.capitals &= shape_symbol(text[i]) == 'X';
    }
    run.capital = shape_symbol(text[start]) == 'X';
    run.hash = hash.value();
    return run;
}

template <class Symbol>
void cut_runs(const Symbol* text, std::int64_t from, std::int64_t to, std::vector<Run>& runs) {
    runs.clear();
    for (std::int64_t at = from; at < to;) {
        if (!in_word(text[at])) {
            ++at;
            continue;
        }
        runs.push_back(run_at(text, at, to));
        at = runs.back().stop;
    }
}

class Follower {
  public:
    // `usual` are the lexicon's classes whose words are no names by themselves.
    Follower(const Lexicon& lexicon, std::uint16_t usual, const Lexicon& helping)
        : lexicon_(lexicon), helping_(helping), usual_(usual) {}

    void begin() { roles_.begin(); }
    bool empty() const { return roles_.empty(); }

    // Takes up a name that was found with certainty.
    template <class Symbol>
    void name(const Symbol* text, std::int64_t start, std::int64_t stop) {
        cut_runs(text, start, stop, runs_);
        items_.clear();
        for (const Run& run : runs_)
            if (!run.digits && !(helped(run) & no_part) && (run.letters > 1 || run.capital))
                items_.push_back(run);
        bool has_part = false;
        Hash initials;
        for (const Run& run : items_) {
            has_part |= run.letters > 1;
            initials.add(lowered(text[run.start]));
        }
        if (!has_part) return;
        for (const Run& run : items_) {
            Hash letter;
            letter.add(lowered(text[run.start]));
            roles_.add(letter.value(), Initial);
            if (run.letters > 1) roles_.add(run.hash, strength(run));
        }
        if (items_.size() > 1) {
            roles_.add(initials.value(), Sequence);
            glue(text, items_.front(), items_.back());
        }
    }

    // Calls work(start, stop) for every place of the text where a name stands. Runs are held a
    // stretch at a time: no name reaches over two runs in a row without a role.
    template <class Symbol, class Work>
    void find(const Symbol* text, std::int64_t length, Work&& work) {
        runs_.clear();
        roles_of_.clear();
        for (std::int64_t at = 0; at < length;) {
            if (!in_word(text[at])) {
                ++at;
                continue;
            }
            runs_.push_back(run_at(text, at, length));
            roles_of_.push_back(roles_[runs_.back().hash]);
            at = runs_.back().stop;
            const std::size_t count = runs_.size();
            if (count < stretch || roles_of_[count - 1] || roles_of_[count - 2]) continue;
            find_in_runs(text, work);
            runs_.assign(1, Run{runs_.back()});  // the next one may ask what stands before it
            roles_of_.assign(1, 0);
        }
        find_in_runs(text, work);
    }

  private:
    static constexpr std::size_t stretch = 4096;

    template <class Symbol, class Work>
    void find_in_runs(const Symbol* text, Work&& work) {
        for (std::size_t i = 0, free = 0; i < runs_.size(); ++i) {
            if (!roles_of_[i]) continue;
            std::size_t first = i, last = i;
            if (mentions(text, i)) {
                while (first > free && joins(text, first - 1) && belongs(first - 1)) --first;
                while (last + 1 < runs_.size() && joins(text, last) && belongs(last + 1)) ++last;
            } else if (!whole(i)) {
                last = initials_end(text, i);
                if (last == i) continue;
                --last;
            }
            work(runs_[first].start, runs_[last].stop);
            i = last;
            free = last + 1;
        }
    }

    std::uint16_t helped(const Run& run) const {
        return helping_.classes(joined(phrase_seed, run.hash));
    }
    std::uint8_t strength(const Run& run) const {
        return lexicon_.classes(joined(phrase_seed, run.hash)) & usual_ ? Weak : Strong;
    }

    template <class Symbol>
    void glue(const Symbol* text, const Run& first, const Run& last) {
        if (last.letters < 2) return;
        const auto add = [&](const Run& a, std::int64_t from_a, const Run& b, std::int64_t from_b) {
            if (from_a + from_b < short_glued) return;
            Hash hash;
            for (std::int64_t i = 0; i < from_a; ++i) hash.add(lowered(text[a.start + i]));
            for (std::int64_t i = 0; i < from_b; ++i) hash.add(lowered(text[b.start + i]));
            roles_.add(hash.value(), Glued);
        };
        add(first, 1, last, last.letters);
        if (strength(last) == Strong) add(last, last.letters, first, 1);
        if (first.letters < 2) return;
        add(first, first.letters, last, last.letters);
        add(last, last.letters, first, first.letters);
        if (strength(first) == Strong) add(first, first.letters, last, 1);
    }

    // Whether the run is a name by itself, or a usual word behind a title or before another part.
    template <class Symbol>
    bool mentions(const Symbol* text, std::size_t i) const {
        const Run& run = runs_[i];
        if (run.digits) return false;
        if (roles_of_[i] & Strong) return run.capital || run.letters >= lower_part;
        if (!(roles_of_[i] & Weak) || !run.capital) return false;
        if (i > 0 && helped(runs_[i - 1]) & introduces &&
            (joins(text, i - 1) || pointed(text, i - 1)))
            return true;
        return i + 1 < runs_.size() && joins(text, i) && belongs(i + 1) &&
               runs_[i + 1].letters > 1 && runs_[i + 1].hash != run.hash;
    }
    // Whether it is a user name, or the initials of three and more words in capitals.
    bool whole(std::size_t i) const {
        const Run& run = runs_[i];
        if (roles_of_[i] & Glued) return true;
        if (run.digits) return roles_of_[i] & Strong && run.letters >= lower_part;
        return roles_of_[i] & Sequence && run.capitals && run.letters >= bare_initials;
    }
    // Whether it is part of a name that stands beside it.
    bool belongs(std::size_t i) const {
        const Run& run = runs_[i];
        if (run.digits) return false;
        if (run.letters == 1) return run.capital && roles_of_[i] & Initial;
        return (roles_of_[i] & (Strong | Weak) && run.capital) ||
               (roles_of_[i] & Strong && run.letters >= lower_part);
    }
    template <class Symbol>
    bool pointed(const Symbol* text, std::size_t i) const {
        const std::int64_t gap = runs_[i + 1].start - runs_[i].stop;
        const Symbol* between = text + runs_[i].stop;
        return between[0] == '.' && (gap == 1 || (gap == 2 && between[1] == ' '));
    }
    // Whether what stands between a run and the next one may stand inside a name.
    template <class Symbol>
    bool joins(const Symbol* text, std::size_t i) const {
        const std::int64_t gap = runs_[i + 1].start - runs_[i].stop;
        const Symbol* between = text + runs_[i].stop;
        if (gap == 1)
            return between[0] == ' ' || between[0] == '-' || between[0] == '_' ||
                   between[0] == '.' || is_apostrophe(between[0]);
        if (gap != 2 || between[1] != ' ') return false;
        return (between[0] == '.' && runs_[i].letters == 1) ||
               (between[0] == ',' && runs_[i + 1].letters == 1);
    }
    // Where single capitals with points, from run i on, end that are a name's initials; i if none.
    template <class Symbol>
    std::size_t initials_end(const Symbol* text, std::size_t i) const {
        const auto single = [&](std::size_t at) {
            const Run& run = runs_[at];
            return run.letters == 1 && run.capital && !run.digits && roles_of_[at] & Initial;
        };
        if (!single(i)) return i;
        Hash hash;
        hash.add(lowered(text[runs_[i].start]));
        std::size_t end = i;
        for (std::size_t at = i + 1; at < runs_.size() && single(at) && pointed(text, at - 1);
             ++at) {
            hash.add(lowered(text[runs_[at].start]));
            if (roles_[hash.value()] & Sequence) end = at + 1;
        }
        return end;
    }

    const Lexicon& lexicon_;
    const Lexicon& helping_;
    const std::uint16_t usual_;
    Roles roles_;
    std::vector<Run> runs_, items_;
    std::vector<std::uint8_t> roles_of_;
};

}  // namespace sfumato::tagger
