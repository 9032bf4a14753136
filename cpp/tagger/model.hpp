// The weights: of hashed features for labels, and of labels in a row.
//
// Labels of k types in this order: O, B of every type, U of every type, I, L; a mention of one
// token is U, a longer one B I* L. Of 33 bits of a feature's hash 17 choose a bucket and 16 stand
// in it. Weights are whole numbers; `unit` of them make one.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/prefetch.hpp"

namespace sfumato::tagger {

constexpr int bucket_bits = 17, check_bits = 16, most_types = 15;
constexpr int unit = 32;
constexpr int most_features = 115;  // of a token

struct Labels {
    int types = 0;
    int count() const { return 1 + 4 * types; }
    int begin(int type) const { return 1 + type; }
    int alone(int type) const { return 1 + types + type; }
    int inside(int type) const { return 1 + 2 * types + type; }
    int last(int type) const { return 1 + 3 * types + type; }
    int type(int label) const { return (label - 1) % types; }

    bool opens(int label) const { return label <= 2 * types; }  // may follow the end of a mention
    bool closes(int label) const {
        return label == 0 || (label > types && label <= 2 * types) || label > 3 * types;
    }
    bool legal(int from, int to) const {
        return closes(from) ? opens(to) : !opens(to) && type(from) == type(to);
    }
};

inline std::uint64_t feature_key(std::uint64_t hash) {
    return hash >> (64 - bucket_bits - check_bits);
}

// Features that have weights for many labels as rows with a weight for every label, which are added
// at once. An entry says of a feature where its weights begin: a row, or so many of the others.
struct Layout {
    static constexpr std::uint32_t is_row = std::uint32_t{1} << 31;
    static constexpr int count_bits = 3, many = 1 << count_bits;
    std::vector<std::uint32_t> entries;
    std::vector<std::int8_t> rows;
};

struct Model {
    Labels labels;
    const std::uint32_t* starts = nullptr;      // of every bucket, and the end
    const std::uint16_t* checks = nullptr;      // of every feature
    const std::uint32_t* firsts = nullptr;      // of every feature: its first weight, and the end
    const std::uint16_t* weights = nullptr;     // a label, and its weight 8 bits higher
    const std::int16_t* transitions = nullptr;  // from x to; then first, then last labels
    std::int64_t features = 0, weight_count = 0;
    const std::uint32_t* entries = nullptr;  // of a Layout
    const std::int8_t* rows = nullptr;

    int width() const { return (labels.count() + 7) / 8 * 8; }  // of a row, and of scores

    Layout laid_out() const {
        if (weight_count >= Layout::is_row >> Layout::count_bits)
            throw std::invalid_argument("too many weights");
        Layout result;
        result.entries.reserve(static_cast<std::size_t>(features));
        for (std::int64_t f = 0; f < features; ++f) {
            const std::uint32_t first = firsts[f], count = firsts[f + 1] - first;
            if (count < Layout::many) {
                result.entries.push_back(first << Layout::count_bits | count);
                continue;
            }
            const std::size_t at = result.rows.size();
            result.entries.push_back(Layout::is_row | static_cast<std::uint32_t>(at / width()));
            result.rows.resize(at + width(), 0);
            for (std::uint32_t w = first; w < first + count; ++w)
                result.rows[at + (weights[w] & 255)] = static_cast<std::int8_t>(weights[w] >> 8);
        }
        return result;
    }

    void validate(std::int64_t buckets, std::int64_t transition_count) const {
        const auto require = [](bool condition) {
            if (!condition) throw std::invalid_argument("the arrays of the weights do not fit");
        };
        const std::int64_t n = labels.count();
        require(labels.types >= 1 && labels.types <= most_types);
        require(buckets == (std::int64_t{1} << bucket_bits) + 1 &&
                transition_count == n * n + 2 * n);
        require(starts[0] == 0 && starts[buckets - 1] == features);
        for (std::int64_t b = 1; b < buckets; ++b) require(starts[b - 1] <= starts[b]);
        require(firsts[0] == 0 && firsts[features] == weight_count);
        for (std::int64_t f = 0; f < features; ++f) require(firsts[f] <= firsts[f + 1]);
        for (std::int64_t w = 0; w < weight_count; ++w) require((weights[w] & 255) < n);
    }

    // Adds the weights of features to the scores of the labels, `width` of them; what each of them
    // reads is on its way before it is needed.
    void add(const std::uint64_t* hashes, int count, std::int16_t* scores) const {
        for (int i = 0; i < count; ++i) prefetch(starts + (feature_key(hashes[i]) >> check_bits));
        for (int i = 0; i < count; ++i)
            prefetch(checks + starts[feature_key(hashes[i]) >> check_bits]);
        std::uint32_t found[most_features];
        int hits = 0;
        for (int i = 0; i < count; ++i) {
            const std::uint64_t key = feature_key(hashes[i]), bucket = key >> check_bits;
            const auto check = static_cast<std::uint16_t>(key);
            std::uint32_t f = starts[bucket];
            while (f < starts[bucket + 1] && checks[f] != check) ++f;
            if (f == starts[bucket + 1]) continue;
            prefetch(entries + f);
            found[hits++] = f;
        }
        for (int i = 0; i < hits; ++i) {
            found[i] = entries[found[i]];
            if (found[i] & Layout::is_row)
                prefetch(row_of(found[i]));
            else
                prefetch(weights + (found[i] >> Layout::count_bits));
        }
        for (int i = 0; i < hits; ++i)
            if (found[i] & Layout::is_row)
                add_row(row_of(found[i]), scores);
            else
                add_some(found[i], scores);
    }

    const std::int8_t* row_of(std::uint32_t entry) const {
        return rows + static_cast<std::size_t>(entry & ~Layout::is_row) * width();
    }

    void add_row(const std::int8_t* row, std::int16_t* scores) const {
        for (int block = 0; block < width(); block += 8)
            for (int y = block; y < block + 8; ++y)
                scores[y] = static_cast<std::int16_t>(scores[y] + row[y]);
    }

    void add_some(std::uint32_t entry, std::int16_t* scores) const {
        const std::uint16_t* weight = weights + (entry >> Layout::count_bits);
        const std::uint16_t* end = weight + (entry & (Layout::many - 1));
        for (; weight < end; ++weight)
            scores[*weight & 255] = static_cast<std::int16_t>(
                scores[*weight & 255] + static_cast<std::int8_t>(*weight >> 8));
    }

    int transition(int from, int to) const { return transitions[from * labels.count() + to]; }
    int first(int to) const { return transitions[labels.count() * labels.count() + to]; }
    int last(int from) const {
        return transitions[labels.count() * labels.count() + labels.count() + from];
    }
};

}  // namespace sfumato::tagger
