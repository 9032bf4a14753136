// Places that people marked or other recognisers found, as labels of tokens.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tagger/features.hpp"
#include "tagger/model.hpp"
#include "tagger/story.hpp"

namespace sfumato::tagger {

struct Marks {  // places in documents, in order and apart; type -1: any label
    const std::int64_t *documents, *starts, *stops;
    const std::int32_t* types;
    std::int64_t count;
};

struct Hints {  // what another recogniser found, and by which of its rules
    Marks marks{};
    const std::uint32_t* rules = nullptr;
};

// The label of token t in a mention from first to last.
inline int label_in(const Labels& labels, int type, std::int64_t first, std::int64_t last,
                    std::int64_t t) {
    return first == last ? labels.alone(type)
           : t == first  ? labels.begin(type)
           : t == last   ? labels.last(type)
                         : labels.inside(type);
}

// Calls work(mark, first, end) with the tokens that every mark of a document touches.
template <class Work>
void each_mark(const Story& story, const Marks& marks, std::int64_t mark, std::int64_t document,
               Work&& work) {
    std::int64_t t = 0;
    const auto count = static_cast<std::int64_t>(story.tokens.size());
    for (; mark < marks.count && marks.documents[mark] == document; ++mark) {
        while (t < count && story.tokens[t].stop <= marks.starts[mark]) ++t;
        std::int64_t end = t;
        while (end < count && story.tokens[end].start < marks.stops[mark]) ++end;
        if (end == t) continue;
        work(mark, t, end);
        t = end;
    }
}

// Writes the hints of a document to its tokens; a place in two pieces is a mention in each.
inline void take_hints(const Labels& labels, const Hints& hints, std::int64_t mark,
                       std::int64_t document, Story& story) {
    story.hint.assign(story.tokens.size(), 0);
    std::size_t piece = 0;
    each_mark(story, hints.marks, mark, document,
              [&](std::int64_t m, std::int64_t from, std::int64_t end) {
                  for (; from < end;) {
                      while (story.pieces[piece + 1] <= from) ++piece;
                      const std::int64_t last = std::min(end, story.pieces[piece + 1]) - 1;
                      for (std::int64_t t = from; t <= last; ++t)
                          story.hint[t] =
                              hint_of(label_in(labels, hints.marks.types[m], from, last, t),
                                      hints.rules[m]);
                      from = last + 1;
                  }
              });
}

}  // namespace sfumato::tagger
