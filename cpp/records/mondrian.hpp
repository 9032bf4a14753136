// Modified Mondrian partitioning with the weight lambda (rx-anon, Algorithm 1).
//
// A partition under 2k is final. Otherwise columns are tried in the order of their normalised
// spans, weighted by lambda, until one gives two sides that satisfy the demands: numbers, dates and
// categories are cut at the median of the people's smallest values, term columns at the median of
// the people's most frequent terms. As printed, only the first column and only `< median` are
// tried.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "records/diversity.hpp"
#include "records/people.hpp"

namespace sfumato {

struct Splits {
    std::int64_t relational = 0, textual = 0;
};

class Mondrian {
  public:
    Mondrian(const People& people, Demands& demands, double lambda, bool printed)
        : Mondrian(people, demands, lambda, printed, everybody(people)) {}

    // Partitions some of the people only; the others' classes are left as they are.
    Mondrian(const People& people, Demands& demands, double lambda, bool printed,
             std::vector<Person> members)
        : people_(people),
          demands_(demands),
          lambda_(lambda),
          printed_(printed),
          order_(std::move(members)),
          buffer_(order_.size()),
          keys_(order_.size()) {
        for (const QuasiColumn& column : people_.columns) {
            distinct_.expect(column.distinct);
            counts_.expect(column.distinct);
        }
    }

    // Blocks for another partitioner: a partition stops at this size, and hierarchies, which would
    // cut rare values off from each other, do not count.
    void make_blocks(std::size_t below) {
        stop_ = below;
        trees_ = false;
    }

    Splits run(std::int32_t* classes, const Tick& tick) {
        for (std::size_t c = 0; c < people_.columns.size(); ++c)
            whole_.push_back(tried(c) ? span(c, {0, order_.size()}) : 0.0);
        Splits splits;
        std::int32_t next = 0;
        std::size_t done = 0, reported = 0;
        std::vector<Run> waiting{{0, order_.size()}};
        while (!waiting.empty()) {
            const Run run = waiting.back();
            waiting.pop_back();
            if (done + run.size() / 16 >= reported) {
                report(tick, static_cast<double>(done) / static_cast<double>(order_.size()));
                reported = done + (std::size_t{1} << 16);
            }
            const std::size_t column = cut(run);
            if (column == none) {
                for (std::size_t i = run.first; i < run.last; ++i) classes[order_[i]] = next;
                ++next;
                done += run.size();
                continue;
            }
            ++(people_.columns[column].textual ? splits.textual : splits.relational);
            waiting.push_back({middle_, run.last});
            waiting.push_back({run.first, middle_});
        }
        return splits;
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    static std::vector<Person> everybody(const People& people) {
        std::vector<Person> members(people.count);
        std::iota(members.begin(), members.end(), Person{0});
        return members;
    }

    // At lambda 0 and 1 the other kind is never tried.
    bool tried(std::size_t c) const {
        return people_.columns[c].textual ? lambda_ < 1.0 : lambda_ > 0.0;
    }

    // Reorders the run into two sides and says which column did it; `middle_` is where they meet.
    std::size_t cut(const Run& run) {
        if (run.size() < std::max(stop_, 2 * demands_.k())) return none;
        ranked_.clear();
        for (std::size_t c = 0; c < people_.columns.size(); ++c)
            if (tried(c)) ranked_.emplace_back(-priority(c, run), c);
        std::sort(ranked_.begin(), ranked_.end());
        for (const auto& [negative, c] : ranked_) {
            (void)negative;
            if (cut_at_median(c, run)) return c;
            if (printed_) break;
        }
        return none;
    }

    double priority(std::size_t c, const Run& run) {
        const QuasiColumn& column = people_.columns[c];
        const double share = whole_[c] > 0 ? span(c, run) / whole_[c] : 0.0;
        return (share + (column.textual ? 1.0 - lambda_ : lambda_)) / 2.0 + column.weight;
    }

    double span(std::size_t c, const Run& run) {
        const QuasiColumn& column = people_.columns[c];
        if (column.kind == QuasiColumn::Kind::number) {
            std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = -1;
            for (std::size_t i = run.first; i < run.last; ++i) {
                const Person p = order_[i];
                if (column.low[p] < 0) continue;
                low = std::min(low, column.low[p]);
                high = std::max(high, column.high[p]);
            }
            return high < 0 ? 0.0 : column.values[high] - column.values[low];
        }
        if (column.tree && trees_) {  // as LeFevre: what the lowest common node covers
            std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = -1;
            for (std::size_t i = run.first; i < run.last; ++i) {
                low = std::min(low, *column.begin(order_[i]));
                high = std::max(high, *(column.end(order_[i]) - 1));
            }
            return high < 0 ? 0.0 : column.tree->share(low, high);
        }
        distinct_.start();
        if (column.kind == QuasiColumn::Kind::category) {
            for (std::size_t i = run.first; i < run.last; ++i)
                for (const std::int32_t* v = column.begin(order_[i]); v != column.end(order_[i]);
                     ++v)
                    distinct_.add(*v);
            return static_cast<double>(distinct_.count());
        }
        count_terms(column, run);
        for (std::size_t i = run.first; i < run.last; ++i) {
            const std::int32_t term = most_frequent(column, order_[i]);
            if (term >= 0) distinct_.add(term);
        }
        counts_.clear();
        return static_cast<double>(distinct_.count());
    }

    void count_terms(const QuasiColumn& column, const Run& run) {
        for (std::size_t i = run.first; i < run.last; ++i)
            for (const std::int32_t* v = column.begin(order_[i]); v != column.end(order_[i]); ++v)
                counts_.add(*v);
    }

    // The person's term that most people of the run have; of equals the first; -1: no term.
    std::int32_t most_frequent(const QuasiColumn& column, Person p) const {
        std::int32_t best = -1;
        std::uint32_t most = 0;
        for (const std::int32_t* v = column.begin(p); v != column.end(p); ++v)
            if (counts_[*v] > most) {
                most = counts_[*v];
                best = *v;
            }
        return best;
    }

    // What the people of the run are ordered by.
    void fill_keys(const QuasiColumn& column, const Run& run) {
        if (column.kind == QuasiColumn::Kind::terms) count_terms(column, run);
        for (std::size_t i = run.first; i < run.last; ++i) {
            const Person p = order_[i];
            std::int32_t key = -1;
            if (column.kind == QuasiColumn::Kind::number)
                key = column.low[p];
            else if (column.kind == QuasiColumn::Kind::terms)
                key = most_frequent(column, p);
            else if (column.size(p))
                key = *column.begin(p);  // codes of a person ascend
            keys_[i] = key;
        }
        counts_.clear();
    }

    bool cut_at_median(std::size_t c, const Run& run) {
        fill_keys(people_.columns[c], run);
        median_.assign(keys_.begin() + run.first, keys_.begin() + run.last);
        const auto middle = median_.begin() + median_.size() / 2;
        std::nth_element(median_.begin(), middle, median_.end());
        const std::int32_t median = *middle;
        if (cut_below(median, run)) return true;
        return !printed_ && cut_below(median + 1, run);
    }

    // People with a key below the border go left, if both sides satisfy the demands.
    bool cut_below(std::int32_t border, const Run& run) {
        std::size_t left = 0;
        for (std::size_t i = run.first; i < run.last; ++i) left += keys_[i] < border;
        if (left < demands_.k() || run.size() - left < demands_.k()) return false;
        std::size_t to_left = run.first, to_right = run.first + left;
        for (std::size_t i = run.first; i < run.last; ++i)
            buffer_[keys_[i] < border ? to_left++ : to_right++] = order_[i];
        if (!demands_.only_size() &&
            (!demands_.hold(&buffer_[run.first], left) ||
             !demands_.hold(&buffer_[run.first + left], run.size() - left)))
            return false;
        std::copy(buffer_.begin() + run.first, buffer_.begin() + run.last,
                  order_.begin() + run.first);
        middle_ = run.first + left;
        return true;
    }

    const People& people_;
    Demands& demands_;
    double lambda_;
    bool printed_, trees_ = true;
    std::size_t stop_ = 0, middle_ = 0;
    std::vector<Person> order_, buffer_;
    std::vector<std::int32_t> keys_, median_;
    std::vector<double> whole_;
    std::vector<std::pair<double, std::size_t>> ranked_;
    DistinctCodes distinct_;
    CodeCounts counts_;
};

}  // namespace sfumato
