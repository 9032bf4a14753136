// Working memory of a recursive computation: free stretches of bigger arrays first, then the heap.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "common/buffer.hpp"

namespace sfumato {

template <class T>
class Scratch {
  public:
    // Lets the next calls of `take` use an unused stretch of memory.
    void offer(T* begin, std::size_t count) {
        if (count > 0) free_.emplace_back(begin, count);
    }

    // Room for `count` numbers, not initialised, as long as this object lives.
    T* take(std::size_t count) {
        for (auto& [begin, left] : free_)
            if (left >= count) return begin + (left -= count);
        owned_.push_back(make_buffer<T>(count));
        return owned_.back().get();
    }

    // What is left, for a computation that ends before this object does.
    Scratch rest() const {
        Scratch result;
        result.free_ = free_;
        return result;
    }

  private:
    std::vector<std::pair<T*, std::size_t>> free_;
    std::vector<Buffer<T>> owned_;
};

}  // namespace sfumato
