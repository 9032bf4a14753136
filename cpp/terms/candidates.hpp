// How many terms could stand at a replaced place, so that the release would be the same.
//
// A reader who knows the list and the method puts every term that is published as the string of a
// place into it and runs the method again. A term that makes another one begin before the place,
// or a longer one begin with it, is found out: the method would have replaced that one. What is
// counted here are the terms that no such thing can happen to, whatever stands in the other places:
// of a place to the left every term that is published so is tried, of a place to the right what can
// be seen of it, a star standing for any letter; where a place became a mark, anything may stand.
// So the count follows from what is published, and is the same for all who are counted. A hopeful
// counter takes it that nothing reaches over marks: it never counts fewer than there are, whatever
// stands under them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "terms/direct_threads.hpp"
#include "terms/lexicon.hpp"
#include "terms/seen_text.hpp"

namespace sfumato {

// All that the places of a list's texts share.
struct Settling {
    const Lexicon& terms;
    const Lexicon* direct;  // null: none
    const PublishedTerms& published;
    const std::uint8_t* words;  // which symbols belong to words; null: terms stand anywhere
    const std::uint8_t* edges;  // which symbols part sentences
    Infixes& infixes;
    Infixes* direct_infixes;
    GroupTable& groups;
};

// Counts the candidates of places, from the left to the right of a document.
class CandidateCounter {
  public:
    CandidateCounter(const Settling& all, const SeenText& seen, bool hopeful = false)
        : a_(all.terms.automaton),
          nodes_(*all.terms.nodes),
          infixes_(all.infixes),
          groups_(all.groups),
          published_(all.published),
          word_of_(all.words),
          seen_(&seen),
          hopeful_(hopeful),
          direct_(all.direct, all.direct_infixes, all.published, seen, hopeful) {}

    // A character that stays: terms that began to its left go on, and one may begin here.
    void pass_clear(std::int64_t at) {
        const std::uint32_t code = a_.code_of(seen_->symbol(at));
        std::size_t kept = 0;
        for (const State thread : threads_) {
            const State to = code ? a_.child(thread, code) : 0;
            if (to && goes_on(to)) threads_[kept++] = to;
        }
        threads_.resize(kept);
        kept = 0;
        for (const std::int32_t one : unknown_) {
            const std::int32_t to = infixes_.child(one, code);
            if (to != Infixes::none && !infixes_[to].nodes.empty()) unknown_[kept++] = to;
        }
        unknown_.resize(kept);
        const bool word = is_word(seen_->symbol(at));
        if (code && !(word && surely_word_)) {
            const State to = a_.child(0, code);
            if (to && goes_on(to)) threads_.push_back(to);
        }
        surely_word_ = perhaps_word_ = word;
        direct_.pass(seen_->symbol(at));
    }

    // A character that nothing reaches over.
    void pass_hidden(std::int64_t at) {
        threads_.clear();
        unknown_.clear();
        surely_word_ = perhaps_word_ = is_word(seen_->symbol(at));
        direct_.pass(seen_->symbol(at));
    }

    // A mark, and anything under it.
    void pass_mark() {
        threads_.clear();
        if (hopeful_)
            unknown_.clear();
        else
            unknown_.assign(1, 0);
        surely_word_ = hopeful_;
        perhaps_word_ = word_of_ != nullptr && !hopeful_;
        direct_.pass_mark();
    }

    // A place with any of the terms of its group in it.
    void pass_place(std::uint32_t group) {
        const GroupFacts& facts = groups_[group];
        std::vector<State> after = facts.going;
        std::vector<std::int32_t> unknown;
        meet(group);
        perhaps_word_ = facts.may_end_word;
        surely_word_ = facts.must_end_word;
        const bool met = !met_.empty() || !met_unknown_.empty();
        for (std::int64_t m = published_.first[group]; met && m < published_.first[group + 1];
             ++m) {
            const std::uint32_t term = published_.members[m];
            for (const State thread : met_) {
                const State to = walked(thread, term, nullptr);
                if (to && goes_on(to)) after.push_back(to);
            }
            for (const std::int32_t one : met_unknown_) {
                const std::int32_t to = walked_inside(one, term, nullptr);
                if (to != Infixes::none && !infixes_[to].nodes.empty()) unknown.push_back(to);
            }
        }
        direct_.pass_place(group);
        if (met) unique(after);
        unique(unknown);
        threads_ = std::move(after);
        unknown_ = std::move(unknown);
    }

    // How many terms of a group (at most `enough`) could stand before the character `stop`, at the
    // place that has been reached.
    std::size_t count(std::uint32_t group, std::int64_t stop, std::size_t enough) {
        meet(group);
        if (met_.empty() && met_unknown_.empty() && !direct_.any()) {
            const GroupFacts& facts = groups_[group];
            const bool apart = !(facts.may_begin_word && perhaps_word_) &&
                               !(facts.may_end_word && stands_before_word(stop));
            if (apart && facts.ended >= enough) return facts.ended;
        }
        std::size_t found = 0;
        for (std::int64_t m = published_.first[group]; m < published_.first[group + 1]; ++m) {
            found += can_stand(published_.members[m], stop);
            if (found >= enough) break;
        }
        return found;
    }

    // How many terms of a group (at most `enough`) could stand alone, between characters that no
    // term and no direct identifier has.
    std::size_t count_alone(std::uint32_t group, std::size_t enough) const {
        std::size_t found = 0;
        for (std::int64_t m = published_.first[group]; m < published_.first[group + 1]; ++m) {
            found += !direct_.is_inside(published_.members[m]);
            if (found >= enough) break;
        }
        return found;
    }

    // The codes with which terms go on that have begun before, a few of each.
    std::vector<std::uint32_t> next_codes(std::size_t most_each, std::size_t most) const {
        std::vector<std::uint32_t> codes;
        for (const State thread : threads_) {
            const State last = std::min<State>(a_.first[thread + 1],
                                               a_.first[thread] + static_cast<State>(most_each));
            for (State to = a_.first[thread]; to < last && codes.size() < most; ++to)
                codes.push_back(a_.code[to]);
        }
        unique(codes);
        return codes;
    }

    // How far after a place terms reach that begin inside it with two or more terms of the group:
    // of any other term a reader knows only that one of the candidates has it.
    std::int64_t reach(std::uint32_t group, std::int64_t stop) {
        std::int64_t furthest = stop;
        if (stop == size() || seen_->sight[stop] != in_clear) return furthest;
        for (const State tail : groups_[group].tails) {
            State state = tail;
            for (std::int64_t at = stop; at < size() && seen_->sight[at] == in_clear; ++at) {
                const std::uint32_t code = a_.code_of(seen_->symbol(at));
                state = code ? a_.child(state, code) : 0;
                if (!state) break;
                if (a_.term[state] != no_term && ends_word(at + 1))
                    furthest = std::max(furthest, at + 1);
            }
        }
        return furthest;
    }

  private:
    static constexpr std::size_t most_nodes = 64;  // followed at a time, through stars

    std::int64_t size() const { return seen_->size(); }
    bool goes_on(State node) const { return a_.first[node] < a_.first[node + 1]; }
    bool is_word(std::uint32_t symbol) const {
        return word_of_ && symbol < code_points && word_of_[symbol];
    }
    std::uint32_t last_symbol(std::uint32_t term) const {
        return published_.symbols[published_.offsets[term + 1] - 1];
    }
    template <class Number>
    static void unique(std::vector<Number>& states) {
        std::sort(states.begin(), states.end());
        states.erase(std::unique(states.begin(), states.end()), states.end());
    }

    // What has begun before a place and can go on with the group's first symbol, if that is seen.
    void meet(std::uint32_t group) {
        met_ = threads_;
        met_unknown_ = unknown_;
        const std::int64_t first = published_.offsets[published_.members[published_.first[group]]];
        if (static_cast<std::int64_t>(group) == published_.pool || published_.stars[first]) return;
        const std::uint32_t code = a_.code_of(published_.symbols[first]);
        std::erase_if(met_, [&](State node) { return !a_.child(node, code); });
        std::erase_if(met_unknown_,
                      [&](std::int32_t one) { return infixes_.child(one, code) == Infixes::none; });
    }

    bool stands_before_word(std::int64_t stop) const {
        if (stop == size() || !word_of_) return false;
        return seen_->wordlike[stop] && !(hopeful_ && seen_->sight[stop] == under_mark);
    }

    // Whether a term may end before a character; where letters are not seen, it may.
    bool ends_word(std::int64_t at) const {
        if (!word_of_ || at == size() || seen_->sight[at] == at_place) return true;
        if (seen_->sight[at] == under_mark) return !hopeful_ || !seen_->wordlike[at - 1];
        return !(seen_->wordlike[at - 1] && seen_->wordlike[at]);
    }

    // The node after a term's symbols, 0 if there is none; `hits` is set where a term ends on the
    // way, between borders.
    State walked(State node, std::uint32_t term, bool* hits) const {
        const std::uint32_t* symbol = published_.symbols + published_.offsets[term];
        const std::uint32_t* end = published_.symbols + published_.offsets[term + 1];
        for (; symbol != end && node; ++symbol) {
            const std::uint32_t code = a_.code_of(*symbol);
            node = code ? a_.child(node, code) : 0;
            if (hits && node && a_.term[node] != no_term &&
                !(symbol + 1 != end && is_word(symbol[0]) && is_word(symbol[1])))
                *hits = true;
        }
        return node;
    }

    bool can_stand(std::uint32_t term, std::int64_t stop) {
        const std::uint32_t* symbols = published_.symbols + published_.offsets[term];
        if (is_word(symbols[0]) && perhaps_word_) return false;
        if (is_word(last_symbol(term)) && stands_before_word(stop)) return false;
        if (goes_on(nodes_[term])) {
            now_.assign(1, nodes_[term]);
            if (can_go_on(stop)) return false;
        }
        for (const State thread : met_) {
            bool hits = false;
            const State to = walked(thread, term, &hits);
            now_.assign(1, to);
            if (hits || (to && can_go_on(stop))) return false;
        }
        for (const std::int32_t one : met_unknown_) {
            bool hits = false;
            const std::int32_t to = walked_inside(one, term, &hits);
            if (hits || (to != Infixes::none && goes_on_inside(to, stop))) return false;
        }
        return !direct_.meets(term, stop);
    }

    // The same as `walked`, from a stretch inside terms.
    std::int32_t walked_inside(std::int32_t from, std::uint32_t term, bool* hits) const {
        const std::uint32_t* symbol = published_.symbols + published_.offsets[term];
        const std::uint32_t* end = published_.symbols + published_.offsets[term + 1];
        for (; symbol != end && from != Infixes::none; ++symbol) {
            from = infixes_.child(from, a_.code_of(*symbol));
            if (hits && from != Infixes::none && infixes_[from].ends &&
                !(symbol + 1 != end && is_word(symbol[0]) && is_word(symbol[1])))
                *hits = true;
        }
        return from;
    }

    bool goes_on_inside(std::int32_t from, std::int64_t at) {
        for (; at < size() && seen_->sight[at] == in_clear; ++at) {
            from = infixes_.child(from, a_.code_of(seen_->symbol(at)));
            if (from == Infixes::none) return false;
            if (infixes_[from].ends && ends_word(at + 1)) return true;
        }
        now_ = infixes_[from].nodes;
        return now_.size() > most_nodes || can_go_on(at);
    }

    // Whether a term can end after this character, given the nodes before it (`now_`) and what is
    // seen.
    bool can_go_on(std::int64_t at) {
        std::erase_if(now_, [&](State node) { return !goes_on(node); });
        for (; at < size() && !now_.empty(); ++at) {
            if (seen_->sight[at] == out_of_reach) return false;
            if (seen_->sight[at] == under_mark) return !hopeful_;  // and now_ goes on
            next_.clear();
            const std::uint32_t symbol = seen_->symbol(at);
            for (const State one : now_) {
                if (symbol == wild_symbol) {
                    for (State to = a_.first[one]; to < a_.first[one + 1]; ++to)
                        next_.push_back(to);
                } else {
                    const std::uint32_t code = a_.code_of(symbol);
                    if (const State to = code ? a_.child(one, code) : 0) next_.push_back(to);
                }
            }
            if (next_.size() > most_nodes) return true;
            const bool border = ends_word(at + 1);
            std::size_t kept = 0;
            for (const State one : next_) {
                if (a_.term[one] != no_term && border) return true;
                if (goes_on(one)) next_[kept++] = one;
            }
            next_.resize(kept);
            now_.swap(next_);
        }
        return false;
    }

    const Automaton& a_;
    const TermNodes& nodes_;
    Infixes& infixes_;
    GroupTable& groups_;
    const PublishedTerms& published_;
    const std::uint8_t* word_of_;
    const SeenText* seen_;
    bool hopeful_;
    DirectThreads direct_;
    std::vector<State> threads_, now_, next_, met_;
    // Whether the character before belongs to a word: one that is not seen may.
    bool surely_word_ = false, perhaps_word_ = false;
    std::vector<std::int32_t> unknown_, met_unknown_;  // stretches after a mark
};

}  // namespace sfumato
