// People as rows of integer codes: what the partitioners of records work on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace sfumato {

using Person = std::uint32_t;

// One quasi-identifier. A number or date has the ranks of a person's smallest and largest value
// (-1: missing) and the values the ranks stand for. A category and a term column have sets of codes
// in compressed rows; a category without offsets has one code a person.
// A hierarchy over the codes of a category or the ranks of a number: below node v stand v + 1 ..
// ends[v] - 1; codes ascend with their nodes, so that the smallest and the largest code of a set
// decide its lowest common node.
struct CodeTree {
    const std::int32_t* nodes;    // code -> node
    const std::int32_t* parents;  // the root's is -1
    const std::int32_t* ends;
    const std::int64_t* leaves;

    // The share of all leaves that stand below the lowest node above both codes.
    double share(std::int32_t low, std::int32_t high) const {
        if (low == high) return 0.0;
        std::int32_t node = nodes[low];
        while (ends[node] <= nodes[high]) node = parents[node];
        return static_cast<double>(leaves[node]) / static_cast<double>(leaves[0]);
    }
};

// The month and the year of every rank of a date, both ascending: of several dates all of their
// month is published, else all of their years.
struct Calendar {
    const std::int32_t* months;
    const std::int32_t* years;
};

struct QuasiColumn {
    enum class Kind { number, category, terms };
    Kind kind;
    bool textual;   // weighted by 1 - lambda
    double weight;  // added to its priority
    const std::int32_t* low = nullptr;
    const std::int32_t* high = nullptr;
    const double* values = nullptr;
    const std::int64_t* offsets = nullptr;
    const std::int32_t* codes = nullptr;
    std::size_t distinct = 0;            // how many values or codes there are
    std::optional<CodeTree> tree{};      // of a number, or of a category without missing values
    std::optional<Calendar> calendar{};  // of dates

    const std::int32_t* begin(Person p) const { return offsets ? codes + offsets[p] : codes + p; }
    const std::int32_t* end(Person p) const {
        return offsets ? codes + offsets[p + 1] : codes + p + 1;
    }
    std::size_t size(Person p) const { return static_cast<std::size_t>(end(p) - begin(p)); }
};

struct People {
    std::size_t count;
    std::vector<QuasiColumn> columns;
};

// A run of people; partitioning reorders people inside it and keeps their order otherwise.
struct Run {
    std::size_t first, last;
    std::size_t size() const { return last - first; }
};

// How many different codes were seen, in time of what was seen.
class DistinctCodes {
  public:
    void expect(std::size_t codes) { seen_.resize(std::max(seen_.size(), codes), 0); }
    void start() {
        if (++round_ == 0) {
            std::fill(seen_.begin(), seen_.end(), 0);
            round_ = 1;
        }
        count_ = 0;
    }
    void add(std::int32_t code) {
        if (seen_[code] != round_) {
            seen_[code] = round_;
            ++count_;
        }
    }
    std::size_t count() const { return count_; }

  private:
    std::vector<std::uint32_t> seen_;
    std::uint32_t round_ = 0;
    std::size_t count_ = 0;
};

// Counts of codes that are put back to zero in time of what was counted.
class CodeCounts {
  public:
    void expect(std::size_t codes) { counts_.resize(std::max(counts_.size(), codes), 0); }
    void add(std::int32_t code) {
        if (counts_[code]++ == 0) touched_.push_back(code);
    }
    std::uint32_t operator[](std::int32_t code) const { return counts_[code]; }
    const std::vector<std::int32_t>& touched() const { return touched_; }
    std::vector<std::int32_t>& touched() { return touched_; }
    void clear() {
        for (const std::int32_t code : touched_) counts_[code] = 0;
        touched_.clear();
    }

  private:
    std::vector<std::uint32_t> counts_;
    std::vector<std::int32_t> touched_;
};

}  // namespace sfumato
