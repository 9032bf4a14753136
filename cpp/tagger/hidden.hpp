// Words that no feature may tell: what was learnt from people's texts must not hold their words.
//
// A word is hidden that is on no list and stands outside the marks in fewer than `rare` texts. What
// depends on a hidden word shows when it is read in two other ways; that is how its features are
// found. Of a long one the first and last three letters stay.
#pragma once

#include <cstdint>
#include <vector>

#include "tagger/marks.hpp"
#include "tagger/story.hpp"

namespace sfumato::tagger {

class HiddenWords {
  public:
    // Reads the texts, all of whose words the vocabulary then has.
    void choose(const Documents& texts, const Lexicon& lexicon, const Marks& marks,
                std::int64_t rare, Vocabulary& vocabulary) {
        std::vector<std::uint8_t> seen;
        std::vector<std::int64_t> documents, latest;  // of every lower case: outside the marks
        Story story;
        std::vector<bool> marked;
        std::int64_t mark = 0;
        for (std::int64_t d = 0; d < texts.count(); ++d) {
            tell(texts[d], vocabulary, lexicon, seen, story);
            while (mark < marks.count && marks.documents[mark] < d) ++mark;
            marked.assign(story.tokens.size(), false);
            each_mark(story, marks, mark, d, [&](std::int64_t, std::int64_t from, std::int64_t to) {
                for (; from < to; ++from) marked[from] = true;
            });
            documents.resize(vocabulary.lowers(), 0);
            latest.resize(vocabulary.lowers(), -1);
            for (std::size_t t = 0; t < story.tokens.size(); ++t) {
                const std::uint32_t lower = vocabulary.lower[story.word[t]];
                if (marked[t] || latest[lower] == d) continue;
                ++documents[lower];
                latest[lower] = d;
            }
        }
        one = two = vocabulary.words;
        for (std::size_t i = 0; i < vocabulary.words.size(); ++i) {
            const Word& word = vocabulary.words[i];
            const bool listed = word.classes & ~begins_longer;
            if (listed || documents[vocabulary.lower[i]] >= rare) continue;
            read_as(one[i], 1);
            read_as(two[i], 2);
        }
    }

    // The words of the vocabulary, hidden ones read in one and in the other way.
    std::vector<Word> one, two;

  private:
    static constexpr int long_word = 6, short_affix = 3;

    static void read_as(Word& word, std::uint64_t value) {
        word.lower = word.exact = value;
        // Other than each other in every part that a feature tells.
        word.cluster = word.small_cluster = static_cast<std::uint16_t>(value * 0x1111);
        for (int n = 0; n < affixes; ++n) {
            if (word.length >= long_word && n < short_affix) continue;
            if (word.prefix[n]) word.prefix[n] = value;
            if (word.suffix[n]) word.suffix[n] = value;
        }
    }
};

}  // namespace sfumato::tagger
