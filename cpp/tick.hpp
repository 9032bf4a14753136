// How a long computation reports progress and can be interrupted.
#pragma once

#include <functional>

namespace sfumato {

// Called now and then with the share done, in [0, 1]; throws to interrupt. Algorithms call it
// between blocks of work, never in an inner loop. An empty Tick is not called.
using Tick = std::function<void(double)>;

inline void report(const Tick& tick, double share) {
    if (tick) tick(share);
}

}  // namespace sfumato
