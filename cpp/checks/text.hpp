// A document as CPython stores it (1, 2 or 4 bytes a symbol), or as 64-bit tokens; never copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sfumato::checks {

struct Text {
    const void* data;
    std::int64_t length;  // in symbols
    int width;            // bytes a symbol: 1, 2, 4 (code points) or 8 (tokens)
};

// Calls `function` with the symbols as an array of the type they are stored in.
template <class Function>
decltype(auto) with_symbols(const Text& text, Function&& function) {
    switch (text.width) {
        case 1:
            return std::forward<Function>(function)(static_cast<const std::uint8_t*>(text.data));
        case 2:
            return std::forward<Function>(function)(static_cast<const std::uint16_t*>(text.data));
        case 4:
            return std::forward<Function>(function)(static_cast<const std::uint32_t*>(text.data));
        default:
            return std::forward<Function>(function)(static_cast<const std::uint64_t*>(text.data));
    }
}

inline std::uint64_t symbol(const Text& text, std::int64_t at) {
    return with_symbols(text, [at](const auto* symbols) -> std::uint64_t { return symbols[at]; });
}

inline Text part(const Text& text, std::int64_t start, std::int64_t stop) {
    return {static_cast<const char*>(text.data) + start * text.width, stop - start, text.width};
}

// Stretches of documents: symbols starts[i] to stops[i] (half open) of document documents[i].
struct Stretches {
    const std::int32_t* documents;
    const std::int64_t* starts;
    const std::int64_t* stops;
    std::size_t size;
};

}  // namespace sfumato::checks
