// What a class loses in one relational column, as the paper counts it.
//
// A number loses the share of its range that the class spans, a category the share of the values it
// names, either with a hierarchy the share that its lowest common node covers; one value loses
// nothing. Mixed with missing values, a number loses everything.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "records/people.hpp"

namespace sfumato {

// What a class or a person spans: codes from low to high, where a missing number is code 0 and rank
// r code r + 1; or, of a category without a hierarchy, up to 64 values as bits.
struct Extent {
    std::int32_t low, high;
};

// A column whose extents fit: all but categories of more than 64 values without a hierarchy.
class ColumnLoss {
  public:
    static constexpr std::size_t most_bits = 64;

    static bool fits(const QuasiColumn& column) {
        return column.kind == QuasiColumn::Kind::number ||
               (column.kind == QuasiColumn::Kind::category &&
                (column.tree || column.distinct <= most_bits));
    }

    explicit ColumnLoss(const QuasiColumn& column) : column_(&column) {
        const std::size_t size = column.distinct;
        const bool number = column.kind == QuasiColumn::Kind::number;
        const double range = !size    ? 0.0
                             : number ? column.values[size - 1] - column.values[0]
                                      : static_cast<double>(size);
        scale_ = range > 0 ? 1.0 / range : 0.0;
        form_ = number ? Form::span : column.tree ? Form::tree : Form::bits;
        if (column.calendar && !column.tree) lay_out(*column.calendar);
        if (!column.tree || size > most_tabled) return;
        table_.resize(size * size, 0.0);
        for (std::size_t low = 0; low < size; ++low)
            for (std::size_t high = low; high < size; ++high)
                table_[low * size + high] = column.tree->share(static_cast<std::int32_t>(low),
                                                               static_cast<std::int32_t>(high));
    }

    Extent nobody() const {
        return form_ == Form::bits ? Extent{0, 0}
                                   : Extent{std::numeric_limits<std::int32_t>::max(), -1};
    }

    Extent of(Person p) const {
        const QuasiColumn& q = *column_;
        if (form_ == Form::span) return {q.low[p] + 1, q.high[p] + 1};
        if (form_ == Form::tree) return {*q.begin(p), *(q.end(p) - 1)};
        std::uint64_t bits = 0;
        for (const std::int32_t* v = q.begin(p); v != q.end(p); ++v) bits |= std::uint64_t{1} << *v;
        return {static_cast<std::int32_t>(bits & 0xffffffffu),
                static_cast<std::int32_t>(bits >> 32)};
    }

    Extent joined(Extent a, Extent b) const {
        if (form_ == Form::bits) return {a.low | b.low, a.high | b.high};
        return {std::min(a.low, b.low), std::max(a.high, b.high)};
    }

    double width(Extent extent) const {
        if (form_ == Form::tree) return below(extent.low, extent.high);
        if (form_ == Form::span) {
            if (extent.low == extent.high) return 0.0;
            if (extent.low == 0) return 1.0;
            if (column_->tree) return below(extent.low - 1, extent.high - 1);
            if (!days_.empty()) return in_calendar(extent.low - 1, extent.high - 1);
            return (column_->values[extent.high - 1] - column_->values[extent.low - 1]) * scale_;
        }
        const int named = std::popcount(static_cast<std::uint32_t>(extent.low)) +
                          std::popcount(static_cast<std::uint32_t>(extent.high));
        return named < 2 ? 0.0 : named * scale_;
    }

  private:
    enum class Form { span, tree, bits };
    static constexpr std::size_t most_tabled = 512;

    // How many dates of the table stand in a date's month, and where those of its year begin and
    // end.
    struct Day {
        std::int32_t month, in_month, year_begin, year_end;
    };

    void lay_out(const Calendar& calendar) {
        const auto size = static_cast<std::int32_t>(column_->distinct);
        days_.resize(column_->distinct);
        const auto runs = [&](const std::int32_t* of, const auto& visit) {
            for (std::int32_t first = 0, last; first < size; first = last) {
                for (last = first + 1; last < size && of[last] == of[first];) ++last;
                for (std::int32_t i = first; i < last; ++i) visit(days_[i], first, last);
            }
        };
        runs(calendar.months, [](Day& day, std::int32_t first, std::int32_t last) {
            day.month = first;
            day.in_month = last - first;
        });
        runs(calendar.years, [](Day& day, std::int32_t first, std::int32_t last) {
            day.year_begin = first;
            day.year_end = last;
        });
    }

    // The share of the table's dates in the month of both, or from the first's year to the last's.
    double in_calendar(std::int32_t low, std::int32_t high) const {
        const Day &first = days_[low], &last = days_[high];
        const std::int32_t named =
            first.month == last.month ? first.in_month : last.year_end - first.year_begin;
        return named / static_cast<double>(days_.size());
    }

    double below(std::int32_t low, std::int32_t high) const {
        if (!table_.empty())
            return table_[static_cast<std::size_t>(low) * column_->distinct +
                          static_cast<std::size_t>(high)];
        return column_->tree->share(low, high);
    }

    const QuasiColumn* column_;
    Form form_;
    double scale_;
    std::vector<double> table_;
    std::vector<Day> days_;  // of a column with a calendar
};

}  // namespace sfumato
