// Is a release what its original becomes when symbols are masked? And which stretches are legible?
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stored.hpp"
#include "text.hpp"
#include "tick.hpp"

namespace sfumato::checks {

struct Span {
    std::int64_t start, stop;
};

struct Compared {
    Vector<std::int32_t> documents;  // the legible stretches of the release
    Vector<std::int64_t> starts, stops;
    std::int64_t masked = 0;  // symbols of the originals that are not legible
    bool differs = false;     // and where first: an offset in the release
    std::int64_t document = 0, offset = 0;

    void add(std::size_t of, std::int64_t start, std::int64_t stop) {
        if (start == stop) return;
        documents.push_back(static_cast<std::int32_t>(of));
        starts.push_back(start);
        stops.push_back(stop);
    }
    void differ(std::size_t in, std::int64_t at) {
        if (differs) return;
        differs = true;
        document = static_cast<std::int64_t>(in);
        offset = at;
    }
};

// Finds a pattern in texts, in linear time (Knuth, Morris and Pratt, 1977).
template <class Symbol>
class Finder {
  public:
    Finder(const Symbol* pattern, std::int64_t length) : pattern_(pattern), length_(length) {
        borders_.assign(static_cast<std::size_t>(length), 0);
        for (std::int64_t i = 1, border = 0; i < length; ++i) {
            border = extend(border, pattern[i]);
            borders_[static_cast<std::size_t>(i)] = border;
        }
    }

    // Where the pattern first begins in text[from..length), or -1.
    template <class Source>
    std::int64_t find(const Source* text, std::int64_t from, std::int64_t length) const {
        for (std::int64_t i = from, matched = 0; i < length; ++i) {
            matched = extend(matched, text[i]);
            if (matched == length_) return i + 1 - length_;
        }
        return -1;
    }

    std::int64_t length() const { return length_; }

  private:
    template <class Source>
    std::int64_t extend(std::int64_t matched, Source symbol) const {
        while (pattern_[matched] != symbol) {
            if (matched == 0) return 0;
            matched = borders_[static_cast<std::size_t>(matched - 1)];
        }
        return matched + 1;
    }

    const Symbol* pattern_;
    std::int64_t length_;
    std::vector<std::int64_t> borders_;  // the longest border of each prefix
};

// Position by position: the original's symbol, or the mask.
template <class Original, class Release>
void compare_document(const Original* original, std::int64_t original_length,
                      const Release* release, std::int64_t length, std::size_t document,
                      Compared& compared, std::uint32_t mask) {
    std::int64_t start = 0;
    for (std::int64_t i = 0; i < length; ++i) {
        if (release[i] == mask) {
            compared.add(document, start, i);
            start = i + 1;
            ++compared.masked;
        } else if (i < original_length && release[i] != original[i]) {
            compared.differ(document, i);
        }
    }
    compared.add(document, start, length);
    if (length != original_length) compared.differ(document, std::min(length, original_length));
}

// How many symbols two texts have in common at their beginning, at most `length`.
template <class A, class B>
std::int64_t common(const A* a, const B* b, std::int64_t length) {
    std::int64_t i = 0;
    while (i < length && a[i] == b[i]) ++i;
    return i;
}

// The pieces of a release between its masks, found from left to right; empty ones too.
template <class Release>
std::vector<Span> pieces(const Release* release, std::int64_t length,
                         const Finder<std::uint32_t>& mask) {
    std::vector<Span> found;
    std::int64_t start = 0;
    for (std::int64_t at; (at = mask.find(release, start, length)) >= 0; start = at + mask.length())
        found.push_back({start, at});
    found.push_back({start, length});
    return found;
}

// Where the release stops being its original with masked symbols, or -1 if it never does. Every
// mask between two pieces hides one symbol, or (collapsed) one or more. Pieces are placed as far
// left as they fit, which leaves most room for the others: if any placing exists, this is one.
template <class Original, class Release>
std::int64_t misplaced(const Original* original, std::int64_t original_length,
                       const Release* release, const std::vector<Span>& pieces, bool collapsed) {
    std::int64_t at = 0;  // the next piece begins here or later in the original
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto [start, stop] = pieces[i];
        const std::int64_t size = stop - start;
        std::int64_t where = at;
        if (at > original_length) return start;
        if (collapsed && i > 0) {
            if (i + 1 == pieces.size())
                where = original_length - size;
            else if (size > 0)
                where = Finder(release + start, size).find(original, at, original_length);
            if (where < at) return start;
        }
        const std::int64_t room = std::min(size, original_length - where);
        const std::int64_t same = common(original + where, release + start, room);
        if (same < size) return start + same;
        at = where + size + 1;  // the mask that follows hides a symbol
    }
    return at == original_length + 1 ? -1 : pieces.back().stop;
}

template <class Original, class Release>
void align_document(const Original* original, std::int64_t original_length, const Release* release,
                    std::int64_t length, std::size_t document, Compared& compared,
                    const Finder<std::uint32_t>& mask, bool collapsed) {
    const std::vector<Span> found = pieces(release, length, mask);
    std::int64_t legible = 0;
    for (const Span& span : found) {
        compared.add(document, span.start, span.stop);
        legible += span.stop - span.start;
    }
    const std::int64_t offset = misplaced(original, original_length, release, found, collapsed);
    if (offset >= 0)
        compared.differ(document, offset);
    else
        compared.masked += original_length - legible;
}

// Calls document(original, its length, release, its length, number, result) for each document.
template <class Function>
Compared each_document(const std::vector<Text>& originals, const std::vector<Text>& releases,
                       const Tick& tick, Function&& document) {
    constexpr std::int64_t block = 1 << 22;
    Compared compared;
    std::int64_t since = 0;
    const Text nothing{nullptr, 0, 1};
    for (std::size_t i = 0; i < releases.size(); ++i) {
        const Text& release = releases[i];
        if (i >= originals.size()) compared.differ(i, 0);
        const Text& original = i < originals.size() ? originals[i] : nothing;
        with_symbols(original, [&](const auto* from) {
            with_symbols(release, [&](const auto* to) {
                document(from, original.length, to, release.length, i, compared);
            });
        });
        if ((since += release.length + 1) < block) continue;
        since = 0;
        tick(static_cast<double>(i + 1) / static_cast<double>(releases.size()));
    }
    if (originals.size() > releases.size()) compared.differ(releases.size(), 0);
    return compared;
}

inline Compared compare_masked(const std::vector<Text>& originals,
                               const std::vector<Text>& releases, std::uint32_t mask,
                               const Tick& tick) {
    return each_document(originals, releases, tick,
                         [mask](auto&&... all) { compare_document(all..., mask); });
}

inline Compared align_collapsed(const std::vector<Text>& originals,
                                const std::vector<Text>& releases,
                                const std::vector<std::uint32_t>& mask, bool collapsed,
                                const Tick& tick) {
    const Finder finder(mask.data(), static_cast<std::int64_t>(mask.size()));
    return each_document(originals, releases, tick,
                         [&](auto&&... all) { align_document(all..., finder, collapsed); });
}

// Stretches without the symbols of `keep` at their ends; empty ones are dropped.
inline Compared strip_kept(const std::vector<Text>& texts, const Stretches& stretches,
                           const std::vector<std::uint32_t>& keep) {
    std::vector<bool> kept(0x110000);
    for (std::uint32_t symbol : keep) kept[symbol] = true;
    Compared stripped;
    for (std::size_t i = 0; i < stretches.size; ++i) {
        const auto document = static_cast<std::size_t>(stretches.documents[i]);
        std::int64_t start = stretches.starts[i], stop = stretches.stops[i];
        with_symbols(texts[document], [&](const auto* symbols) {
            while (start < stop && kept[symbols[start]]) ++start;
            while (start < stop && kept[symbols[stop - 1]]) --stop;
        });
        stripped.add(document, start, stop);
    }
    return stripped;
}

}  // namespace sfumato::checks
