// What C++ has made, as NumPy arrays that own it; nothing is copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sfumato {

template <class T>
using Array = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig,
                                nanobind::device::cpu>;

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

}  // namespace sfumato
