// Python bindings of the patterns of terms, their groups, and the search for terms in text.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/python_tick.hpp"
#include "terms/agreement.hpp"
#include "terms/automaton.hpp"
#include "terms/exact.hpp"
#include "terms/exchange.hpp"
#include "terms/groups.hpp"
#include "terms/marks.hpp"
#include "terms/patterns.hpp"
#include "terms/priced.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Made = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using MadeTable = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// Up to this many terms of one length, groups are improved by local search: 0.1 s a sweep.
constexpr std::size_t most_exchanged = 2000;
constexpr std::size_t most_priced = 400;     // by prices and a bound
constexpr std::size_t most_regrouped = 200;  // near groups together, by exact programs

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

template <class T>
Made<T> made(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Made<T>(kept->data(), {kept->size()}, owner);
}

template <class T>
MadeTable<T> made_table(std::vector<T>&& values, std::size_t rows, std::size_t columns) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return MadeTable<T>(kept->data(), {rows, columns}, owner);
}

template <class Code>
LengthClass<Code> length_class(const Table<Code>& columns, std::size_t alphabet) {
    const LengthClass<Code> all{columns.data(), columns.shape(1), columns.shape(0), alphabet};
    require(all.length >= 1, "terms must have letters");
    for (std::size_t i = 0; i < all.terms * all.length; ++i)
        require(all.columns[i] < alphabet, "every code must be below the alphabet's size");
    return all;
}

template <class Code>
Made<std::uint32_t> pattern_matches(Table<Code> columns, Array<Code> term) {
    const std::size_t length = columns.shape(0), terms = columns.shape(1);
    require(term.shape(0) == length, "the term must have the length of its class");
    require(length >= 1 && length <= 24, "all patterns at once need a length of 1 to 24");
    std::vector<std::uint32_t> counts;
    {
        nb::gil_scoped_release unlocked;
        counts = matches_of_patterns(columns.data(), terms, length, term.data());
    }
    return made(std::move(counts));
}

template <class Code>
std::tuple<MadeTable<std::uint8_t>, Made<std::uint32_t>> best(Table<Code> columns,
                                                              std::size_t alphabet, std::size_t k,
                                                              nb::handle progress) {
    const std::size_t length = columns.shape(0), terms = columns.shape(1);
    std::vector<std::uint8_t> kept(terms * length);
    std::vector<std::uint32_t> matches(terms);
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        const LengthClass<Code> all = length_class(columns, alphabet);
        best_patterns(all, k, kept.data(), matches.data(), tick);
    }
    return {made_table(std::move(kept), terms, length), made(std::move(matches))};
}

template <class Code>
MadeTable<std::uint8_t> group(Table<Code> columns, std::size_t alphabet, std::size_t k,
                              Array<std::uint32_t> least, bool exact, nb::handle progress) {
    const std::size_t length = columns.shape(0), terms = columns.shape(1);
    require(least.shape(0) == terms, "least must have one number for every term");
    require(k >= 1 && terms >= k, "a class of fewer than k terms has no groups");
    for (std::size_t i = 0; i < terms; ++i)
        require(least.data()[i] <= length, "a term has no more stars than characters");
    std::vector<std::uint8_t> kept(terms * length);
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        const LengthClass<Code> all = length_class(columns, alphabet);
        std::vector<std::int32_t> groups(terms);
        TermGroups<Code> clustering(all, k, least.data(), groups.data());
        clustering.run(tick);
        if (terms <= most_exchanged) TermExchange<Code>(all, k, groups.data()).run(20, tick);
        if (exact && terms <= most_priced)
            PricedGroups<Code>(all, k, groups.data())
                .run(std::min<std::size_t>(800, 80'000 / terms), tick);
        if (exact && terms <= most_regrouped)
            RegroupedTerms<Code>(all, k, groups.data()).run(4, tick);
        clustering.write_kept(kept.data());
    }
    return made_table(std::move(kept), terms, length);
}

// The arrays of an automaton, owned by Python (they may be mapped from a file), checked once so
// that no search can leave them.
class TermAutomaton {
  public:
    TermAutomaton(Array<std::uint32_t> first, Array<std::uint32_t> code, Array<std::uint32_t> fail,
                  Array<std::uint32_t> suffix, Array<std::uint32_t> term,
                  Array<std::uint32_t> lengths, Array<std::uint32_t> codes)
        : first_(first),
          code_(code),
          fail_(fail),
          suffix_(suffix),
          term_(term),
          lengths_(lengths),
          codes_(codes) {
        const std::size_t states = code.shape(0);
        require(states >= 1 && first.shape(0) == states + 1 && fail.shape(0) == states &&
                    suffix.shape(0) == states && term.shape(0) == states,
                "the automaton's arrays do not fit together");
        require(codes.shape(0) == code_points, "codes must have one entry for every code point");
        std::vector<std::uint32_t> depth(states, 0);
        require(first.data()[0] == 1 && first.data()[states] == states, "broken rows of states");
        for (std::size_t s = 0; s < states; ++s) {
            require(first.data()[s] > s && first.data()[s] <= first.data()[s + 1] &&
                        first.data()[s + 1] <= states,
                    "broken rows of states");
            for (State to = first.data()[s]; to < first.data()[s + 1]; ++to)
                depth[to] = depth[s] + 1;
            const bool root = s == 0;
            require(fail.data()[s] < states && suffix.data()[s] < states, "broken links");
            require(
                root || (depth[fail.data()[s]] < depth[s] && depth[suffix.data()[s]] < depth[s]),
                "a link must lead upwards");
            const std::uint32_t ends = term.data()[s];
            require(
                ends == no_term || (ends < lengths.shape(0) && lengths.data()[ends] == depth[s]),
                "a term ends at the wrong depth");
            require(!suffix.data()[s] || term.data()[suffix.data()[s]] != no_term, "broken suffix");
        }
        std::uint32_t alphabet = 1;
        for (std::size_t i = 0; i < code_points; ++i)
            alphabet = std::max(alphabet, codes.data()[i] + 1);
        starts_.assign(alphabet, 0);
        for (State to = first.data()[0]; to < first.data()[1]; ++to) {
            require(code.data()[to] < alphabet, "a code outside the alphabet");
            starts_[code.data()[to]] = to;
        }
    }

    Automaton view() const {
        return {first_.data(), code_.data(),    fail_.data(),  suffix_.data(),
                term_.data(),  lengths_.data(), codes_.data(), starts_.data()};
    }

    std::size_t terms() const { return lengths_.shape(0); }

    // Made when first asked for, and kept.
    Lexicon lexicon() const {
        if (!nodes_) nodes_ = std::make_unique<TermNodes>(view(), code_.shape(0), terms());
        return {view(), nodes_.get()};
    }

  private:
    mutable std::unique_ptr<TermNodes> nodes_;
    Array<std::uint32_t> first_, code_, fail_, suffix_, term_, lengths_, codes_;
    std::vector<State> starts_;
};

using Five = std::tuple<Made<std::uint32_t>, Made<std::uint32_t>, Made<std::uint32_t>,
                        Made<std::uint32_t>, Made<std::uint32_t>>;

Five automaton_arrays(Array<std::uint32_t> terms, Array<std::int64_t> offsets,
                      nb::handle progress) {
    require(offsets.shape(0) >= 1 && offsets.data()[0] == 0, "offsets must begin with 0");
    const std::size_t count = offsets.shape(0) - 1;
    for (std::size_t t = 0; t < count; ++t)
        require(offsets.data()[t] < offsets.data()[t + 1], "a term must not be empty");
    require(static_cast<std::size_t>(offsets.data()[count]) == terms.shape(0),
            "offsets must end with the number of codes");
    const Tick tick = python_tick(progress);
    AutomatonArrays a;
    {
        nb::gil_scoped_release unlocked;
        std::uint32_t alphabet = 1;
        for (std::size_t i = 0; i < terms.shape(0); ++i) {
            require(terms.data()[i] != 0, "code 0 is not for terms");
            alphabet = std::max(alphabet, terms.data()[i] + 1);
        }
        a = build_automaton(terms.data(), offsets.data(), count, tick);
        std::vector<State> starts(alphabet, 0);
        for (State to = a.first[0]; to < a.first[1]; ++to) starts[a.code[to]] = to;
        link_automaton(a,
                       {a.first.data(), a.code.data(), nullptr, nullptr, a.term.data(), nullptr,
                        nullptr, starts.data()},
                       tick);
    }
    return {made(std::move(a.first)), made(std::move(a.code)), made(std::move(a.fail)),
            made(std::move(a.suffix)), made(std::move(a.term))};
}

void check_ends(const Array<std::int64_t>& ends, std::size_t size) {
    std::int64_t previous = 0;
    for (std::size_t d = 0; d < ends.shape(0); ++d) {
        require(ends.data()[d] >= previous, "ends must not fall");
        previous = ends.data()[d];
    }
    require(previous == static_cast<std::int64_t>(size), "the last end must be the text's");
}

using Flags = std::optional<Array<std::uint8_t>>;
using Found = std::tuple<Made<std::int64_t>, Made<std::int64_t>, Made<std::uint32_t>>;

Found as_arrays(const std::vector<Occurrence>& found) {
    std::vector<std::int64_t> starts, stops;
    std::vector<std::uint32_t> terms;
    for (const Occurrence& o : found) {
        starts.push_back(o.start);
        stops.push_back(o.stop);
        terms.push_back(o.term);
    }
    return {made(std::move(starts)), made(std::move(stops)), made(std::move(terms))};
}

// Calls document(start, stop) for every document, and reports between them.
template <class Document>
void each_document(const Array<std::int64_t>& ends, const Tick& tick, const Document& document) {
    std::int64_t start = 0, reported = 0;
    const std::size_t documents = ends.shape(0);
    for (std::size_t d = 0; d < documents; ++d) {
        const std::int64_t stop = ends.data()[d];
        document(start, stop);
        start = stop;
        if (stop - reported > (1 << 20)) {
            report(tick,
                   static_cast<double>(stop) / static_cast<double>(ends.data()[documents - 1]));
            reported = stop;
        }
    }
}

Found find_terms(const TermAutomaton& automaton, Array<std::uint32_t> text,
                 Array<std::int64_t> ends, const Flags& wordlike, nb::handle progress) {
    check_ends(ends, text.shape(0));
    require(!wordlike || wordlike->shape(0) == text.shape(0), "one flag for every character");
    std::vector<Occurrence> found;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        const std::uint8_t* word = wordlike ? wordlike->data() : nullptr;
        const Automaton view = automaton.view();
        each_document(ends, tick, [&](std::int64_t start, std::int64_t stop) {
            const auto is_border = [&](std::int64_t at) {
                return !word || at == start || at == stop || !(word[at - 1] && word[at]);
            };
            scan(view, text.data(), start, stop, [&](const Occurrence& o) {
                if (is_border(o.start) && is_border(o.stop)) found.push_back(o);
            });
        });
    }
    return as_arrays(found);
}

// How the terms of an automaton are published: arrays owned by Python, checked once.
class TermStrings {
  public:
    TermStrings(Array<std::uint32_t> symbols, Array<std::uint8_t> stars,
                Array<std::int64_t> offsets, Array<std::uint32_t> groups, std::int64_t pool,
                std::size_t k)
        : symbols_(symbols), stars_(stars), offsets_(offsets), groups_(groups) {
        const std::size_t terms = groups.shape(0);
        require(offsets.shape(0) == terms + 1 && offsets.data()[0] == 0,
                "one pattern for every term");
        for (std::size_t t = 0; t < terms; ++t)
            require(offsets.data()[t] < offsets.data()[t + 1], "a term must not be empty");
        require(static_cast<std::size_t>(offsets.data()[terms]) == stars.shape(0) &&
                    stars.shape(0) == symbols.shape(0),
                "patterns must lie inside the flags");
        std::uint32_t count = 0;
        for (std::size_t t = 0; t < terms; ++t) count = std::max(count, groups.data()[t] + 1);
        require(pool < static_cast<std::int64_t>(count), "the pool is no group");
        first_.assign(count + 1, 0);
        for (std::size_t t = 0; t < terms; ++t) ++first_[groups.data()[t] + 1];
        for (std::uint32_t g = 0; g < count; ++g) first_[g + 1] += first_[g];
        std::vector<std::int64_t> at(first_.begin(), first_.end() - 1);
        members_.resize(terms);
        for (std::size_t t = 0; t < terms; ++t)
            members_[at[groups.data()[t]]++] = static_cast<std::uint32_t>(t);
        published_ = {
            symbols_.data(), stars_.data(), offsets_.data(), groups_.data(), first_.data(),
            members_.data(), terms,         count,           pool,           k};
    }

    const PublishedTerms& view() const { return published_; }

  private:
    Array<std::uint32_t> symbols_;
    Array<std::uint8_t> stars_;
    Array<std::int64_t> offsets_;
    Array<std::uint32_t> groups_;
    std::vector<std::int64_t> first_;
    std::vector<std::uint32_t> members_;
    PublishedTerms published_{};
};

using Marked = std::tuple<Made<std::int64_t>, Made<std::int64_t>, Made<std::uint32_t>,
                          Made<std::uint8_t>, std::int64_t>;

Marked mark_terms(const TermAutomaton& automaton, const TermAutomaton* direct,
                  const TermStrings& strings, Array<std::uint32_t> text, Array<std::int64_t> ends,
                  const Flags& words_of, Array<std::uint8_t> edges, const Flags& blocked,
                  nb::handle progress) {
    check_ends(ends, text.shape(0));
    require(!words_of || words_of->shape(0) == code_points, "one flag for every code point");
    require(edges.shape(0) == code_points, "one flag for every code point");
    const std::uint8_t* word_of = words_of ? words_of->data() : nullptr;
    require(!blocked || blocked->shape(0) == text.shape(0), "one flag for every character");
    const PublishedTerms& published = strings.view();
    require(published.terms == automaton.terms(), "one pattern for every term");
    const Automaton view = automaton.view();
    for (std::size_t t = 0; t < published.terms; ++t)
        require(published.length(static_cast<std::uint32_t>(t)) == view.length[t],
                "a pattern must have its term's length");
    std::vector<std::uint8_t> marks(text.shape(0));
    std::vector<Occurrence> chosen;
    std::int64_t unmet = -1;
    const Tick tick = python_tick(progress);
    {
        nb::gil_scoped_release unlocked;
        const Lexicon terms = automaton.lexicon();
        std::optional<Lexicon> second;
        if (direct) second = direct->lexicon();
        Infixes infixes(terms.automaton, terms.nodes->states());
        std::optional<Infixes> direct_infixes;
        if (second) direct_infixes.emplace(second->automaton, second->nodes->states());
        GroupTable groups(terms, published, word_of);
        const Settling all{terms,
                           second ? &*second : nullptr,
                           published,
                           word_of,
                           edges.data(),
                           infixes,
                           direct_infixes ? &*direct_infixes : nullptr,
                           groups};
        each_document(ends, tick, [&](std::int64_t start, std::int64_t stop) {
            Redaction redaction(text.data() + start, stop - start, word_of, marks.data() + start);
            redaction.run(all, blocked ? blocked->data() + start : nullptr);
            if (unmet < 0 && !redaction.is_met()) unmet = start;
            for (const Occurrence& o : redaction.chosen())
                chosen.push_back({o.start + start, o.stop + start, o.term});
        });
        std::sort(chosen.begin(), chosen.end(),
                  [](const Occurrence& a, const Occurrence& b) { return a.start < b.start; });
    }
    auto [starts, stops, terms] = as_arrays(chosen);
    return {starts, stops, terms, made(std::move(marks)), unmet};
}

template <class Code>
void bind_class(nb::module_& m) {
    m.def("pattern_matches", &pattern_matches<Code>, "columns"_a.noconvert(), "term"_a.noconvert());
    m.def("best_patterns", &best<Code>, "columns"_a.noconvert(), "alphabet"_a, "k"_a,
          "progress"_a.none());
    m.def("group_terms", &group<Code>, "columns"_a.noconvert(), "alphabet"_a, "k"_a,
          "least"_a.noconvert(), "exact"_a, "progress"_a.none());
}

}  // namespace
}  // namespace sfumato

void bind_terms(nb::module_& m) {
    using namespace sfumato;
    bind_class<std::uint16_t>(m);
    bind_class<std::uint32_t>(m);
    nb::class_<TermAutomaton>(m, "TermAutomaton")
        .def(nb::init<Array<std::uint32_t>, Array<std::uint32_t>, Array<std::uint32_t>,
                      Array<std::uint32_t>, Array<std::uint32_t>, Array<std::uint32_t>,
                      Array<std::uint32_t>>(),
             "first"_a.noconvert(), "code"_a.noconvert(), "fail"_a.noconvert(),
             "suffix"_a.noconvert(), "term"_a.noconvert(), "lengths"_a.noconvert(),
             "codes"_a.noconvert());
    m.def("automaton_arrays", &automaton_arrays, "terms"_a.noconvert(), "offsets"_a.noconvert(),
          "progress"_a.none());
    m.def("find_terms", &find_terms, "automaton"_a, "text"_a.noconvert(), "ends"_a.noconvert(),
          "wordlike"_a.noconvert().none(), "progress"_a.none());
    nb::class_<TermStrings>(m, "TermStrings")
        .def(nb::init<Array<std::uint32_t>, Array<std::uint8_t>, Array<std::int64_t>,
                      Array<std::uint32_t>, std::int64_t, std::size_t>(),
             "symbols"_a.noconvert(), "stars"_a.noconvert(), "offsets"_a.noconvert(),
             "groups"_a.noconvert(), "pool"_a, "k"_a);
    m.def("mark_terms", &mark_terms, "automaton"_a, "direct"_a.none(), "strings"_a,
          "text"_a.noconvert(), "ends"_a.noconvert(), "words"_a.noconvert().none(),
          "edges"_a.noconvert(), "blocked"_a.noconvert().none(), "progress"_a.none());
}
