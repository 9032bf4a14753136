// The information loss of a class as it grows or shrinks: what clusters, search and outliers go by.
//
// The mean over relational columns (column_loss.hpp), weighted by lambda, and of every person's
// terms the share that not all of the class have, weighted by 1 - lambda.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "records/column_loss.hpp"
#include "records/gdf.hpp"
#include "records/people.hpp"

namespace sfumato {

class ClassLoss {
  public:
    ClassLoss(const People& people, const Items& items, double lambda)
        : items_(items), lambda_(lambda), count_(people.count) {
        for (const QuasiColumn& column : people.columns) {
            if (ColumnLoss::fits(column))
                columns_.emplace_back(column);
            else if (column.kind == QuasiColumn::Kind::category)
                lists_.push_back(&column);
        }
        const std::size_t relational = columns_.size() + lists_.size();
        each_ = relational ? lambda / static_cast<double>(relational) : 0.0;
        in_order_of_width();
        extents_.reserve(people.count * columns_.size());
        terms_of_.resize(people.count);
        for (Person p = 0; p < people.count; ++p) {
            for (const ColumnLoss& column : columns_) extents_.push_back(column.of(p));
            std::size_t terms = 0;
            for (const QuasiColumn& column : people.columns)
                if (column.kind == QuasiColumn::Kind::terms) terms += column.size(p);
            terms_of_[p] = static_cast<double>(terms);
            has_terms_ |= terms > 0;
        }
    }

    struct Class {
        std::vector<Person> members;
        std::vector<Extent> extents;
        std::vector<std::vector<std::int32_t>> lists;  // values of categories with many, ascending
        std::vector<std::int32_t> shared;              // items all members have, ascending
        // What a member loses of the columns; how many have terms; the sum of 1 / terms.
        double size = 0, relational = 0, with_terms = 0, inverse = 0;

        double textual() const { return with_terms - static_cast<double>(shared.size()) * inverse; }
    };

    Class begin(Person p) const {
        Class c = nobody();
        add(c, p);
        return c;
    }

    void add(Class& c, Person p) const {
        share(c, items_.begin(p), items_.end(p));
        c.members.push_back(p);
        c.size += 1;
        const Extent* own = extents_of(p);
        for (std::size_t i = 0; i < columns_.size(); ++i)
            c.extents[i] = columns_[i].joined(c.extents[i], own[i]);
        for (std::size_t i = 0; i < lists_.size(); ++i)
            unite(c.lists[i], lists_[i]->begin(p), lists_[i]->end(p));
        c.relational = relational(c);
        if (terms_of_[p] > 0) {
            c.with_terms += 1;
            c.inverse += 1 / terms_of_[p];
        }
    }

    Class of(const std::vector<Person>& members) const {
        Class c = begin(members[0]);
        for (std::size_t i = 1; i < members.size(); ++i) add(c, members[i]);
        return c;
    }

    // The class without each of its members in turn; members are not listed.
    // Cost: O(size x (columns + items)).
    std::vector<Class> without_each(const Class& whole) const {
        const std::vector<Person>& members = whole.members;
        std::vector<Class> result(members.size());
        Class before = nobody(), after = nobody();
        for (std::size_t i = 0; i < members.size(); ++i) {
            result[i] = before;
            result[i].members.clear();
            add(before, members[i]);
        }
        for (std::size_t i = members.size(); i-- > 0;) {
            join(result[i], after);
            add(after, members[i]);
        }
        return result;
    }

    double loss(const Class& c) const {
        return c.relational * c.size + (1 - lambda_) * c.textual();
    }

    // One member's part of the loss.
    double of(const Class& c, Person p) const {
        const double shared = static_cast<double>(c.shared.size());
        return c.relational +
               (terms_of_[p] > 0 ? (1 - lambda_) * (1 - shared / terms_of_[p]) : 0.0);
    }

    // What a person would lose in a pair with another: of one column that fits, of the others,
    // and of her terms when so many are common.
    double in_column(std::size_t i, Person p, Person q) const {
        return each_ * columns_[i].width(columns_[i].joined(extents_of(p)[i], extents_of(q)[i]));
    }

    double in_lists(Person p, Person q) const {
        double result = 0;
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            std::vector<std::int32_t> values;
            unite(values, lists_[i]->begin(p), lists_[i]->end(p));
            unite(values, lists_[i]->begin(q), lists_[i]->end(q));
            result += each_ * named(i, values.size());
        }
        return result;
    }

    double in_terms(Person p, std::size_t common) const {
        if (terms_of_[p] == 0) return 0.0;
        return (1 - lambda_) * (1 - static_cast<double>(common) / terms_of_[p]);
    }

    // The first column that fits in which two people differ, or how many there are.
    std::size_t first_difference(Person a, Person b) const {
        const Extent *x = extents_of(a), *y = extents_of(b);
        std::size_t i = 0;
        while (i < columns_.size() && x[i].low == y[i].low && x[i].high == y[i].high) ++i;
        return i;
    }

    // An order of people by the columns that fit.
    bool before(Person a, Person b) const {
        const std::size_t i = first_difference(a, b);
        if (i == columns_.size()) return false;
        const Extent x = extents_of(a)[i], y = extents_of(b)[i];
        return x.low != y.low ? x.low < y.low : x.high < y.high;
    }

    // By how much the class's loss grows with this person, who shares `common` of its items; once
    // it is clear that it reaches the limit, any number that does.
    double growth(const Class& c, Person p, std::size_t common,
                  double limit = std::numeric_limits<double>::infinity()) const {
        return growth(c, c.extents.data(), c.relational, c.size, p, common, limit);
    }

    // The same, with what is read first of a class given: its extents, what one loses, its size.
    double growth(const Class& c, const Extent* extents, double relational, double size, Person p,
                  std::size_t common, double limit) const {
        double result = -relational * size;
        if (lambda_ < 1 && has_terms_) result += textual_growth(c, p, common);
        const double each = each_ * (size + 1);
        const Extent* own = extents_of(p);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            result += each * columns_[i].width(columns_[i].joined(extents[i], own[i]));
            if (result >= limit) return result;
        }
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            std::size_t values = c.lists[i].size();
            for (const std::int32_t* v = lists_[i]->begin(p); v != lists_[i]->end(p); ++v)
                values += !std::binary_search(c.lists[i].begin(), c.lists[i].end(), *v);
            result += each * named(i, values);
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

    // Whether two people are alike in everything that a class may lose.
    bool alike(Person a, Person b) const {
        const Extent *x = extents_of(a), *y = extents_of(b);
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (x[i].low != y[i].low || x[i].high != y[i].high) return false;
        for (const QuasiColumn* list : lists_)
            if (!std::equal(list->begin(a), list->end(a), list->begin(b), list->end(b)))
                return false;
        return terms_of_[a] == terms_of_[b] &&
               std::equal(items_.begin(a), items_.end(a), items_.begin(b), items_.end(b));
    }

    // Equal for people who are alike.
    std::uint64_t hash(Person p) const {
        std::uint64_t result = 0xcbf29ce484222325u;
        const auto mix = [&](std::int32_t value) {
            result = (result ^ static_cast<std::uint32_t>(value)) * 0x100000001b3u;
        };
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            mix(extents_of(p)[i].low);
            mix(extents_of(p)[i].high);
        }
        for (const QuasiColumn* list : lists_)
            for (const std::int32_t* v = list->begin(p); v != list->end(p); ++v) mix(*v);
        for (const std::int32_t* v = items_.begin(p); v != items_.end(p); ++v) mix(*v);
        return result;
    }

    std::size_t columns() const { return columns_.size(); }

  private:
    Class nobody() const {
        Class c;
        for (const ColumnLoss& column : columns_) c.extents.push_back(column.nobody());
        c.lists.resize(lists_.size());
        return c;
    }

    const Extent* extents_of(Person p) const { return extents_.data() + p * columns_.size(); }

    double named(std::size_t i, std::size_t size) const {
        return size < 2 ? 0.0
                        : static_cast<double>(size) / static_cast<double>(lists_[i]->distinct);
    }

    double relational(const Class& c) const {
        double sum = 0;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            sum += each_ * columns_[i].width(c.extents[i]);
        for (std::size_t i = 0; i < lists_.size(); ++i) sum += each_ * named(i, c.lists[i].size());
        return sum;
    }

    double textual_growth(const Class& c, Person p, std::size_t common) const {
        double textual = static_cast<double>(c.shared.size() - common) * c.inverse;
        if (terms_of_[p] > 0) textual += 1 - static_cast<double>(common) / terms_of_[p];
        return (1 - lambda_) * textual;
    }

    // Leaves what these items share with the class's; nobody's are all.
    static void share(Class& c, const std::int32_t* first, const std::int32_t* last) {
        if (c.size == 0) {
            c.shared.assign(first, last);
        } else if (!c.shared.empty()) {
            std::vector<std::int32_t> both;
            std::set_intersection(c.shared.begin(), c.shared.end(), first, last,
                                  std::back_inserter(both));
            c.shared = std::move(both);
        }
    }

    static void unite(std::vector<std::int32_t>& values, const std::int32_t* first,
                      const std::int32_t* last) {
        for (; first != last; ++first) {
            const auto at = std::lower_bound(values.begin(), values.end(), *first);
            if (at == values.end() || *at != *first) values.insert(at, *first);
        }
    }

    void join(Class& c, const Class& other) const {
        if (other.size == 0) return;
        share(c, other.shared.data(), other.shared.data() + other.shared.size());
        c.size += other.size;
        c.with_terms += other.with_terms;
        c.inverse += other.inverse;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            c.extents[i] = columns_[i].joined(c.extents[i], other.extents[i]);
        for (std::size_t i = 0; i < lists_.size(); ++i)
            unite(c.lists[i], other.lists[i].data(), other.lists[i].data() + other.lists[i].size());
        c.relational = relational(c);
    }

    // Columns in which two people differ most come first: sums reach their limit early.
    void in_order_of_width() {
        constexpr std::size_t pairs = 1024, stride = 7919;
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < pairs && count_ > 0; ++j) {
                const auto a = static_cast<Person>(j * stride % count_),
                           b = static_cast<Person>((j + 1) * stride % count_);
                sum += columns_[i].width(columns_[i].joined(columns_[i].of(a), columns_[i].of(b)));
            }
            order.emplace_back(-sum, i);
        }
        std::sort(order.begin(), order.end());
        std::vector<ColumnLoss> sorted;
        for (const auto& [_, i] : order) sorted.push_back(std::move(columns_[i]));
        columns_ = std::move(sorted);
    }

    const Items& items_;
    double lambda_, each_ = 0;
    std::size_t count_;
    bool has_terms_ = false;
    std::vector<ColumnLoss> columns_;
    std::vector<const QuasiColumn*> lists_;
    std::vector<Extent> extents_;  // person x column
    std::vector<double> terms_of_;
};

}  // namespace sfumato
