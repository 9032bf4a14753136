// Python binding of the reader: what can be guessed, read through, and covered against.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bind/python_array.hpp"
#include "bind/python_tick.hpp"
#include "repeats/cover_reader.hpp"
#include "repeats/one_way.hpp"
#include "repeats/reader.hpp"
#include "text/separators.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

template <class T>
using Changed = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = std::optional<Array<std::uint8_t>>;

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

void check_ends(const Array<Position>& ends, std::size_t n) {
    Position previous = -1;
    for (std::size_t d = 0; d < ends.shape(0); ++d) {
        require(ends.data()[d] > previous, "ends must rise");
        previous = ends.data()[d];
    }
    require(previous + 1 == Position(n), "the last document must end with the tokens");
}

nb::object guessed(Array<std::uint32_t> codes, std::optional<Array<std::uint32_t>> lengths,
                   Array<Position> ends, std::optional<Array<std::int32_t>> labels, Position judged,
                   std::int64_t num, std::int64_t den, nb::handle progress) {
    const std::size_t n = codes.shape(0);
    check_ends(ends, n);
    require(!lengths || lengths->shape(0) == n, "lengths: one a token");
    require(judged >= 0 && judged <= Position(ends.shape(0)), "judged: at most all documents");
    require(!labels || Position(labels->shape(0)) >= judged, "labels: one a document");
    require(num > 0 && num <= den && den <= 1000000000, "expected a share above 0, at most 1");
    const Tick tick = python_tick(progress);
    Vector<std::uint8_t> bits;
    {
        nb::gil_scoped_release unlocked;
        const std::uint32_t largest = n ? *std::max_element(codes.data(), codes.data() + n) : 0;
        require(largest < UINT32_MAX - 2, "too many different tokens");
        const TokenTexts texts{codes.data(),
                               lengths ? lengths->data() : nullptr,
                               ends.data(),
                               Position(ends.shape(0)),
                               labels ? labels->data() : nullptr,
                               judged,
                               largest + 1};
        bits = ReaderOf(texts, {num, den}, tick).bits();
    }
    return to_numpy(std::move(bits));
}

// The same from counts that were made elsewhere: eight for each token, and 0 for breaks.
nb::object bits_of_counts(
    nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> counts,
    Array<std::uint8_t> known, std::int64_t num, std::int64_t den) {
    const std::size_t n = counts.shape(0);
    require(counts.shape(1) == 8 && known.shape(0) == n, "counts: eight a token");
    require(num > 0 && num <= den && den <= 1000000000, "expected a share above 0, at most 1");
    Vector<std::uint8_t> bits(n, 0);
    {
        nb::gil_scoped_release unlocked;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int64_t* c = counts.data() + 8 * i;
            if (known.data()[i])
                bits[i] =
                    guessed_bits({c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]}, {num, den});
        }
    }
    return to_numpy(std::move(bits));
}

nb::object left_of_stars(Array<std::uint8_t> bits, Array<Position> ends,
                         Array<std::uint8_t> stars) {
    const std::size_t n = bits.shape(0);
    check_ends(ends, n);
    require(stars.shape(0) == n, "stars: one a token");
    Vector<std::uint8_t> left(n, 0);
    {
        nb::gil_scoped_release unlocked;
        const std::uint8_t* flags = stars.data();
        for (std::size_t d = 0; d < ends.shape(0); ++d)
            read_through(
                bits.data(), d ? ends.data()[d - 1] + 1 : 0, ends.data()[d],
                [&](Position i) { return flags[i] == 1; }, [&](Position i) { left[i] = 1; });
    }
    return to_numpy(std::move(left));
}

nb::object one_way(Array<std::uint32_t> codes, Array<Position> ends, Array<std::uint8_t> stars) {
    check_ends(ends, codes.shape(0));
    require(stars.shape(0) == codes.shape(0), "stars: one a token");
    Vector<std::uint8_t> found(ends.shape(0), 0);
    {
        nb::gil_scoped_release unlocked;
        for (std::size_t d = 0; d < ends.shape(0); ++d) {
            const Position start = d ? ends.data()[d - 1] + 1 : 0;
            found[d] =
                laid_one_way(codes.data() + start, stars.data() + start, ends.data()[d] - start);
        }
    }
    return to_numpy(std::move(found));
}

template <class Length>
nb::object cover(Array<Length> lengths, Array<Position> ends, Array<std::uint8_t> bits,
                 Array<Position> starts, Array<Position> stops, const Flags& starred,
                 const Flags& left, Position min_run, Position run_price, nb::handle progress) {
    const std::size_t n = lengths.shape(0);
    check_ends(ends, n);
    require(bits.shape(0) == n && starts.shape(0) == n && stops.shape(0) == n &&
                (!starred || starred->shape(0) == n) && (!left || left->shape(0) == n),
            "expected one value a token");
    const Tick tick = python_tick(progress);
    Vector<std::uint8_t> stars(n, 0);
    {
        nb::gil_scoped_release unlocked;
        CoverSteps steps;
        Position reported = 0;
        for (std::size_t d = 0; d < ends.shape(0); ++d) {
            const Position a = d ? ends.data()[d - 1] + 1 : 0, b = ends.data()[d];
            const CoverInput<Length> in{lengths.data() + a,
                                        bits.data() + a,
                                        starred ? starred->data() + a : nullptr,
                                        left ? left->data() + a : nullptr,
                                        starts.data() + a,
                                        stops.data() + a,
                                        b - a};
            if (!in.is_covered())
                cover_against_reader(in, {min_run, run_price}, steps, stars.data() + a);
            if (b - reported > (1 << 20)) {
                report(tick, double(b) / double(n));
                reported = b;
            }
        }
    }
    return to_numpy(std::move(stars));
}

// How far each position's stretch reaches when only stretches of `reach` tokens must be k-repeats.
template <class Length>
void within_reach(Changed<Length> lengths, Array<Position> ends, Position reach) {
    check_ends(ends, lengths.shape(0));
    require(reach >= 1, "reach: at least 1");
    nb::gil_scoped_release unlocked;
    Length* L = lengths.data();
    for (std::size_t d = 0; d < ends.shape(0); ++d) {
        const Position start = d ? ends.data()[d - 1] + 1 : 0, stop = ends.data()[d];
        Position furthest = stop;
        for (Position p = stop; p-- > start;) {
            if (Position(L[p]) < std::min(reach, stop - p))
                furthest = std::min(furthest, p + Position(L[p]));
            L[p] = Length(furthest - p);
        }
    }
}

// Texts, their tokens, and what of them does not count between tokens.
class SeparatorsOf {
  public:
    SeparatorsOf(const nb::list& list, const Array<Position>& starts, const Array<Position>& stops,
                 const Array<Position>& ends, const nb::str& keep, const Flags& hidden)
        : texts_(list), kept_(text_of(keep.ptr())) {
        check_ends(ends, starts.shape(0));
        require(Position(ends.shape(0)) == texts_.count(), "ends: one a document");
        require(starts.shape(0) == stops.shape(0), "starts and stops: one a token");
        require(!hidden || hidden->shape(0) == std::size_t(texts_.size()), "one flag a symbol");
        for (std::size_t d = 0, t = 0; d < ends.shape(0); ++d, ++t) {
            Position at = texts_.start(Position(d));
            for (; Position(t) < ends.data()[d]; at = stops.data()[t++])
                require(starts.data()[t] >= at && stops.data()[t] > starts.data()[t] &&
                            stops.data()[t] <= texts_.end(Position(d)),
                        "the tokens are not those of the texts");
        }
        found.emplace(texts_, TokenPlaces{starts.data(), stops.data(), ends.data()}, kept_,
                      hidden ? hidden->data() : nullptr);
    }

    const Documents& texts() const { return texts_; }
    std::optional<Separators> found;

  private:
    const Documents texts_;
    const SymbolSet kept_;
};

Position rare_separators(nb::list list, Array<Position> starts, Array<Position> stops,
                         Array<Position> ends, nb::str keep, const Flags& hidden, Position k,
                         std::optional<Array<std::int32_t>> labels, Changed<std::uint8_t> blank) {
    SeparatorsOf separators(list, starts, stops, ends, keep, hidden);
    const Documents& texts = separators.texts();
    require(blank.shape(0) == std::size_t(texts.size()), "one flag a symbol");
    require(!labels || Position(labels->shape(0)) == texts.count(), "labels: one a document");
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    nb::gil_scoped_release unlocked;
    return separators.found->mark_rare(k, labels ? labels->data() : nullptr, blank.data(), pulse);
}

// The different separators, as they count, and of each place with one its document and number.
nb::tuple separators(nb::list list, Array<Position> starts, Array<Position> stops,
                     Array<Position> ends, nb::str keep, const Flags& hidden) {
    SeparatorsOf separators(list, starts, stops, ends, keep, hidden);
    std::vector<std::u32string> keys;
    std::vector<std::int64_t> documents, numbers;
    {
        nb::gil_scoped_release unlocked;
        separators.found->number(keys, documents, numbers);
    }
    nb::list names;
    for (const std::u32string& key : keys)
        names.append(nb::steal(
            PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, key.data(), Py_ssize_t(key.size()))));
    return nb::make_tuple(names, to_numpy(std::move(documents)), to_numpy(std::move(numbers)));
}

// Marks the separators of which `rare`, one a number of `separators`, says so: how many.
Position blank_separators(nb::list list, Array<Position> starts, Array<Position> stops,
                          Array<Position> ends, nb::str keep, const Flags& hidden,
                          Array<std::uint8_t> rare, Changed<std::uint8_t> blank) {
    SeparatorsOf separators(list, starts, stops, ends, keep, hidden);
    require(blank.shape(0) == std::size_t(separators.texts().size()), "one flag a symbol");
    nb::gil_scoped_release unlocked;
    return separators.found->mark(rare.data(), rare.shape(0), blank.data());
}

template <class Length>
void bind_lengths(nb::module_& m) {
    m.def("cover_against_reader", &cover<Length>, "lengths"_a.noconvert(), "ends"_a.noconvert(),
          "bits"_a.noconvert(), "starts"_a.noconvert(), "stops"_a.noconvert(),
          "starred"_a.noconvert().none(), "left"_a.noconvert().none(), "min_run"_a, "run_price"_a,
          "progress"_a.none());
    m.def("within_reach", &within_reach<Length>, "lengths"_a.noconvert(), "ends"_a.noconvert(),
          "reach"_a);
}

}  // namespace
}  // namespace sfumato

void bind_reader(nb::module_& m) {
    using namespace sfumato;
    m.def("guessed", &guessed, "codes"_a.noconvert(), "lengths"_a.noconvert().none(),
          "ends"_a.noconvert(), "labels"_a.noconvert().none(), "judged"_a, "num"_a, "den"_a,
          "progress"_a.none());
    m.def("read_through", &left_of_stars, "bits"_a.noconvert(), "ends"_a.noconvert(),
          "stars"_a.noconvert());
    m.def("one_way", &one_way, "codes"_a.noconvert(), "ends"_a.noconvert(), "stars"_a.noconvert());
    m.def("rare_separators", &rare_separators, "texts"_a, "starts"_a.noconvert(),
          "stops"_a.noconvert(), "ends"_a.noconvert(), "keep"_a, "hidden"_a.noconvert().none(),
          "k"_a, "labels"_a.noconvert().none(), "blank"_a.noconvert());
    m.def("bits_of_counts", &bits_of_counts, "counts"_a.noconvert(), "known"_a.noconvert(), "num"_a,
          "den"_a);
    m.def("separators", &separators, "texts"_a, "starts"_a.noconvert(), "stops"_a.noconvert(),
          "ends"_a.noconvert(), "keep"_a, "hidden"_a.noconvert().none());
    m.def("blank_separators", &blank_separators, "texts"_a, "starts"_a.noconvert(),
          "stops"_a.noconvert(), "ends"_a.noconvert(), "keep"_a, "hidden"_a.noconvert().none(),
          "rare"_a.noconvert(), "blank"_a.noconvert());
    bind_lengths<std::int32_t>(m);
    bind_lengths<std::int64_t>(m);
}
