// What verification needs, for Python. Includes nothing from the folder above: a verdict must not
// share code with what it judges.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "align.hpp"
#include "count.hpp"
#include "elsewhere.hpp"
#include "read.hpp"
#include "stored.hpp"
#include "word_numbers.hpp"
#include "words.hpp"

namespace nb = nanobind;

namespace sfumato::checks {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Result = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Spans = std::tuple<Array<std::int32_t>, Array<std::int64_t>, Array<std::int64_t>>;
using Texts = nb::typed<nb::list, nb::str>;
using FoundSpans = std::tuple<Result<std::int32_t>, Result<std::int64_t>, Result<std::int64_t>>;
using FoundCounts = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
using Place = std::tuple<std::int64_t, std::int64_t>;
using Comparison = std::tuple<FoundSpans, std::int64_t, std::optional<Place>>;
using Numbers = Result<std::int64_t>;
using FoundWords = std::tuple<Numbers, Numbers, Numbers, Numbers, Numbers>;
using FoundLaid = std::tuple<Numbers, Numbers, Numbers, Numbers, Numbers, Result<std::uint8_t>,
                             Result<std::uint8_t>, Numbers, std::optional<Place>>;
using FoundElsewhere = std::tuple<Result<std::int32_t>, Result<std::int32_t>>;
using Segments = std::tuple<Numbers, Result<std::uint8_t>>;

// Runs signal handlers (Ctrl-C) and the caller's progress function, if there is one.
Tick python_tick(nb::handle progress) {
    return [progress](double share) {
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!progress.is_none()) progress(share);
    };
}

// Documents that stay alive and unchanged while no lock is held, whatever happens to the list.
struct Documents {
    nb::tuple owner;
    std::vector<Text> texts;

    explicit Documents(const nb::list& list) : owner(list) {
        texts.reserve(owner.size());
        for (nb::handle item : owner) {
            if (!PyUnicode_Check(item.ptr()))
                throw nb::type_error(("every document must be str, document " +
                                      std::to_string(texts.size()) + " is not")
                                         .c_str());
#if PY_VERSION_HEX < 0x030C0000
            if (PyUnicode_READY(item.ptr()) != 0) throw nb::python_error();
#endif
            texts.push_back({PyUnicode_DATA(item.ptr()), PyUnicode_GET_LENGTH(item.ptr()),
                             static_cast<int>(PyUnicode_KIND(item.ptr()))});
        }
    }
};

std::vector<std::uint32_t> code_points(const nb::str& text) {
    std::vector<std::uint32_t> found;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text.ptr()); ++i)
        found.push_back(PyUnicode_READ_CHAR(text.ptr(), i));
    return found;
}

// Token sequences: all documents' tokens, and where each document ends.
std::vector<Text> sequences(const Array<std::int64_t>& tokens, const Array<std::int64_t>& ends) {
    std::vector<Text> texts;
    std::int64_t start = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const std::int64_t stop = ends.data()[i];
        if (stop < start || stop > static_cast<std::int64_t>(tokens.size()))
            throw std::invalid_argument("ends must rise from 0 to the number of tokens, document " +
                                        std::to_string(i) + " does not");
        texts.push_back({tokens.data() + start, stop - start, 8});
        start = stop;
    }
    if (start != static_cast<std::int64_t>(tokens.size()))
        throw std::invalid_argument("the last end must be the number of tokens");
    return texts;
}

Stretches stretches_of(const Spans& spans, const std::vector<Text>& texts) {
    const auto& [documents, starts, stops] = spans;
    if (documents.size() != starts.size() || documents.size() != stops.size())
        throw std::invalid_argument("documents, starts and stops must have one length, found " +
                                    std::to_string(documents.size()) + ", " +
                                    std::to_string(starts.size()) + " and " +
                                    std::to_string(stops.size()));
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const std::int64_t document = documents.data()[i];
        const std::int64_t start = starts.data()[i], stop = stops.data()[i];
        if (document < 0 || document >= static_cast<std::int64_t>(texts.size()) || start < 0 ||
            start >= stop || stop > texts[static_cast<std::size_t>(document)].length)
            throw std::invalid_argument("stretch " + std::to_string(i) +
                                        " is empty or not inside a document");
    }
    return {documents.data(), starts.data(), stops.data(), documents.size()};
}

constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

struct Options {
    std::int64_t k;
    std::optional<Array<std::int32_t>> labels;
    std::optional<Spans> within;
    std::int64_t at_once;
    std::int64_t part_size;
    std::optional<std::int64_t> memory;
    nb::object progress;
};

FoundCounts count_in(const std::vector<Text>& reference, const std::vector<Text>& queries,
                     const Spans& spans, const nb::str& breaks, const Options& options) {
    if (options.k < 1 || options.k > 0x7fffffff)
        throw std::invalid_argument("k must be from 1 to 2147483647, found " +
                                    std::to_string(options.k));
    if (options.at_once < 1 || options.part_size < 1 || (options.memory && *options.memory < 1))
        throw std::invalid_argument("at_once, part_size and memory must be at least 1");
    if (options.labels && options.labels->size() != reference.size())
        throw std::invalid_argument("one label for each of " + std::to_string(reference.size()) +
                                    " documents expected, found " +
                                    std::to_string(options.labels->size()));
    std::optional<Stretches> within;
    if (options.within) within = stretches_of(*options.within, reference);
    const auto broken = code_points(breaks);
    const Demand demand{queries,
                        stretches_of(spans, queries),
                        {broken.begin(), broken.end()},
                        static_cast<std::uint32_t>(options.k),
                        static_cast<std::size_t>(std::min(options.at_once, most_at_once)),
                        std::min(options.part_size, most_at_once),
                        options.memory ? static_cast<std::size_t>(*options.memory) : SIZE_MAX};
    const Tick tick = python_tick(options.progress);
    Counted counted{};
    {
        nb::gil_scoped_release unlocked;
        counted = count(in_groups(reference, options.labels ? options.labels->data() : nullptr,
                                  within ? &*within : nullptr),
                        demand, tick);
    }
    return {counted.smallest, counted.first, counted.failures, counted.checked};
}

template <class T, class Allocator>
Result<T> array(std::vector<T, Allocator>&& values) {
    using Values = std::vector<T, Allocator>;
    auto* kept = new Values(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return Result<T>(kept->data(), {kept->size()}, owner);
}

FoundSpans arrays(Compared& compared) {
    return {array(std::move(compared.documents)), array(std::move(compared.starts)),
            array(std::move(compared.stops))};
}

Comparison comparison(Compared compared) {
    std::optional<Place> difference;
    if (compared.differs) difference = {compared.document, compared.offset};
    return {arrays(compared), compared.masked, difference};
}

// Where each segment of a text ends, and whether it is a word; without `spaces` white space is cut
// into single symbols.
Segments segments_of(const Text& text, bool spaces) {
    std::vector<std::int64_t> ends;
    std::vector<std::uint8_t> words;
    {
        nb::gil_scoped_release unlocked;
        with_symbols(text, [&](const auto* symbols) {
            word_break::each_segment(symbols, text.length, spaces,
                                     [&](std::int64_t, std::int64_t stop, bool is_word) {
                                         ends.push_back(stop);
                                         words.push_back(is_word);
                                     });
        });
    }
    return {array(std::move(ends)), array(std::move(words))};
}

}  // namespace
}  // namespace sfumato::checks

void bind_chains(nb::module_&);
void bind_windows(nb::module_&);

NB_MODULE(_checks, m) {
    bind_chains(m);
    bind_windows(m);
    using namespace sfumato::checks;
    m.doc() = "Compiled checks; use them through sfumato.kernels.checks.";

    m.def(
        "store_from",
        [](std::size_t bytes, std::string folder) { Stored::from(bytes, std::move(folder)); },
        nb::arg("bytes"), nb::arg("folder"));

    m.def(
        "count_stretches",
        [](const Texts& reference, const Spans& spans, const Texts& queries, const nb::str& breaks,
           std::int64_t k, std::optional<Array<std::int32_t>> labels, std::optional<Spans> within,
           std::int64_t at_once, std::int64_t part_size, std::optional<std::int64_t> memory,
           nb::object progress) {
            const Documents in(reference), of(queries);
            return count_in(
                in.texts, of.texts, spans, breaks,
                {k, std::move(labels), std::move(within), at_once, part_size, memory, progress});
        },
        nb::arg("reference"), nb::arg("spans").noconvert(), nb::arg("queries"), nb::arg("breaks"),
        nb::arg("k"), nb::arg("labels").noconvert().none(), nb::arg("within").noconvert().none(),
        nb::arg("at_once"), nb::arg("part_size"), nb::arg("memory").none(),
        nb::arg("progress").none());

    m.def(
        "count_sequences",
        [](const Array<std::int64_t>& reference, const Array<std::int64_t>& reference_ends,
           const Spans& spans, const Array<std::int64_t>& queries,
           const Array<std::int64_t>& query_ends, std::int64_t k,
           std::optional<Array<std::int32_t>> labels, std::optional<Spans> within,
           std::int64_t at_once, std::int64_t part_size, std::optional<std::int64_t> memory,
           nb::object progress) {
            return count_in(
                sequences(reference, reference_ends), sequences(queries, query_ends), spans,
                nb::str(""),
                {k, std::move(labels), std::move(within), at_once, part_size, memory, progress});
        },
        nb::arg("reference").noconvert(), nb::arg("reference_ends").noconvert(),
        nb::arg("spans").noconvert(), nb::arg("queries").noconvert(),
        nb::arg("query_ends").noconvert(), nb::arg("k"), nb::arg("labels").noconvert().none(),
        nb::arg("within").noconvert().none(), nb::arg("at_once"), nb::arg("part_size"),
        nb::arg("memory").none(), nb::arg("progress").none());

    m.def(
        "compare_masked",
        [](const Texts& originals, const Texts& releases, const nb::str& mask,
           nb::object progress) {
            const Documents from(originals), to(releases);
            const auto symbols = code_points(mask);
            if (symbols.size() != 1)
                throw std::invalid_argument("the mask must be one symbol, found " +
                                            std::to_string(symbols.size()));
            const Tick tick = python_tick(progress);
            Compared compared;
            {
                nb::gil_scoped_release unlocked;
                compared = compare_masked(from.texts, to.texts, symbols[0], tick);
            }
            return comparison(std::move(compared));
        },
        nb::arg("originals"), nb::arg("releases"), nb::arg("mask"), nb::arg("progress").none());

    m.def(
        "align_collapsed",
        [](const Texts& originals, const Texts& releases, const nb::str& mask, bool collapsed,
           nb::object progress) {
            const Documents from(originals), to(releases);
            const auto symbols = code_points(mask);
            if (symbols.empty()) throw std::invalid_argument("the mask must not be empty");
            const Tick tick = python_tick(progress);
            Compared compared;
            {
                nb::gil_scoped_release unlocked;
                compared = align_collapsed(from.texts, to.texts, symbols, collapsed, tick);
            }
            return comparison(std::move(compared));
        },
        nb::arg("originals"), nb::arg("releases"), nb::arg("mask"), nb::arg("collapsed"),
        nb::arg("progress").none());

    m.def(
        "strip_kept",
        [](const Texts& texts, const Spans& spans, const nb::str& keep) {
            const Documents documents(texts);
            const Stretches stretches = stretches_of(spans, documents.texts);
            const auto symbols = code_points(keep);
            Compared stripped;
            {
                nb::gil_scoped_release unlocked;
                stripped = strip_kept(documents.texts, stretches, symbols);
            }
            return arrays(stripped);
        },
        nb::arg("texts"), nb::arg("spans").noconvert(), nb::arg("keep"));

    m.def(
        "segments",
        [](const nb::str& text, bool spaces) {
            nb::list one;
            one.append(text);
            const Documents documents(one);
            return segments_of(documents.texts[0], spaces);
        },
        nb::arg("text"), nb::arg("spaces"));

    m.def(
        "lay_words",
        [](const Texts& originals, const Texts& releases, const nb::str& mask, const nb::str& keep,
           bool collapsed, nb::object progress) -> FoundLaid {
            const Documents from(originals), to(releases);
            if (from.texts.size() != to.texts.size())
                throw std::invalid_argument("expected as many releases as originals");
            const auto marks = code_points(mask);
            if (marks.empty()) throw std::invalid_argument("the mask must not be empty");
            const Tick tick = python_tick(progress);
            Laying laying(marks, code_points(keep), collapsed, tick);
            std::optional<Place> difference;
            {
                nb::gil_scoped_release unlocked;
                std::int64_t since = 0;
                for (std::size_t d = 0; d < from.texts.size() && !difference; ++d) {
                    if (!laying.lay(from.texts[d], to.texts[d]))
                        difference = {static_cast<std::int64_t>(d), laying.at()};
                    if ((since += from.texts[d].length + 1) < std::int64_t{1} << 20) continue;
                    since = 0;
                    tick(static_cast<double>(d + 1) / static_cast<double>(from.texts.size()));
                }
            }
            Laid& found = laying.found;
            return {array(std::move(found.numbers)),
                    array(std::move(found.starts)),
                    array(std::move(found.stops)),
                    array(std::move(found.shown)),
                    array(std::move(found.ends)),
                    array(std::move(found.starred)),
                    array(std::move(found.hidden)),
                    array(std::move(found.separators)),
                    difference};
        },
        nb::arg("originals"), nb::arg("releases"), nb::arg("mask"), nb::arg("keep"),
        nb::arg("collapsed"), nb::arg("progress").none());

    m.def(
        "elsewhere",
        [](const Array<std::int64_t>& values, const std::optional<Array<std::int32_t>>& labels,
           const std::optional<Array<std::uint8_t>>& asked) -> FoundElsewhere {
            const std::size_t size = values.size();
            if ((labels && labels->size() != size) || (asked && asked->size() != size))
                throw std::invalid_argument("expected arrays of one length");
            Elsewhere found;
            {
                nb::gil_scoped_release unlocked;
                found = elsewhere(values.data(), labels ? labels->data() : nullptr,
                                  asked ? asked->data() : nullptr, size);
            }
            return {array(std::move(found.counts)), array(std::move(found.numbers))};
        },
        nb::arg("values").noconvert(), nb::arg("labels").noconvert().none(),
        nb::arg("asked").noconvert().none());

    m.def(
        "number_words",
        [](const Texts& reference, const Texts& queries, const Spans& spans,
           nb::object progress) -> FoundWords {
            const Documents in(reference), of(queries);
            const Stretches stretches = stretches_of(spans, of.texts);
            const Tick tick = python_tick(progress);
            Words words;
            {
                nb::gil_scoped_release unlocked;
                words = number_words(in.texts, of.texts, stretches, tick);
            }
            return {array(std::move(words.reference)), array(std::move(words.reference_ends)),
                    array(std::move(words.queries)), array(std::move(words.query_ends)),
                    array(std::move(words.query_starts))};
        },
        nb::arg("reference"), nb::arg("queries"), nb::arg("spans").noconvert(),
        nb::arg("progress").none());
}
