// Big arrays without zero fill: touching every page once more would cost as much as a scan.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "common/stored.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sfumato {

inline constexpr std::size_t huge_page = std::size_t(1) << 21;

inline std::size_t alignment_for(std::size_t bytes) {
    return bytes < 2 * huge_page ? 64 : huge_page;
}

// Frees what `make_buffer` took; the number of bytes decides the alignment.
struct BufferDeleter {
    std::size_t bytes = 0;
    void operator()(void* memory) const {
        if (Stored::give(memory)) return;
        ::operator delete(memory, std::align_val_t(alignment_for(bytes)));
    }
};

template <class T>
using Buffer = std::unique_ptr<T[], BufferDeleter>;

// Room for `count` numbers, not initialised. Random access to big arrays misses the TLB on small
// pages, so Linux is asked for huge ones.
template <class T>
Buffer<T> make_buffer(std::size_t count) {
    static_assert(std::is_trivial_v<T>);
    const std::size_t bytes = count * sizeof(T) + sizeof(T);
    if (void* mapped = Stored::take(bytes))
        return Buffer<T>(static_cast<T*>(mapped), BufferDeleter{bytes});
    const std::size_t alignment = alignment_for(bytes);
    void* memory = ::operator new(bytes, std::align_val_t(alignment));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment == huge_page) madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
    return Buffer<T>(static_cast<T*>(memory), BufferDeleter{bytes});
}

}  // namespace sfumato
