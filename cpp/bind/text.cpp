// Between Python strings and arrays; the typed face is sfumato/kernels/text.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "bind/python_array.hpp"
#include "bind/python_tick.hpp"
#include "text/encode.hpp"
#include "text/guess.hpp"
#include "text/mask.hpp"
#include "text/number.hpp"
#include "text/segment.hpp"
#include "text/unicode_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

using Labels = std::optional<Array<int32_t>>;

void expect_length(const char* name, size_t found, int64_t expected) {
    if (static_cast<int64_t>(found) != expected)
        throw std::invalid_argument(std::string(name) + ": expected " + std::to_string(expected) +
                                    " values, found " + std::to_string(found));
}

void expect_at_least(const char* name, int64_t found, int64_t smallest) {
    if (found < smallest)
        throw std::invalid_argument(std::string(name) + ": expected " + std::to_string(smallest) +
                                    " or more, found " + std::to_string(found));
}

const int32_t* labels_of(const Labels& labels, const Documents& texts) {
    if (!labels) return nullptr;
    expect_length("labels", labels->size(), texts.count());
    return labels->data();
}

nb::object ends_of(const Documents& texts) {
    std::vector<int64_t> ends(static_cast<size_t>(texts.count()));
    for (int64_t d = 0; d < texts.count(); ++d) ends[d] = texts.end(d);
    return to_numpy(std::move(ends));
}

// Calls work with a zero of the narrowest type that holds the codes.
template <class Work>
nb::object with_width(int64_t symbols, Work&& work) {
    if (symbols <= 0x100) return work(uint8_t{0});
    if (symbols <= 0x10000) return work(uint16_t{0});
    return work(uint32_t{0});
}

// An array of `size` codes: what make(size, bytes of a code) returns, or memory when it is None.
// Calls work with its data, without the GIL.
template <class Code, class Work>
nb::object filled(int64_t size, const nb::object& make, Work&& work) {
    if (make.is_none()) {
        auto codes = std::make_unique_for_overwrite<Code[]>(static_cast<size_t>(size));
        {
            nb::gil_scoped_release release;
            work(codes.get());
        }
        return to_numpy(std::move(codes), size);
    }
    nb::object made = make(size, sizeof(Code));
    nb::ndarray<Code, nb::ndim<1>, nb::c_contig, nb::device::cpu> codes;
    if (!nb::try_cast(made, codes, false)) throw nb::type_error("make: expected an array of codes");
    expect_length("make", codes.size(), size);
    nb::gil_scoped_release release;
    work(codes.data());
    return made;
}

nb::tuple bind_encode(nb::list list, int64_t at_least, const Labels& labels, nb::str breaks,
                      nb::object progress, nb::object make) {
    const Documents texts(list);
    const int32_t* label = labels_of(labels, texts);
    expect_at_least("at_least", at_least, 1);
    const Tick tick = python_tick(progress);
    const SymbolSet no_codes(text_of(breaks.ptr()));
    Pulse pulse(tick, 2 * texts.size());
    Alphabet alphabet;
    {
        nb::gil_scoped_release release;
        alphabet = make_alphabet(count_symbols(texts, label, pulse), at_least, no_codes);
    }
    nb::object codes = with_width(alphabet.symbols, [&](auto zero) {
        return filled<decltype(zero)>(texts.size(), make, [&](auto* out) {
            encode(texts, alphabet, out, pulse);
            report(tick, 1);
        });
    });
    return nb::make_tuple(codes, ends_of(texts), alphabet.symbols);
}

nb::object bind_mark_symbols(nb::list list, nb::str symbols, nb::object make) {
    const Documents texts(list);
    const SymbolSet set(text_of(symbols.ptr()));
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    return filled<uint8_t>(texts.size(), make,
                           [&](uint8_t* out) { mark_symbols(texts, set, out, pulse); });
}

nb::tuple bind_tokens(nb::list list, Unit unit) {
    const Documents texts(list);
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    Growing<int64_t> starts;
    Growing<uint8_t> words;
    {
        nb::gil_scoped_release release;
        for (int64_t d = 0; d < texts.count(); ++d) {
            const int64_t begin = texts.start(d);
            segment(texts[d], unit, pulse, [&](int64_t start, bool word) {
                starts.push_back(begin + start);
                words.push_back(word);
            });
            starts.push_back(texts.end(d));
            words.push_back(false);
        }
        starts.push_back(texts.size());
    }
    return nb::make_tuple(starts.to_numpy(), words.to_numpy());
}

// The starts of `tokens`, handed to write(array) in pieces that fit in little memory.
void bind_write_tokens(nb::list list, Unit unit, nb::object write) {
    constexpr size_t piece = size_t{1} << 13;
    const Documents texts(list);
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    std::vector<int64_t> starts;
    starts.reserve(piece);
    auto flush = [&] {
        write(to_numpy(std::vector<int64_t>(starts)));
        starts.clear();
    };
    {
        nb::gil_scoped_release release;
        auto add = [&](int64_t start) {
            starts.push_back(start);
            if (starts.size() < piece) return;
            nb::gil_scoped_acquire acquire;
            flush();
        };
        for (int64_t d = 0; d < texts.count(); ++d) {
            segment(texts[d], unit, pulse,
                    [&](int64_t start, bool) { add(texts.start(d) + start); });
            add(texts.end(d));
        }
        add(texts.size());
    }
    if (!starts.empty()) flush();
}

nb::tuple bind_number_tokens(nb::list list, Array<int64_t> starts, Array<uint8_t> words,
                             bool only_words, int64_t at_least, const Labels& labels,
                             nb::str breaks) {
    const Documents texts(list);
    const int32_t* label = labels_of(labels, texts);
    expect_at_least("at_least", at_least, 1);
    expect_length("starts", starts.size(), static_cast<int64_t>(words.size()) + 1);
    const TokenStarts tokens{starts.data(), words.data(), static_cast<int64_t>(words.size())};
    const SymbolSet no_codes(text_of(breaks.ptr()));
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, 2 * texts.size());
    TokenCodes made;
    {
        nb::gil_scoped_release release;
        made = number_tokens(texts, tokens, only_words, at_least, label, no_codes, pulse);
    }
    const auto symbols = static_cast<int64_t>(made.counts.size());
    nb::object codes = with_width(symbols, [&](auto zero) {
        Vector<decltype(zero)> narrow;
        {
            nb::gil_scoped_release release;
            narrow.assign(made.codes.begin(), made.codes.end());
        }
        return to_numpy(std::move(narrow));
    });
    return nb::make_tuple(codes, to_numpy(std::move(made.positions)),
                          to_numpy(std::move(made.ends)), symbols,
                          to_numpy(std::move(made.counts)));
}

nb::list bind_mask_texts(nb::list list, Array<uint8_t> stars, nb::str mask_string, bool collapse) {
    const Documents texts(list);
    expect_length("stars", stars.size(), texts.size());
    const Mask mask = make_mask(text_of(mask_string.ptr()), collapse);
    expect_at_least("the length of mask", mask.text.length, 1);
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, 2 * texts.size());
    std::vector<Masked> masked(static_cast<size_t>(texts.count()));
    {
        nb::gil_scoped_release release;
        for (int64_t d = 0; d < texts.count(); ++d) {
            masked[d] = measure(texts[d], stars.data() + texts.start(d), mask);
            pulse(texts[d].length + 1);
        }
    }
    std::vector<nb::object> strings;
    for (int64_t d = 0; d < texts.count(); ++d) {
        PyObject* string = texts.string(d);
        if (masked[d].changed) {
            const auto largest = std::min<uint32_t>(masked[d].symbols, code_points - 1);
            string = PyUnicode_New(masked[d].length, largest);
            if (!string) throw nb::python_error();
            strings.push_back(nb::steal(string));
        } else {
            strings.push_back(nb::borrow(string));
        }
    }
    {
        nb::gil_scoped_release release;  // nobody else knows the new strings yet
        for (int64_t d = 0; d < texts.count(); ++d) {
            if (masked[d].changed)
                write_masked(texts[d], stars.data() + texts.start(d), mask, strings[d].ptr());
            pulse(texts[d].length + 1);
        }
    }
    nb::list result;
    for (nb::object& string : strings) result.append(std::move(string));
    return result;
}

nb::tuple bind_star_runs(Array<uint8_t> stars, Array<int64_t> ends) {
    const auto documents = static_cast<int64_t>(ends.size());
    const auto size = static_cast<int64_t>(stars.size());
    if (documents > INT32_MAX) throw std::length_error("too many documents");
    int64_t begin = 0;
    for (int64_t d = 0; d < documents; ++d) {
        if (ends.data()[d] < begin || ends.data()[d] >= size)
            throw std::invalid_argument("ends[" + std::to_string(d) +
                                        "]: expected an increasing position below " +
                                        std::to_string(size));
        begin = ends.data()[d] + 1;
    }
    expect_length("stars", stars.size(), begin);
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, size);
    Runs runs;
    {
        nb::gil_scoped_release release;
        runs = star_runs(stars.data(), ends.data(), documents, pulse);
    }
    return nb::make_tuple(to_numpy(std::move(runs.document)), to_numpy(std::move(runs.start)),
                          to_numpy(std::move(runs.stop)));
}

template <class Code>
double bind_guess_rate(Array<Code> codes, Array<uint8_t> stars, int64_t context, int64_t sample,
                       uint64_t seed) {
    expect_length("stars", stars.size(), static_cast<int64_t>(codes.size()));
    expect_at_least("context", context, 0);
    if (context > 64) throw std::invalid_argument("context: expected at most 64");
    expect_at_least("sample", sample, 1);
    const Tick tick = python_tick(nb::none());
    nb::gil_scoped_release release;
    const Starred<Code> original{codes.data(), stars.data(), static_cast<int64_t>(codes.size())};
    return guess_rate(original, context, sample, seed, tick);
}

template <class Code>
void define_guess_rate(nb::module_& m) {
    m.def("guess_rate", &bind_guess_rate<Code>, "codes"_a.noconvert(), "stars"_a.noconvert(),
          "context"_a, "sample"_a, "seed"_a);
}

}  // namespace
}  // namespace sfumato

void bind_text(nb::module_& m) {
    using namespace sfumato;
    nb::enum_<Unit>(m, "Unit")
        .value("word", Unit::Word)
        .value("word_with_spaces", Unit::WordWithSpaces)
        .value("grapheme", Unit::Grapheme)
        .value("token", Unit::Token);
    m.def("encode", &bind_encode, "texts"_a, "at_least"_a, "labels"_a.noconvert().none(),
          "breaks"_a, "progress"_a.none(), "make"_a.none());
    m.def("mark_symbols", &bind_mark_symbols, "texts"_a, "symbols"_a, "make"_a.none());
    m.def("tokens", &bind_tokens, "texts"_a, "unit"_a);
    m.def("write_tokens", &bind_write_tokens, "texts"_a, "unit"_a, "write"_a);
    m.def("number_tokens", &bind_number_tokens, "texts"_a, "starts"_a.noconvert(),
          "words"_a.noconvert(), "only_words"_a, "at_least"_a, "labels"_a.noconvert().none(),
          "breaks"_a);
    m.def("mask_texts", &bind_mask_texts, "texts"_a, "stars"_a.noconvert(), "mask"_a, "collapse"_a);
    m.def("star_runs", &bind_star_runs, "stars"_a.noconvert(), "ends"_a.noconvert());
    define_guess_rate<uint8_t>(m);
    define_guess_rate<uint16_t>(m);
    define_guess_rate<uint32_t>(m);
}
