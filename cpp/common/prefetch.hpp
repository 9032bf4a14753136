// Asking for memory before it is needed: a scan over suffixes reads the text at random places.
#pragma once

#include <cstddef>

#if !defined(__GNUC__) && (defined(_M_X64) || defined(_M_IX86))
#include <xmmintrin.h>
#endif

// A function that only prefetches counts as one without effect: GCC deletes the calls to it that
// it has not inlined first.
#if defined(__GNUC__)
#define SFUMATO_INLINE [[gnu::always_inline]] inline
#elif defined(_MSC_VER)
#define SFUMATO_INLINE __forceinline
#else
#define SFUMATO_INLINE inline
#endif

namespace sfumato {

SFUMATO_INLINE void prefetch(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address, 0, 3);
#elif defined(_M_X64) || defined(_M_IX86)
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
    (void)address;
#endif
}

SFUMATO_INLINE void prefetch_to_write(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address, 1, 3);
#else
    prefetch(address);
#endif
}

}  // namespace sfumato
