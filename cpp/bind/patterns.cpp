// Python binding of string sanitization.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/python_tick.hpp"
#include "patterns/assemble.hpp"
#include "patterns/baseline.hpp"
#include "patterns/edit_distance.hpp"
#include "patterns/etfs.hpp"
#include "patterns/mcsr.hpp"
#include "patterns/tfs.hpp"
#include "patterns/windows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Ints = In<std::int64_t>;
using Symbols = In<Symbol>;
using Flags = In<std::uint8_t>;

template <class T>
Out<T> give(std::vector<T>&& values) {
    auto* home = new std::vector<T>(std::move(values));
    nb::capsule owner(home, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Out<T>(home->data(), {home->size()}, owner);
}

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

template <class Array>
Position size(const Array& array) {
    return static_cast<Position>(array.shape(0));
}

void check_k(Position k) { require(k >= 1, "k must be at least 1"); }

Position rows(const Symbols& flat, Position k) {
    check_k(k);
    require(size(flat) % k == 0, "windows must have k symbols each");
    return size(flat) / k;
}

WindowTable table_of(const Symbols& flat, Position k) {
    const Position count = rows(flat, k);
    WindowTable table(k, count);
    for (Position i = 0; i < count; ++i) table.insert(flat.data() + i * k);
    return table;
}

Out<std::uint8_t> sensitive_windows(Symbols text, Symbols patterns, Position k,
                                    nb::handle progress) {
    const WindowTable table = table_of(patterns, k);
    std::vector<std::uint8_t> flags(size(text), 0);
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        report(tick, 0.0);
        each_window(text.data(), size(text), table.hash(), [&](Position p, std::uint64_t h) {
            flags[p] = table.find(text.data() + p, h) >= 0;
        });
    }
    return give(std::move(flags));
}

Out<std::int64_t> count_windows(Symbols text, Symbols windows, Position k) {
    const Position count = rows(windows, k);
    std::vector<std::int64_t> result(count);
    {
        nb::gil_scoped_release unlocked;
        WindowTable table(k, count);
        std::vector<Position> numbers(count);
        for (Position i = 0; i < count; ++i) numbers[i] = table.insert(windows.data() + i * k);
        std::vector<std::int64_t> found(table.size(), 0);
        const auto expect = [&](std::uint64_t h) { table.expect(h); };
        each_window_expected(text.data(), size(text), table.hash(), expect,
                             [&](Position p, std::uint64_t h) {
                                 const Position u = table.find(text.data() + p, h);
                                 if (u >= 0) ++found[u];
                             });
        for (Position i = 0; i < count; ++i) result[i] = found[numbers[i]];
    }
    return give(std::move(result));
}

// Every distinct window: where it is first, and how often it occurs.
std::pair<Out<std::int64_t>, Out<std::int64_t>> distinct_windows(Symbols text, Position k) {
    check_k(k);
    require(size(text) < (Position{1} << 31), "at most 2^31 symbols");
    DistinctWindows found(k);
    {
        nb::gil_scoped_release unlocked;
        found.add(text.data(), size(text), 0);
    }
    return {give(std::move(found.places)), give(std::move(found.counts))};
}

// The same over two texts: where each distinct window is first in the one and then the other, and
// how often it occurs in each.
std::tuple<Out<std::int64_t>, Out<std::int64_t>, Out<std::int64_t>> compared_windows(Symbols before,
                                                                                     Symbols after,
                                                                                     Position k) {
    check_k(k);
    require(size(before) + size(after) < (Position{1} << 31), "at most 2^31 symbols");
    DistinctWindows found(k);
    std::vector<std::int64_t> first;
    {
        nb::gil_scoped_release unlocked;
        found.add(before.data(), size(before), 0);
        first = found.counts;
        found.add(after.data(), size(after), size(before));
        first.resize(found.counts.size(), 0);
        for (std::size_t u = 0; u < first.size(); ++u) found.counts[u] -= first[u];
    }
    return {give(std::move(found.places)), give(std::move(first)), give(std::move(found.counts))};
}

using PieceArrays =
    std::tuple<Out<std::int64_t>, Out<std::int64_t>, Out<std::int64_t>, Out<std::uint8_t>>;

PieceArrays give(Pieces&& pieces) {
    return {give(std::move(pieces.starts)), give(std::move(pieces.stops)),
            give(std::move(pieces.documents)), give(std::move(pieces.joins))};
}

Pieces pieces_of(const Ints& starts, const Ints& stops, const Ints& documents, const Flags& joins,
                 Position n) {
    require(size(starts) == size(stops) && size(starts) == size(documents) &&
                size(starts) == size(joins),
            "the arrays of pieces must have equal sizes");
    Pieces pieces;
    for (Position i = 0; i < size(starts); ++i) {
        require(
            0 <= starts.data()[i] && starts.data()[i] <= stops.data()[i] && stops.data()[i] <= n,
            "a piece must lie within the text");
        pieces.add(starts.data()[i], stops.data()[i], documents.data()[i],
                   static_cast<Join>(joins.data()[i]));
    }
    return pieces;
}

PieceArrays bind_tfs(Symbols text, Ints ends, Flags sensitive, Position k, nb::handle progress) {
    check_k(k);
    require(size(sensitive) == size(text), "one flag per symbol");
    Position previous = -1;
    for (Position d = 0; d < size(ends); ++d) {
        require(ends.data()[d] > previous && ends.data()[d] < size(text), "ends must rise below n");
        previous = ends.data()[d];
    }
    const Tick tick = python_tick(progress);
    Pieces pieces;
    {
        nb::gil_scoped_release unlocked;
        pieces = tfs(text.data(), ends.data(), size(ends), sensitive.data(), k, tick);
    }
    return give(std::move(pieces));
}

PieceArrays bind_pfs(Symbols text, Ints starts, Ints stops, Ints documents, Flags joins, Position k,
                     bool shuffled, std::uint64_t seed, nb::handle progress) {
    check_k(k);
    const Pieces pieces = pieces_of(starts, stops, documents, joins, size(text));
    // A block begins with a whole window; an overlapping piece adds to the block before it, and
    // with it ends in the k-1 symbols before its stop.
    for (std::size_t i = 0; i < pieces.starts.size(); ++i)
        require(
            pieces.joins[i] == overlapping
                ? i > 0 && pieces.documents[i] == pieces.documents[i - 1] && pieces.stops[i] >= k
                : pieces.stops[i] - pieces.starts[i] >= k,
            "a block must have k symbols");
    const Tick tick = python_tick(progress);
    Pieces out;
    {
        nb::gil_scoped_release unlocked;
        out = pfs(text.data(), pieces, k, shuffled, seed, tick);
    }
    return give(std::move(out));
}

std::pair<Out<Symbol>, Out<std::int64_t>> bind_assemble(Symbols text, Ints starts, Ints stops,
                                                        Ints documents, Flags joins,
                                                        Position count) {
    const Pieces pieces = pieces_of(starts, stops, documents, joins, size(text));
    Text result;
    {
        nb::gil_scoped_release unlocked;
        result = assemble(text.data(), pieces, count);
    }
    return {give(std::move(result.symbols)), give(std::move(result.ends))};
}

Out<Symbol> bind_candidates(Symbols text, Symbols letters, Position k, nb::handle progress) {
    check_k(k);
    const Tick tick = python_tick(progress);
    std::vector<Symbol> flat;
    {
        nb::gil_scoped_release unlocked;
        Contexts contexts(text.data(), size(text), letters.data(), size(letters), k);
        flat = candidate_windows(contexts, k, tick);
    }
    return give(std::move(flat));
}

// What the functions over candidates share: the contexts and the table, from Python's arrays.
struct Job {
    Job(const Symbols& text, const Symbols& letters, const Symbols& windows, Position k)
        : contexts(text.data(), size(text), letters.data(), size(letters), k),
          candidates(windows.data(), rows(windows, k), k) {}
    Contexts contexts;
    Candidates candidates;
};

Out<std::int32_t> bind_hide_and_mine(Symbols text, Symbols letters, Symbols windows, Position k,
                                     Ints frequency, Flags forbidden, std::int64_t tau, int sweeps,
                                     nb::handle progress) {
    require(size(frequency) == rows(windows, k) && size(forbidden) == rows(windows, k),
            "one frequency and one flag per window");
    const Tick tick = python_tick(progress);
    std::vector<std::int32_t> chosen;
    {
        nb::gil_scoped_release unlocked;
        Job job(text, letters, windows, k);
        Counts counts{frequency.data(), std::vector<std::int64_t>(size(frequency), 0), tau};
        chosen = hide_and_mine(job.contexts, job.candidates, counts, forbidden.data(), tick);
        refine(job.contexts, job.candidates, counts, forbidden.data(), chosen, sweeps, tick);
    }
    return give(std::move(chosen));
}

Out<double> bind_choice_costs(Symbols text, Symbols letters, Symbols windows, Position k,
                              In<double> weight, Flags forbidden, nb::handle progress) {
    require(size(weight) == rows(windows, k) && size(forbidden) == rows(windows, k),
            "one weight and one flag per window");
    const Tick tick = python_tick(progress);
    std::vector<double> costs;
    {
        nb::gil_scoped_release unlocked;
        Job job(text, letters, windows, k);
        costs = choice_costs(job.contexts, job.candidates, weight.data(), forbidden.data(), tick);
    }
    return give(std::move(costs));
}

Out<std::int64_t> bind_most_created(Symbols text, Symbols letters, Symbols windows, Position k) {
    std::vector<std::int64_t> most;
    {
        nb::gil_scoped_release unlocked;
        Job job(text, letters, windows, k);
        most = most_created(job.contexts, job.candidates);
    }
    return give(std::move(most));
}

std::tuple<Out<std::int32_t>, Out<std::int32_t>, Out<std::int32_t>, Out<std::int64_t>>
bind_incidences(Symbols text, Symbols letters, Symbols windows, Position k, nb::handle progress) {
    const Tick tick = python_tick(progress);
    Incidences found;
    {
        nb::gil_scoped_release unlocked;
        Job job(text, letters, windows, k);
        found = incidences(job.contexts, job.candidates, tick);
    }
    return {give(std::move(found.separators)), give(std::move(found.choices)),
            give(std::move(found.windows)), give(std::move(found.places))};
}

void check_kept(const Symbols& text, const Ints& kept, Position k) {
    check_k(k);
    Position previous = -1;
    for (Position i = 0; i < size(kept); ++i) {
        require(kept.data()[i] > previous && kept.data()[i] + k <= size(text),
                "kept windows must rise and lie within the text");
        previous = kept.data()[i];
    }
}

double bind_etfs_cells(Symbols text, Ints kept, Position k, std::int64_t most) {
    check_kept(text, kept, k);
    return Etfs(text.data(), size(text), kept.data(), size(kept), k, most).cells();
}

std::tuple<Out<Symbol>, Out<std::int64_t>, std::int64_t> bind_etfs(Symbols text, Ints kept,
                                                                   Position k, std::int64_t most,
                                                                   nb::handle progress) {
    check_kept(text, kept, k);
    const Tick tick = python_tick(progress);
    Etfs::Result result;
    {
        nb::gil_scoped_release unlocked;
        result = Etfs(text.data(), size(text), kept.data(), size(kept), k, most).run(tick);
    }
    return {give(std::move(result.symbols)), give(std::move(result.from)), result.distance};
}

Out<Symbol> bind_baseline(Symbols text, Symbols patterns, Position k, Ints frequency, bool reverse,
                          nb::handle progress) {
    const WindowTable table = table_of(patterns, k);
    std::vector<Symbol> result(text.data(), text.data() + size(text));
    for (const Symbols& symbols : {text, patterns})
        for (Position p = 0; p < size(symbols); ++p)
            require(symbols.data()[p] < size(frequency), "one frequency per symbol");
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        const std::vector<std::int64_t> counts(frequency.data(),
                                               frequency.data() + size(frequency));
        baseline(result.data(), size(text), table, counts, reverse, tick);
    }
    return give(std::move(result));
}

std::int64_t bind_edit_distance(Symbols a, Symbols b, nb::handle progress) {
    const Tick tick = python_tick(progress);
    nb::gil_scoped_release unlocked;
    return edit_distance(a.data(), size(a), b.data(), size(b), tick);
}

}  // namespace
}  // namespace sfumato

void bind_patterns(nb::module_& m) {
    using namespace sfumato;
    m.def("sensitive_windows", &sensitive_windows, "text"_a.noconvert(), "patterns"_a.noconvert(),
          "k"_a, "progress"_a.none());
    m.def("count_windows", &count_windows, "text"_a.noconvert(), "windows"_a.noconvert(), "k"_a);
    m.def("distinct_windows", &distinct_windows, "text"_a.noconvert(), "k"_a);
    m.def("compared_windows", &compared_windows, "before"_a.noconvert(), "after"_a.noconvert(),
          "k"_a);
    m.def("tfs", &bind_tfs, "text"_a.noconvert(), "ends"_a.noconvert(), "sensitive"_a.noconvert(),
          "k"_a, "progress"_a.none());
    m.def("pfs", &bind_pfs, "text"_a.noconvert(), "starts"_a.noconvert(), "stops"_a.noconvert(),
          "documents"_a.noconvert(), "joins"_a.noconvert(), "k"_a, "shuffled"_a, "seed"_a,
          "progress"_a.none());
    m.def("assemble", &bind_assemble, "text"_a.noconvert(), "starts"_a.noconvert(),
          "stops"_a.noconvert(), "documents"_a.noconvert(), "joins"_a.noconvert(), "count"_a);
    m.def("candidate_windows", &bind_candidates, "text"_a.noconvert(), "letters"_a.noconvert(),
          "k"_a, "progress"_a.none());
    m.def("hide_and_mine", &bind_hide_and_mine, "text"_a.noconvert(), "letters"_a.noconvert(),
          "windows"_a.noconvert(), "k"_a, "frequency"_a.noconvert(), "forbidden"_a.noconvert(),
          "tau"_a, "sweeps"_a, "progress"_a.none());
    m.def("choice_costs", &bind_choice_costs, "text"_a.noconvert(), "letters"_a.noconvert(),
          "windows"_a.noconvert(), "k"_a, "weight"_a.noconvert(), "forbidden"_a.noconvert(),
          "progress"_a.none());
    m.def("most_created", &bind_most_created, "text"_a.noconvert(), "letters"_a.noconvert(),
          "windows"_a.noconvert(), "k"_a);
    m.def("incidences", &bind_incidences, "text"_a.noconvert(), "letters"_a.noconvert(),
          "windows"_a.noconvert(), "k"_a, "progress"_a.none());
    m.def("etfs_cells", &bind_etfs_cells, "text"_a.noconvert(), "kept"_a.noconvert(), "k"_a,
          "most"_a);
    m.def("etfs", &bind_etfs, "text"_a.noconvert(), "kept"_a.noconvert(), "k"_a, "most"_a,
          "progress"_a.none());
    m.def("baseline", &bind_baseline, "text"_a.noconvert(), "patterns"_a.noconvert(), "k"_a,
          "frequency"_a.noconvert(), "reverse"_a, "progress"_a.none());
    m.def("edit_distance", &bind_edit_distance, "a"_a.noconvert(), "b"_a.noconvert(),
          "progress"_a.none());
}
