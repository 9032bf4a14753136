// A table of people as the partitioners take it: arrays of Python, checked once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/python_array.hpp"
#include "records/diversity.hpp"
#include "records/people.hpp"

namespace sfumato {

using Kind = QuasiColumn::Kind;

inline void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

// The columns of a table of people, checked once; the arrays stay Python's.
class PeopleTable {
  public:
    explicit PeopleTable(std::size_t count) { people_.count = count; }

    void number(Array<std::int32_t> low, Array<std::int32_t> high, Array<double> values,
                bool textual, double weight) {
        const auto distinct = static_cast<std::int32_t>(values.shape(0));
        require(low.shape(0) == people_.count && high.shape(0) == people_.count,
                "one rank for every person");
        for (std::size_t p = 0; p < people_.count; ++p) {
            const std::int32_t l = low.data()[p], h = high.data()[p];
            require(l == -1 ? h == -1 : l >= 0 && l <= h && h < distinct,
                    "ranks must stand in order and below the number of values");
        }
        for (std::int32_t i = 0; i < distinct; ++i)
            require(std::isfinite(values.data()[i]) &&
                        (i == 0 || values.data()[i - 1] < values.data()[i]),
                    "values must be finite and ascend");
        QuasiColumn column{Kind::number, textual, weight};
        column.low = low.data();
        column.high = high.data();
        column.values = values.data();
        column.distinct = values.shape(0);
        keep(column, low, high, values);
    }

    void category(std::optional<Array<std::int64_t>> offsets, Array<std::int32_t> codes,
                  std::size_t distinct, bool textual, double weight) {
        add_sets(Kind::category, offsets, codes, distinct, textual, weight);
    }

    // Gives the number or category added last its hierarchy.
    void hierarchy(Array<std::int32_t> nodes, Array<std::int32_t> parents, Array<std::int32_t> ends,
                   Array<std::int64_t> leaves) {
        require(!people_.columns.empty() && people_.columns.back().kind != Kind::terms,
                "only a number or a category has a hierarchy");
        QuasiColumn& column = people_.columns.back();
        const auto size = static_cast<std::int32_t>(parents.shape(0));
        require(size >= 1 && ends.shape(0) == parents.shape(0) &&
                    leaves.shape(0) == parents.shape(0) && nodes.shape(0) == column.distinct &&
                    leaves.data()[0] >= 1,
                "the hierarchy's arrays do not fit together");
        for (std::int32_t v = 0; v < size; ++v)
            require(parents.data()[v] >= (v ? 0 : -1) && parents.data()[v] < std::max(v, 1) &&
                        ends.data()[v] > v && ends.data()[v] <= size,
                    "a node's parent stands before it, its end after it");
        require(ends.data()[0] == size, "all nodes stand below the root");
        for (std::size_t code = 0; code < column.distinct; ++code)
            require(nodes.data()[code] >= 0 && nodes.data()[code] < size &&
                        (code == 0 || nodes.data()[code - 1] < nodes.data()[code]),
                    "nodes must ascend with the codes");
        for (Person p = 0; column.kind == Kind::category && p < people_.count; ++p)
            require(column.size(p) > 0, "a person without a value");
        column.tree = CodeTree{nodes.data(), parents.data(), ends.data(), leaves.data()};
        for (const nanobind::object& one : {nanobind::cast(nodes), nanobind::cast(parents),
                                            nanobind::cast(ends), nanobind::cast(leaves)})
            kept_.push_back(one);
    }

    // Gives the number added last the months and years of its values.
    void calendar(Array<std::int32_t> months, Array<std::int32_t> years) {
        require(!people_.columns.empty() && people_.columns.back().kind == Kind::number,
                "only a number has a calendar");
        QuasiColumn& column = people_.columns.back();
        require(months.shape(0) == column.distinct && years.shape(0) == column.distinct,
                "one month and one year for every value");
        for (std::size_t i = 1; i < column.distinct; ++i)
            require(
                months.data()[i - 1] <= months.data()[i] && years.data()[i - 1] <= years.data()[i],
                "months and years must ascend");
        column.calendar = Calendar{months.data(), years.data()};
        kept_.push_back(nanobind::cast(months));
        kept_.push_back(nanobind::cast(years));
    }

    void terms(Array<std::int64_t> offsets, Array<std::int32_t> codes, std::size_t distinct,
               bool textual, double weight) {
        add_sets(Kind::terms, offsets, codes, distinct, textual, weight);
    }

    void sensitive(Array<std::int32_t> codes, std::size_t distinct, bool ordered,
                   const std::string& diversity, double l, double c, double t, bool missing,
                   std::optional<Array<std::int64_t>> offsets, Array<std::int32_t> values) {
        require(codes.shape(0) == people_.count, "one code for every person");
        for (std::size_t p = 0; p < people_.count; ++p)
            require(codes.data()[p] >= 0 && static_cast<std::size_t>(codes.data()[p]) < distinct,
                    "a code outside its column");
        SensitiveColumn column{codes.data(), distinct, ordered};
        column.diversity = diversity == "distinct"    ? Diversity::distinct
                           : diversity == "entropy"   ? Diversity::entropy
                           : diversity == "recursive" ? Diversity::recursive
                                                      : Diversity::none;
        require(column.diversity != Diversity::none || diversity == "none", "unknown diversity");
        require(l >= 1 && c > 0, "l is at least 1 and c above 0");
        column.l = l;
        column.c = c;
        column.t = t;
        column.missing = missing;
        if (offsets) {
            require(offsets->shape(0) == distinct + 1 && offsets->data()[0] == 0 &&
                        offsets->data()[distinct] == static_cast<std::int64_t>(values.shape(0)),
                    "a set of values for every code");
            for (std::size_t code = 0; code < distinct; ++code)
                require(offsets->data()[code] <= offsets->data()[code + 1], "offsets must ascend");
            column.offsets = offsets->data();
            column.values = values.data();
            kept_.push_back(nanobind::cast(*offsets));
            kept_.push_back(nanobind::cast(values));
        }
        sensitive_.push_back(column);
        kept_.push_back(nanobind::cast(codes));
    }

    const People& people() const { return people_; }
    Demands demands(std::size_t k) const { return Demands(people_.count, k, sensitive_); }

  private:
    template <class... Arrays>
    void keep(const QuasiColumn& column, const Arrays&... arrays) {
        people_.columns.push_back(column);
        (kept_.push_back(nanobind::cast(arrays)), ...);
    }

    void add_sets(Kind kind, const std::optional<Array<std::int64_t>>& offsets,
                  const Array<std::int32_t>& codes, std::size_t distinct, bool textual,
                  double weight) {
        QuasiColumn column{kind, textual, weight};
        column.codes = codes.data();
        column.distinct = distinct;
        for (std::size_t i = 0; i < codes.shape(0); ++i)
            require(codes.data()[i] >= 0 && static_cast<std::size_t>(codes.data()[i]) < distinct,
                    "a code outside its column");
        if (!offsets) {
            require(codes.shape(0) == people_.count, "one code for every person");
            return keep(column, codes);
        }
        const std::int64_t* at = offsets->data();
        require(offsets->shape(0) == people_.count + 1 && at[0] == 0 &&
                    at[people_.count] == static_cast<std::int64_t>(codes.shape(0)),
                "offsets must go from 0 to the number of codes");
        for (std::size_t p = 0; p < people_.count; ++p)
            require(at[p] <= at[p + 1], "offsets must ascend");
        for (std::size_t p = 0; p < people_.count; ++p)
            for (std::int64_t i = at[p] + 1; i < at[p + 1]; ++i)
                require(codes.data()[i - 1] < codes.data()[i], "the codes of a person must ascend");
        column.offsets = at;
        keep(column, *offsets, codes);
    }

    People people_{};
    std::vector<SensitiveColumn> sensitive_;
    std::vector<nanobind::object> kept_;
};

}  // namespace sfumato
