// Python binding of the covers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bind/python_tick.hpp"
#include "repeats/cover_fewest.hpp"
#include "repeats/cover_longest_first.hpp"
#include "repeats/give_back.hpp"
#include "repeats/periodic_runs.hpp"
#include "repeats/units.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = std::optional<Array<const std::uint8_t>>;

template <class Length>
struct Rule {
    bool longest_first;
    Position min_run, price;
    Length* steps;  // working memory for the longest document, or null: from the heap

    template <class Units>
    void apply(const Length* L, const Units& units, std::uint8_t* stars) const {
        if (longest_first) {
            cover_longest_first(L, units, min_run, stars);
            return;
        }
        std::vector<Length> heap(steps ? 0 : static_cast<std::size_t>(units.count()) + 1);
        cover_fewest(L, units, min_run, price, steps ? steps : heap.data(), stars);
    }
};

// A blocked position is starred whatever L says, and no stretch reaches across it.
template <class Length>
void clip(Length* L, const std::uint8_t* blocked, Position n) {
    for (Position p = n, reach = n; p-- > 0;) {
        if (blocked[p]) reach = p;
        if (static_cast<Position>(L[p]) > reach - p) L[p] = static_cast<Length>(reach - p);
    }
}

template <class Length>
void cover_document(const Length* L, Position start, Position stop, const Position* tokens,
                    Position token_count, const std::uint8_t* kept, const Rule<Length>& rule,
                    std::uint8_t* stars) {
    if (tokens) {
        const Tokens units{tokens, token_count};
        if (kept)
            rule.apply(L, Unkept(units, kept), stars);
        else
            rule.apply(L, units, stars);
    } else {
        const Symbols units{start, stop};
        if (kept)
            rule.apply(L, Unkept(units, kept), stars);
        else if (!rule.longest_first && rule.min_run <= 1 && rule.price == 0)
            cover_greedily(L, start, stop, stars);
        else
            rule.apply(L, units, stars);
    }
}

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

void check_ends(const Array<const Position>& ends, Position n) {
    Position previous = -1;
    for (std::size_t d = 0; d < ends.shape(0); ++d) {
        require(ends.data()[d] > previous && ends.data()[d] < n, "ends must rise below n");
        previous = ends.data()[d];
    }
}

template <class Length>
void cover(Array<Length> lengths, Array<const Position> ends,
           std::optional<Array<const Position>> tokens, const Flags& kept, const Flags& blocked,
           bool longest_first, Position min_run, Position price, Array<std::uint8_t> stars,
           std::optional<Array<Length>> steps, nb::handle progress) {
    const Position n = static_cast<Position>(lengths.shape(0));
    const Position documents = static_cast<Position>(ends.shape(0));
    const Rule<Length> rule{longest_first, min_run, price, steps ? steps->data() : nullptr};
    require(static_cast<Position>(stars.shape(0)) == n, "stars must have one flag per position");
    require(!steps || static_cast<Position>(steps->shape(0)) > n, "steps must have n + 1 numbers");
    for (const Flags* flags : {&kept, &blocked})
        require(!*flags || static_cast<Position>((*flags)->shape(0)) == n,
                "kept and blocked must have one flag per position");
    check_ends(ends, n);
    require(!tokens || (tokens->shape(0) > 0 && tokens->data()[tokens->shape(0) - 1] == n),
            "tokens must end with n");

    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        std::fill_n(stars.data(), n, std::uint8_t{0});
        Length* L = lengths.data();
        if (blocked) clip(L, blocked->data(), n);
        const Position* token = tokens ? tokens->data() : nullptr;
        Position start = 0, reported = 0;
        for (Position d = 0; d < documents; ++d) {
            const Position stop = ends.data()[d];
            const Position* past = token;
            if (token) {
                while (*past < stop) ++past;
                require(*token == start && *past == stop,
                        "a token must not cross a document's end");
            }
            cover_document(L, start, stop, token, past - token, kept ? kept->data() : nullptr, rule,
                           stars.data());
            if (token) token = past + 1;  // the break after the document is a token of its own
            start = stop + 1;
            if (stop - reported > (1 << 22)) {
                report(tick, static_cast<double>(stop) / static_cast<double>(n));
                reported = stop;
            }
        }
    }
}

template <class Code>
Position bind_try_stars(Array<const Code> codes, Array<const Position> ends,
                        std::optional<Array<const Position>> tokens, const Flags& fixed,
                        Position turn, Position hashed, Array<std::uint8_t> stars) {
    const Position n = static_cast<Position>(codes.shape(0));
    check_ends(ends, n);
    require(static_cast<Position>(stars.shape(0)) == n, "stars must have one flag per position");
    require(!fixed || static_cast<Position>(fixed->shape(0)) == n, "fixed: one flag per position");
    require(!tokens || (tokens->shape(0) > 0 && tokens->data()[tokens->shape(0) - 1] == n),
            "tokens must end with n");
    nb::gil_scoped_release unlocked;
    const std::uint8_t* kept = fixed ? fixed->data() : nullptr;
    const Position* token = tokens ? tokens->data() : nullptr;
    Position start = 0, tried = 0;
    for (std::size_t d = 0; d < ends.shape(0); ++d) {
        const Position stop = ends.data()[d];
        if (token) {
            const Position* past = token;
            while (*past < stop) ++past;
            require(*token == start && *past == stop, "a token must not cross a document's end");
            const Tokens units{token, past - token};
            tried += try_units(codes.data(), units, kept, turn, hashed, stars.data());
            token = past + 1;
        } else {
            const Symbols units{start, stop};
            tried += try_units(codes.data(), units, kept, turn, hashed, stars.data());
        }
        start = stop + 1;
    }
    return tried;
}

template <class Length>
std::pair<Position, Position> bind_judge_stars(Array<const Length> lengths,
                                               Array<const Position> ends, Position min_run,
                                               Array<std::uint8_t> stars) {
    const Position n = static_cast<Position>(lengths.shape(0));
    check_ends(ends, n);
    require(static_cast<Position>(stars.shape(0)) == n, "stars must have one flag per position");
    nb::gil_scoped_release unlocked;
    Tried tried;
    Position start = 0;
    for (std::size_t d = 0; d < ends.shape(0); ++d) {
        judge(lengths.data(), start, ends.data()[d], min_run, stars.data(), tried);
        start = ends.data()[d] + 1;
    }
    if (!tried.dropped)
        for (Position p = 0; p < n; ++p)
            if (stars.data()[p] == on_trial) stars.data()[p] = 0;
    return {tried.dropped, tried.given_back};
}

template <class Code>
Position bind_part_runs(Array<const Code> codes, std::optional<Array<const Position>> tokens,
                        const Flags& kept, Position k, Array<std::uint8_t> stars) {
    const Position n = static_cast<Position>(codes.shape(0));
    require(k > 0, "k must be at least 1");
    require(static_cast<Position>(stars.shape(0)) == n, "stars must have one flag per position");
    require(!kept || static_cast<Position>(kept->shape(0)) == n, "kept: one flag per position");
    require(!tokens || (tokens->shape(0) > 0 && tokens->data()[tokens->shape(0) - 1] == n),
            "tokens must end with n");
    nb::gil_scoped_release unlocked;
    const std::uint8_t* never = kept ? kept->data() : nullptr;
    if (!tokens) return PeriodicRuns(codes.data(), Symbols{0, n}, never, k, stars.data()).part();
    const Tokens units{tokens->data(), static_cast<Position>(tokens->shape(0)) - 1};
    return PeriodicRuns(codes.data(), units, never, k, stars.data()).part();
}

template <class Code>
void bind_codes(nb::module_& m) {
    m.def("try_stars", &bind_try_stars<Code>, "codes"_a.noconvert(), "ends"_a.noconvert(),
          "tokens"_a.noconvert().none(), "fixed"_a.noconvert().none(), "turn"_a, "hashed"_a,
          "stars"_a.noconvert());
    m.def("part_runs", &bind_part_runs<Code>, "codes"_a.noconvert(), "tokens"_a.noconvert().none(),
          "kept"_a.noconvert().none(), "k"_a, "stars"_a.noconvert());
}

template <class Length>
void bind(nb::module_& m) {
    m.def("judge_stars", &bind_judge_stars<Length>, "lengths"_a.noconvert(), "ends"_a.noconvert(),
          "min_run"_a, "stars"_a.noconvert());
    m.def("cover", &cover<Length>, "lengths"_a.noconvert(), "ends"_a.noconvert(),
          "tokens"_a.noconvert().none(), "kept"_a.noconvert().none(),
          "blocked"_a.noconvert().none(), "longest_first"_a, "min_run"_a, "price"_a,
          "stars"_a.noconvert(), "steps"_a.noconvert().none(), "progress"_a.none());
}

}  // namespace
}  // namespace sfumato

void bind_covers(nb::module_& m) {
    sfumato::bind<std::int32_t>(m);
    sfumato::bind<std::int64_t>(m);
    sfumato::bind_codes<std::uint8_t>(m);
    sfumato::bind_codes<std::uint16_t>(m);
    sfumato::bind_codes<std::uint32_t>(m);
}
