// Python binding of the items that people may show.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bind/python_array.hpp"
#include "bind/python_tick.hpp"
#include "records/known_sets.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

void check_rows(Array<std::int64_t> offsets, std::size_t rows, std::size_t codes) {
    require(offsets.shape(0) == rows + 1 && offsets.data()[0] == 0, "offsets from 0, one a row");
    for (std::size_t i = 0; i < rows; ++i)
        require(offsets.data()[i] <= offsets.data()[i + 1], "offsets must ascend");
    require(static_cast<std::size_t>(offsets.data()[rows]) == codes, "offsets end at the codes");
}

nb::object known_sets(Array<std::int32_t> classes, Array<std::int64_t> offsets,
                      Array<std::int32_t> codes, Array<std::int64_t> above_offsets,
                      Array<std::int32_t> above, std::size_t k, std::size_t m,
                      nb::handle progress) {
    const std::size_t people = classes.shape(0);
    require(above_offsets.shape(0) > 0, "offsets from 0, one a row");
    const std::size_t items = above_offsets.shape(0) - 1;
    require(k >= 1 && m >= 1 && m <= 8, "k from 1, m from 1 to 8");
    check_rows(offsets, people, codes.shape(0));
    check_rows(above_offsets, items, above.shape(0));
    for (std::size_t i = 0; i < codes.shape(0); ++i)
        require(codes.data()[i] >= 0 && static_cast<std::size_t>(codes.data()[i]) < items,
                "an item outside the numbers");
    for (std::size_t i = 0; i < above.shape(0); ++i)
        require(above.data()[i] >= 0, "an item outside the numbers");
    std::vector<std::vector<std::uint32_t>> members;
    for (std::size_t p = 0; p < people; ++p) {
        const std::int32_t c = classes.data()[p];
        if (c < 0) continue;
        require(static_cast<std::size_t>(c) < people, "a class outside the numbers");
        if (static_cast<std::size_t>(c) >= members.size())
            members.resize(static_cast<std::size_t>(c) + 1);
        members[static_cast<std::size_t>(c)].push_back(static_cast<std::uint32_t>(p));
    }
    std::vector<std::int32_t> result;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        const HeldItems held{people,      items, offsets.data(), codes.data(), above_offsets.data(),
                             above.data()};
        result = KnownSets(held, k, m).run(members, tick);
    }
    return to_numpy(std::move(result));
}

}  // namespace
}  // namespace sfumato

void bind_known_sets(nb::module_& m) {
    m.def("known_sets", &sfumato::known_sets, "classes"_a.noconvert(), "offsets"_a.noconvert(),
          "codes"_a.noconvert(), "above_offsets"_a.noconvert(), "above"_a.noconvert(), "k"_a, "m"_a,
          "progress"_a.none());
}
