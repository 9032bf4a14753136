// Python strings, read where they are: 1, 2 or 4 bytes a code point, no UTF-8 copies.
//
// The encoded layout of a list of documents: their code points one after the other, and one break
// after each document.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace sfumato {

constexpr int64_t code_points = 0x110000;

struct Text {
    int width;  // bytes a code point
    const void* data;
    int64_t length;
};

// Calls work with a pointer to the code points, of the type that has the text's width.
template <class Work>
decltype(auto) read(const Text& text, Work&& work) {
    if (text.width == 1) return work(static_cast<const uint8_t*>(text.data));
    if (text.width == 2) return work(static_cast<const uint16_t*>(text.data));
    return work(static_cast<const uint32_t*>(text.data));
}

// The string must outlive what is returned.
inline Text text_of(PyObject* string) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(string) != 0) throw nanobind::python_error();
#endif
    return {static_cast<int>(PyUnicode_KIND(string)), PyUnicode_DATA(string),
            static_cast<int64_t>(PyUnicode_GET_LENGTH(string))};
}

// The documents of a Python list, kept alive. Made and destroyed with the GIL, read without.
class Documents {
  public:
    explicit Documents(const nanobind::list& texts)
        : strings_(nanobind::steal<nanobind::tuple>(PyList_AsTuple(texts.ptr()))) {
        if (!strings_.is_valid()) throw nanobind::python_error();
        const size_t count = strings_.size();
        texts_.reserve(count);
        starts_.reserve(count + 1);
        starts_.push_back(0);
        for (size_t d = 0; d < count; ++d) {
            PyObject* string = strings_[d].ptr();
            if (!PyUnicode_Check(string)) {
                const std::string message = "texts[" + std::to_string(d) +
                                            "]: expected str, found " + Py_TYPE(string)->tp_name;
                throw nanobind::type_error(message.c_str());
            }
            texts_.push_back(text_of(string));
            starts_.push_back(starts_.back() + texts_.back().length + 1);
        }
    }

    int64_t count() const { return static_cast<int64_t>(texts_.size()); }
    const Text& operator[](int64_t document) const { return texts_[document]; }
    PyObject* string(int64_t document) const { return PyTuple_GET_ITEM(strings_.ptr(), document); }

    // In the encoded layout: where a document starts, where its break is, the length of all.
    int64_t start(int64_t document) const { return starts_[document]; }
    int64_t end(int64_t document) const { return starts_[document + 1] - 1; }
    int64_t size() const { return starts_.back(); }

    // More than the largest code point: by the widths, and by looking where a table for all that
    // the width allows would be large.
    int64_t range() const {
        int width = 1;
        uint32_t largest = 0;
        for (const Text& text : texts_) {
            width = std::max(width, text.width);
            if (text.width < 4) continue;
            const auto* symbol = static_cast<const uint32_t*>(text.data);
            for (int64_t i = 0; i < text.length; ++i) largest = std::max(largest, symbol[i]);
        }
        return width == 1 ? 0x100 : std::max<int64_t>(0x10000, int64_t{largest} + 1);
    }

  private:
    nanobind::tuple strings_;
    std::vector<Text> texts_;
    std::vector<int64_t> starts_;
};

// A set of code points; asking costs one look-up.
class SymbolSet {
  public:
    explicit SymbolSet(const Text& symbols) {
        read(symbols, [&](const auto* symbol) {
            uint32_t largest = 0;
            for (int64_t i = 0; i < symbols.length; ++i)
                largest = std::max<uint32_t>(largest, symbol[i]);
            in_.assign(static_cast<size_t>(largest) + 1, 0);
            for (int64_t i = 0; i < symbols.length; ++i) in_[symbol[i]] = 1;
        });
    }

    bool contains(uint32_t symbol) const { return symbol < in_.size() && in_[symbol]; }

  private:
    std::vector<uint8_t> in_;
};

// The documents in order of their labels, equal labels together.
inline std::vector<int64_t> by_label(const int32_t* labels, int64_t count) {
    std::vector<int64_t> order(static_cast<size_t>(count));
    for (int64_t d = 0; d < count; ++d) order[d] = d;
    std::stable_sort(order.begin(), order.end(),
                     [labels](int64_t a, int64_t b) { return labels[a] < labels[b]; });
    return order;
}

}  // namespace sfumato
