// Copied passages: tokens in a run of at least `least` that somebody else's text has before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "repeats/shared_repeats.hpp"

namespace sfumato {

// Suffixes that agree in `least` symbols stand together in the suffix array. Of such a group the
// first in the text is nobody's copy, nor is what its own label repeats; all others are.
template <class Index>
void mark_copied(const Index* suffixes, const Index* plcp, std::size_t n, std::size_t least,
                 const std::vector<std::int32_t>& labels, const std::int64_t* ends,
                 std::uint8_t* copied) {
    const DocumentOf document(ends, labels.size(), n);
    const auto label = [&](Index at) { return labels[document(std::size_t(at))]; };
    for (std::size_t first = 0, i = 1; i <= n; ++i) {
        if (i < n && std::size_t(plcp[suffixes[i]]) >= least) continue;
        if (i - first > 1) {
            const std::int32_t author = label(*std::min_element(suffixes + first, suffixes + i));
            for (std::size_t rank = first; rank < i; ++rank)
                if (label(suffixes[rank]) != author) copied[suffixes[rank]] = 1;
        }
        first = i;
    }
    for (std::size_t i = 0, left = 0; i < n; ++i) {
        if (copied[i]) left = least;
        copied[i] = left > 0;
        left -= left > 0;
    }
}

}  // namespace sfumato
