// Learns weights from marked texts: a conditional random field by follow-the-regularised-leader.
//
// Lafferty, McCallum, Pereira 2001; McMahan and others 2013 (FTRL-proximal: a step size for every
// weight, L1 that leaves most weights at zero). Tokens whose label is not known leave it open: the
// gradient is what all sequences expect less what the allowed ones expect. With a base the weights
// learnt are what is added to the base's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/pulse.hpp"
#include "tagger/features.hpp"
#include "tagger/hidden.hpp"
#include "tagger/lattice.hpp"
#include "tagger/marks.hpp"
#include "tagger/model.hpp"

namespace sfumato::tagger {

struct Settings {
    int epochs = 8;
    double rate = 0.1, l1 = 0.5, l2 = 0.5;
    std::int64_t rare = 2;  // features of fewer documents are left out
    std::uint64_t seed = 0;
};

struct Learnt {
    std::vector<std::uint32_t> starts, firsts;
    std::vector<std::uint16_t> checks, weights;
    std::vector<std::int16_t> transitions;
};

struct Lesson {  // a piece: the features of every token, and the labels it may have
    std::vector<std::uint64_t> allowed;
    std::vector<std::uint32_t> ends;      // of every token's features
    std::vector<std::uint64_t> features;  // keys, then numbers
    std::vector<std::int16_t> base;       // token x label
    float worth = 1;
};

class Trainer {
  public:
    Trainer(const Labels& labels, const Settings& settings)
        : labels_(labels), count_(labels.count()), settings_(settings), lattice_(labels) {}

    // With `hide` no feature tells a word that stands in a mark and on no list, or in fewer than
    // `rare` texts.
    void read(const Documents& texts, const Lexicon& lexicon, const Marks& marks,
              const std::uint32_t* unmarked, const float* worth, const Model* base,
              const Hints& hints, bool hide, Pulse& pulse);
    void learn(Pulse& pulse);
    Learnt learnt() const;
    std::int64_t size() const { return size_; }

  private:
    struct History {  // of a weight: what FTRL keeps of its gradients
        float sum = 0, squares = 0;
    };
    // Weights apart from their histories: scoring reads the former only.
    struct Table {
        std::vector<float> value;
        std::vector<History> history;
        void resize(std::size_t size) {
            value.resize(size);
            history.resize(size);
        }
    };

    std::vector<std::uint64_t> allowed(const Story& story, const Marks& marks, std::int64_t mark,
                                       std::int64_t document, std::uint32_t unmarked) const;
    Lesson lesson(Vocabulary& vocabulary, const Story& story, std::int64_t begin, std::int64_t end,
                  const Model* base, HiddenWords* hidden, std::int64_t document);
    void number_features();
    void study(const Lesson& lesson);
    void move(Table& table, std::size_t at, double gradient) const;

    const Labels labels_;
    const int count_;
    const Settings settings_;
    Lattice lattice_;
    std::vector<Lesson> lessons_;
    std::vector<std::uint64_t> keys_;  // of the features kept, ascending
    Table weights_, between_;
    std::unordered_map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> seen_;
    std::int64_t size_ = 0;
    std::vector<double> factor_, exponentials_, expected_, gradient_;
    std::vector<std::uint64_t> any_;
    std::vector<std::size_t> moving_;  // labels whose weights change at a token
    std::vector<std::int16_t> base_between_;
};

inline std::vector<std::uint64_t> Trainer::allowed(const Story& story, const Marks& marks,
                                                   std::int64_t mark, std::int64_t document,
                                                   std::uint32_t unmarked) const {
    const std::uint64_t every = (std::uint64_t{1} << count_) - 1;
    std::uint64_t plain = 1;
    for (int type = 0; type < labels_.types; ++type)
        if (unmarked >> type & 1)
            for (const int y : {labels_.begin(type), labels_.alone(type), labels_.inside(type),
                                labels_.last(type)})
                plain |= std::uint64_t{1} << y;
    std::vector<std::uint64_t> result(story.tokens.size(), plain);
    each_mark(
        story, marks, mark, document, [&](std::int64_t m, std::int64_t from, std::int64_t end) {
            for (std::int64_t t = from; t < end; ++t)
                result[t] = marks.types[m] < 0 ? every
                                               : std::uint64_t{1} << label_in(
                                                     labels_, marks.types[m], from, end - 1, t);
        });
    return result;
}

inline void Trainer::read(const Documents& texts, const Lexicon& lexicon, const Marks& marks,
                          const std::uint32_t* unmarked, const float* worth, const Model* base,
                          const Hints& hints, bool hide, Pulse& pulse) {
    Vocabulary vocabulary(lexicon);
    std::vector<std::uint8_t> seen;
    Story story;
    std::int64_t mark = 0, hint = 0;
    HiddenWords hidden;
    if (hide) hidden.choose(texts, lexicon, marks, settings_.rare, vocabulary);
    if (base)
        base_between_.assign(base->transitions, base->transitions + count_ * count_ + 2 * count_);
    for (std::int64_t d = 0; d < texts.count(); ++d) {
        tell(texts[d], vocabulary, lexicon, seen, story);
        while (mark < marks.count && marks.documents[mark] < d) ++mark;
        while (hint < hints.marks.count && hints.marks.documents[hint] < d) ++hint;
        if (hints.rules) take_hints(labels_, hints, hint, d, story);
        const std::vector<std::uint64_t> may = allowed(story, marks, mark, d, unmarked[d]);
        for (std::size_t p = 0; p + 1 < story.pieces.size(); ++p) {
            const std::int64_t begin = story.pieces[p], end = story.pieces[p + 1];
            if (begin == end) continue;
            lessons_.push_back(
                lesson(vocabulary, story, begin, end, base, hide ? &hidden : nullptr, d));
            lessons_.back().worth = worth[d];
            lessons_.back().allowed.assign(may.begin() + begin, may.begin() + end);
            size_ += end - begin;
        }
        pulse(texts[d].length + 1);
    }
    number_features();
}

inline Lesson Trainer::lesson(Vocabulary& vocabulary, const Story& story, std::int64_t begin,
                              std::int64_t end, const Model* base, HiddenWords* hidden,
                              std::int64_t document) {
    Lesson result;
    std::vector<Hashes> other;  // the same features, hidden words read otherwise
    const auto each = [&](std::vector<Word>* words, auto&& work) {
        if (words) vocabulary.words.swap(*words);
        each_place(vocabulary, story, begin, end,
                   [&](std::int64_t t, const Around& around, const Place& place) {
                       Hashes hashes;
                       for (int o = -reach; o <= reach; ++o) word_features(around[o], o, hashes);
                       joint_features(around, place, hashes);
                       work(t, hashes, place);
                   });
        if (words) vocabulary.words.swap(*words);
    };
    if (hidden)
        each(&hidden->two,
             [&](std::int64_t, const Hashes& hashes, const Place&) { other.push_back(hashes); });
    each(hidden ? &hidden->one : nullptr,
         [&](std::int64_t t, const Hashes& hashes, const Place& place) {
             for (int i = 0; i < hashes.count; ++i) {
                 if (hidden && other[t - begin].values[i] != hashes.values[i]) continue;
                 const std::uint64_t key = feature_key(hashes.values[i]);
                 result.features.push_back(key);
                 auto& [documents, latest] = seen_.try_emplace(key, 0, -1).first->second;
                 documents += latest != document;
                 latest = document;
             }
             result.ends.push_back(static_cast<std::uint32_t>(result.features.size()));
             if (!base && story.hint.empty()) return;
             std::int16_t score[64] = {};
             if (base) base->add(hashes.values, hashes.count, score);
             if (const int label = hinted_label(place.hint))
                 score[label] = static_cast<std::int16_t>(score[label] + trust);
             result.base.insert(result.base.end(), score, score + count_);
         });
    return result;
}

inline void Trainer::number_features() {
    for (const auto& [key, documents] : seen_)
        if (documents.first >= settings_.rare) keys_.push_back(key);
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t i = 0; i < keys_.size(); ++i)
        seen_[keys_[i]] = {-1, static_cast<std::int64_t>(i)};
    for (Lesson& lesson : lessons_) {
        std::size_t kept = 0, at = 0;
        for (std::uint32_t& end : lesson.ends) {
            for (; at < end; ++at) {
                const auto& [mark, number] = seen_.at(lesson.features[at]);
                if (mark == -1) lesson.features[kept++] = static_cast<std::uint64_t>(number);
            }
            end = static_cast<std::uint32_t>(kept);
        }
        lesson.features.resize(kept);
        lesson.features.shrink_to_fit();
    }
    seen_.clear();
    weights_.resize(keys_.size() * count_);
    between_.resize(static_cast<std::size_t>(count_) * count_ + 2 * count_);
}

inline void Trainer::learn(Pulse& pulse) {
    Numbers numbers(settings_.seed + 1);
    std::vector<std::size_t> order(lessons_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[numbers.below(i)]);
        for (const std::size_t i : order) {
            study(lessons_[i]);
            pulse(static_cast<std::int64_t>(lessons_[i].allowed.size()));
        }
    }
}

inline void Trainer::move(Table& table, std::size_t at, double gradient) const {
    History& history = table.history[at];
    const double squares = history.squares + gradient * gradient;
    const double root = std::sqrt(squares);
    const double sigma = (root - std::sqrt(static_cast<double>(history.squares))) / settings_.rate;
    const double sum = history.sum + gradient - sigma * table.value[at];
    history = {static_cast<float>(sum), static_cast<float>(squares)};
    const double over = std::abs(sum) - settings_.l1;
    const double slope = (1 + root) / settings_.rate + settings_.l2;
    table.value[at] = static_cast<float>(over <= 0 ? 0 : (sum < 0 ? over : -over) / slope);
}

inline void Trainer::study(const Lesson& lesson) {
    const std::size_t length = lesson.allowed.size(), n = count_;
    factor_.assign(length * n, 0.0);
    exponentials_.resize(between_.value.size());
    const auto weigh = [&](std::size_t i) {
        const double base = base_between_.empty() ? 0.0 : base_between_[i] * (1.0 / unit);
        exponentials_[i] = exponential(between_.value[i] + base);
    };
    for (const Step& step : lattice_.steps) weigh(step.from * n + step.to);
    for (std::size_t i = n * n; i < between_.value.size(); ++i) weigh(i);
    std::size_t at = 0;
    for (std::size_t t = 0; t < length; ++t) {
        double* score = factor_.data() + t * n;
        if (!lesson.base.empty())
            for (std::size_t y = 0; y < n; ++y) score[y] = lesson.base[t * n + y] * (1.0 / unit);
        for (; at < lesson.ends[t]; ++at) {
            const float* row = weights_.value.data() + lesson.features[at] * n;
            for (std::size_t y = 0; y < n; ++y) score[y] += row[y];
        }
        const double most = *std::max_element(score, score + n);
        for (std::size_t y = 0; y < n; ++y) score[y] = exponential(score[y] - most);
    }
    any_.assign(length, (std::uint64_t{1} << n) - 1);
    expected_.assign(between_.value.size(), 0.0);
    gradient_.assign(length * n, 0.0);
    for (const bool free : {false, true}) {
        const auto& may = free ? any_ : lesson.allowed;
        if (!lattice_.sum(factor_, exponentials_, may)) return;  // marks that no sequence fits
        for (std::size_t t = 0; t < length; ++t)
            for (std::size_t y = 0; y < n; ++y)
                gradient_[t * n + y] += (free ? 1 : -1) * lattice_.at(t, static_cast<int>(y));
        lattice_.expect(factor_, exponentials_, may, free ? 1 : -1, expected_.data());
    }
    constexpr double nothing = 1e-3;
    at = 0;
    for (std::size_t t = 0; t < length; ++t) {
        moving_.clear();
        for (std::size_t y = 0; y < n; ++y)
            if (std::abs(gradient_[t * n + y]) > nothing) moving_.push_back(y);
        for (; at < lesson.ends[t] && !moving_.empty(); ++at)
            for (const std::size_t y : moving_)
                move(weights_, lesson.features[at] * n + y, gradient_[t * n + y] * lesson.worth);
        at = lesson.ends[t];
    }
    for (std::size_t i = 0; i < between_.value.size(); ++i)
        if (std::abs(expected_[i]) > nothing) move(between_, i, expected_[i] * lesson.worth);
}

inline int quantised(double value, int most) {
    return static_cast<int>(
        std::clamp(std::floor(value * unit + 0.5), -double(most), double(most)));
}

inline Learnt Trainer::learnt() const {
    Learnt result;
    result.starts.assign((std::size_t{1} << bucket_bits) + 1, 0);
    for (std::size_t f = 0; f < keys_.size(); ++f) {
        const std::size_t before = result.weights.size();
        for (int y = 0; y < count_; ++y) {
            const int whole = quantised(weights_.value[f * count_ + y], 127);
            if (whole == 0) continue;
            result.weights.push_back(
                static_cast<std::uint16_t>(y | static_cast<std::uint8_t>(whole) << 8));
        }
        if (result.weights.size() == before) continue;
        result.firsts.push_back(static_cast<std::uint32_t>(before));
        result.checks.push_back(static_cast<std::uint16_t>(keys_[f]));
        ++result.starts[(keys_[f] >> check_bits) + 1];
    }
    result.firsts.push_back(static_cast<std::uint32_t>(result.weights.size()));
    for (std::size_t b = 1; b < result.starts.size(); ++b) result.starts[b] += result.starts[b - 1];
    for (std::size_t i = 0; i < between_.value.size(); ++i) {
        const int base = base_between_.empty() ? 0 : base_between_[i];
        result.transitions.push_back(
            static_cast<std::int16_t>(quantised(between_.value[i], 30000) + base));
    }
    return result;
}

}  // namespace sfumato::tagger
