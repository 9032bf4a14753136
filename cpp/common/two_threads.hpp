// Work over a range, cut in two halves that run at once.
#pragma once

#include <cstddef>
#include <thread>

#include "common/tick.hpp"

namespace sfumato {

// Calls `work(first, last, tick)` for both halves of 0 .. n. The result must not depend on where
// the range is cut, and the second half, which nobody interrupts, must not throw.
template <class Work>
void in_two(std::size_t n, const Tick& tick, const Work& work) {
    constexpr std::size_t worth_a_thread = std::size_t(1) << 16;
    if (n < worth_a_thread || std::thread::hardware_concurrency() < 2) {
        work(0, n, tick);
        return;
    }
    std::thread second([&] { work(n / 2, n, Tick{}); });
    struct Join {
        std::thread& thread;
        ~Join() { thread.join(); }
    } join{second};
    work(0, n / 2, tick);
}

}  // namespace sfumato
