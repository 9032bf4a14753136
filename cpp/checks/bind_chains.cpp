// Python binding of the comparison of stretches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>

#include "chains.hpp"

namespace nb = nanobind;

namespace {

using Ints = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_ends(const Ints& text, const Ints& ends) {
    std::int64_t previous = 0;
    for (std::size_t d = 0; d < ends.shape(0); ++d) {
        if (ends.data()[d] < previous || ends.data()[d] > static_cast<std::int64_t>(text.shape(0)))
            throw std::invalid_argument("ends must not fall and lie within the text");
        previous = ends.data()[d];
    }
}

// The first document with a stretch of k symbols or more that is wanted more often than found; -1.
std::int64_t first_uncovered(const Ints& wanted, const Ints& wanted_ends, const Ints& found,
                             const Ints& found_ends, std::int64_t k) {
    if (wanted_ends.shape(0) != found_ends.shape(0))
        throw std::invalid_argument("both texts must have the same number of documents");
    if (wanted.shape(0) + found.shape(0) >= (std::size_t{1} << 29))
        throw std::invalid_argument("at most 2^29 symbols");
    check_ends(wanted, wanted_ends);
    check_ends(found, found_ends);
    nb::gil_scoped_release unlocked;
    sfumato::checks::ChainCounter counter;
    std::int64_t start = 0, found_start = 0, reported = 0;
    for (std::size_t d = 0; d < wanted_ends.shape(0); ++d) {
        const std::int64_t stop = wanted_ends.data()[d], found_stop = found_ends.data()[d];
        counter.clear();
        counter.add(wanted.data() + start, stop - start, 0);
        counter.add(found.data() + found_start, found_stop - found_start, 1);
        if (!counter.covered(k)) return static_cast<std::int64_t>(d);
        start = stop;
        found_start = found_stop;
        if (stop - reported > (1 << 20)) {
            reported = stop;
            nb::gil_scoped_acquire locked;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
    }
    return -1;
}

}  // namespace

void bind_chains(nb::module_& m) {
    m.def("first_uncovered", &first_uncovered, nb::arg("wanted").noconvert(),
          nb::arg("wanted_ends").noconvert(), nb::arg("found").noconvert(),
          nb::arg("found_ends").noconvert(), nb::arg("k"));
}
