// Where each person's terms stand in the person's own texts, as whole words.
//
// Of each text the places where a word may begin are chained by their first symbol; a term looks
// along the chain of its own first symbol only.
#pragma once

#include <Python.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "common/pulse.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

struct OwnPlaces {
    std::vector<std::int64_t> documents, starts, stops;
    std::vector<std::int64_t> terms;  // the number of the term that stands there
};

// Symbols that differ in case alone become one; by way of the upper case, as ς and σ share it.
inline std::uint32_t without_case(std::uint32_t symbol) {
    if (symbol < 0x80) return symbol >= 'A' && symbol <= 'Z' ? symbol + 32 : symbol;
    return Py_UNICODE_TOLOWER(Py_UNICODE_TOUPPER(Py_UNICODE_TOLOWER(symbol)));
}

// A letter or a number, as Python's str.isalnum says; between two of them is no border of a word.
inline bool in_word(std::uint32_t symbol) {
    if (symbol < 0x80)
        return (symbol >= '0' && symbol <= '9') || ((symbol | 32) >= 'a' && (symbol | 32) <= 'z');
    return Py_UNICODE_ISALNUM(static_cast<Py_UCS4>(symbol));
}

// The numbers 0 .. of those who have `key` p, p ascending, in the order they came; -1 is nobody.
class Grouped {
  public:
    Grouped(const std::int32_t* keys, std::int64_t count, std::int64_t groups)
        : starts_(static_cast<std::size_t>(groups) + 1, 0) {
        for (std::int64_t i = 0; i < count; ++i)
            if (keys[i] >= 0) ++starts_[keys[i] + 1];
        for (std::int64_t g = 0; g < groups; ++g) starts_[g + 1] += starts_[g];
        members_.resize(static_cast<std::size_t>(starts_.back()));
        std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
        for (std::int64_t i = 0; i < count; ++i)
            if (keys[i] >= 0) members_[next[keys[i]]++] = i;
    }

    const std::int64_t* begin(std::int32_t group) const { return members_.data() + starts_[group]; }
    const std::int64_t* end(std::int32_t group) const {
        return members_.data() + starts_[group + 1];
    }

  private:
    std::vector<std::int64_t> starts_, members_;
};

class OwnTerms {
  public:
    OwnTerms(const Documents& terms, const Grouped& owned, bool any_case)
        : terms_(terms), owned_(owned), any_case_(any_case) {}

    // Appends the places of the person's terms in a document by start, longer ones first.
    void find(const Documents& texts, std::int64_t document, std::int32_t person,
              OwnPlaces& found) {
        if (owned_.begin(person) == owned_.end(person)) return;
        here_.clear();
        read(texts[document], [&](const auto* text) {
            const std::int64_t length = texts[document].length;
            wanted_.fill(0);
            for (const std::int64_t* t = owned_.begin(person); t != owned_.end(person); ++t)
                read(terms_[*t], [&](const auto* term) {
                    if (terms_[*t].length > 0) wanted_[bucket(term[0])] = 1;
                });
            chain(text, length);
            for (const std::int64_t* t = owned_.begin(person); t != owned_.end(person); ++t)
                read(terms_[*t], [&](const auto* term) {
                    const std::int64_t size = terms_[*t].length;
                    if (size == 0) return;
                    for (std::int64_t at = head_[bucket(term[0])]; at >= 0; at = next_[at]) {
                        if (at + size > length || !stands(text, length, at, term, size)) continue;
                        here_.push_back({at, at + size, *t});
                    }
                });
        });
        std::sort(here_.begin(), here_.end(), [](const Place& a, const Place& b) {
            return std::tie(a.start, b.stop, a.term) < std::tie(b.start, a.stop, b.term);
        });
        for (const Place& place : here_) {
            found.documents.push_back(document);
            found.starts.push_back(place.start);
            found.stops.push_back(place.stop);
            found.terms.push_back(place.term);
        }
    }

  private:
    struct Place {
        std::int64_t start, stop, term;
    };

    static constexpr std::size_t buckets = 1024;

    std::uint32_t folded(std::uint32_t symbol) const {
        return any_case_ ? without_case(symbol) : symbol;
    }
    std::size_t bucket(std::uint32_t symbol) const { return folded(symbol) % buckets; }

    template <class Symbol>
    void chain(const Symbol* text, std::int64_t length) {
        head_.fill(-1);
        next_.resize(static_cast<std::size_t>(length));
        for (std::int64_t at = length - 1; at >= 0; --at) {
            const std::size_t first = bucket(text[at]);
            if (!wanted_[first] || (at > 0 && in_word(text[at]) && in_word(text[at - 1]))) continue;
            next_[at] = head_[first];
            head_[first] = at;
        }
    }

    template <class Symbol, class Other>
    bool stands(const Symbol* text, std::int64_t length, std::int64_t at, const Other* term,
                std::int64_t size) const {
        for (std::int64_t i = 0; i < size; ++i)
            if (folded(text[at + i]) != folded(term[i])) return false;
        return at + size == length || !in_word(text[at + size - 1]) || !in_word(text[at + size]);
    }

    const Documents& terms_;
    const Grouped& owned_;
    bool any_case_;
    std::array<std::uint8_t, buckets> wanted_;  // a term begins with such a symbol
    std::array<std::int64_t, buckets> head_;
    std::vector<std::int64_t> next_;
    std::vector<Place> here_;
};

// `person` of every document (from 0) and of every term (-1: nobody's).
inline OwnPlaces own_terms(const Documents& texts, const std::int32_t* person_of_text,
                           const Documents& terms, const std::int32_t* person_of_term,
                           std::int64_t people, bool any_case, Pulse& pulse) {
    const Grouped owned(person_of_term, terms.count(), people);
    OwnTerms search(terms, owned, any_case);
    OwnPlaces found;
    for (std::int64_t d = 0; d < texts.count(); ++d) {
        search.find(texts, d, person_of_text[d], found);
        pulse(texts[d].length + 1);
    }
    return found;
}

}  // namespace sfumato
