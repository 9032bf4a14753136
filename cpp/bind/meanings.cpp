// Python binding of the exact searches for t-plausible texts.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bind/python_tick.hpp"
#include "meanings/smallest.hpp"
#include "meanings/uniform.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::size_t words_of(const Array<T>& levels, const Array<std::int64_t>& starts) {
    const std::size_t n = starts.shape(0);
    if (n == 0 || starts.data()[0] != 0 ||
        starts.data()[n - 1] != static_cast<std::int64_t>(levels.shape(0)))
        throw std::invalid_argument("starts must begin at 0 and end at the number of levels");
    for (std::size_t i = 1; i < n; ++i)
        if (starts.data()[i] < starts.data()[i - 1])
            throw std::invalid_argument("starts must ascend");
    return n - 1;
}

std::vector<std::int32_t> uniform(Array<double> entropies, Array<std::int64_t> starts, double log_t,
                                  double alpha, nb::object progress) {
    const std::size_t words = words_of(entropies, starts);
    const Tick tick = python_tick(progress);
    nb::gil_scoped_release unlocked;
    return UniformPlausibility(entropies.data(), starts.data(), words, log_t, alpha).solve(tick);
}

std::vector<std::int32_t> smallest(Array<std::int64_t> volumes, Array<std::int64_t> starts,
                                   std::int64_t t, nb::object progress) {
    const std::size_t words = words_of(volumes, starts);
    for (std::size_t i = 0; i < volumes.shape(0); ++i)
        if (volumes.data()[i] < 1) throw std::invalid_argument("a volume is at least 1");
    if (t < 1 || t > (std::int64_t{1} << 40)) throw std::invalid_argument("t is 1 to 2^40");
    const Tick tick = python_tick(progress);
    nb::gil_scoped_release unlocked;
    return SmallestPlausibility(volumes.data(), starts.data(), words, t).solve(tick);
}

}  // namespace
}  // namespace sfumato

void bind_meanings(nb::module_& m) {
    nb::exception<sfumato::TooManyStates>(m, "TooManyStates", PyExc_MemoryError);
    m.def("plausible_uniform", &sfumato::uniform, "entropies"_a.noconvert(), "starts"_a.noconvert(),
          "log_t"_a, "alpha"_a, "progress"_a.none());
    m.def("plausible_smallest", &sfumato::smallest, "volumes"_a.noconvert(), "starts"_a.noconvert(),
          "t"_a, "progress"_a.none());
}
