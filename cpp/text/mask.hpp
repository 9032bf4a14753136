// Stars over the encoded layout, as runs and as masked texts.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "common/pulse.hpp"
#include "common/stored.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

// The first star in [from, to), or to.
inline int64_t next_star(const uint8_t* stars, int64_t from, int64_t to) {
    for (uint64_t eight; from + 8 <= to; from += 8) {
        std::memcpy(&eight, stars + from, 8);
        if (eight != 0) break;
    }
    while (from < to && !stars[from]) ++from;
    return from;
}

// Calls run(start, stop) for each run of stars in [0, length), in order. A star of 2 opens a run.
template <class Run>
void each_run(const uint8_t* stars, int64_t length, Run&& run) {
    int64_t start = next_star(stars, 0, length);
    while (start < length) {
        int64_t stop = start + 1;
        while (stop < length && stars[stop] && stars[stop] != 2) ++stop;
        run(start, stop);
        start = next_star(stars, stop, length);
    }
}

struct Mask {
    Text text;
    uint32_t symbols;  // its code points, or-ed together
    bool collapse;     // one mask a run, not one a symbol
};

template <class Symbol>
uint32_t or_all(const Symbol* symbols, int64_t from, int64_t to) {
    uint32_t all = 0;
    for (int64_t i = from; i < to; ++i) all |= symbols[i];
    return all;
}

inline Mask make_mask(const Text& text, bool collapse) {
    return {text, read(text, [&](const auto* s) { return or_all(s, 0, text.length); }), collapse};
}

// What a masked document needs: its length, and its code points or-ed together, which is below a
// power of two exactly when all of them are (CPython's widths end at powers of two).
struct Masked {
    int64_t length = 0;
    uint32_t symbols = 0;
    bool changed = false;
};

inline Masked measure(const Text& text, const uint8_t* stars, const Mask& mask) {
    Masked masked{text.length, 0, false};
    read(text, [&](const auto* symbols) {
        int64_t seen = 0;
        each_run(stars, text.length, [&](int64_t start, int64_t stop) {
            const int64_t masks = mask.collapse ? 1 : stop - start;
            masked.length += masks * mask.text.length - (stop - start);
            masked.symbols |= or_all(symbols, seen, start);
            seen = stop;
        });
        masked.changed = seen > 0;
        if (!masked.changed) return;  // the document itself is the result
        masked.symbols |= mask.symbols | or_all(symbols, seen, text.length);
    });
    return masked;
}

// Writes the masked document to `out`, which has room for what `measure` said.
template <class Symbol, class Out>
void write_masked(const Symbol* symbols, int64_t length, const uint8_t* stars, const Mask& mask,
                  Out* out) {
    int64_t seen = 0;
    const auto copy = [&](int64_t to) {
        for (; seen < to; ++seen) *out++ = static_cast<Out>(symbols[seen]);
    };
    each_run(stars, length, [&](int64_t start, int64_t stop) {
        copy(start);
        read(mask.text, [&](const auto* mark) {
            for (int64_t masks = mask.collapse ? 1 : stop - start; masks > 0; --masks)
                for (int64_t i = 0; i < mask.text.length; ++i) *out++ = static_cast<Out>(mark[i]);
        });
        seen = stop;
    });
    copy(length);
}

inline void write_masked(const Text& text, const uint8_t* stars, const Mask& mask, PyObject* out) {
    void* data = PyUnicode_DATA(out);
    const int width = static_cast<int>(PyUnicode_KIND(out));
    read(text, [&](const auto* symbols) {
        if (width == 1)
            write_masked(symbols, text.length, stars, mask, static_cast<uint8_t*>(data));
        else if (width == 2)
            write_masked(symbols, text.length, stars, mask, static_cast<uint16_t*>(data));
        else
            write_masked(symbols, text.length, stars, mask, static_cast<uint32_t*>(data));
    });
}

struct Runs {
    Vector<int32_t> document;
    Vector<int64_t> start, stop;  // within the document
};

// The runs of stars of each document; ends[d] is the break after document d.
inline Runs star_runs(const uint8_t* stars, const int64_t* ends, int64_t documents, Pulse& pulse) {
    Runs runs;
    for (int64_t d = 0; d < documents; ++d) {
        const int64_t begin = d > 0 ? ends[d - 1] + 1 : 0;
        each_run(stars + begin, ends[d] - begin, [&](int64_t start, int64_t stop) {
            runs.document.push_back(static_cast<int32_t>(d));
            runs.start.push_back(start);
            runs.stop.push_back(stop);
        });
        pulse(ends[d] + 1 - begin);
    }
    return runs;
}

}  // namespace sfumato
