// Places of people's terms in their texts; the typed face is sfumato/kernels/places.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bind/python_array.hpp"
#include "bind/python_tick.hpp"
#include "text/own_terms.hpp"
#include "text/own_words.hpp"
#include "text/places.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

PlaceArrays checked(const Documents& texts, const Array<int64_t>& documents,
                    const Array<int64_t>& starts, const Array<int64_t>& stops) {
    const PlaceArrays places{documents.data(), starts.data(), stops.data(),
                             static_cast<int64_t>(documents.size())};
    require(starts.size() == documents.size() && stops.size() == documents.size(),
            "one document, start and stop for every place");
    for (int64_t p = 0; p < places.count; ++p)
        if (places.documents[p] < 0 || places.documents[p] >= texts.count() ||
            places.starts[p] < 0 || places.stops[p] < places.starts[p] ||
            places.stops[p] > texts[places.documents[p]].length)
            throw std::invalid_argument("place " + std::to_string(p) + " lies outside its text");
    return places;
}

nb::tuple bind_own_terms(nb::list text_list, Array<int32_t> person_of_text, nb::list term_list,
                         Array<int32_t> person_of_term, int64_t people, bool any_case) {
    const Documents texts(text_list), terms(term_list);
    require(static_cast<int64_t>(person_of_text.size()) == texts.count() &&
                static_cast<int64_t>(person_of_term.size()) == terms.count(),
            "one person for every text and every term");
    for (int64_t d = 0; d < texts.count(); ++d)
        require(person_of_text.data()[d] >= 0 && person_of_text.data()[d] < people,
                "no such person");
    for (int64_t t = 0; t < terms.count(); ++t)
        require(person_of_term.data()[t] >= -1 && person_of_term.data()[t] < people,
                "no such person");
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    OwnPlaces found;
    {
        nb::gil_scoped_release release;
        found = own_terms(texts, person_of_text.data(), terms, person_of_term.data(), people,
                          any_case, pulse);
    }
    return nb::make_tuple(to_numpy(std::move(found.documents)), to_numpy(std::move(found.starts)),
                          to_numpy(std::move(found.stops)), to_numpy(std::move(found.terms)));
}

nb::tuple bind_own_words(nb::list text_list, Array<int32_t> person_of_text, Array<uint32_t> points,
                         Array<uint8_t> kinds, Array<int64_t> starts, Array<uint32_t> symbols,
                         nb::list word_list, Array<int32_t> word_of_pair,
                         Array<int32_t> person_of_pair, int64_t people) {
    const Documents texts(text_list), words(word_list);
    const auto count = static_cast<int64_t>(points.size());
    const auto pairs = static_cast<int64_t>(word_of_pair.size());
    require(static_cast<int64_t>(person_of_text.size()) == texts.count() &&
                person_of_pair.size() == word_of_pair.size(),
            "one person for every text and every word");
    for (int64_t d = 0; d < texts.count(); ++d)
        require(person_of_text.data()[d] >= 0 && person_of_text.data()[d] < people,
                "no such person");
    for (int64_t p = 0; p < pairs; ++p)
        require(person_of_pair.data()[p] >= 0 && person_of_pair.data()[p] < people &&
                    word_of_pair.data()[p] >= 0 && word_of_pair.data()[p] < words.count(),
                "no such person or word");
    require(static_cast<int64_t>(kinds.size()) == count &&
                static_cast<int64_t>(starts.size()) == count + 1 && starts.data()[0] == 0 &&
                starts.data()[count] == static_cast<int64_t>(symbols.size()),
            "one kind and one reading for every symbol");
    for (int64_t i = 0; i < count; ++i)
        require(points.data()[i] < code_points &&
                    (i == 0 || points.data()[i - 1] < points.data()[i]) &&
                    starts.data()[i] <= starts.data()[i + 1] && kinds.data()[i] <= unseen,
                "symbols ascend, and their readings follow each other");
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    OwnWords found;
    {
        nb::gil_scoped_release release;
        const SymbolTable table(points.data(), kinds.data(), starts.data(), symbols.data(), count);
        found = own_words(texts, person_of_text.data(), table, words, word_of_pair.data(),
                          person_of_pair.data(), pairs, people, pulse);
    }
    return nb::make_tuple(to_numpy(std::move(found.documents)), to_numpy(std::move(found.starts)),
                          to_numpy(std::move(found.stops)), to_numpy(std::move(found.pairs)),
                          to_numpy(std::move(found.ordinals)), to_numpy(std::move(found.glued)));
}

nb::tuple bind_spellings(nb::list list, Array<int64_t> documents, Array<int64_t> starts,
                         Array<int64_t> stops) {
    const Documents texts(list);
    const PlaceArrays places = checked(texts, documents, starts, stops);
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    Spellings made;
    {
        nb::gil_scoped_release release;
        made = number_spellings(texts, places, pulse);
    }
    nb::list distinct;
    for (const int64_t p : made.firsts) {
        PyObject* string = PyUnicode_Substring(texts.string(places.documents[p]), places.starts[p],
                                               places.stops[p]);
        if (!string) throw nb::python_error();
        distinct.append(nb::steal(string));
    }
    return nb::make_tuple(to_numpy(std::move(made.codes)), distinct);
}

nb::object bind_sentence_starts(nb::list list, Array<int64_t> documents, Array<int64_t> starts) {
    const Documents texts(list);
    const PlaceArrays places = checked(texts, documents, starts, starts);
    std::vector<uint8_t> found(documents.size());
    {
        nb::gil_scoped_release release;
        for (int64_t p = 0; p < places.count; ++p)
            read(texts[places.documents[p]],
                 [&](const auto* text) { found[p] = starts_sentence(text, places.starts[p]); });
    }
    return to_numpy(std::move(found));
}

nb::list bind_splice(nb::list list, Array<int64_t> documents, Array<int64_t> starts,
                     Array<int64_t> stops, Array<int32_t> words, nb::list word_list) {
    const Documents texts(list), table(word_list);
    const PlaceArrays places = checked(texts, documents, starts, stops);
    require(words.size() == documents.size(), "one word for every place");
    for (int64_t p = 0; p < places.count; ++p) {
        require(words.data()[p] >= 0 && words.data()[p] < table.count(), "no such word");
        require(p == 0 || places.documents[p - 1] < places.documents[p] ||
                    (places.documents[p - 1] == places.documents[p] &&
                     places.stops[p - 1] <= places.starts[p]),
                "places must stand in order and apart");
    }
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, 2 * texts.size());
    std::vector<int64_t> ends(static_cast<size_t>(texts.count()) + 1, 0);  // before document d
    for (int64_t p = 0; p < places.count; ++p) ends[places.documents[p] + 1] = p + 1;
    for (int64_t d = 0; d < texts.count(); ++d) ends[d + 1] = std::max(ends[d], ends[d + 1]);
    std::vector<Spliced> sizes(static_cast<size_t>(texts.count()));
    {
        nb::gil_scoped_release release;
        for (int64_t d = 0; d < texts.count(); ++d) {
            if (ends[d] < ends[d + 1])
                sizes[d] = measure(texts, places, table, words.data(), ends[d], ends[d + 1]);
            pulse(texts[d].length + 1);
        }
    }
    std::vector<nb::object> strings;
    for (int64_t d = 0; d < texts.count(); ++d) {
        if (ends[d] == ends[d + 1]) {
            strings.push_back(nb::borrow(texts.string(d)));
            continue;
        }
        const auto largest = std::min<uint32_t>(sizes[d].symbols, code_points - 1);
        PyObject* string = PyUnicode_New(sizes[d].length, largest);
        if (!string) throw nb::python_error();
        strings.push_back(nb::steal(string));
    }
    {
        nb::gil_scoped_release release;  // nobody else knows the new strings yet
        for (int64_t d = 0; d < texts.count(); ++d) {
            if (ends[d] < ends[d + 1] && sizes[d].length > 0)
                write_spliced(texts, places, table, words.data(), ends[d], ends[d + 1],
                              strings[d].ptr());
            pulse(texts[d].length + 1);
        }
    }
    nb::list result;
    for (nb::object& string : strings) result.append(std::move(string));
    return result;
}

}  // namespace
}  // namespace sfumato

void bind_places(nb::module_& m) {
    using namespace sfumato;
    m.def("own_words", &bind_own_words, "texts"_a, "person_of_text"_a.noconvert(),
          "points"_a.noconvert(), "kinds"_a.noconvert(), "starts"_a.noconvert(),
          "symbols"_a.noconvert(), "words"_a, "word_of_pair"_a.noconvert(),
          "person_of_pair"_a.noconvert(), "people"_a);
    m.def("own_terms", &bind_own_terms, "texts"_a, "person_of_text"_a.noconvert(), "terms"_a,
          "person_of_term"_a.noconvert(), "people"_a, "any_case"_a);
    m.def("spellings", &bind_spellings, "texts"_a, "documents"_a.noconvert(),
          "starts"_a.noconvert(), "stops"_a.noconvert());
    m.def("sentence_starts", &bind_sentence_starts, "texts"_a, "documents"_a.noconvert(),
          "starts"_a.noconvert());
    m.def("splice", &bind_splice, "texts"_a, "documents"_a.noconvert(), "starts"_a.noconvert(),
          "stops"_a.noconvert(), "words"_a.noconvert(), "table"_a);
}
