// Reports a Tick once in a while, whatever the size of the pieces of work.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/tick.hpp"

namespace sfumato {

class Pulse {
  public:
    // Work that is to be cut into pieces (one document of 100 MB) is cut into pieces of this size.
    static constexpr int64_t block = int64_t{1} << 21;

    Pulse(const Tick& tick, int64_t total) : tick_(tick), total_(total) {}

    void operator()(int64_t amount) {
        done_ += amount;
        if (done_ < next_) return;
        next_ = done_ + block;
        report(tick_, std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)));
    }

    // Calls work(from, to) for the blocks of [begin, end), one after the other.
    template <class Work>
    void blocks(int64_t begin, int64_t end, Work&& work) {
        while (begin < end) {
            const int64_t stop = std::min(end, begin + block);
            work(begin, stop);
            (*this)(stop - begin);
            begin = stop;
        }
    }

  private:
    const Tick& tick_;
    int64_t total_;
    int64_t done_ = 0;
    int64_t next_ = block;
};

}  // namespace sfumato
