// What a cover chooses from: the units of one document that are starred whole or not at all.
//
// Unit a spans the positions [first(a), past(a)) that count, and weighs weight(a) symbols. A
// stretch of units a..b-1 may stay legible when past(b-1) <= first(a) + L(first(a)): then it is a
// k-repeat. Because p + L(p) never decreases, the furthest such b never decreases with a.
#pragma once

#include <cstdint>
#include <vector>

namespace sfumato {

using Position = std::int64_t;

// Every position of [start, stop) is a unit.
struct Symbols {
    Position start, stop;

    Position count() const { return stop - start; }
    Position first(Position a) const { return start + a; }
    Position past(Position a) const { return start + a + 1; }
    Position weight(Position) const { return 1; }
    void star(Position a, std::uint8_t* stars) const { stars[start + a] = 1; }
};

// Unit a is the token [starts[a], starts[a + 1]).
struct Tokens {
    const Position* starts;
    Position tokens;

    Position count() const { return tokens; }
    Position first(Position a) const { return starts[a]; }
    Position past(Position a) const { return starts[a + 1]; }
    Position weight(Position a) const { return starts[a + 1] - starts[a]; }
    void star(Position a, std::uint8_t* stars) const {
        for (Position p = starts[a]; p < starts[a + 1]; ++p) stars[p] = 1;
    }
};

// Units with symbols that are never starred: those are stripped from a unit's ends and weigh
// nothing; a unit of such symbols only is no unit.
class Unkept {
  public:
    template <class Units>
    Unkept(const Units& units, const std::uint8_t* kept) : kept_(kept) {
        for (Position a = 0; a < units.count(); ++a) {
            Position first = units.first(a), past = units.past(a), weight = 0;
            while (first < past && kept[first]) ++first;
            while (past > first && kept[past - 1]) --past;
            for (Position p = first; p < past; ++p) weight += !kept[p];
            if (weight) units_.push_back({first, past, weight});
        }
    }

    Position count() const { return static_cast<Position>(units_.size()); }
    Position first(Position a) const { return units_[a].first; }
    Position past(Position a) const { return units_[a].past; }
    Position weight(Position a) const { return units_[a].weight; }
    void star(Position a, std::uint8_t* stars) const {
        for (Position p = units_[a].first; p < units_[a].past; ++p) stars[p] = !kept_[p];
    }

  private:
    struct Unit {
        Position first, past, weight;
    };
    const std::uint8_t* kept_;
    std::vector<Unit> units_;
};

}  // namespace sfumato
