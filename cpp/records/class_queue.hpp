// Classes that wait to be improved: each stands in the queue once, and those that lose most come
// first. A class without people, or one that loses nothing, does not wait.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "records/class_loss.hpp"
#include "records/nearest_classes.hpp"

namespace sfumato {

class ClassQueue {
  public:
    explicit ClassQueue(const NearestClasses& classes) : classes_(classes) {}

    void clear() {
        queue_.clear();
        waits_.assign(classes_.size(), false);
    }

    void push(std::size_t a) {
        if (a >= waits_.size()) waits_.resize(a + 1, false);
        if (waits_[a] || classes_[a].size == 0 || classes_.loss(a) <= slack) return;
        waits_[a] = true;
        queue_.push_back(a);
    }

    // Loss is compared in whole multiples of `slack`: sums in another order give the same queue.
    void push_all() {
        std::vector<std::pair<std::int64_t, std::size_t>> order;
        for (std::size_t a = 0; a < classes_.size(); ++a)
            if (classes_[a].size > 0)
                order.emplace_back(-std::llround(classes_.loss(a) / slack), a);
        std::sort(order.begin(), order.end());
        for (const auto& [_, a] : order) push(a);
    }

    // Whether any class was improved; `improve` may push more of them.
    template <class Improve>
    bool work_off(const Improve& improve) {
        bool changed = false;
        while (!queue_.empty()) {
            const std::size_t a = queue_.front();
            queue_.pop_front();
            waits_[a] = false;
            changed |= improve(a);
        }
        return changed;
    }

  private:
    const NearestClasses& classes_;
    std::vector<bool> waits_;
    std::deque<std::size_t> queue_;
};

}  // namespace sfumato
