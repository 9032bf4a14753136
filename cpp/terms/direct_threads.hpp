// Direct identifiers around a place: whether one may have a character in common with a term there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "terms/lexicon.hpp"
#include "terms/seen_text.hpp"

namespace sfumato {

class DirectThreads {
  public:
    // `direct` and `infixes` may be null: there are none.
    DirectThreads(const Lexicon* direct, Infixes* infixes, const PublishedTerms& published,
                  const SeenText& seen, bool hopeful)
        : a_(direct ? &direct->automaton : nullptr),
          nodes_(direct ? direct->nodes : nullptr),
          infixes_(infixes),
          published_(published),
          seen_(&seen),
          hopeful_(hopeful),
          states_(1, 0) {}

    bool any() const { return a_ != nullptr; }

    void pass(std::uint32_t symbol) {
        if (!a_) return;
        for (State& state : states_) state = a_->next(state, a_->code_of(symbol));
        unique(states_);
        std::size_t kept = 0;
        for (const std::int32_t one : unknown_) {
            const std::int32_t to = infixes_->child(one, a_->code_of(symbol));
            if (to != Infixes::none) unknown_[kept++] = to;
        }
        unknown_.resize(kept);
    }

    void pass_mark() {
        if (!a_) return;
        if (hopeful_)
            states_.assign(1, 0);
        else
            unknown_.assign(1, 0);
    }

    void pass_place(std::uint32_t group) {
        if (!a_) return;
        std::vector<State> after;
        for (std::int64_t m = published_.first[group]; m < published_.first[group + 1]; ++m)
            for (const State state : states_)
                after.push_back(after_term(state, published_.members[m]));
        if (!unknown_.empty()) unknown_.assign(1, 0);  // what follows may go on
        unique(after);
        states_ = std::move(after);
    }

    bool meets(std::uint32_t term, std::int64_t stop) {
        return a_ && (meets_known(term, stop) || meets_unknown(term, stop));
    }

    // Whether one stands inside a term.
    bool is_inside(std::uint32_t term) const {
        State state = 0;
        for (std::int64_t i = published_.offsets[term]; a_ && i < published_.offsets[term + 1];
             ++i) {
            state = a_->next(state, a_->code_of(published_.symbols[i]));
            if (a_->term[state] != no_term || a_->suffix[state]) return true;
        }
        return false;
    }

  private:
    static void unique(std::vector<State>& states) {
        std::sort(states.begin(), states.end());
        states.erase(std::unique(states.begin(), states.end()), states.end());
    }

    State after_term(State state, std::uint32_t term) const {
        for (std::int64_t i = published_.offsets[term]; i < published_.offsets[term + 1]; ++i)
            state = a_->next(state, a_->code_of(published_.symbols[i]));
        return state;
    }

    bool is_unseen(std::int64_t at) const {
        return seen_->sight[at] == at_place || seen_->sight[at] == under_mark;
    }

    bool meets_known(std::uint32_t term, std::int64_t stop) const {
        for (State state : states_) {
            for (std::int64_t i = published_.offsets[term]; i < published_.offsets[term + 1]; ++i) {
                state = a_->next(state, a_->code_of(published_.symbols[i]));
                if (a_->term[state] != no_term || a_->suffix[state]) return true;
            }
            std::int64_t at = stop;
            for (; at < seen_->size() && nodes_->depth(state) > at - stop; ++at) {
                if (hopeful_ && seen_->sight[at] == under_mark) break;
                if (is_unseen(at)) return true;
                state = a_->next(state, a_->code_of(seen_->symbol(at)));
                State end = a_->term[state] != no_term ? state : a_->suffix[state];
                for (; end; end = a_->suffix[end])
                    if (a_->length[a_->term[end]] > at + 1 - stop) return true;
            }
        }
        return false;
    }

    // The same for one that begins under a mark.
    bool meets_unknown(std::uint32_t term, std::int64_t stop) {
        for (std::int32_t one : unknown_) {
            for (std::int64_t i = published_.offsets[term]; i < published_.offsets[term + 1]; ++i) {
                one = infixes_->child(one, a_->code_of(published_.symbols[i]));
                if (one == Infixes::none) break;
                if ((*infixes_)[one].ends) return true;
            }
            for (std::int64_t at = stop; at < seen_->size() && one != Infixes::none; ++at) {
                if (is_unseen(at)) return true;
                one = infixes_->child(one, a_->code_of(seen_->symbol(at)));
                if (one != Infixes::none && (*infixes_)[one].ends) return true;
            }
        }
        return false;
    }

    const Automaton* a_;
    const TermNodes* nodes_;
    Infixes* infixes_;
    const PublishedTerms& published_;
    const SeenText* seen_;
    bool hopeful_;  // nothing reaches over marks
    std::vector<State> states_;
    std::vector<std::int32_t> unknown_;  // stretches after a mark
};

}  // namespace sfumato
