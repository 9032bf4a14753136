// Where big arrays lie: what C++ makes, and what NumPy makes for Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "common/stored.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

// What NumPy calls for the data of arrays (its NEP 49); the layout is part of its stable interface.
struct Allocator {
    void* context;
    void* (*malloc)(void*, std::size_t);
    void* (*calloc)(void*, std::size_t, std::size_t);
    void* (*realloc)(void*, void*, std::size_t);
    void (*free)(void*, void*, std::size_t);
};
struct Handler {
    char name[127];
    std::uint8_t version;
    Allocator allocator;
};

void* take(void*, std::size_t bytes) {
    try {
        void* mapped = Stored::take(bytes);
        return mapped ? mapped : std::malloc(bytes ? bytes : 1);
    } catch (...) {
        return nullptr;  // NumPy says that there is no room
    }
}
void* take_zeros(void*, std::size_t count, std::size_t each) {
    if (each && count > SIZE_MAX / each) return nullptr;
    try {
        void* mapped = Stored::take(count * each);  // a new file has zeros
        return mapped ? mapped : std::calloc(count ? count : 1, each ? each : 1);
    } catch (...) {
        return nullptr;
    }
}
void give(void*, void* memory, std::size_t) {
    if (!Stored::give(memory)) std::free(memory);
}
void* take_again(void* context, void* memory, std::size_t bytes) {
    const std::size_t mapped = Stored::size(memory);
    if (mapped == 0) return std::realloc(memory, bytes ? bytes : 1);
    void* moved = take(context, bytes);
    if (!moved) return nullptr;
    std::memcpy(moved, memory, mapped < bytes ? mapped : bytes);
    give(context, memory, mapped);
    return moved;
}

Handler handler{"sfumato_files", 1, {nullptr, take, take_zeros, take_again, give}};

// Makes NumPy ask here for data, and returns whom it asked before; with `before` it asks them
// again. `interface` is NumPy's table of functions, in which the setter has had one place always.
nb::object keep_arrays(const nb::capsule& interface, nb::object before) {
    constexpr std::size_t set_handler = 304;
    using Set = PyObject* (*)(PyObject*);
    const auto set = reinterpret_cast<Set>(static_cast<void**>(interface.data())[set_handler]);
    nb::object next = before;
    if (before.is_none()) next = nb::steal(PyCapsule_New(&handler, "mem_handler", nullptr));
    PyObject* old = set(next.ptr());
    if (!old) throw nb::python_error();
    return nb::steal(old);
}

}  // namespace
}  // namespace sfumato

void bind_stored(nb::module_& m) {
    using namespace sfumato;
    m.def(
        "store_from",
        [](std::size_t bytes, std::string folder) { Stored::from(bytes, std::move(folder)); },
        "bytes"_a, "folder"_a);
    m.def("stored_bytes", [] { return Stored::bytes(); });
    m.def("keep_arrays", &keep_arrays, "interface"_a, "before"_a.none());
}
