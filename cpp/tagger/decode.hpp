// The best sequence of labels of every piece (Viterbi), and the mentions it tells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "tagger/features.hpp"
#include "tagger/model.hpp"

namespace sfumato::tagger {

// So that 16 bits hold a token's scores by two tables and the lean.
constexpr int most_lean = 3400;
static_assert(2 * most_features * 127 + most_lean + trust < 32768);

struct Mention {
    std::int64_t first, last;  // tokens
    int type;
    int margin;  // how much better than no mention at all, in weights
};

class Decoder {
  public:
    // `lean` is taken from the score of "no mention": the more, the more is found. With a base its
    // features are added; labels in a row are the model's own.
    Decoder(const Model& model, const Model* base, int lean)
        : model_(model),
          base_(base),
          labels_(model.labels),
          count_(labels_.count()),
          row_(model.width()),
          lean_(lean) {
        const int opening = 2 * labels_.types + 1;
        for (int from = 0; from < count_; ++from)
            if (labels_.closes(from)) closing_.push_back(from);
        between_.resize(closing_.size() * opening);
        for (std::size_t c = 0; c < closing_.size(); ++c)
            for (int to = 0; to < opening; ++to)
                between_[c * opening + to] = model.transition(closing_[c], to);
    }

    // Appends the mentions of a story, piece by piece.
    void find(const Vocabulary& vocabulary, const Story& story, std::vector<Mention>& found) {
        for (std::size_t p = 0; p + 1 < story.pieces.size(); ++p) {
            score(vocabulary, story, story.pieces[p], story.pieces[p + 1]);
            search(story.pieces[p + 1] - story.pieces[p]);
            tell(story.pieces[p], found);
        }
    }

    // Scores of the labels of every token of a piece; what one word adds is summed once.
    void score(const Vocabulary& vocabulary, const Story& story, std::int64_t begin,
               std::int64_t end) {
        remember(vocabulary);
        scores_.assign(static_cast<std::size_t>((end - begin) * row_), 0);
        each_place(vocabulary, story, begin, end,
                   [&](std::int64_t t, const Around& around, const Place& place) {
                       std::int16_t* score = scores_.data() + (t - begin) * row_;
                       if (t + ahead < end)
                           for (int d = 0; d < offsets; ++d)
                               prefetch(of_word(story.word[t + ahead] + 1, d));
                       Hashes hashes;
                       joint_features(around, place, hashes);
                       add(hashes, score);
                       for (int d = -reach; d <= reach; ++d) {
                           const bool inside = t + d >= begin && t + d < end;
                           const std::int16_t* one =
                               of_word(inside ? story.word[t + d] + 1 : 0, d + reach);
                           for (int y = 0; y < row_; ++y) score[y] += one[y];
                       }
                       score[0] = static_cast<std::int16_t>(score[0] - lean_);
                       if (const int label = hinted_label(place.hint))
                           score[label] = static_cast<std::int16_t>(score[label] + trust);
                   });
    }

    // A vocabulary that was begun anew has other words.
    void forget() {
        known_.clear();
        words_ = 0;
    }

  private:
    static constexpr int ahead = 4;  // tokens
    static constexpr int worst = std::numeric_limits<int>::min() / 4;

    void add(const Hashes& hashes, std::int16_t* scores) const {
        model_.add(hashes.values, hashes.count, scores);
        if (base_) base_->add(hashes.values, hashes.count, scores);
    }

    const std::int16_t* of_word(std::size_t word, int place) const {
        return known_.data() + (word * offsets + static_cast<std::size_t>(place)) * row_;
    }

    void remember(const Vocabulary& vocabulary) {
        const std::size_t words = vocabulary.words.size() + 1;
        known_.resize(words * offsets * row_, 0);
        for (; words_ < words; ++words_) {
            const Word& word = words_ == 0 ? outside_word() : vocabulary.words[words_ - 1];
            for (int d = -reach; d <= reach; ++d) {
                std::int16_t* sum = known_.data() + (words_ * offsets + d + reach) * row_;
                Hashes hashes;
                word_features(word, d, hashes);
                add(hashes, sum);
            }
        }
    }

    void search(std::int64_t length) {
        const int k = labels_.types, opening = 2 * k + 1;
        came_.resize(static_cast<std::size_t>(length * count_));
        path_.resize(static_cast<std::size_t>(length));
        std::vector<int>&now = now_, &next = next_;
        now.assign(count_, worst);
        next.assign(count_, worst);
        best_.resize(opening);
        origin_.resize(opening);
        for (int y = 0; y < opening; ++y) now[y] = model_.first(y) + scores_[y];
        for (std::int64_t t = 1; t < length; ++t) {
            const std::int16_t* score = scores_.data() + t * row_;
            std::uint8_t* came = came_.data() + t * count_;
            std::fill(best_.begin(), best_.end(), worst * 2);
            for (std::size_t c = 0; c < closing_.size(); ++c) {
                const int sofar = now[closing_[c]];
                const int* between = between_.data() + c * opening;
                const int from = closing_[c];
                int* best = best_.data();
                int* origin = origin_.data();
                for (int y = 0; y < opening; ++y) {
                    const int way = sofar + between[y];
                    origin[y] = way > best[y] ? from : origin[y];
                    best[y] = way > best[y] ? way : best[y];
                }
            }
            for (int y = 0; y < opening; ++y) {
                next[y] = best_[y] + score[y];
                came[y] = static_cast<std::uint8_t>(origin_[y]);
            }
            for (int type = 0; type < k; ++type)
                for (const int y : {labels_.inside(type), labels_.last(type)}) {
                    const int b = labels_.begin(type), i = labels_.inside(type);
                    const int first = now[b] + model_.transition(b, y);
                    const int later = now[i] + model_.transition(i, y);
                    came[y] = static_cast<std::uint8_t>(later > first ? i : b);
                    next[y] = std::max(first, later) + score[y];
                }
            now.swap(next);
        }
        int last = 0, best = worst * 3;
        for (int y = 0; y < count_; ++y)
            if (labels_.closes(y) && now[y] + model_.last(y) > best)
                best = now[y] + model_.last(y), last = y;
        for (std::int64_t t = length - 1; t >= 0; --t) {
            path_[t] = static_cast<std::uint8_t>(last);
            if (t > 0) last = came_[t * count_ + last];
        }
    }

    void tell(std::int64_t begin, std::vector<Mention>& found) const {
        const auto length = static_cast<std::int64_t>(path_.size());
        for (std::int64_t t = 0; t < length; ++t) {
            if (path_[t] == 0) continue;
            const std::int64_t first = t;
            while (!labels_.closes(path_[t])) ++t;
            found.push_back({begin + first, begin + t, labels_.type(path_[t]), margin(first, t)});
        }
    }

    // What the path from first to last scores more than "no mention" there, its neighbours kept.
    int margin(std::int64_t first, std::int64_t last) const {
        const auto length = static_cast<std::int64_t>(path_.size());
        int sum = 0;
        for (std::int64_t t = first; t <= last + 1; ++t) {
            const int left = t > 0 ? path_[t - 1] : -1, plain = t > first ? 0 : left;
            const int right = t < length ? path_[t] : -1;
            sum += step(left, right) - step(plain, t <= last ? 0 : right);
            if (t <= last) sum += scores_[t * row_ + right] - scores_[t * row_];
        }
        return sum;
    }

    int step(int from, int to) const {
        if (from < 0) return model_.first(to);
        return to < 0 ? model_.last(from) : model_.transition(from, to);
    }

    const Model& model_;
    const Model* base_;
    const Labels labels_;
    const int count_, row_, lean_;  // a row of scores is padded, so that it is added in one go
    std::vector<int> closing_, between_, now_, next_, best_, origin_;
    std::vector<std::int16_t> scores_, known_;
    std::vector<std::uint8_t> came_, path_;
    std::size_t words_ = 0;
};

}  // namespace sfumato::tagger
