// Lists of names, places and words: which classes a phrase belongs to, by its hash; and which
// cluster a word belongs to, by how other words stand around it.
//
// A phrase is the sequence of its words' hashes, lower case; a word with a cluster is as written.
// Of 47 bits of a hash 15 choose a bucket and 32 stand in it: a phrase that is on no list is taken
// for one that is once in some 10^9 times.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "tagger/hash.hpp"

namespace sfumato::tagger {

constexpr std::uint64_t phrase_seed = 7, cluster_seed = 8;
constexpr std::uint16_t begins_longer = 1u << 15;  // longer phrases begin with this one
constexpr int lexicon_bits = 15;

struct HashTable {
    const std::uint32_t* starts = nullptr;  // of every bucket, and the end
    const std::uint32_t* checks = nullptr;
    const std::uint16_t* values = nullptr;
    std::int64_t count = 0;

    void validate(std::int64_t buckets) const {
        if (buckets != (std::int64_t{1} << lexicon_bits) + 1 || starts[0] != 0 ||
            starts[buckets - 1] != count)
            throw std::invalid_argument("the lexicon's buckets do not fit");
        for (std::int64_t b = 1; b < buckets; ++b)
            if (starts[b] < starts[b - 1])
                throw std::invalid_argument("the lexicon's buckets are out of order");
    }

    std::uint16_t operator[](std::uint64_t hash) const {
        if (!count) return 0;
        const std::uint64_t bucket = hash >> (64 - lexicon_bits);
        const auto check = static_cast<std::uint32_t>(hash >> (32 - lexicon_bits));
        for (std::uint32_t i = starts[bucket]; i < starts[bucket + 1]; ++i)
            if (checks[i] == check) return values[i];
        return 0;
    }
};

// A word's entry: the number of its cluster (0 is none; Brown and others 1992), in the order of the
// tree, so that near numbers are near clusters; and, in the lowest bits, how usual it is in lower
// case.
constexpr int usual_bits = 4, near_bits = 4;

struct Lexicon {
    HashTable phrases, clusters;

    std::uint16_t classes(std::uint64_t hash) const { return phrases[hash]; }
    std::uint16_t cluster(std::uint64_t exact) const {
        return clusters[joined(cluster_seed, exact)];
    }
};

}  // namespace sfumato::tagger
