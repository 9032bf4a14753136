// Global document frequency partitioning (rx-anon, Algorithm 2).
//
// A partition is cut on its most frequent term into those who have it and those who do not; a term
// that does not leave both sides as demanded gives way to the next. The term is removed for the
// branch by itself: on one side everybody has it, on the other nobody, so it cuts neither again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/tick.hpp"
#include "records/diversity.hpp"
#include "records/mondrian.hpp"
#include "records/people.hpp"

namespace sfumato {

// All term columns as one: items of different columns differ. Items of fewer than `least` people
// are left out: no cut can use them.
struct Items {
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> items;
    std::vector<std::uint32_t> people_of;  // item -> how many people have it

    std::size_t distinct() const { return people_of.size(); }
    const std::int32_t* begin(Person p) const { return items.data() + offsets[p]; }
    const std::int32_t* end(Person p) const { return items.data() + offsets[p + 1]; }
    bool has(Person p, std::int32_t item) const {
        return std::binary_search(begin(p), end(p), item);
    }

    static Items of(const People& people, std::uint32_t least) {
        std::vector<std::size_t> base;
        std::size_t total = 0;
        for (const QuasiColumn& column : people.columns) {
            base.push_back(total);
            if (column.kind == QuasiColumn::Kind::terms) total += column.distinct;
        }
        std::vector<std::uint32_t> counts(total, 0);
        const auto each = [&](Person p, const auto& visit) {
            for (std::size_t c = 0; c < people.columns.size(); ++c) {
                const QuasiColumn& column = people.columns[c];
                if (column.kind != QuasiColumn::Kind::terms) continue;
                for (const std::int32_t* v = column.begin(p); v != column.end(p); ++v)
                    visit(base[c] + static_cast<std::size_t>(*v));
            }
        };
        for (Person p = 0; p < people.count; ++p)
            each(p, [&](std::size_t item) { ++counts[item]; });
        Items result;
        std::vector<std::int32_t> number(total, -1);
        for (std::size_t item = 0; item < total; ++item)
            if (counts[item] >= least) {
                number[item] = static_cast<std::int32_t>(result.people_of.size());
                result.people_of.push_back(counts[item]);
            }
        for (Person p = 0; p < people.count; ++p) {
            each(p, [&](std::size_t item) {
                if (number[item] >= 0) result.items.push_back(number[item]);
            });
            result.offsets.push_back(static_cast<std::int64_t>(result.items.size()));
        }
        return result;
    }
};

class DocumentFrequency {
  public:
    DocumentFrequency(const People& people, Demands& demands)
        : people_(people),
          demands_(demands),
          items_(Items::of(people, static_cast<std::uint32_t>(demands.k()))),
          order_(people.count),
          buffer_(people.count) {
        std::iota(order_.begin(), order_.end(), Person{0});
    }

    Splits run(std::int32_t* classes, const Tick& tick) {
        Splits splits;
        std::int32_t next = 0;
        std::size_t done = 0;
        std::vector<Part> waiting;
        waiting.push_back({{0, people_.count}, items_.people_of});
        while (!waiting.empty()) {
            Part part = std::move(waiting.back());
            waiting.pop_back();
            report(tick, static_cast<double>(done) / static_cast<double>(people_.count));
            if (!cut(part)) {
                for (std::size_t i = part.run.first; i < part.run.last; ++i)
                    classes[order_[i]] = next;
                ++next;
                done += part.run.size();
                continue;
            }
            ++splits.textual;
            Part with{{part.run.first, middle_}, {}}, without{{middle_, part.run.last}, {}};
            share_counts(part, with, without);
            waiting.push_back(std::move(without));
            waiting.push_back(std::move(with));
        }
        return splits;
    }

  private:
    // A large partition keeps how many of its people have each item; a small one counts anew.
    struct Part {
        Run run;
        std::vector<std::uint32_t> counts;
    };

    // The smaller side is counted, the larger gets the difference.
    void share_counts(Part& whole, Part& a, Part& b) {
        if (whole.counts.empty()) return;
        Part& small = a.run.size() <= b.run.size() ? a : b;
        Part& large = a.run.size() <= b.run.size() ? b : a;
        const bool keep = small.run.size() * 64 > items_.distinct();
        if (keep) small.counts.assign(items_.distinct(), 0);
        large.counts = std::move(whole.counts);
        for (std::size_t i = small.run.first; i < small.run.last; ++i)
            for (const std::int32_t* v = items_.begin(order_[i]); v != items_.end(order_[i]); ++v) {
                --large.counts[*v];
                if (keep) ++small.counts[*v];
            }
        if (large.run.size() * 64 <= items_.distinct()) large.counts = {};
    }

    bool cut(const Part& part) {
        const std::size_t size = part.run.size(), k = demands_.k();
        if (size < 2 * k) return false;
        candidates_.clear();
        const auto consider = [&](std::int32_t item, std::uint32_t count) {
            if (count >= k && size - count >= k)
                candidates_.emplace_back(-std::int64_t(count), item);
        };
        if (!part.counts.empty()) {
            for (std::size_t item = 0; item < part.counts.size(); ++item)
                consider(static_cast<std::int32_t>(item), part.counts[item]);
        } else {
            scratch_.expect(items_.distinct());
            for (std::size_t i = part.run.first; i < part.run.last; ++i)
                for (const std::int32_t* v = items_.begin(order_[i]); v != items_.end(order_[i]);
                     ++v)
                    scratch_.add(*v);
            for (const std::int32_t item : scratch_.touched()) consider(item, scratch_[item]);
            scratch_.clear();
        }
        if (demands_.only_size()) {
            const auto best = std::min_element(candidates_.begin(), candidates_.end());
            return best != candidates_.end() && cut_on(best->second, part.run);
        }
        std::sort(candidates_.begin(), candidates_.end());
        return std::any_of(candidates_.begin(), candidates_.end(), [&](const auto& candidate) {
            return cut_on(candidate.second, part.run);
        });
    }

    bool cut_on(std::int32_t item, const Run& run) {
        std::size_t to = run.first;
        const auto has = [&](Person p) { return items_.has(p, item); };
        for (std::size_t i = run.first; i < run.last; ++i)
            if (has(order_[i])) buffer_[to++] = order_[i];
        const std::size_t middle = to;
        for (std::size_t i = run.first; i < run.last; ++i)
            if (!has(order_[i])) buffer_[to++] = order_[i];
        if (!demands_.hold(&buffer_[run.first], middle - run.first) ||
            !demands_.hold(&buffer_[middle], run.last - middle))
            return false;
        std::copy(buffer_.begin() + run.first, buffer_.begin() + run.last,
                  order_.begin() + run.first);
        middle_ = middle;
        return true;
    }

    const People& people_;
    Demands& demands_;
    Items items_;
    std::size_t middle_ = 0;
    std::vector<Person> order_, buffer_;
    CodeCounts scratch_;
    std::vector<std::pair<std::int64_t, std::int32_t>> candidates_;
};

}  // namespace sfumato
