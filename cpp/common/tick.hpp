// How a long computation reports progress and can be interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace sfumato {

// Called now and then with the share done, in [0, 1]; throws to interrupt. Algorithms call it
// between blocks of work, never in an inner loop. An empty Tick is not called.
using Tick = std::function<void(double)>;

inline void report(const Tick& tick, double share) {
    if (tick) tick(share);
}

// The part [from, to] of a longer computation.
inline Tick part(const Tick& tick, double from, double to) {
    if (!tick) return {};
    return [&tick, from, to](double share) { tick(from + (to - from) * share); };
}

// Calls `block(first, last)` over begin .. end in order, with a report between blocks.
template <class Block>
void in_blocks(std::size_t begin, std::size_t end, const Tick& tick, const Block& block) {
    constexpr std::size_t size = std::size_t(1) << 21;
    for (std::size_t i = begin; i < end; i += size) {
        report(tick, double(i - begin) / double(end - begin));
        block(i, std::min(end, i + size));
    }
}

}  // namespace sfumato
