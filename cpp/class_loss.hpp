// The information loss of a class as it grows or shrinks: what `clusters` and outliers go by.
//
// As in the paper: a number loses the share of its range that the class spans, a category the share
// of the values it names, either with a hierarchy the share that its lowest common node covers (one
// value: nothing), a person's terms the share that not all of the class have. Mixed with missing
// values, a number loses everything. Weighted: lambda for the mean over relational columns,
// 1 - lambda for terms.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "gdf.hpp"
#include "people.hpp"

namespace sfumato {

class ClassLoss {
public:
    ClassLoss(const People& people, const Items& items, double lambda)
        : people_(people), items_(items), lambda_(lambda) {
        for (std::size_t c = 0; c < people.columns.size(); ++c) {
            const QuasiColumn& column = people.columns[c];
            if (column.kind == QuasiColumn::Kind::terms) continue;
            relational_.push_back(c);
            if (column.kind == QuasiColumn::Kind::number) {
                const double range =
                    column.distinct ? column.values[column.distinct - 1] - column.values[0] : 0.0;
                scale_.push_back(range > 0 ? 1.0 / range : 0.0);
            } else {
                scale_.push_back(column.distinct ? 1.0 / static_cast<double>(column.distinct) : 0.0);
            }
        }
        terms_of_.resize(people.count);
        for (Person p = 0; p < people.count; ++p) {
            std::size_t terms = 0;
            for (const QuasiColumn& column : people.columns)
                if (column.kind == QuasiColumn::Kind::terms) terms += column.size(p);
            terms_of_[p] = static_cast<double>(terms);
        }
    }

    // What a class spans in one relational column.
    struct Extent {
        std::int32_t low = 0, high = -1;
        bool missing = false, present = false;
        std::vector<std::int32_t> values;  // a category's, ascending
    };

    struct Class {
        std::vector<Person> members;
        std::vector<Extent> extents;
        std::vector<std::int32_t> shared;  // items all members have, ascending
        double with_terms = 0, inverse = 0, relational = 0;

        double textual() const {
            return with_terms - static_cast<double>(shared.size()) * inverse;
        }
    };

    Class begin(Person p) const {
        Class c;
        c.extents.resize(relational_.size());
        c.shared.assign(items_.begin(p), items_.end(p));
        add(c, p);
        return c;
    }

    void add(Class& c, Person p) const {
        c.members.push_back(p);
        double sum = 0;
        for (std::size_t i = 0; i < relational_.size(); ++i) {
            widen(c.extents[i], i, p);
            sum += width(c.extents[i], i);
        }
        c.relational = mean(sum);
        std::vector<std::int32_t> shared;
        std::set_intersection(c.shared.begin(), c.shared.end(), items_.begin(p), items_.end(p),
                              std::back_inserter(shared));
        c.shared = std::move(shared);
        if (terms_of_[p] > 0) {
            c.with_terms += 1;
            c.inverse += 1 / terms_of_[p];
        }
    }

    double loss(const Class& c) const {
        return lambda_ * c.relational * static_cast<double>(c.members.size()) +
               (1 - lambda_) * c.textual();
    }

    // One member's part of the loss.
    double of(const Class& c, Person p) const {
        const double shared = static_cast<double>(c.shared.size());
        return lambda_ * c.relational +
               (terms_of_[p] > 0 ? (1 - lambda_) * (1 - shared / terms_of_[p]) : 0.0);
    }

    // By how much the class's loss grows with this person, who shares `common` of its items; once it
    // is clear that it reaches the limit, any number that does.
    double growth(const Class& c, Person p, std::size_t common,
                  double limit = std::numeric_limits<double>::infinity()) const {
        const double size = static_cast<double>(c.members.size());
        double textual = static_cast<double>(c.shared.size()) * c.inverse;
        if (terms_of_[p] > 0)
            textual += 1 - static_cast<double>(common) * (c.inverse + 1 / terms_of_[p]);
        else
            textual -= static_cast<double>(common) * c.inverse;
        double result = (1 - lambda_) * textual;
        if (lambda_ > 0) {
            const double textual_growth = result;
            double sum = 0;
            for (std::size_t i = 0; i < relational_.size(); ++i) {
                sum += width_with(c.extents[i], i, p);
                result = textual_growth + lambda_ * (mean(sum) * (size + 1) - c.relational * size);
                if (result >= limit) break;
            }
        }
        return result;
    }

    std::size_t common(const Class& c, Person p) const {
        std::size_t count = 0;
        const std::int32_t* v = items_.begin(p);
        for (const std::int32_t item : c.shared) {
            while (v != items_.end(p) && *v < item) ++v;
            if (v != items_.end(p) && *v == item) ++count;
        }
        return count;
    }

private:
    double mean(double sum) const {
        return relational_.empty() ? 0.0 : sum / static_cast<double>(relational_.size());
    }

    const QuasiColumn& column(std::size_t i) const { return people_.columns[relational_[i]]; }

    void widen(Extent& extent, std::size_t i, Person p) const {
        const QuasiColumn& q = column(i);
        if (q.tree && q.kind == QuasiColumn::Kind::category) {
            const std::int32_t low = *q.begin(p), high = *(q.end(p) - 1);
            extent.low = extent.present ? std::min(extent.low, low) : low;
            extent.high = extent.present ? std::max(extent.high, high) : high;
            extent.present = true;
            return;
        }
        if (q.kind == QuasiColumn::Kind::category) {
            for (const std::int32_t* v = q.begin(p); v != q.end(p); ++v) {
                const auto at = std::lower_bound(extent.values.begin(), extent.values.end(), *v);
                if (at == extent.values.end() || *at != *v) extent.values.insert(at, *v);
            }
            return;
        }
        if (q.low[p] < 0) {
            extent.missing = true;
            return;
        }
        extent.low = extent.present ? std::min(extent.low, q.low[p]) : q.low[p];
        extent.high = extent.present ? std::max(extent.high, q.high[p]) : q.high[p];
        extent.present = true;
    }

    double width(const Extent& extent, std::size_t i) const {
        const QuasiColumn& q = column(i);
        if (q.kind == QuasiColumn::Kind::category && q.tree)
            return q.tree->share(extent.low, extent.high);
        if (q.kind == QuasiColumn::Kind::category)
            return extent.values.size() < 2 ? 0.0
                                            : static_cast<double>(extent.values.size()) * scale_[i];
        if (extent.missing) return extent.present ? 1.0 : 0.0;
        return span(q, extent.low, extent.high, i);
    }

    double width_with(const Extent& extent, std::size_t i, Person p) const {
        const QuasiColumn& q = column(i);
        if (q.kind == QuasiColumn::Kind::category && q.tree)
            return q.tree->share(std::min(extent.low, *q.begin(p)),
                                 std::max(extent.high, *(q.end(p) - 1)));
        if (q.kind == QuasiColumn::Kind::category) {
            std::size_t size = extent.values.size();
            for (const std::int32_t* v = q.begin(p); v != q.end(p); ++v)
                size += std::find(extent.values.begin(), extent.values.end(), *v) == extent.values.end();
            return size < 2 ? 0.0 : static_cast<double>(size) * scale_[i];
        }
        const bool missing = q.low[p] < 0;
        if (extent.missing || missing) return extent.present || !missing ? 1.0 : 0.0;
        return span(q, std::min(extent.low, q.low[p]), std::max(extent.high, q.high[p]), i);
    }

    // What a number loses between two ranks.
    double span(const QuasiColumn& q, std::int32_t low, std::int32_t high, std::size_t i) const {
        return q.tree ? q.tree->share(low, high) : (q.values[high] - q.values[low]) * scale_[i];
    }

    const People& people_;
    const Items& items_;
    double lambda_;
    std::vector<std::size_t> relational_;
    std::vector<double> scale_, terms_of_;
};

}  // namespace sfumato
