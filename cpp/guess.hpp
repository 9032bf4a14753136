// How often an n-gram model trained on a release guesses what is under its stars.
//
// A context (a, b) is the a symbols to the left and the b symbols to the right of a position. The
// model knows, for each context, which symbols stand between in the visible parts of the release.
// The attacker takes the largest context he has; while it was never seen he drops the outermost
// symbol of the longer side (the left one on ties). So the contexts form a tree, and each back-off
// is the parent:  (0,0) - (0,1) - (1,1) - (1,2) - (2,2) - ...  with branches (m,m) - (m+1,m) -
// (m+2,m) - ... and (m,m+1) - (m,m+2) - ... for positions with less to one side.
//
// Inside a run of stars only the left side is known, and it ends with the attacker's own guesses.
// LeftModel answers these one by one: a radix sort of the visible positions by what stands to
// their left, done only where it is asked. The last position of each run also has a right side;
// these contexts are all known once the insides are guessed, and RightModel sends the visible
// positions down the tree of just these contexts. Each position is moved at most once for each
// shape (a, b), so the time is linear.
#pragma once

#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pulse.hpp"

namespace sfumato {

template <class Code>
struct StarredCodes {
    const Code* codes;
    const uint8_t* stars;
    int64_t size;
    size_t symbols;  // every code is smaller

    // The code at p if it is visible, else 0: stars, breaks and the ends show nothing.
    uint32_t visible(int64_t p) const {
        return p < 0 || p >= size || stars[p] ? 0 : static_cast<uint32_t>(codes[p]);
    }
};

// The most frequent code among those at the positions, the smallest on ties.
template <class Code>
class Majority {
  public:
    explicit Majority(const StarredCodes<Code>& release) : of_(release), counts_(release.symbols) {}

    template <class Positions>
    uint32_t operator()(const Positions& positions) {
        uint32_t best = 0;
        for (const auto p : positions) {
            const uint32_t code = of_.codes[p];
            const int64_t count = ++counts_[code];
            if (best == 0 || count > counts_[best] || (count == counts_[best] && code < best))
                best = code;
        }
        if (positions.size() < counts_.size())
            for (const auto p : positions) counts_[of_.codes[p]] = 0;
        else
            std::fill(counts_.begin(), counts_.end(), 0);
        return best;
    }

  private:
    const StarredCodes<Code>& of_;
    std::vector<int64_t> counts_;
};

template <class Position>
struct Slice {
    const Position* first;
    const Position* last;
    const Position* begin() const { return first; }
    const Position* end() const { return last; }
    size_t size() const { return static_cast<size_t>(last - first); }
};

// Guesses from what stands to the left. Nodes are contexts; a node's visible positions are a slice
// of one array, sorted by the next symbol to the left when a child is first asked for.
template <class Code, class Position>
class LeftModel {
  public:
    LeftModel(const StarredCodes<Code>& release, Majority<Code>& majority, Pulse& pulse)
        : of_(release), majority_(majority), pulse_(pulse) {
        std::vector<size_t> counts(of_.symbols, 0);  // of the visible codes; and of the hidden, 0
        pulse_.blocks(0, of_.size, [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) ++counts[of_.visible(p)];
        });
        counts[0] = 0;
        const auto most = std::max_element(counts.begin(), counts.end());
        nodes_.push_back({0, std::accumulate(counts.begin(), counts.end(), size_t{0}), 0, false,
                          static_cast<uint32_t>(most - counts.begin())});
    }

    bool empty() const { return nodes_[0].end == 0; }

    // The guess after the context, whose last symbol is the nearest.
    uint32_t guess(const std::vector<uint32_t>& left) {
        size_t node = 0;
        for (size_t depth = 0; depth < left.size(); ++depth) {
            const size_t next = child(node, left[left.size() - 1 - depth]);
            if (next == none) break;
            node = next;
        }
        Node& found = nodes_[node];
        if (found.guess == 0) {
            found.guess = majority_(
                Slice<Position>{positions_.data() + found.begin, positions_.data() + found.end});
            pulse_(static_cast<int64_t>(found.end - found.begin));
        }
        return found.guess;
    }

  private:
    static constexpr size_t none = SIZE_MAX;
    struct Node {
        size_t begin, end;
        int64_t depth;
        bool sorted;
        uint32_t guess;  // 0: not yet asked
    };

    size_t child(size_t node, uint32_t symbol) {
        const uint64_t key = static_cast<uint64_t>(node) << 32 | symbol;
        const auto known = children_.find(key);
        if (known != children_.end()) return known->second;
        if (!nodes_[node].sorted) sort(node);
        const Node parent = nodes_[node];
        const auto before = [&](Position p) { return of_.visible(p - parent.depth - 1); };
        const auto at = positions_.begin();
        const auto first = std::partition_point(at + parent.begin, at + parent.end,
                                                [&](Position p) { return before(p) < symbol; });
        const auto last = std::partition_point(first, at + parent.end,
                                               [&](Position p) { return before(p) <= symbol; });
        size_t found = none;
        if (first != last) {
            found = nodes_.size();
            nodes_.push_back({static_cast<size_t>(first - at), static_cast<size_t>(last - at),
                              parent.depth + 1, false, 0});
        }
        children_.emplace(key, found);
        return found;
    }

    // Sorts a node's positions by the symbol one further to the left.
    void sort(size_t node) {
        Node& n = nodes_[node];
        n.sorted = true;
        if (node == 0) return sort_all();
        const auto begin = positions_.begin() + n.begin, end = positions_.begin() + n.end;
        const auto before = [&, depth = n.depth](Position p) { return of_.visible(p - depth - 1); };
        pulse_(static_cast<int64_t>(n.end - n.begin));
        if (n.end - n.begin < of_.symbols) {  // the counters would cost more than the comparisons
            std::sort(begin, end, [&](Position p, Position q) {
                return std::pair(before(p), p) < std::pair(before(q), q);
            });
            return;
        }
        std::vector<size_t> next(of_.symbols + 1, 0);
        for (auto p = begin; p != end; ++p) ++next[before(*p) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::vector<Position> sorted(n.end - n.begin);
        for (auto p = begin; p != end; ++p) sorted[next[before(*p)]++] = *p;
        std::copy(sorted.begin(), sorted.end(), begin);
    }

    // The same for the root, whose positions are not listed before.
    void sort_all() {
        std::vector<size_t> next(of_.symbols + 1, 0);
        pulse_.blocks(0, of_.size, [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) next[of_.visible(p - 1) + 1] += of_.visible(p) != 0;
        });
        std::partial_sum(next.begin(), next.end(), next.begin());
        positions_.resize(nodes_[0].end);
        pulse_.blocks(0, of_.size, [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p)
                if (of_.visible(p)) positions_[next[of_.visible(p - 1)]++] = static_cast<Position>(p);
        });
    }

    const StarredCodes<Code>& of_;
    Majority<Code>& majority_;
    Pulse& pulse_;
    std::vector<Position> positions_;
    std::vector<Node> nodes_;
    std::unordered_map<uint64_t, size_t> children_;
};

// A position whose right neighbour is visible, with all that the attacker knows around it.
struct Question {
    std::vector<uint32_t> left, right;  // the nearest symbol first
    uint32_t answer;                    // what is under the star
};

// Answers questions that have a right side, all at once.
template <class Code, class Position>
class RightModel {
  public:
    RightModel(const StarredCodes<Code>& release, Majority<Code>& majority, Pulse& pulse)
        : of_(release), majority_(majority), pulse_(pulse),
          group_{std::vector<int32_t>(release.symbols, -1),
                 std::vector<int32_t>(release.symbols, -1)} {}

    // How many guesses are right; `unseen` is the guess without any context.
    int64_t right_guesses(const std::vector<Question>& questions, uint32_t unseen) {
        std::vector<const Question*> all;
        for (const Question& question : questions) all.push_back(&question);
        std::vector<Group> groups = group(all, 0, 0);
        std::vector<std::vector<Position>> positions(groups.size());
        pulse_.blocks(0, of_.size, [&](int64_t from, int64_t to) {
            for (int64_t p = from; p < to; ++p) {
                if (!of_.visible(p)) continue;
                const int32_t index = group_[Right][of_.visible(p + 1)];
                if (index >= 0) positions[index].push_back(static_cast<Position>(p));
            }
        });
        forget(groups);
        for (size_t g = 0; g < groups.size(); ++g) {
            if (positions[g].empty())
                score(groups[g].questions, unseen);
            else
                descend(groups[g].questions, std::move(positions[g]), 0, 1);
        }
        return right_;
    }

  private:
    enum Side { Left, Right };
    struct Group {
        Side side;
        uint32_t symbol;
        std::vector<const Question*> questions;
    };

    // The side on which the context (a, b) of a question grows next.
    static Side grows(const Question& question, size_t a, size_t b) {
        return a < question.left.size() && (a < b || b == question.right.size()) ? Left : Right;
    }

    // Questions that go to the same child of (a, b), which none of them ends at. Remembers the
    // groups in group_ until they are forgotten.
    std::vector<Group> group(const std::vector<const Question*>& questions, size_t a, size_t b) {
        std::vector<Group> groups;
        for (const Question* question : questions) {
            const Side side = grows(*question, a, b);
            const uint32_t symbol = side == Left ? question->left[a] : question->right[b];
            int32_t& index = group_[side][symbol];
            if (index < 0) {
                index = static_cast<int32_t>(groups.size());
                groups.push_back({side, symbol, {}});
            }
            groups[index].questions.push_back(question);
        }
        return groups;
    }

    void forget(const std::vector<Group>& groups) {
        for (const Group& each : groups) group_[each.side][each.symbol] = -1;
    }

    void score(const std::vector<const Question*>& questions, uint32_t guess) {
        for (const Question* question : questions) right_ += question->answer == guess;
    }

    // All these questions have the context (a, b), which was seen at these positions.
    void descend(const std::vector<const Question*>& questions, std::vector<Position> positions,
                 size_t a, size_t b) {
        pulse_(static_cast<int64_t>(positions.size()));
        std::vector<const Question*> here, further;
        for (const Question* question : questions) {
            const bool ends = a == question->left.size() && b == question->right.size();
            (ends ? here : further).push_back(question);
        }
        std::vector<Group> groups = group(further, a, b);
        bool grows_left = false, grows_right = false;
        for (const Group& each : groups) (each.side == Left ? grows_left : grows_right) = true;
        std::vector<std::vector<Position>> parts(groups.size());
        const auto part = [&](Side side, Position p, int64_t neighbour) {
            const int32_t index = group_[side][of_.visible(neighbour)];
            if (index >= 0) parts[index].push_back(p);
        };
        for (const Position p : positions) {
            if (grows_left) part(Left, p, static_cast<int64_t>(p) - static_cast<int64_t>(a) - 1);
            if (grows_right) part(Right, p, static_cast<int64_t>(p) + static_cast<int64_t>(b) + 1);
        }
        forget(groups);
        for (size_t g = 0; g < groups.size(); ++g)
            if (parts[g].empty())
                here.insert(here.end(), groups[g].questions.begin(), groups[g].questions.end());
        if (!here.empty()) score(here, majority_(positions));
        std::vector<Position>().swap(positions);  // not needed below
        for (size_t g = 0; g < groups.size(); ++g)
            if (!parts[g].empty())
                descend(groups[g].questions, std::move(parts[g]), groups[g].side == Left ? a + 1 : a,
                        groups[g].side == Left ? b : b + 1);
    }

    const StarredCodes<Code>& of_;
    Majority<Code>& majority_;
    Pulse& pulse_;
    std::vector<int32_t> group_[2];
    int64_t right_ = 0;
};

// A generator of 64 random bits (splitmix64).
inline uint64_t random_bits(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

// One random rank from each of `sample` equal parts of 0 .. count - 1; all when they are no more.
inline std::vector<int64_t> sample_ranks(int64_t count, int64_t sample, uint64_t seed) {
    std::vector<int64_t> ranks;
    sample = std::min(sample, count);
    const int64_t size = sample > 0 ? count / sample : 0, longer = sample > 0 ? count % sample : 0;
    for (int64_t i = 0, begin = 0; i < sample; ++i) {
        const int64_t length = size + (i < longer);  // the first parts are one longer
        ranks.push_back(begin + static_cast<int64_t>(random_bits(seed) % length));
        begin += length;
    }
    return ranks;
}

// The starred positions of the given ranks among those with a code.
template <class Code>
std::vector<int64_t> sampled_positions(const StarredCodes<Code>& release,
                                       const std::vector<int64_t>& ranks) {
    std::vector<int64_t> positions;
    int64_t rank = 0;
    for (int64_t p = 0; p < release.size && positions.size() < ranks.size(); ++p)
        if (release.stars[p] && release.codes[p]) {
            if (rank++ == ranks[positions.size()]) positions.push_back(p);
        }
    return positions;
}

// Guesses what needs no right side. Returns how many of these guesses are right, and adds the rest
// to `questions`.
template <class Code, class Position>
int64_t guess_runs(const StarredCodes<Code>& release, const std::vector<int64_t>& sample,
                   int64_t context, LeftModel<Code, Position>& model,
                   std::vector<Question>& questions, Pulse& pulse) {
    std::vector<uint32_t> left;   // the nearest symbol last
    int64_t right = 0, next = 0;  // all of the run before `next` is guessed
    for (const int64_t p : sample) {
        int64_t run = p;
        while (run > next && release.stars[run - 1]) --run;
        if (run == 0 || !release.stars[run - 1]) {  // a run not entered before
            left.clear();
            for (int64_t q = run; run - q < context && release.visible(q - 1); --q)
                left.insert(left.begin(), release.visible(q - 1));
            next = run;
        }
        const bool last = p + 1 == release.size || !release.stars[p + 1];
        for (; next < p + !last; ++next) {
            left.push_back(model.guess(left));
            if (next == p) right += left.back() == release.codes[p];
            if (static_cast<int64_t>(left.size()) > context) left.erase(left.begin());
            pulse(1);
        }
        if (!last) continue;
        next = p + 1;
        Question question{{left.rbegin(), left.rend()}, {}, release.codes[p]};
        for (int64_t q = p + 1; q <= p + context && release.visible(q); ++q)
            question.right.push_back(release.visible(q));
        if (question.right.empty())
            right += model.guess(left) == release.codes[p];
        else
            questions.push_back(std::move(question));
    }
    return right;
}

// How many of the sampled positions are guessed.
template <class Code, class Position>
int64_t right_guesses(const StarredCodes<Code>& release, const std::vector<int64_t>& sample,
                      int64_t context, Pulse& pulse) {
    Majority<Code> majority(release);
    std::vector<Question> questions;
    int64_t right = 0;
    uint32_t unseen = 0;
    {
        LeftModel<Code, Position> model(release, majority, pulse);
        if (model.empty()) return 0;
        right = guess_runs(release, sample, context, model, questions, pulse);
        unseen = model.guess({});
    }
    RightModel<Code, Position> model(release, majority, pulse);
    return right + model.right_guesses(questions, unseen);
}

// The share of stars that are guessed, from a sample of those that can be. A star over code 0 (a
// symbol too rare to be visible anywhere) cannot.
template <class Code>
double guess_rate(const Code* codes, const uint8_t* stars, int64_t size, int64_t context,
                  int64_t sample, uint64_t seed, const Tick& tick) {
    Code largest = 0;
    int64_t starred = 0, with_code = 0;
    for (int64_t p = 0; p < size; ++p) {
        largest = std::max(largest, codes[p]);
        starred += stars[p] != 0;
        with_code += stars[p] && codes[p];
    }
    const StarredCodes<Code> release{codes, stars, size, static_cast<size_t>(largest) + 1};
    const std::vector<int64_t> positions =
        sampled_positions(release, sample_ranks(with_code, sample, seed));
    if (positions.empty()) return 0;
    Pulse pulse(tick, size * (2 * context + 4));
    const int64_t right =
        size <= INT64_C(0x7FFFFFFF)
            ? right_guesses<Code, int32_t>(release, positions, context, pulse)
            : right_guesses<Code, int64_t>(release, positions, context, pulse);
    return static_cast<double>(right) / static_cast<double>(positions.size()) *
           (static_cast<double>(with_code) / static_cast<double>(starred));
}

}  // namespace sfumato
