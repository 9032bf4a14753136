// What C++ has made, as NumPy arrays that own it; nothing is copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/stored.hpp"

namespace sfumato {

template <class T>
using Array =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
nanobind::object to_numpy(std::unique_ptr<T[]> values, int64_t size) {
    T* data = values.get();
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    values.release();
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(
        data, {static_cast<size_t>(size)}, owner));
}

template <class T, class Allocator>
nanobind::object to_numpy(std::vector<T, Allocator> values) {
    using Values = std::vector<T, Allocator>;
    auto kept = std::make_unique<Values>(std::move(values));
    nanobind::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
    Values* vector = kept.release();
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(
        vector->data(), {vector->size()}, owner));
}

// Numbers whose count is not known before. Unlike a vector it grows by realloc, which moves the
// pages of a big array and copies nothing.
template <class T>
class Growing {
    static_assert(std::is_trivial_v<T>);

  public:
    void push_back(T value) {
        if (size_ == room_) resize(room_ + room_ / 2 + 64);
        values_[size_++] = value;
    }

    nanobind::object to_numpy() {
        resize(size_ + 1);
        nanobind::capsule owner(values_, [](void* p) noexcept { release(p); });
        T* data = std::exchange(values_, nullptr);
        const size_t size = std::exchange(size_, 0);
        room_ = 0;
        return nanobind::cast(
            nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {size}, owner));
    }

    Growing() = default;
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;
    ~Growing() { release(values_); }

  private:
    static void release(void* values) {
        if (!Stored::give(values)) std::free(values);
    }

    // What lies in a file stays as large as it is, and moves to another to grow.
    void resize(size_t room) {
        const bool mapped = Stored::size(values_) > 0;
        if (mapped && room <= room_) return;
        void* moved = Stored::take(room * sizeof(T));
        if (moved) {
            if (size_ > 0) std::memcpy(moved, values_, size_ * sizeof(T));
            release(values_);
        } else if (mapped) {
            throw std::logic_error("arrays were kept in files while this one grew");
        } else {
            moved = std::realloc(values_, room * sizeof(T));
        }
        if (!moved) throw std::bad_alloc();
        values_ = static_cast<T*>(moved);
        room_ = room;
    }

    T* values_ = nullptr;
    size_t size_ = 0, room_ = 0;
};

}  // namespace sfumato
