// What C++ has made, as NumPy arrays that own it; nothing is copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

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

template <class T>
nanobind::object to_numpy(std::vector<T> values) {
    auto kept = std::make_unique<std::vector<T>>(std::move(values));
    nanobind::capsule owner(kept.get(),
                            [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    std::vector<T>* vector = kept.release();
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
        nanobind::capsule owner(values_, [](void* p) noexcept { std::free(p); });
        T* data = std::exchange(values_, nullptr);
        const size_t size = std::exchange(size_, 0);
        room_ = 0;
        return nanobind::cast(
            nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {size}, owner));
    }

    Growing() = default;
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;
    ~Growing() { std::free(values_); }

  private:
    void resize(size_t room) {
        void* moved = std::realloc(values_, room * sizeof(T));
        if (!moved) throw std::bad_alloc();
        values_ = static_cast<T*>(moved);
        room_ = room;
    }

    T* values_ = nullptr;
    size_t size_ = 0, room_ = 0;
};

}  // namespace sfumato
