// What is known of a list whose terms are published: their strings, the nodes where they end, what
// stands inside them, and which groups of them a neighbouring letter makes smaller.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
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

// What all terms of a group have in common for their neighbours.
struct GroupFacts {
    std::vector<State> going;  // nodes of its terms with which longer terms begin
    std::size_t ended = 0;     // terms with which no longer one begins
    std::vector<State> tails;  // ends of two or more of its terms with which others begin
    bool may_begin_word = false, may_end_word = false, must_end_word = true;
};

// The facts of groups, worked out when first asked for, and the groups that a neighbouring symbol
// takes terms from, so that fewer than k may be left.
class GroupTable {
  public:
    // `words` says which symbols belong to words, and may be null.
    GroupTable(const Lexicon& terms, const PublishedTerms& published, const std::uint8_t* words)
        : a_(terms.automaton),
          nodes_(*terms.nodes),
          published_(published),
          words_(words),
          numbers_(published.group_count, -1) {}

    const GroupFacts& operator[](std::uint32_t group) {
        if (numbers_[group] < 0) {
            numbers_[group] = static_cast<std::int32_t>(facts_.size());
            facts_.push_back(made(group));
        }
        return facts_[numbers_[group]];
    }

    // The groups of a length that lose terms if this code follows, or if a term that has begun
    // before takes them by their first code; at most `most`, added to `groups`.
    void shrunk_by_next(std::int64_t length, std::uint32_t code, std::size_t most,
                        std::vector<std::uint32_t>& groups) {
        if (!indexed_) index();
        add(by_next_, length, code, most, groups);
    }
    void shrunk_by_first(std::int64_t length, std::uint32_t code, std::size_t most,
                         std::vector<std::uint32_t>& groups) {
        if (!indexed_) index();
        add(by_first_, length, code, most, groups);
    }

  private:
    // Length and code in one number, and a group.
    using Entry = std::pair<std::uint64_t, std::uint32_t>;

    static std::uint64_t key_of(std::int64_t length, std::uint32_t code) {
        return static_cast<std::uint64_t>(code) << 32 | static_cast<std::uint32_t>(length);
    }
    bool is_word(std::uint32_t symbol) const {
        return words_ && symbol < code_points && words_[symbol];
    }
    bool goes_on(State node) const { return a_.first[node] < a_.first[node + 1]; }

    GroupFacts made(std::uint32_t group) const {
        GroupFacts facts;
        std::vector<State> tails;
        for (std::int64_t m = published_.first[group]; m < published_.first[group + 1]; ++m) {
            const std::uint32_t term = published_.members[m];
            const std::uint32_t* begin = published_.symbols + published_.offsets[term];
            const std::uint32_t* end = published_.symbols + published_.offsets[term + 1];
            if (goes_on(nodes_[term]))
                facts.going.push_back(nodes_[term]);
            else
                ++facts.ended;
            facts.may_begin_word = facts.may_begin_word || is_word(begin[0]);
            facts.may_end_word = facts.may_end_word || is_word(end[-1]);
            facts.must_end_word = facts.must_end_word && is_word(end[-1]);
            for (State tail = a_.fail[nodes_[term]]; tail; tail = a_.fail[tail]) {
                const std::uint32_t* at = end - nodes_.depth(tail);
                if (goes_on(tail) && !(is_word(at[-1]) && is_word(at[0]))) tails.push_back(tail);
            }
        }
        std::sort(tails.begin(), tails.end());
        for (std::size_t i = 1; i < tails.size(); ++i)
            if (tails[i] == tails[i - 1] && (facts.tails.empty() || facts.tails.back() != tails[i]))
                facts.tails.push_back(tails[i]);
        std::sort(facts.going.begin(), facts.going.end());
        return facts;
    }

    void index() {
        indexed_ = true;
        for (std::uint32_t term = 0; term < published_.terms; ++term) {
            const std::uint32_t group = published_.groups[term];
            if (static_cast<std::int64_t>(group) == published_.pool) continue;
            const std::int64_t length = published_.length(term);
            const State node = nodes_[term];
            for (State to = a_.first[node]; to < a_.first[node + 1]; ++to)
                by_next_.emplace_back(key_of(length, a_.code[to]), group);
            const std::uint32_t first = published_.symbols[published_.offsets[term]];
            by_first_.emplace_back(key_of(length, a_.code_of(first)), group);
        }
        keep_small(by_next_);
        keep_small(by_first_);
    }

    // Of groups that would have k terms left none is looked at.
    void keep_small(std::vector<Entry>& entries) const {
        std::sort(entries.begin(), entries.end());
        std::size_t kept = 0;
        for (std::size_t i = 0, last = 0; i < entries.size(); i = last) {
            while (last < entries.size() && entries[last] == entries[i]) ++last;
            const std::uint32_t group = entries[i].second;
            const auto size =
                static_cast<std::size_t>(published_.first[group + 1] - published_.first[group]);
            if (size >= published_.k && size - (last - i) < published_.k)
                entries[kept++] = entries[i];
        }
        entries.resize(kept);
        entries.shrink_to_fit();
    }

    static void add(const std::vector<Entry>& entries, std::int64_t length, std::uint32_t code,
                    std::size_t most, std::vector<std::uint32_t>& groups) {
        const std::uint64_t key = key_of(length, code);
        auto at = std::lower_bound(entries.begin(), entries.end(), Entry{key, 0});
        for (std::size_t n = 0; n < most && at != entries.end() && at->first == key; ++n, ++at)
            groups.push_back(at->second);
    }

    Automaton a_;
    const TermNodes& nodes_;
    const PublishedTerms& published_;
    const std::uint8_t* words_;
    std::vector<std::int32_t> numbers_;
    std::deque<GroupFacts> facts_;
    std::vector<Entry> by_next_, by_first_;
    bool indexed_ = false;
};

}  // namespace sfumato
