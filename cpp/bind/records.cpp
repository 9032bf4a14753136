// Python bindings of the partitioners of people.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/people_table.hpp"
#include "bind/python_array.hpp"
#include "bind/python_tick.hpp"
#include "records/clusters.hpp"
#include "records/dealt.hpp"
#include "records/diversity.hpp"
#include "records/gdf.hpp"
#include "records/least_loss.hpp"
#include "records/local_search.hpp"
#include "records/mondrian.hpp"
#include "records/outliers.hpp"
#include "records/people.hpp"
#include "records/strata_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

// How many blocks' people may be clustered once more among each other.
constexpr std::size_t pool = 6;

using Partition = std::tuple<nb::object, std::int64_t, std::int64_t>;

void check(const PeopleTable& table, std::size_t k, double lambda) {
    require(k >= 1, "k is at least 1");
    require(lambda >= 0 && lambda <= 1, "lambda is 0 to 1");
    require(table.people().count <= 0x7fffffff, "too many people");
}

Partition mondrian(const PeopleTable& table, std::size_t k, double lambda, bool printed,
                   nb::handle progress) {
    check(table, k, lambda);
    std::vector<std::int32_t> classes(table.people().count);
    Splits splits;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        Demands demands = table.demands(k);
        splits = Mondrian(table.people(), demands, lambda, printed).run(classes.data(), tick);
    }
    return {to_numpy(std::move(classes)), splits.relational, splits.textual};
}

Partition gdf(const PeopleTable& table, std::size_t k, nb::handle progress) {
    check(table, k, 0);
    std::vector<std::int32_t> classes(table.people().count);
    Splits splits;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        Demands demands = table.demands(k);
        splits = DocumentFrequency(table.people(), demands).run(classes.data(), tick);
    }
    return {to_numpy(std::move(classes)), splits.relational, splits.textual};
}

Partition clusters(const PeopleTable& table, std::size_t k, double lambda, std::size_t block,
                   nb::handle progress) {
    check(table, k, lambda);
    require(block >= 2 * k, "a block has at least 2k people");
    const std::size_t people = table.people().count;
    require(people >= k, "at least k people");
    std::vector<std::int32_t> classes(people);
    Splits splits;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        Demands demands = table.demands(k), sizes(people, k, {});
        Clusters clustering(table.people(), demands, lambda);
        const std::vector<Person> rest = clustering.nearly_alike(clustering.alike());
        Mondrian into_blocks(table.people(), sizes, lambda, false, rest);
        into_blocks.make_blocks(block + 1);
        splits = into_blocks.run(classes.data(), {});
        std::vector<std::vector<Person>> blocks;
        for (const Person p : rest) {
            const auto b = static_cast<std::size_t>(classes[p]);
            if (b >= blocks.size()) blocks.resize(b + 1);
            blocks[b].push_back(p);
        }
        for (std::size_t b = 0; b < blocks.size(); ++b)
            clustering.run(std::move(blocks[b]), part(tick, double(b) / double(blocks.size()),
                                                      double(b + 1) / double(blocks.size())));
        if (blocks.size() > 1) clustering.again(pool * block, {});
        clustering.finish(classes.data());
    }
    return {to_numpy(std::move(classes)), splits.relational, splits.textual};
}

// The members of each class; everybody must have one below the number of people.
std::vector<std::vector<Person>> members_of(const Array<std::int32_t>& classes,
                                            std::size_t people) {
    require(classes.shape(0) == people, "one class for every person");
    std::vector<std::vector<Person>> members;
    for (Person p = 0; p < people; ++p) {
        const std::int32_t c = classes.data()[p];
        require(c >= 0 && static_cast<std::size_t>(c) < people, "a class outside the numbers");
        if (static_cast<std::size_t>(c) >= members.size())
            members.resize(static_cast<std::size_t>(c) + 1);
        members[static_cast<std::size_t>(c)].push_back(p);
    }
    std::erase_if(members, [](const std::vector<Person>& one) { return one.empty(); });
    return members;
}

// Among how many classes people are exchanged: with more of them the search goes block by block.
constexpr std::size_t most_classes = 16384;

// The classes in blocks whose people are near to each other.
std::vector<std::vector<std::vector<Person>>> in_blocks(const People& people,
                                                        std::vector<std::vector<Person>> classes,
                                                        std::size_t k, double lambda) {
    if (classes.size() <= most_classes) return {std::move(classes)};
    std::vector<Person> everybody(people.count);
    std::iota(everybody.begin(), everybody.end(), Person{0});
    std::vector<std::int32_t> block(people.count);
    Demands sizes(people.count, k, {});
    Mondrian into_blocks(people, sizes, lambda, false, everybody);
    into_blocks.make_blocks(most_classes * k + 1);
    into_blocks.run(block.data(), {});
    std::vector<std::vector<std::vector<Person>>> result;
    for (std::vector<Person>& members : classes) {
        const auto b = static_cast<std::size_t>(block[members[0]]);
        if (b >= result.size()) result.resize(b + 1);
        result[b].push_back(std::move(members));
    }
    return result;
}

// Classes that lose less, found in so many steps at most.
nb::object improved(const PeopleTable& table, Array<std::int32_t> classes, std::size_t k,
                    double lambda, std::uint64_t steps, bool thorough, nb::handle progress) {
    check(table, k, lambda);
    const std::size_t people = table.people().count;
    std::vector<std::vector<Person>> members = members_of(classes, people);
    std::vector<std::int32_t> result(people);
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        Demands demands = table.demands(k);
        LocalSearch search(table.people(), demands, lambda);
        std::int32_t next = 0;
        double done = 0;
        const double all = static_cast<double>(members.size());
        for (const auto& block : in_blocks(table.people(), std::move(members), k, lambda)) {
            const double share = static_cast<double>(block.size()) / all;
            const auto own = static_cast<std::uint64_t>(share * static_cast<double>(steps));
            for (const auto& one :
                 search.run(block, {own, thorough}, part(tick, done, done + share))) {
                for (const Person p : one) result[p] = next;
                ++next;
            }
            done += share;
        }
    }
    return to_numpy(std::move(result));
}

// Classes begun (-1: nobody's yet) that take one person of every stratum (-1: taken already),
// joined until all are as demanded.
nb::object dealt(const PeopleTable& table, Array<std::int32_t> begun, Array<std::int32_t> strata,
                 std::size_t most, std::size_t k, double lambda, nb::handle progress) {
    check(table, k, lambda);
    const std::size_t people = table.people().count;
    require(begun.shape(0) == people && strata.shape(0) == people, "one number for every person");
    require(most >= 1, "at least one class");
    std::vector<std::vector<Person>> classes, of_stratum;
    for (Person p = 0; p < people; ++p) {
        const std::int32_t c = begun.data()[p], s = strata.data()[p];
        require((c < 0) != (s < 0) && std::max(c, s) < static_cast<std::int64_t>(people),
                "a person has a class or a stratum");
        auto& into = c < 0 ? of_stratum : classes;
        const auto at = static_cast<std::size_t>(std::max(c, s));
        if (at >= into.size()) into.resize(at + 1);
        into[at].push_back(p);
    }
    std::erase_if(classes, [](const std::vector<Person>& one) { return one.empty(); });
    std::vector<std::int32_t> result(people);
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        Demands demands = table.demands(k);
        Dealt dealing(table.people(), demands, lambda);
        dealing.begin(classes);
        for (std::size_t s = 0; s < of_stratum.size(); ++s) {
            report(tick, static_cast<double>(s) / static_cast<double>(of_stratum.size()));
            dealing.deal(of_stratum[s], most);
        }
        std::int32_t next = 0;
        for (const auto& one : dealing.mended(tick)) {
            for (const Person p : one) result[p] = next;
            ++next;
        }
    }
    return to_numpy(std::move(result));
}

// Classes of one person of every stratum: dealt, then exchanged within strata. Person (j, i) of
// `strata`, rows of `width` people each, is the i-th of stratum j; a row of the result is a class.
nb::object exchanged_strata(const PeopleTable& table, Array<std::int64_t> strata, std::size_t width,
                            std::size_t k, double lambda, std::uint64_t steps,
                            nb::handle progress) {
    check(table, k, lambda);
    require(width >= 1 && strata.shape(0) >= 1 && strata.shape(0) % width == 0,
            "strata are equally large");
    const std::size_t people = table.people().count, count = strata.shape(0) / width;
    std::vector<std::vector<Person>> of_stratum(count);
    for (std::size_t at = 0; at < strata.shape(0); ++at) {
        const std::int64_t p = strata.data()[at];
        require(p >= 0 && static_cast<std::size_t>(p) < people, "no such person");
        of_stratum[at / width].push_back(static_cast<Person>(p));
    }
    std::vector<std::int64_t> result;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        Demands sizes(people, k, {});
        Dealt dealing(table.people(), sizes, lambda);
        for (std::size_t s = 0; s < count; ++s) {
            report(tick, 0.3 * static_cast<double>(s) / static_cast<double>(count));
            dealing.deal(of_stratum[s], width);
        }
        std::vector<std::vector<Person>> classes = dealing.as_dealt();
        if (steps > 0)
            classes =
                StrataSearch(table.people(), k, lambda).run(classes, steps, part(tick, 0.3, 1.0));
        for (const std::vector<Person>& one : classes)
            for (const Person p : one) result.push_back(static_cast<std::int64_t>(p));
    }
    return to_numpy(std::move(result));
}

// How many classes are as demanded.
std::size_t classes_held(const PeopleTable& table, Array<std::int32_t> classes, std::size_t k) {
    const std::size_t people = table.people().count;
    require(classes.shape(0) == people, "one class for every person");
    std::vector<std::vector<Person>> members;
    for (Person p = 0; p < people; ++p) {
        const std::int32_t c = classes.data()[p];
        require(c < static_cast<std::int64_t>(people), "a class outside the numbers");
        if (c < 0) continue;
        if (static_cast<std::size_t>(c) >= members.size())
            members.resize(static_cast<std::size_t>(c) + 1);
        members[static_cast<std::size_t>(c)].push_back(p);
    }
    nb::gil_scoped_release unlocked;
    Demands demands = table.demands(k);
    return static_cast<std::size_t>(
        std::count_if(members.begin(), members.end(), [&](const std::vector<Person>& one) {
            return !one.empty() && demands.hold(one.data(), one.size());
        }));
}

// What all classes lose.
double loss_of(const PeopleTable& table, Array<std::int32_t> classes, std::size_t k,
               double lambda) {
    check(table, k, lambda);
    const std::vector<std::vector<Person>> members = members_of(classes, table.people().count);
    nb::gil_scoped_release unlocked;
    const Items items = Items::of(table.people(), static_cast<std::uint32_t>(k));
    const ClassLoss losses(table.people(), items, lambda);
    double sum = 0;
    for (const std::vector<Person>& one : members) sum += losses.loss(losses.of(one));
    return sum;
}

// What each person loses at least in any classes of k.
nb::object least_loss(const PeopleTable& table, Array<std::int32_t> classes, std::size_t k,
                      double lambda, std::uint64_t pairs, nb::handle progress) {
    check(table, k, lambda);
    const std::vector<std::vector<Person>> members = members_of(classes, table.people().count);
    std::vector<double> result;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        result = LeastLoss(table.people(), k, lambda).run(members, pairs, tick);
    }
    return to_numpy(std::move(result));
}

std::tuple<nb::object, std::size_t> outliers(const PeopleTable& table, Array<std::int32_t> classes,
                                             std::size_t k, double lambda, std::size_t most,
                                             nb::handle progress) {
    check(table, k, lambda);
    const std::size_t people = table.people().count;
    require(classes.shape(0) == people, "one class for every person");
    std::vector<std::int32_t> result(classes.data(), classes.data() + people);
    for (const std::int32_t c : result)
        require(c >= 0 && static_cast<std::size_t>(c) < people, "a class outside the numbers");
    std::size_t gone = 0;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        Demands demands = table.demands(k);
        gone = Outliers(table.people(), demands, lambda).run(result.data(), people, most, tick);
    }
    return {to_numpy(std::move(result)), gone};
}

bool demands_hold(const PeopleTable& table, Array<std::uint32_t> members, std::size_t k) {
    for (std::size_t i = 0; i < members.shape(0); ++i)
        require(members.data()[i] < table.people().count, "no such person");
    return table.demands(k).hold(members.data(), members.shape(0));
}

// Whether every class that has anybody holds.
bool classes_hold(const PeopleTable& table, Array<std::int32_t> classes, std::size_t k) {
    const std::vector<std::vector<Person>> members = members_of(classes, table.people().count);
    nb::gil_scoped_release unlocked;
    Demands demands = table.demands(k);
    return std::all_of(members.begin(), members.end(), [&](const std::vector<Person>& one) {
        return demands.hold(one.data(), one.size());
    });
}

}  // namespace
}  // namespace sfumato

void bind_records(nb::module_& m) {
    using sfumato::PeopleTable;
    nb::class_<PeopleTable>(m, "PeopleTable")
        .def(nb::init<std::size_t>(), "count"_a)
        .def("number", &PeopleTable::number, "low"_a.noconvert(), "high"_a.noconvert(),
             "values"_a.noconvert(), "textual"_a, "weight"_a)
        .def("category", &PeopleTable::category, "offsets"_a.noconvert().none(),
             "codes"_a.noconvert(), "distinct"_a, "textual"_a, "weight"_a)
        .def("hierarchy", &PeopleTable::hierarchy, "nodes"_a.noconvert(), "parents"_a.noconvert(),
             "ends"_a.noconvert(), "leaves"_a.noconvert())
        .def("calendar", &PeopleTable::calendar, "months"_a.noconvert(), "years"_a.noconvert())
        .def("terms", &PeopleTable::terms, "offsets"_a.noconvert(), "codes"_a.noconvert(),
             "distinct"_a, "textual"_a, "weight"_a)
        .def("sensitive", &PeopleTable::sensitive, "codes"_a.noconvert(), "distinct"_a, "ordered"_a,
             "diversity"_a, "l"_a, "c"_a, "t"_a, "missing"_a, "offsets"_a.noconvert().none(),
             "values"_a.noconvert());
    m.def("mondrian", &sfumato::mondrian, "table"_a, "k"_a, "weight"_a, "printed"_a,
          "progress"_a.none());
    m.def("gdf", &sfumato::gdf, "table"_a, "k"_a, "progress"_a.none());
    m.def("clusters", &sfumato::clusters, "table"_a, "k"_a, "weight"_a, "block"_a,
          "progress"_a.none());
    m.def("improved", &sfumato::improved, "table"_a, "classes"_a.noconvert(), "k"_a, "weight"_a,
          "steps"_a, "thorough"_a, "progress"_a.none());
    m.def("dealt", &sfumato::dealt, "table"_a, "begun"_a.noconvert(), "strata"_a.noconvert(),
          "most"_a, "k"_a, "weight"_a, "progress"_a.none());
    m.def("exchanged_strata", &sfumato::exchanged_strata, "table"_a, "strata"_a.noconvert(),
          "width"_a, "k"_a, "weight"_a, "steps"_a, "progress"_a.none());
    m.def("classes_held", &sfumato::classes_held, "table"_a, "classes"_a.noconvert(), "k"_a);
    m.def("loss_of", &sfumato::loss_of, "table"_a, "classes"_a.noconvert(), "k"_a, "weight"_a);
    m.def("least_loss", &sfumato::least_loss, "table"_a, "classes"_a.noconvert(), "k"_a, "weight"_a,
          "pairs"_a, "progress"_a.none());
    m.def("outliers", &sfumato::outliers, "table"_a, "classes"_a.noconvert(), "k"_a, "weight"_a,
          "most"_a, "progress"_a.none());
    m.def("classes_hold", &sfumato::classes_hold, "table"_a, "classes"_a.noconvert(), "k"_a);
    m.def("demands_hold", &sfumato::demands_hold, "table"_a, "members"_a.noconvert(), "k"_a);
}
