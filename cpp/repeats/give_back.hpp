// Stars that a strict release can do without. Of the starred units some are made legible on trial,
// never two in one legible stretch; a stretch that then occurs too rarely gets its star again,
// until all that is left occurs often enough. Counts only rise with what is legible, so that what
// stays is the largest part of the trial that may stay, and no other stretch is harmed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "repeats/units.hpp"

namespace sfumato {

constexpr std::uint8_t starred = 1, on_trial = 2;

// By which a unit is preferred to its neighbours: equal units alike in the turns below `hashed`, so
// that what occurs several times is tried together; by turns in the others.
template <class Code>
std::uint64_t rank_of(const Code* codes, Position first, Position past, Position number,
                      Position turn, Position hashed) {
    if (turn >= hashed) return static_cast<std::uint64_t>((number + turn) % 2) + 1;
    std::uint64_t h = static_cast<std::uint64_t>(turn) + 1;
    for (Position p = first; p < past; ++p)
        h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(codes[p])) * 0x9e3779b97f4a7c15ull;
    return (h ^ (h >> 32)) | 1;
}

// Puts starred units of one document on trial: how many. Those with a break (code 0) or a fixed
// symbol stay.
template <class Code, class Units>
Position try_units(const Code* codes, const Units& units, const std::uint8_t* fixed, Position turn,
                   Position hashed, std::uint8_t* stars) {
    struct Star {
        Position unit = -1;
        std::uint64_t rank = 0;  // 0: stays
        bool tried = false;
    } before, here;
    Position count = 0;
    const auto settle = [&](std::uint64_t next) {
        here.tried =
            here.rank > 0 && !before.tried && here.rank >= before.rank && here.rank >= next;
        if (!here.tried) return;
        ++count;
        for (Position p = units.first(here.unit); p < units.past(here.unit); ++p)
            stars[p] = on_trial;
    };
    Position number = 0;
    for (Position a = 0; a < units.count(); ++a) {
        bool any = false, all = true;
        for (Position p = units.first(a); p < units.past(a); ++p) {
            any |= stars[p] == starred;
            all &= stars[p] == starred && codes[p] != 0 && !(fixed && fixed[p]);
        }
        if (!any) continue;
        const Star next{
            a, all ? rank_of(codes, units.first(a), units.past(a), number, turn, hashed) : 0};
        ++number;
        if (here.unit >= 0) settle(next.rank);
        before = here;
        here = next;
    }
    if (here.unit >= 0) settle(0);
    return count;
}

struct Tried {
    Position dropped = 0, given_back = 0;  // symbols
};

// Stars again what made a stretch of [start, stop) rare, by L over what is legible or on trial.
// Stretches without anything on trial are as good as they were.
template <class Length>
void judge(const Length* L, Position start, Position stop, Position min_run, std::uint8_t* stars,
           Tried& tried) {
    for (Position next = start; next < stop;) {
        const void* found = std::memchr(stars + next, on_trial, std::size_t(stop - next));
        if (!found) return;
        Position a = static_cast<const std::uint8_t*>(found) - stars, b = a, symbols = 0;
        while (a > start && stars[a - 1] != starred) --a;
        for (; b < stop && stars[b] != starred; ++b) symbols += stars[b] == on_trial;
        if (static_cast<Position>(L[a]) >= b - a && b - a >= min_run) {
            tried.given_back += symbols;
        } else {
            tried.dropped += symbols;
            for (Position p = a; p < b; ++p)
                if (stars[p] == on_trial) stars[p] = starred;
        }
        next = b;
    }
}

}  // namespace sfumato
