// Repeat lengths with bounded memory, for sfumato.kernels.external.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "bind/python_tick.hpp"
#include "repeats/external_repeats.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

template <class Symbol, class Index>
std::size_t bound_lengths(Array<const Symbol> codes, Array<std::int32_t> lengths,
                          Array<Index> first, Array<Index> second, std::int64_t k, std::int64_t cap,
                          std::int64_t memory, std::optional<Array<const std::int32_t>> labels,
                          std::optional<Array<const std::int64_t>> ends, nb::handle progress) {
    const std::size_t n = codes.shape(0);
    require(lengths.shape(0) == n && first.shape(0) == n && second.shape(0) == n,
            "expected arrays of one length");
    require(sizeof(Index) == 8 || n <= UINT32_MAX, "expected 64-bit positions for so long a text");
    require(k >= 1, "expected k of at least 1");
    require(cap >= 1 && cap <= INT32_MAX / 2, "expected a cap from 1 to 1,073,741,823");
    require(memory >= 1, "expected memory of at least 1 byte");
    require(labels.has_value() == ends.has_value(), "expected labels and ends together");
    Counted counted{std::size_t(k)};
    const Tick tick = python_tick(progress);
    nb::gil_scoped_release unlocked;
    if (labels) {
        const std::size_t documents = labels->shape(0);
        require(ends->shape(0) == documents, "expected one label per document end");
        check_documents(codes.data(), n, ends->data(), documents);
        counted.labels.assign(labels->data(), labels->data() + documents);
        counted.distinct = dense_labels(counted.labels);
        counted.ends = ends->data();
    }
    return external_repeat_lengths<Symbol, Index>(codes.data(), n, counted, std::int32_t(cap),
                                                  std::size_t(memory), lengths.data(),
                                                  {first.data(), second.data()}, tick);
}

template <class Symbol, class Index>
void bind(nb::module_& m) {
    m.def("external_repeat_lengths", &bound_lengths<Symbol, Index>, "codes"_a.noconvert(),
          "lengths"_a.noconvert(), "first"_a.noconvert(), "second"_a.noconvert(), "k"_a, "cap"_a,
          "memory"_a, "labels"_a.noconvert().none(), "ends"_a.noconvert().none(),
          "progress"_a.none(),
          "Fills in the longest lengths that occur at least k times, up to the cap; returns how "
          "many positions reach it. `first` and `second` are working memory.");
}

}  // namespace
}  // namespace sfumato

void bind_external(nb::module_& m) {
    using namespace sfumato;
    bind<std::uint8_t, std::uint32_t>(m);
    bind<std::uint16_t, std::uint32_t>(m);
    bind<std::uint32_t, std::uint32_t>(m);
    bind<std::uint8_t, std::uint64_t>(m);
    bind<std::uint16_t, std::uint64_t>(m);
    bind<std::uint32_t, std::uint64_t>(m);
}
