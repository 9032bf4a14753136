// What a class must satisfy beside its size: l-diversity and t-closeness of sensitive columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "records/people.hpp"

namespace sfumato {

enum class Diversity { none, distinct, entropy, recursive };

// A sensitive column: one code a person (codes stand in the order of the values).
struct SensitiveColumn {
    const std::int32_t* codes;
    std::size_t distinct;
    bool ordered;  // t-closeness by the ordered distance, else the equal one
    Diversity diversity = Diversity::none;
    double l = 1, c = 1;   // recursive (c, l)-diversity
    double t = -1;         // t-closeness, negative: not demanded
    bool missing = false;  // code 0 means that the value is missing: no diversity comes of it
    // Where a code stands for several values of a person: which ones.
    const std::int64_t* offsets = nullptr;
    const std::int32_t* values = nullptr;
};

// Rounding must not decide: sums of shares are compared with this slack.
constexpr double slack = 1e-9;

class Demands {
  public:
    Demands(std::size_t people, std::size_t k, std::vector<SensitiveColumn> columns)
        : k_(k), columns_(std::move(columns)) {
        for (const SensitiveColumn& column : columns_) {
            std::vector<double> share(column.distinct, 0.0);
            for (Person p = 0; p < people; ++p) share[column.codes[p]] += 1.0;
            for (double& one : share) one /= static_cast<double>(people);
            shares_.push_back(std::move(share));
            counts_.expect(column.distinct);
        }
    }

    std::size_t k() const { return k_; }
    bool only_size() const { return columns_.empty(); }

    bool hold(const Person* people, std::size_t size) {
        if (size < k_) return false;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (!holds(columns_[i], shares_[i], people, size)) return false;
        return true;
    }

    // How far people are from being a class: 0 if they hold, else more the more is missing.
    double missing(const Person* people, std::size_t size) {
        if (hold(people, size)) return 0;
        double result = size < k_ ? static_cast<double>(k_ - size) / static_cast<double>(k_) : 0.0;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const SensitiveColumn& column = columns_[i];
            for (std::size_t j = 0; j < size; ++j) counts_.add(column.codes[people[j]]);
            if (!diverse(column, size)) result += most_frequent(size);
            if (!close(column, shares_[i], size)) result += distance(column, shares_[i], size);
            counts_.clear();
        }
        return std::max(result, slack);
    }

  private:
    double most_frequent(std::size_t size) const {
        std::uint32_t most = 0;
        for (const std::int32_t code : counts_.touched()) most = std::max(most, counts_[code]);
        return static_cast<double>(most) / static_cast<double>(size);
    }

    bool holds(const SensitiveColumn& column, const std::vector<double>& share,
               const Person* people, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) counts_.add(column.codes[people[i]]);
        const bool result = diverse(column, size) && close(column, share, size);
        counts_.clear();
        return result;
    }

    bool diverse(const SensitiveColumn& column, std::size_t size) {
        if (column.diversity == Diversity::none) return true;
        const std::size_t absent = column.missing ? counts_[0] : 0;
        if (absent == size) return false;
        if (column.offsets != nullptr &&
            covered(column, static_cast<std::size_t>(std::ceil(column.l - slack)) - 1, absent > 0))
            return false;
        if (column.diversity == Diversity::distinct)
            return static_cast<double>(counts_.touched().size() - (absent > 0)) + slack >= column.l;
        if (column.diversity == Diversity::entropy) {
            double entropy = 0;
            sort_seen();  // one order of summing, whatever the order of people
            for (const std::int32_t code : counts_.touched()) {
                if (absent > 0 && code == 0) continue;
                const double share = counts_[code] / static_cast<double>(size - absent);
                entropy -= share * std::log(share);
            }
            return entropy + slack >= std::log(column.l);
        }
        frequencies_.clear();
        for (const std::int32_t code : counts_.touched())
            if (absent == 0 || code != 0) frequencies_.push_back(counts_[code]);
        std::sort(frequencies_.begin(), frequencies_.end(), std::greater<>());
        const auto l = static_cast<std::size_t>(column.l);
        double rest = 0;
        for (std::size_t i = l - 1; i < frequencies_.size(); ++i) rest += frequencies_[i];
        return frequencies_[0] < column.c * rest;
    }

    // Whether so many values suffice that everybody who has a value has one of them. The first
    // person who has none of those chosen so far must have the next: each of hers is tried.
    bool covered(const SensitiveColumn& column, std::size_t most, bool absent) {
        const auto first = std::find_if(
            counts_.touched().begin(), counts_.touched().end(), [&](const std::int32_t code) {
                const std::int32_t *from = column.values + column.offsets[code],
                                   *to = column.values + column.offsets[code + 1];
                return !(absent && code == 0) &&
                       std::find_first_of(from, to, chosen_.begin(), chosen_.end()) == to;
            });
        if (first == counts_.touched().end()) return true;
        if (most == 0) return false;
        const std::int32_t code = *first;
        for (std::int64_t i = column.offsets[code]; i < column.offsets[code + 1]; ++i) {
            chosen_.push_back(column.values[i]);
            const bool found = covered(column, most - 1, absent);
            chosen_.pop_back();
            if (found) return true;
        }
        return false;
    }

    bool close(const SensitiveColumn& column, const std::vector<double>& share, std::size_t size) {
        return column.t < 0 || distance(column, share, size) <= column.t + slack;
    }

    double distance(const SensitiveColumn& column, const std::vector<double>& share,
                    std::size_t size) {
        return column.ordered ? ordered_distance(share, size) : equal_distance(share, size);
    }

    double equal_distance(const std::vector<double>& share, std::size_t size) {
        sort_seen();
        double distance = 0, covered = 0;
        for (const std::int32_t code : counts_.touched()) {
            distance += std::abs(counts_[code] / static_cast<double>(size) - share[code]);
            covered += share[code];
        }
        return (distance + (1.0 - covered)) / 2.0;
    }

    double ordered_distance(const std::vector<double>& share, std::size_t size) const {
        if (share.size() < 2) return 0;
        double sum = 0, moved = 0;
        for (std::size_t code = 0; code < share.size(); ++code) {
            moved +=
                counts_[static_cast<std::int32_t>(code)] / static_cast<double>(size) - share[code];
            sum += std::abs(moved);
        }
        return sum / static_cast<double>(share.size() - 1);
    }

    void sort_seen() { std::sort(counts_.touched().begin(), counts_.touched().end()); }

    std::size_t k_;
    std::vector<SensitiveColumn> columns_;
    std::vector<std::vector<double>> shares_;
    CodeCounts counts_;
    std::vector<std::uint32_t> frequencies_;
    std::vector<std::int32_t> chosen_;
};

}  // namespace sfumato
