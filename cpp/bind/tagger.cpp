// The tagger of names; the typed face is sfumato/kernels/tagger.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bind/python_array.hpp"
#include "bind/python_tick.hpp"
#include "tagger/decode.hpp"
#include "tagger/follow.hpp"
#include "tagger/train.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato::tagger {
namespace {

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

// Arrays are kept alive with what reads them.
struct KeptLexicon {
    KeptLexicon(Array<uint32_t> starts, Array<uint32_t> checks, Array<uint16_t> bits,
                Array<uint32_t> cluster_starts, Array<uint32_t> cluster_checks,
                Array<uint16_t> clusters)
        : kept{starts, checks, cluster_starts, cluster_checks}, values{bits, clusters} {
        view = {table(starts, checks, bits), table(cluster_starts, cluster_checks, clusters)};
    }
    std::vector<Array<uint32_t>> kept;
    std::vector<Array<uint16_t>> values;
    Lexicon view;

  private:
    static HashTable table(const Array<uint32_t>& starts, const Array<uint32_t>& checks,
                           const Array<uint16_t>& values) {
        require(checks.size() == values.size(), "one check for every phrase");
        const HashTable table{starts.data(), checks.data(), values.data(),
                              static_cast<int64_t>(checks.size())};
        table.validate(static_cast<int64_t>(starts.size()));
        return table;
    }
};

struct KeptModel {
    KeptModel(int types, Array<uint32_t> starts, Array<uint16_t> checks, Array<uint32_t> firsts,
              Array<uint16_t> weights, Array<int16_t> transitions)
        : starts(starts),
          firsts(firsts),
          checks(checks),
          weights(weights),
          transitions(transitions) {
        require(firsts.size() == checks.size() + 1, "one check for every feature");
        view = {{types},
                starts.data(),
                checks.data(),
                firsts.data(),
                weights.data(),
                transitions.data(),
                static_cast<int64_t>(checks.size()),
                static_cast<int64_t>(weights.size())};
        view.validate(static_cast<int64_t>(starts.size()),
                      static_cast<int64_t>(transitions.size()));
        layout = view.laid_out();
        view.entries = layout.entries.data();
        view.rows = layout.rows.data();
    }
    KeptModel(const KeptModel&) = delete;  // the view points into it
    Array<uint32_t> starts, firsts;
    Array<uint16_t> checks, weights;
    Array<int16_t> transitions;
    Layout layout;
    Model view;
};

// A vocabulary that has grown to this many words is begun anew, so that memory stays bounded.
constexpr size_t most_words = 1 << 16;

struct Mentions {
    std::vector<int64_t> documents, starts, stops;
    std::vector<int32_t> types, margins;
};

// What another recogniser found: documents, starts, stops, types, rules; or nothing.
struct KeptHints {
    KeptHints(Array<int64_t> documents, Array<int64_t> starts, Array<int64_t> stops,
              Array<int32_t> types, Array<uint32_t> rules)
        : documents(documents), starts(starts), stops(stops), types(types), rules(rules) {
        const size_t count = documents.size();
        require(starts.size() == count && stops.size() == count && types.size() == count &&
                    rules.size() == count,
                "one document, start, stop, type and rule for every hint");
        view = {{documents.data(), starts.data(), stops.data(), types.data(),
                 static_cast<int64_t>(count)},
                rules.data()};
    }
    Array<int64_t> documents, starts, stops;
    Array<int32_t> types;
    Array<uint32_t> rules;
    Hints view;
};

void require_apart(const Marks& marks, int types, int least) {
    for (int64_t m = 0; m < marks.count; ++m) {
        require(marks.types[m] >= least && marks.types[m] < types, "no such type");
        require(m == 0 || marks.documents[m - 1] < marks.documents[m] ||
                    (marks.documents[m - 1] == marks.documents[m] &&
                     marks.stops[m - 1] <= marks.starts[m]),
                "marks must stand in order and apart");
    }
}

Mentions found_in(const Documents& texts, const Lexicon& lexicon, const Model& model,
                  const Model* base, const Hints& hints, int lean, Pulse& pulse) {
    Vocabulary vocabulary(lexicon);
    Decoder decoder(model, base, lean);
    Story story;
    std::vector<uint8_t> seen;
    std::vector<Mention> mentions;
    Mentions result;
    int64_t hint = 0;
    for (int64_t d = 0; d < texts.count(); ++d) {
        tell(texts[d], vocabulary, lexicon, seen, story);
        while (hint < hints.marks.count && hints.marks.documents[hint] < d) ++hint;
        if (hints.rules) take_hints(model.labels, hints, hint, d, story);
        mentions.clear();
        decoder.find(vocabulary, story, mentions);
        for (const Mention& one : mentions) {
            result.documents.push_back(d);
            result.starts.push_back(story.tokens[one.first].start);
            result.stops.push_back(story.tokens[one.last].stop);
            result.types.push_back(one.type);
            result.margins.push_back(one.margin);
        }
        if (vocabulary.words.size() > most_words) {
            vocabulary.clear();
            decoder.forget();
        }
        pulse(texts[d].length + 1);
    }
    return result;
}

nb::tuple bind_tag(nb::list list, const KeptLexicon& lexicon, const KeptModel& model,
                   const KeptModel* base, const KeptHints* hints, int lean, nb::object progress) {
    require(-most_lean <= lean && lean <= most_lean, "the lean is too large");
    require(!base || base->view.labels.types == model.view.labels.types, "a base of other labels");
    if (hints) require_apart(hints->view.marks, model.view.labels.types, 0);
    const Documents texts(list);
    const Tick tick = python_tick(progress);
    Pulse pulse(tick, texts.size());
    Mentions found;
    {
        nb::gil_scoped_release release;
        found = found_in(texts, lexicon.view, model.view, base ? &base->view : nullptr,
                         hints ? hints->view : Hints{}, lean, pulse);
    }
    return nb::make_tuple(to_numpy(std::move(found.documents)), to_numpy(std::move(found.starts)),
                          to_numpy(std::move(found.stops)), to_numpy(std::move(found.types)),
                          to_numpy(std::move(found.margins)));
}

// Places of listed phrases: document, start, stop, classes, how its words are written (a bit each).
// Only phrases of which some word is written in one of the ways `any_of`, and none in `none_of`.
nb::tuple bind_listed(nb::list list, const KeptLexicon& lexicon, uint16_t any_of,
                      uint16_t none_of) {
    const Documents texts(list);
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    std::vector<int64_t> documents, starts, stops;
    std::vector<uint16_t> classes, written;
    {
        nb::gil_scoped_release release;
        Vocabulary vocabulary(lexicon.view);
        Story story;
        std::vector<uint8_t> seen;
        for (int64_t d = 0; d < texts.count(); ++d) {
            tell(texts[d], vocabulary, lexicon.view, seen, story);
            each_phrase(vocabulary, lexicon.view, story, true,
                        [&](int64_t from, int64_t to, uint16_t bits) {
                            uint16_t cases = 0;
                            for (int64_t t = from; t < to; ++t)
                                cases |= 1u << vocabulary.words[story.word[t]].written;
                            if (!(cases & any_of) || cases & none_of) return;
                            documents.push_back(d);
                            starts.push_back(story.tokens[from].start);
                            stops.push_back(story.tokens[to - 1].stop);
                            classes.push_back(bits);
                            written.push_back(cases);
                        });
            if (vocabulary.words.size() > most_words) vocabulary.clear();
            pulse(texts[d].length + 1);
        }
    }
    return nb::make_tuple(to_numpy(std::move(documents)), to_numpy(std::move(starts)),
                          to_numpy(std::move(stops)), to_numpy(std::move(classes)),
                          to_numpy(std::move(written)));
}

// Places where names that were found with certainty stand again, outside what was found.
// Spans stand in the order of documents and starts; texts with one scope tell one story.
nb::tuple bind_follow(nb::list list, const KeptLexicon& lexicon, uint16_t usual,
                      const KeptLexicon& helping, Array<int64_t> scopes, Array<int64_t> documents,
                      Array<int64_t> starts, Array<int64_t> stops, Array<uint8_t> certain) {
    const Documents texts(list);
    const size_t spans = documents.size();
    require(static_cast<int64_t>(scopes.size()) == texts.count(), "a scope for every text");
    require(starts.size() == spans && stops.size() == spans && certain.size() == spans,
            "one document, start, stop and certainty for every span");
    std::vector<size_t> first(texts.count() + 1, 0);  // of every document: its first span
    for (size_t s = 0; s < spans; ++s) {
        const int64_t d = documents.data()[s];
        require(0 <= d && d < texts.count(), "no such document");
        require(0 <= starts.data()[s] && starts.data()[s] <= stops.data()[s] &&
                    stops.data()[s] <= texts[d].length,
                "a span outside its text");
        require(s == 0 || documents.data()[s - 1] < d ||
                    (documents.data()[s - 1] == d && starts.data()[s - 1] <= starts.data()[s]),
                "spans must stand in order");
        ++first[d + 1];
    }
    for (size_t d = 1; d < first.size(); ++d) first[d] += first[d - 1];
    std::vector<int64_t> order(texts.count());
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return scopes.data()[a] < scopes.data()[b]; });
    const Tick tick = python_tick(nb::none());
    Pulse pulse(tick, texts.size());
    std::vector<int64_t> found, from, to;
    {
        nb::gil_scoped_release release;
        Follower follower(lexicon.view, usual, helping.view);
        for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
            follower.begin();
            for (; end < order.size() && scopes.data()[order[end]] == scopes.data()[order[begin]];
                 ++end)
                for (size_t s = first[order[end]]; s < first[order[end] + 1]; ++s)
                    if (certain.data()[s])
                        read(texts[order[end]], [&](const auto* text) {
                            follower.name(text, starts.data()[s], stops.data()[s]);
                        });
            for (size_t i = begin; i < end; ++i) {
                const int64_t d = order[i];
                if (!follower.empty()) {
                    size_t s = first[d];
                    int64_t reached = -1;  // by the spans that begin before a place
                    read(texts[d], [&](const auto* text) {
                        follower.find(text, texts[d].length, [&](int64_t start, int64_t stop) {
                            for (; s < first[d + 1] && starts.data()[s] <= start; ++s)
                                reached = std::max(reached, stops.data()[s]);
                            if (reached >= stop) return;
                            found.push_back(d);
                            from.push_back(start);
                            to.push_back(stop);
                        });
                    });
                }
                pulse(texts[d].length + 1);
            }
        }
    }
    return nb::make_tuple(to_numpy(std::move(found)), to_numpy(std::move(from)),
                          to_numpy(std::move(to)));
}

// Hashes and their values as a table's arrays; values of one hash are joined.
nb::tuple table_of(std::vector<std::pair<uint64_t, uint16_t>> entries) {
    const int kept = lexicon_bits + 32;
    for (auto& entry : entries) entry.first >>= 64 - kept;
    std::sort(entries.begin(), entries.end());
    std::vector<uint32_t> starts((size_t{1} << lexicon_bits) + 1, 0), checks;
    std::vector<uint16_t> united;
    for (size_t i = 0; i < entries.size(); ++i) {
        if (i > 0 && entries[i].first == entries[i - 1].first) {
            united.back() |= entries[i].second;
            continue;
        }
        ++starts[(entries[i].first >> 32) + 1];
        checks.push_back(static_cast<uint32_t>(entries[i].first));
        united.push_back(entries[i].second);
    }
    for (size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
    return nb::make_tuple(to_numpy(std::move(starts)), to_numpy(std::move(checks)),
                          to_numpy(std::move(united)));
}

// The lexicon's table of phrases; the same phrase with several bits joins them. With `whole` the
// table of words as written, and what is no single word is left out.
nb::tuple bind_make_lexicon(nb::list phrases, Array<uint16_t> bits, bool whole) {
    const Documents texts(phrases);
    require(static_cast<int64_t>(bits.size()) == texts.count(), "bits for every phrase");
    std::vector<std::pair<uint64_t, uint16_t>> entries;
    std::vector<Token> tokens;
    for (int64_t d = 0; d < texts.count(); ++d) {
        tokens.clear();
        read(texts[d], [&](const auto* text) {
            cut_tokens(text, texts[d].length, tokens);
            if (whole) {
                if (tokens.size() != 1 || !tokens[0].word) return;
                const uint64_t exact = look_at(text, tokens[0], Lexicon{}).exact;
                entries.emplace_back(joined(cluster_seed, exact), bits.data()[d]);
                return;
            }
            uint64_t hash = phrase_seed;
            for (size_t t = 0; t < tokens.size(); ++t) {
                hash = joined(hash, look_at(text, tokens[t], Lexicon{}).folded);
                const bool last = t + 1 == tokens.size();
                entries.emplace_back(hash, last ? bits.data()[d] : begins_longer);
            }
        });
    }
    return table_of(std::move(entries));
}

nb::tuple bind_train(nb::list list, const KeptLexicon& lexicon, int types, Array<int64_t> documents,
                     Array<int64_t> starts, Array<int64_t> stops, Array<int32_t> kinds,
                     Array<uint32_t> unmarked, Array<float> worth, const KeptModel* base,
                     const KeptHints* hints, bool hide, int epochs, double rate, double l1,
                     double l2, int64_t rare, uint64_t seed, nb::object progress) {
    require(types >= 1 && types <= most_types, "too many types");
    require(!base || base->view.labels.types == types, "a base of other labels");
    const Documents texts(list);
    require(static_cast<int64_t>(unmarked.size()) == texts.count() &&
                static_cast<int64_t>(worth.size()) == texts.count(),
            "one mask and one worth for every text");
    const Marks marks{documents.data(), starts.data(), stops.data(), kinds.data(),
                      static_cast<int64_t>(documents.size())};
    require(starts.size() == documents.size() && stops.size() == documents.size() &&
                kinds.size() == documents.size(),
            "one document, start, stop and type for every mark");
    require_apart(marks, types, -1);
    if (hints) require_apart(hints->view.marks, types, 0);
    Trainer trainer({types}, {epochs, rate, l1, l2, rare, seed});
    const Tick tick = python_tick(progress);
    const Tick reading = part(tick, 0, 0.1), learning = part(tick, 0.1, 1);
    Learnt learnt;
    {
        nb::gil_scoped_release release;
        Pulse first(reading, texts.size());
        trainer.read(texts, lexicon.view, marks, unmarked.data(), worth.data(),
                     base ? &base->view : nullptr, hints ? hints->view : Hints{}, hide, first);
        Pulse then(learning, trainer.size() * epochs);
        trainer.learn(then);
        learnt = trainer.learnt();
    }
    return nb::make_tuple(to_numpy(std::move(learnt.starts)), to_numpy(std::move(learnt.checks)),
                          to_numpy(std::move(learnt.firsts)), to_numpy(std::move(learnt.weights)),
                          to_numpy(std::move(learnt.transitions)));
}

}  // namespace
}  // namespace sfumato::tagger

void bind_tagger(nb::module_& m) {
    using namespace sfumato::tagger;
    using sfumato::Array;
    nb::class_<KeptLexicon>(m, "Lexicon")
        .def(nb::init<Array<uint32_t>, Array<uint32_t>, Array<uint16_t>, Array<uint32_t>,
                      Array<uint32_t>, Array<uint16_t>>(),
             "starts"_a.noconvert(), "checks"_a.noconvert(), "bits"_a.noconvert(),
             "cluster_starts"_a.noconvert(), "cluster_checks"_a.noconvert(),
             "clusters"_a.noconvert());
    nb::class_<KeptModel>(m, "Weights")
        .def(nb::init<int, Array<uint32_t>, Array<uint16_t>, Array<uint32_t>, Array<uint16_t>,
                      Array<int16_t>>(),
             "types"_a, "starts"_a.noconvert(), "checks"_a.noconvert(), "firsts"_a.noconvert(),
             "weights"_a.noconvert(), "transitions"_a.noconvert());
    nb::class_<KeptHints>(m, "Hints")
        .def(nb::init<Array<int64_t>, Array<int64_t>, Array<int64_t>, Array<int32_t>,
                      Array<uint32_t>>(),
             "documents"_a.noconvert(), "starts"_a.noconvert(), "stops"_a.noconvert(),
             "types"_a.noconvert(), "rules"_a.noconvert());
    m.def("tag", &bind_tag, "texts"_a, "lexicon"_a, "weights"_a, "base"_a.none(), "hints"_a.none(),
          "lean"_a, "progress"_a.none());
    m.def("listed", &bind_listed, "texts"_a, "lexicon"_a, "any_of"_a, "none_of"_a);
    m.def("follow", &bind_follow, "texts"_a, "lexicon"_a, "usual"_a, "helping"_a,
          "scopes"_a.noconvert(), "documents"_a.noconvert(), "starts"_a.noconvert(),
          "stops"_a.noconvert(), "certain"_a.noconvert());
    m.def("make_lexicon", &bind_make_lexicon, "phrases"_a, "bits"_a.noconvert(), "whole"_a);
    m.def("train_tagger", &bind_train, "texts"_a, "lexicon"_a, "types"_a, "documents"_a.noconvert(),
          "starts"_a.noconvert(), "stops"_a.noconvert(), "kinds"_a.noconvert(),
          "unmarked"_a.noconvert(), "worth"_a.noconvert(), "base"_a.none(), "hints"_a.none(),
          "hide"_a, "epochs"_a, "rate"_a, "l1"_a, "l2"_a, "rare"_a, "seed"_a, "progress"_a.none());
}
