// How many terms could stand at a replaced place, so that the release would be the same.
//
// A reader who knows the list and the method puts every term that is published as the string of a
// place into it and runs the method again. A term that makes another one begin before the place,
// or a longer one begin with it, is found out: the method would have replaced that one. What is
// counted here are the terms that no such thing can happen to, whatever stands in the other places:
// of a place to the left every term that is published so is tried, of a place to the right what can
// be seen of it, a star standing for any letter; where a place became the shared mark, anything may
// stand. So the count follows from what is published, and is the same for all who are counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "terms/automaton.hpp"

namespace sfumato {

// How the terms are published: term t has the symbols and stars [offsets[t], offsets[t + 1]) and
// belongs to groups[t]; group g has members [first[g], first[g + 1]) and is published as one
// string. The terms of the group `pool` share one mark, whatever their length.
struct PublishedTerms {
    const std::uint32_t* symbols;
    const std::uint8_t* stars;
    const std::int64_t* offsets;
    const std::uint32_t* groups;
    const std::int64_t* first;
    const std::uint32_t* members;
    std::size_t terms, group_count;
    std::int64_t pool;  // -1: no terms are pooled
    std::size_t k;      // 0: nothing is counted

    std::int64_t length(std::uint32_t term) const { return offsets[term + 1] - offsets[term]; }
};

// What a character of a document is to the reader: a mark hides even how long its text was.
enum Sight : std::uint8_t { in_clear, at_place, under_mark, out_of_reach };

// One document as it is seen once its terms stand as their strings.
struct SeenText {
    std::vector<std::uint32_t> symbols;  // the text; wild_symbol where a string has a star
    std::vector<Sight> sight;            // out_of_reach: starred as a direct identifier
    // Which characters belong to words, of a place none but the first, and that if any of its terms
    // may begin so; empty where terms may stand anywhere.
    std::vector<std::uint8_t> wordlike;
};

constexpr std::uint32_t wild_symbol = code_points + 1;

// What terms have after their first symbols, for texts that begin with something unknown: a trie of
// all stretches inside terms, made as far as it is asked for.
class Infixes {
  public:
    static constexpr std::int32_t none = -1;

    // The nodes of the terms' trie after a stretch, of those that go on, and whether a term ends.
    struct Stretch {
        std::vector<State> nodes;
        bool ends = false;
        std::unordered_map<std::uint32_t, std::int32_t> next;
    };

    Infixes(const Automaton& a, std::size_t states) : a_(a), states_(states), stretches_(1) {}

    const Stretch& operator[](std::int32_t stretch) const { return stretches_[stretch]; }

    // A stretch with one symbol more; the first, 0, is the empty one.
    std::int32_t child(std::int32_t from, std::uint32_t code) {
        if (code == 0) return none;
        const auto known = stretches_[from].next.find(code);
        if (known != stretches_[from].next.end()) return known->second;
        Stretch made;
        if (from == 0) {
            build();
            for (std::size_t i = first_[code]; i < first_[code + 1]; ++i) add(made, nodes_[i]);
        } else {
            for (const State node : stretches_[from].nodes)
                if (const State to = a_.child(node, code)) add(made, to);
        }
        std::int32_t number = none;
        if (made.ends || !made.nodes.empty()) {
            number = static_cast<std::int32_t>(stretches_.size());
            stretches_.push_back(std::move(made));
        }
        stretches_[from].next.emplace(code, number);
        return number;
    }

  private:
    void add(Stretch& stretch, State node) const {
        stretch.ends = stretch.ends || a_.term[node] != no_term;
        if (a_.first[node] < a_.first[node + 1]) stretch.nodes.push_back(node);
    }

    // The nodes by the code that leads to them, without the root's children.
    void build() {
        if (!first_.empty()) return;
        const std::size_t low = std::min<std::size_t>(states_, a_.first[1]);
        std::uint32_t codes = 1;
        for (std::size_t s = 1; s < states_; ++s) codes = std::max(codes, a_.code[s] + 1);
        first_.assign(codes + 1, 0);
        for (std::size_t s = low; s < states_; ++s) ++first_[a_.code[s] + 1];
        for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
        nodes_.resize(states_ - low);
        std::vector<std::size_t> at(first_.begin(), first_.end() - 1);
        for (std::size_t s = low; s < states_; ++s)
            nodes_[at[a_.code[s]]++] = static_cast<State>(s);
    }

    const Automaton& a_;
    std::size_t states_;
    std::vector<std::size_t> first_;
    std::vector<State> nodes_;
    std::deque<Stretch> stretches_;
};

// The node where each term ends, how deep every node is, and the longest term.
class TermNodes {
  public:
    TermNodes(const Automaton& a, std::size_t states, std::size_t terms)
        : nodes_(terms, 0), depths_(states, 0), states_(states) {
        for (std::size_t s = 0; s < states; ++s) {
            if (a.term[s] != no_term) nodes_[a.term[s]] = static_cast<State>(s);
            for (State to = a.first[s]; to < a.first[s + 1]; ++to) depths_[to] = depths_[s] + 1;
        }
        for (std::size_t t = 0; t < terms; ++t)
            longest_ = std::max(longest_, static_cast<std::int64_t>(a.length[t]));
    }

    State operator[](std::uint32_t term) const { return nodes_[term]; }
    std::int64_t depth(State node) const { return depths_[node]; }
    std::int64_t longest() const { return longest_; }
    std::size_t states() const { return states_; }

  private:
    std::vector<State> nodes_;
    std::vector<std::uint32_t> depths_;
    std::size_t states_;
    std::int64_t longest_ = 0;
};

// An automaton with the nodes of its terms.
struct Lexicon {
    Automaton automaton;
    const TermNodes* nodes;
};

// Counts the candidates of places, from the left to the right of a document.
class CandidateCounter {
  public:
    // `direct` may be null, and so may `words`: which symbols belong to words.
    CandidateCounter(const Lexicon& terms, const Lexicon* direct, const PublishedTerms& published,
                     const std::uint8_t* words, const SeenText& seen, Infixes& infixes,
                     Infixes* direct_infixes)
        : a_(terms.automaton),
          nodes_(*terms.nodes),
          infixes_(infixes),
          direct_infixes_(direct_infixes),
          direct_(direct ? &direct->automaton : nullptr),
          direct_nodes_(direct ? direct->nodes : nullptr),
          published_(published),
          word_of_(words),
          seen_(&seen),
          direct_states_(1, 0) {}

    // A character that stays: terms that began to its left go on, and one may begin here.
    void pass_clear(std::int64_t at) {
        const std::uint32_t code = a_.code_of(seen_->symbols[at]);
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
        const bool word = is_word(seen_->symbols[at]);
        if (code && !(word && surely_word_)) {
            const State to = a_.child(0, code);
            if (to && goes_on(to)) threads_.push_back(to);
        }
        surely_word_ = perhaps_word_ = word;
        advance_direct(seen_->symbols[at]);
    }

    // A character that nothing reaches over.
    void pass_hidden(std::int64_t at) {
        threads_.clear();
        unknown_.clear();
        surely_word_ = perhaps_word_ = is_word(seen_->symbols[at]);
        advance_direct(seen_->symbols[at]);
    }

    // A mark, and anything under it.
    void pass_mark() {
        threads_.clear();
        unknown_.assign(1, 0);
        surely_word_ = false;
        perhaps_word_ = word_of_ != nullptr;
        if (direct_) direct_unknown_.assign(1, 0);
    }

    // A place with any of the terms of its group in it.
    void pass_place(std::uint32_t group) {
        std::vector<State> after, states;
        std::vector<std::int32_t> unknown;
        meet(group);
        perhaps_word_ = false;
        surely_word_ = true;
        for (std::int64_t m = published_.first[group]; m < published_.first[group + 1]; ++m) {
            const std::uint32_t term = published_.members[m];
            const State own = nodes_[term];
            if (goes_on(own)) after.push_back(own);
            for (const State thread : met_) {
                const State to = walked(thread, term, nullptr);
                if (to && goes_on(to)) after.push_back(to);
            }
            for (const std::int32_t one : met_unknown_) {
                const std::int32_t to = walked_inside(one, term, nullptr);
                if (to != Infixes::none && !infixes_[to].nodes.empty()) unknown.push_back(to);
            }
            const bool word = is_word(last_symbol(term));
            perhaps_word_ = perhaps_word_ || word;
            surely_word_ = surely_word_ && word;
            if (direct_)
                for (const State state : direct_states_) states.push_back(after_term(state, term));
        }
        if (!direct_unknown_.empty()) direct_unknown_.assign(1, 0);  // what follows may go on
        unique(after);
        unique(unknown);
        threads_ = std::move(after);
        unknown_ = std::move(unknown);
        if (direct_) {
            unique(states);
            direct_states_ = std::move(states);
        }
    }

    // How many terms of a group (at most `enough`) could stand before the character `stop`, at the
    // place that has been reached.
    std::size_t count(std::uint32_t group, std::int64_t stop, std::size_t enough) {
        std::size_t found = 0;
        meet(group);
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
            State state = 0;
            bool met = false;
            for (std::int64_t i = published_.offsets[published_.members[m]];
                 direct_ && i < published_.offsets[published_.members[m] + 1]; ++i) {
                state = direct_->next(state, direct_->code_of(published_.symbols[i]));
                met = met || direct_->term[state] != no_term || direct_->suffix[state];
            }
            found += !met;
            if (found >= enough) break;
        }
        return found;
    }

    // How far after a place terms may reach that begin inside it, with any term of the group.
    std::int64_t reach(std::uint32_t group, std::int64_t stop) const {
        std::int64_t furthest = stop;
        if (stop == size() || seen_->sight[stop] != in_clear) return furthest;
        for (std::int64_t m = published_.first[group]; m < published_.first[group + 1]; ++m)
            furthest = std::max(furthest, reach_of(published_.members[m], stop));
        return furthest;
    }

  private:
    static constexpr std::size_t most_nodes = 64;  // followed at a time, through stars

    std::int64_t size() const { return static_cast<std::int64_t>(seen_->symbols.size()); }
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

    // Whether a term may end before a character; where letters are not seen, it may.
    bool ends_word(std::int64_t at) const {
        if (!word_of_ || at == size() || seen_->sight[at] == at_place ||
            seen_->sight[at] == under_mark)
            return true;
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
        if (stop < size() && is_word(last_symbol(term)) && seen_->wordlike[stop]) return false;
        now_.assign(1, nodes_[term]);
        if (can_go_on(stop)) return false;
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
        return !direct_ || !(meets_direct(term, stop) || meets_unknown(term, stop));
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
            from = infixes_.child(from, a_.code_of(seen_->symbols[at]));
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
            if (seen_->sight[at] == under_mark) return true;  // and now_ goes on
            next_.clear();
            const std::uint32_t symbol = seen_->symbols[at];
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

    // Where the furthest term ends that begins inside this one and goes on into clear text.
    std::int64_t reach_of(std::uint32_t term, std::int64_t stop) const {
        State state = nodes_[term];
        if (!a_.fail[state] && !goes_on(state)) return stop;
        std::int64_t furthest = stop;
        for (std::int64_t at = stop; at < size() && seen_->sight[at] == in_clear; ++at) {
            state = a_.next(state, a_.code_of(seen_->symbols[at]));
            const std::int64_t inside = at + 1 - stop;
            State end = a_.term[state] != no_term ? state : a_.suffix[state];
            for (; end && a_.length[a_.term[end]] > inside; end = a_.suffix[end])
                if (ends_word(at + 1) && begins_word(term, a_.length[a_.term[end]] - inside))
                    furthest = at + 1;
            if (nodes_.depth(state) <= inside) break;
        }
        return furthest;
    }

    // Whether a term may begin where this one has so many symbols left.
    bool begins_word(std::uint32_t term, std::int64_t left) const {
        const std::int64_t length = published_.length(term);
        if (!word_of_ || left >= length) return true;
        const std::uint32_t* symbol =
            published_.symbols + published_.offsets[term] + (length - left);
        return !(is_word(symbol[-1]) && is_word(symbol[0]));
    }

    void advance_direct(std::uint32_t symbol) {
        if (!direct_) return;
        for (State& state : direct_states_) state = direct_->next(state, direct_->code_of(symbol));
        unique(direct_states_);
        std::size_t kept = 0;
        for (const std::int32_t one : direct_unknown_) {
            const std::int32_t to = direct_infixes_->child(one, direct_->code_of(symbol));
            if (to != Infixes::none) direct_unknown_[kept++] = to;
        }
        direct_unknown_.resize(kept);
    }

    State after_term(State state, std::uint32_t term) const {
        for (std::int64_t i = published_.offsets[term]; i < published_.offsets[term + 1]; ++i)
            state = direct_->next(state, direct_->code_of(published_.symbols[i]));
        return state;
    }

    // Whether a direct identifier may have a character in common with a term at this place.
    bool meets_direct(std::uint32_t term, std::int64_t stop) const {
        for (State state : direct_states_) {
            for (std::int64_t i = published_.offsets[term]; i < published_.offsets[term + 1]; ++i) {
                state = direct_->next(state, direct_->code_of(published_.symbols[i]));
                if (direct_->term[state] != no_term || direct_->suffix[state]) return true;
            }
            std::int64_t at = stop;
            for (; at < size() && direct_nodes_->depth(state) > at - stop; ++at) {
                if (seen_->sight[at] == at_place || seen_->sight[at] == under_mark) return true;
                state = direct_->next(state, direct_->code_of(seen_->symbols[at]));
                State end = direct_->term[state] != no_term ? state : direct_->suffix[state];
                for (; end; end = direct_->suffix[end])
                    if (direct_->length[direct_->term[end]] > at + 1 - stop) return true;
            }
        }
        return false;
    }

    // The same for one that begins under a mark.
    bool meets_unknown(std::uint32_t term, std::int64_t stop) {
        for (std::int32_t one : direct_unknown_) {
            for (std::int64_t i = published_.offsets[term]; i < published_.offsets[term + 1]; ++i) {
                one = direct_infixes_->child(one, direct_->code_of(published_.symbols[i]));
                if (one == Infixes::none) break;
                if ((*direct_infixes_)[one].ends) return true;
            }
            for (std::int64_t at = stop; at < size() && one != Infixes::none; ++at) {
                if (seen_->sight[at] == at_place || seen_->sight[at] == under_mark) return true;
                one = direct_infixes_->child(one, direct_->code_of(seen_->symbols[at]));
                if (one != Infixes::none && (*direct_infixes_)[one].ends) return true;
            }
        }
        return false;
    }

    const Automaton& a_;
    const TermNodes& nodes_;
    Infixes& infixes_;
    Infixes* direct_infixes_;
    const Automaton* direct_;
    const TermNodes* direct_nodes_;
    const PublishedTerms& published_;
    const std::uint8_t* word_of_;
    const SeenText* seen_;
    std::vector<State> threads_, direct_states_, now_, next_, met_;
    // Whether the character before belongs to a word: one that is not seen may.
    bool surely_word_ = false, perhaps_word_ = false;
    std::vector<std::int32_t> unknown_, met_unknown_, direct_unknown_;  // stretches after a mark
};

}  // namespace sfumato
