// A document as the tagger reads it: tokens, the words they are, and the pieces it is cut into.
#pragma once

#include <cstdint>
#include <vector>

#include "tagger/words.hpp"
#include "text/unicode_text.hpp"

namespace sfumato::tagger {

// How the words of a document are written elsewhere in it.
enum Elsewhere : std::uint8_t { SeenLower = 1, SeenTitle = 2, SeenUpper = 4 };

// How a piece is written.
enum Mode : std::uint8_t { Usual, NoCapitals, Capitals, Titles };

// Numbers of keys in the order they came: 0, 1, ...
class Numbering {
  public:
    std::uint32_t operator()(std::uint64_t key) {
        if (2 * count_ >= slots_.size()) grow();
        for (std::size_t at = key & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[at];
            if (slot.number == none) {
                slot = {key, static_cast<std::uint32_t>(count_)};
                ++count_;
            }
            if (slot.key == key) return slot.number;
        }
    }
    std::size_t count() const { return count_; }
    void clear() {
        slots_.clear();
        count_ = 0;
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t number = none;
    };

    void grow() {
        std::vector<Slot> old(std::max<std::size_t>(1024, 4 * slots_.size()));
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.number == none) continue;
            std::size_t at = slot.key & (slots_.size() - 1);
            while (slots_[at].number != none) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
};

// The distinct words of the texts of one call; a word's number is its place.
class Vocabulary {
  public:
    explicit Vocabulary(const Lexicon& lexicon) : lexicon_(lexicon) {}

    template <class Symbol>
    std::uint32_t number(const Symbol* text, const Token& token) {
        const std::int64_t stop = token.word ? token.stop : token.start + 1;
        std::uint64_t key = exact_hash(text, token.start, stop);
        // Marks in a row are one word, but how many they are counts.
        if (!token.word) key = joined(key, std::min<std::int64_t>(token.stop - token.start, 15));
        const std::uint32_t number = numbers_(key);
        if (number == words.size()) {
            words.push_back(look_at(text, token, lexicon_));
            lower.push_back(lowers_(words.back().lower));
        }
        return number;
    }

    std::size_t lowers() const { return lowers_.count(); }
    void clear() {
        words.clear();
        lower.clear();
        numbers_.clear();
        lowers_.clear();
    }

    std::vector<Word> words;
    std::vector<std::uint32_t> lower;  // of every word: the number of its lower case

  private:
    const Lexicon& lexicon_;
    Numbering numbers_, lowers_;
};

struct Story {
    std::vector<Token> tokens;
    std::vector<std::uint32_t> word;      // of every token
    std::vector<std::uint8_t> elsewhere;  // of every token: how its word is written in the document
    std::vector<std::uint32_t> phrase;    // of every token: the listed phrase it stands in
    std::vector<std::int64_t> pieces;     // where pieces begin, and the end
    std::vector<std::uint32_t> hint;      // of every token: what another recogniser says; or none
};

constexpr std::int64_t piece_long = 200, piece_longest = 400;

inline void cut_pieces(const Vocabulary& vocabulary, Story& story) {
    const auto count = static_cast<std::int64_t>(story.tokens.size());
    story.pieces.clear();
    std::int64_t begin = 0;
    for (std::int64_t t = 0; t < count; ++t) {
        const Gap gap = story.tokens[t].gap;
        const bool long_enough =
            t - begin >= piece_long &&
            (gap == Line ||
             (gap == Blanks && t > 0 && vocabulary.words[story.word[t - 1]].ends_sentence));
        if (t == 0 || gap == Paragraph || long_enough || t - begin == piece_longest) {
            story.pieces.push_back(t);
            begin = t;
        }
    }
    story.pieces.push_back(count);
}

inline void look_elsewhere(const Vocabulary& vocabulary, Story& story,
                           std::vector<std::uint8_t>& seen) {
    seen.resize(std::max(seen.size(), vocabulary.lowers()), 0);
    const std::size_t count = story.tokens.size();
    for (std::size_t t = 0; t < count; ++t) {
        const Case written = vocabulary.words[story.word[t]].written;
        std::uint8_t& flags = seen[vocabulary.lower[story.word[t]]];
        if (written == Lower) flags |= SeenLower;
        if (written == Upper) flags |= SeenUpper;
        // A capital says something only inside a sentence.
        const bool inside = t > 0 && story.tokens[t].gap <= Blanks && story.tokens[t - 1].word;
        if (written == Title && inside) flags |= SeenTitle;
    }
    story.elsewhere.resize(count);
    for (std::size_t t = 0; t < count; ++t)
        story.elsewhere[t] = seen[vocabulary.lower[story.word[t]]];
    for (std::size_t t = 0; t < count; ++t) seen[vocabulary.lower[story.word[t]]] = 0;
}

// Calls work(from, to, classes) for the longest listed phrase from each token on, leftmost first,
// none overlapping another. A phrase of one word counts when `single`.
template <class Work>
void each_phrase(const Vocabulary& vocabulary, const Lexicon& lexicon, const Story& story,
                 bool single, Work&& work) {
    constexpr std::int64_t longest = 8;
    const auto count = static_cast<std::int64_t>(story.tokens.size());
    for (std::int64_t t = 0; t < count;) {
        const Word& first = vocabulary.words[story.word[t]];
        std::uint16_t classes = first.classes, found = single ? classes : 0;
        std::int64_t stop = t + 1;
        std::uint64_t hash = joined(phrase_seed, first.folded);
        for (std::int64_t n = t + 1; n < count && n < t + longest && (classes & begins_longer);
             ++n) {
            if (story.tokens[n].gap > Blanks) break;
            hash = joined(hash, vocabulary.words[story.word[n]].folded);
            classes = lexicon.classes(hash);
            if (classes & ~begins_longer) {
                found = classes;
                stop = n + 1;
            }
        }
        found &= static_cast<std::uint16_t>(~begins_longer);
        if (found) work(t, stop, found);
        t = found ? stop : t + 1;
    }
}

// In a phrase of several words a token has the phrase's classes and its place: first, inside, last.
inline void mark_phrases(const Vocabulary& vocabulary, const Lexicon& lexicon, Story& story) {
    story.phrase.assign(story.tokens.size(), 0);
    each_phrase(vocabulary, lexicon, story, false,
                [&](std::int64_t from, std::int64_t to, std::uint16_t classes) {
                    for (std::int64_t t = from; t < to; ++t)
                        story.phrase[t] = classes * 4u + (t == from ? 1 : t + 1 == to ? 3 : 2);
                });
}

inline void tell(const Text& text, Vocabulary& vocabulary, const Lexicon& lexicon,
                 std::vector<std::uint8_t>& seen, Story& story) {
    story.tokens.clear();
    story.word.clear();
    // About as many as there will be: while a vector grows it takes up to three times its room.
    story.tokens.reserve(text.length / 4);
    read(text, [&](const auto* symbols) {
        cut_tokens(symbols, text.length, story.tokens);
        story.word.reserve(story.tokens.size());
        for (const Token& token : story.tokens)
            story.word.push_back(vocabulary.number(symbols, token));
    });
    cut_pieces(vocabulary, story);
    look_elsewhere(vocabulary, story, seen);
    mark_phrases(vocabulary, lexicon, story);
}

inline Mode mode_of(const Vocabulary& vocabulary, const Story& story, std::int64_t begin,
                    std::int64_t end) {
    std::int64_t lower = 0, title = 0, upper = 0;
    for (std::int64_t t = begin; t < end; ++t) {
        const Case written = vocabulary.words[story.word[t]].written;
        lower += written == Lower;
        title += written == Title || written == Mixed;
        upper += written == Upper;
    }
    if (title + upper == 0) return NoCapitals;
    if (upper > lower + title) return Capitals;
    return title > lower && title + lower > 3 ? Titles : Usual;
}

}  // namespace sfumato::tagger
