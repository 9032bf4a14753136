// Python binding of windows, their names and their order.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "placing.hpp"
#include "windows.hpp"

namespace nb = nanobind;

namespace sfumato::checks {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

std::tuple<Codes, std::int64_t> name_windows(const Array<std::int32_t>& text, std::int64_t k) {
    const auto n = static_cast<std::int64_t>(text.shape(0));
    if (k < 1) throw std::invalid_argument("k must be at least 1");
    if (n > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("at most 2^32 symbols");
    auto names = std::make_unique_for_overwrite<std::int32_t[]>(text.shape(0));
    std::int64_t count = 0;
    {
        nb::gil_scoped_release unlocked;
        WindowNames table(text.data(), n, k);
        table.write(names.get(), [](double) {
            nb::gil_scoped_acquire locked;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        });
        count = table.size();
    }
    std::int32_t* data = names.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    return {Codes(data, {text.shape(0)}, owner), count};
}

nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> counted_names(const Array<std::int32_t>& names,
                                                                std::int64_t size) {
    if (size < 0) throw std::invalid_argument("expected how many names there are");
    auto counts = std::make_unique<std::int64_t[]>(static_cast<std::size_t>(size));
    count_names(names.data(), static_cast<std::int64_t>(names.shape(0)), counts.get(), size);
    std::int64_t* data = counts.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
    return {data, {static_cast<std::size_t>(size)}, owner};
}

// What two groups of sequences of one text are compared by; every number is within bounds.
struct Case {
    Windows windows;
    std::vector<Range> before, after;

    Case(const Array<std::int32_t>& text, const Array<std::int32_t>& names,
         const Array<std::uint8_t>& sensitive, const Array<std::int64_t>& begins,
         const Array<std::int64_t>& ends, std::int64_t k)
        : windows{text.data(), names.data(), sensitive.data(), k} {
        const auto n = static_cast<std::int64_t>(text.shape(0));
        const auto known = static_cast<std::int64_t>(sensitive.shape(0));
        if (k < 1 || names.shape(0) != text.shape(0))
            throw std::invalid_argument("expected a name for every symbol, and k of at least 1");
        for (std::int64_t p = 0; p < n; ++p)
            if (names.data()[p] < no_window || names.data()[p] >= known ||
                (names.data()[p] >= 0 && p + k > n))
                throw std::invalid_argument("a name that no window has");
        if (begins.shape(0) != ends.shape(0) || ends.shape(0) % 2 != 0)
            throw std::invalid_argument("expected as many sequences before as after");
        const std::size_t half = ends.shape(0) / 2;
        for (std::size_t i = 0; i < 2 * half; ++i) {
            const Range one{begins.data()[i], ends.data()[i]};
            if (one.start < 0 || one.stop < one.start || one.stop > n)
                throw std::invalid_argument("a sequence that is not in the text");
            (i < half ? before : after).push_back(one);
        }
    }
};

std::tuple<std::int64_t, std::int64_t> first_out_of_order(const Array<std::int32_t>& text,
                                                          const Array<std::int32_t>& names,
                                                          const Array<std::uint8_t>& sensitive,
                                                          const Array<std::int64_t>& begins,
                                                          const Array<std::int64_t>& ends,
                                                          std::int64_t k, bool exact) {
    const Case of(text, names, sensitive, begins, ends, k);
    nb::gil_scoped_release unlocked;
    for (std::size_t d = 0; d < of.before.size(); ++d) {
        const Mismatch found = first_mismatch(of.windows, of.before[d], of.after[d], exact);
        if (found.wanted >= 0 || found.found >= 0) return {found.wanted, found.found};
    }
    return {-1, -1};
}

// The first sequence with a stretch of its blocks that is too rare in its release, or -1; and those
// before it that could not be judged so.
std::tuple<std::int64_t, std::vector<std::int64_t>> first_rarer(
    const Array<std::int32_t>& text, const Array<std::int32_t>& names,
    const Array<std::uint8_t>& sensitive, const Array<std::int64_t>& begins,
    const Array<std::int64_t>& ends, std::int64_t k) {
    const Case of(text, names, sensitive, begins, ends, k);
    nb::gil_scoped_release unlocked;
    std::vector<std::int64_t> unknown;
    Placing placing;
    for (std::size_t d = 0; d < of.before.size(); ++d) {
        const Cover found = placing.cover(of.windows, of.before[d], of.after[d]);
        if (found == Cover::no) return {static_cast<std::int64_t>(d), unknown};
        if (found == Cover::unknown) unknown.push_back(static_cast<std::int64_t>(d));
    }
    return {-1, unknown};
}

// The text of one sequence's blocks, a break before each but the first.
std::vector<std::int64_t> blocks(const Array<std::int32_t>& text, const Array<std::int32_t>& names,
                                 const Array<std::uint8_t>& sensitive,
                                 const Array<std::int64_t>& begins, const Array<std::int64_t>& ends,
                                 std::int64_t k, std::int64_t sequence) {
    const Case of(text, names, sensitive, begins, ends, k);
    if (sequence < 0 || sequence >= static_cast<std::int64_t>(of.before.size()))
        throw std::invalid_argument("there is no such sequence");
    std::vector<std::int64_t> made;
    each_in_blocks(of.windows, of.before[sequence], [&](std::int64_t p, bool goes_on) {
        if (!goes_on && !made.empty()) made.push_back(0);
        for (std::int64_t i = goes_on ? p + k - 1 : p; i < p + k; ++i)
            made.push_back(text.data()[i]);
    });
    return made;
}

}  // namespace
}  // namespace sfumato::checks

void bind_windows(nb::module_& m) {
    using namespace sfumato::checks;
    m.def("name_windows", &name_windows, nb::arg("text").noconvert(), nb::arg("k"));
    m.def("count_names", &counted_names, nb::arg("names").noconvert(), nb::arg("size"));
    const auto with = [&](const char* name, auto function, auto... more) {
        m.def(name, function, nb::arg("text").noconvert(), nb::arg("names").noconvert(),
              nb::arg("sensitive").noconvert(), nb::arg("begins").noconvert(),
              nb::arg("ends").noconvert(), nb::arg("k"), more...);
    };
    with("first_out_of_order", &first_out_of_order, nb::arg("exact"));
    with("first_rarer", &first_rarer);
    with("blocks", &blocks, nb::arg("sequence"));
}
