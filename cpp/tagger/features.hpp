// The features of a token, as hashes: of the words around it one by one, and of several together.
//
// What depends on one word alone is kept apart, because the decoder sums it once for every distinct
// word.
#pragma once

#include <cstdint>

#include "tagger/model.hpp"
#include "tagger/story.hpp"

namespace sfumato::tagger {

constexpr int reach = 2;  // words to either side
constexpr int offsets = 2 * reach + 1;

// A word's cluster, those near it in the tree, and how usual the word is in lower case.
inline std::uint64_t cluster_of(const Word& word) { return word.cluster >> usual_bits; }
inline std::uint64_t near_of(const Word& word) { return word.cluster >> (usual_bits + near_bits); }
inline std::uint64_t usual_of(const Word& word) {
    return word.small_cluster & ((1u << usual_bits) - 1);
}

// Features of one word that stands `offset` words from the token.
template <class Sink>
void word_features(const Word& word, int offset, Sink&& sink) {
    const std::uint64_t place = static_cast<std::uint64_t>(offset + reach);
    const auto add = [&](std::uint64_t kind, std::uint64_t value) {
        sink(joined(joined(kind, place), value));
    };
    const std::uint64_t classes = word.classes & ~std::uint64_t{begins_longer};
    add(1, word.lower);
    add(2, word.shape);
    add(3, classes * 16 + word.written);
    add(20, cluster_of(word));
    add(21, near_of(word) * 16 + word.written);
    if (offset < -1 || offset > 1) return;
    for (int bit = 0; bit < 15; ++bit)
        if (classes >> bit & 1) add(4, static_cast<std::uint64_t>(bit) * 16 + word.written);
    add(5, word.suffix[2]);
    add(22, usual_of(word) * 16 + word.written);
    if (offset != 0) return;
    add(6, word.exact);
    add(23, (word.small_cluster >> usual_bits) * 16u + word.written);
    for (int n = 0; n < affixes; ++n) {
        if (word.prefix[n]) add(7 + n, word.prefix[n]);
        if (word.suffix[n] && n != 2) add(11 + n, word.suffix[n]);
        if (word.suffix[n]) add(15 + n, joined(word.suffix[n], word.written));
    }
    add(19, word.length * 16u + word.written);
}

// The words around a token; outside its piece there is nothing.
struct Around {
    const Word* at[offsets];
    const Word& operator[](int offset) const { return *at[offset + reach]; }
    std::uint64_t classes(int offset) const {
        return at[offset + reach]->classes & ~std::uint64_t{begins_longer};
    }
};

// Features one after the other, as many as a token may have.
struct Hashes {
    std::uint64_t values[most_features];
    int count = 0;
    void operator()(std::uint64_t hash) { values[count++] = hash; }
};

struct Place {
    Gap gap, next_gap;
    Mode mode;
    std::uint8_t elsewhere;
    std::uint32_t phrase;
    std::uint32_t hint = 0, hint_before = 0, hint_after = 0;
};

// What another recogniser found: the label of the token in its mention, and which rule it was.
// Unless something else was learnt it is believed: so much is added to the label's score.
constexpr int trust = 3 * unit;
inline std::uint32_t hint_of(int label, std::uint32_t rule) {
    return static_cast<std::uint32_t>(label) | rule << 8;
}
inline int hinted_label(std::uint32_t hint) { return static_cast<int>(hint & 255); }

// Features of several words together, and of the place.
template <class Sink>
void joint_features(const Around& w, const Place& place, Sink&& sink) {
    const std::uint64_t here = w[0].written, before = w[-1].written, after = w[1].written;
    const auto add = [&](std::uint64_t kind, std::uint64_t a, std::uint64_t b,
                         std::uint64_t c = 0) { sink(joined(joined(joined(kind, a), b), c)); };
    add(32, w[-1].lower, w[0].lower);
    add(33, w[0].lower, w[1].lower);
    add(34, w[-1].shape, w[0].shape, w[1].shape);
    add(35, w[-1].lower, here, w[0].classes & ~std::uint64_t{begins_longer});
    add(36, w[1].lower, here, w[0].classes & ~std::uint64_t{begins_longer});
    add(37, w[-2].lower, w[-1].lower, here);
    add(38, w[1].lower, w[2].lower, here);
    add(39, w[-1].lower, w[1].lower, here);
    add(40, w.classes(-1), w.classes(0), here * 16 + before);
    add(41, w.classes(0), w.classes(1), here * 16 + after);
    add(42, place.gap * 4u + place.next_gap, here * 16 + before, after);
    add(43, w[-2].written * 256u + before * 16 + here, after * 16 + w[2].written);
    add(44, place.mode, here, w.classes(0));
    add(45, place.elsewhere, here * 16 + before, place.mode);
    add(53, near_of(w[-1]), near_of(w[1]), here);
    add(54, cluster_of(w[-1]), cluster_of(w[0]), here);
    add(55, cluster_of(w[0]), cluster_of(w[1]), here);
    add(56, usual_of(w[0]), here * 16 + before, place.gap * 4u + place.mode);
    if (place.phrase) add(46, place.phrase, here);
    if (!(place.hint | place.hint_before | place.hint_after)) return;
    const std::uint64_t hint = place.hint & 255;
    add(47, place.hint, 0);
    add(48, hint, w[0].lower);
    add(49, hint, w[0].shape, w[0].classes & ~std::uint64_t{begins_longer});
    add(50, place.hint_before & 255, hint, place.hint_after & 255);
    add(51, hint, w[-1].lower);
    add(52, hint, w[1].lower);
}

inline const Word& outside_word() {
    static const Word word;
    return word;
}

// Calls work(t, around, place) for every token of a piece.
template <class Work>
void each_place(const Vocabulary& vocabulary, const Story& story, std::int64_t begin,
                std::int64_t end, Work&& work) {
    const Mode mode = mode_of(vocabulary, story, begin, end);
    for (std::int64_t t = begin; t < end; ++t) {
        Around around;
        for (int d = -reach; d <= reach; ++d)
            around.at[d + reach] = t + d < begin || t + d >= end
                                       ? &outside_word()
                                       : &vocabulary.words[story.word[t + d]];
        const Gap next = t + 1 < end ? story.tokens[t + 1].gap : Paragraph;
        Place place{t == begin ? Paragraph : story.tokens[t].gap, next, mode, story.elsewhere[t],
                    story.phrase[t]};
        if (!story.hint.empty()) {
            place.hint = story.hint[t];
            place.hint_before = t > begin ? story.hint[t - 1] : 0;
            place.hint_after = t + 1 < end ? story.hint[t + 1] : 0;
        }
        work(t, around, place);
    }
}

}  // namespace sfumato::tagger
