// Which words of people's texts are words of their own, in one pass over the texts.
//
// What a word is, and when two are the same, the caller says by a table of symbols: words are runs
// of letters or of digits, or single symbols of scripts without blanks; each symbol is read as what
// the table folds it into. Symbols that show nothing belong to the word before them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/pulse.hpp"
#include "text/own_terms.hpp"
#include "text/unicode_text.hpp"

namespace sfumato {

enum SymbolKind : std::uint8_t { between, letter, digit, single, unseen };

// Of every symbol its kind and what it is read as: symbols[starts[i] .. starts[i + 1]).
class SymbolTable {
  public:
    SymbolTable(const std::uint32_t* points, const std::uint8_t* kinds, const std::int64_t* starts,
                const std::uint32_t* symbols, std::int64_t count)
        : kinds_(kinds), starts_(starts), symbols_(symbols) {
        numbers_.assign(count > 0 ? points[count - 1] + 1 : 0, -1);
        for (std::int64_t i = 0; i < count; ++i) numbers_[points[i]] = static_cast<std::int32_t>(i);
    }

    SymbolKind kind(std::uint32_t symbol) const {
        const std::int32_t number = at(symbol);
        return number < 0 ? between : static_cast<SymbolKind>(kinds_[number]);
    }

    template <class Take>
    void read_as(std::uint32_t symbol, Take&& take) const {
        const std::int32_t number = at(symbol);
        if (number < 0) return;
        for (std::int64_t i = starts_[number]; i < starts_[number + 1]; ++i) take(symbols_[i]);
    }

  private:
    std::int32_t at(std::uint32_t symbol) const {
        return symbol < numbers_.size() ? numbers_[symbol] : -1;
    }

    const std::uint8_t* kinds_;
    const std::int64_t* starts_;
    const std::uint32_t* symbols_;
    std::vector<std::int32_t> numbers_;
};

struct OwnWords {
    std::vector<std::int64_t> documents, starts, stops;
    std::vector<std::int64_t> pairs;     // which (person, word) stands there
    std::vector<std::int64_t> ordinals;  // the word's place among all words of its document
    std::vector<std::uint8_t> glued;     // 1: to the word before, 2: to the word behind
};

inline std::uint64_t mixed(std::uint64_t hash, std::uint32_t symbol) {
    return (hash ^ symbol) * 0x100000001b3ULL;
}
constexpr std::uint64_t no_symbol = 0xcbf29ce484222325ULL;

class OwnWordSearch {
  public:
    OwnWordSearch(const SymbolTable& table, const Documents& words,
                  const std::int32_t* word_of_pair, const Grouped& owned)
        : table_(table), words_(words), word_of_pair_(word_of_pair), owned_(owned) {}

    // The words that the next documents are searched for.
    void of(std::int32_t person) {
        wanted_.clear();
        for (const std::int64_t* pair = owned_.begin(person); pair != owned_.end(person); ++pair)
            read(words_[word_of_pair_[*pair]], [&](const auto* word) {
                std::uint64_t hash = no_symbol;
                for (std::int64_t i = 0; i < words_[word_of_pair_[*pair]].length; ++i)
                    hash = mixed(hash, word[i]);
                wanted_.emplace(hash, *pair);
            });
    }

    void find(const Documents& texts, std::int64_t document, OwnWords& found) {
        if (wanted_.empty()) return;
        ordinal_ = 0;
        open_ = between;
        last_ = closed_ = -1;
        read(texts[document], [&](const auto* text) {
            for (std::int64_t at = 0; at < texts[document].length; ++at)
                take(text[at], at, document, found);
        });
        close(document, found);
    }

  private:
    void take(std::uint32_t symbol, std::int64_t at, std::int64_t document, OwnWords& found) {
        const SymbolKind kind = table_.kind(symbol);
        if (kind == unseen) {
            if (open_ != between) stop_ = at + 1;
            return;
        }
        if (kind != open_ || kind == single) {
            close(document, found);
            if (kind == between) return;
            joined_ = at == closed_ && joins(kind) && joins(before_);
            if (joined_ && last_ >= 0) found.glued[last_] |= 2;
            open_ = kind;
            start_ = at;
            hash_ = no_symbol;
            read_.clear();
        }
        stop_ = at + 1;
        if (kind == between) return;
        table_.read_as(symbol, [&](std::uint32_t one) {
            hash_ = mixed(hash_, one);
            read_.push_back(one);
        });
    }

    static bool joins(SymbolKind kind) { return kind == letter || kind == digit; }

    void close(std::int64_t document, OwnWords& found) {
        last_ = -1;
        if (open_ == between) return;
        const auto same = wanted_.equal_range(hash_);
        for (auto one = same.first; one != same.second; ++one) {
            if (!is(one->second)) continue;
            last_ = static_cast<std::int64_t>(found.documents.size());
            found.documents.push_back(document);
            found.starts.push_back(start_);
            found.stops.push_back(stop_);
            found.pairs.push_back(one->second);
            found.ordinals.push_back(ordinal_);
            found.glued.push_back(joined_ ? 1 : 0);
        }
        ++ordinal_;
        closed_ = stop_;
        before_ = open_;
        open_ = between;
    }

    bool is(std::int64_t pair) const {
        const Text& word = words_[word_of_pair_[pair]];
        if (word.length != static_cast<std::int64_t>(read_.size())) return false;
        return read(word, [&](const auto* symbols) {
            for (std::size_t i = 0; i < read_.size(); ++i)
                if (symbols[i] != read_[i]) return false;
            return true;
        });
    }

    const SymbolTable& table_;
    const Documents& words_;
    const std::int32_t* word_of_pair_;
    const Grouped& owned_;
    std::unordered_multimap<std::uint64_t, std::int64_t> wanted_;
    std::vector<std::uint32_t> read_;  // the open word as it is read
    std::uint64_t hash_ = no_symbol;
    SymbolKind open_ = between, before_ = between;
    bool joined_ = false;
    std::int64_t start_ = 0, stop_ = 0, closed_ = -1, ordinal_ = 0, last_ = -1;
};

// `person` of every document and of every pair of a person and a word.
inline OwnWords own_words(const Documents& texts, const std::int32_t* person_of_text,
                          const SymbolTable& table, const Documents& words,
                          const std::int32_t* word_of_pair, const std::int32_t* person_of_pair,
                          std::int64_t pairs, std::int64_t people, Pulse& pulse) {
    const Grouped documents(person_of_text, texts.count(), people);
    const Grouped owned(person_of_pair, pairs, people);
    OwnWordSearch search(table, words, word_of_pair, owned);
    OwnWords found;
    for (std::int32_t person = 0; person < people; ++person) {
        search.of(person);
        for (const std::int64_t* d = documents.begin(person); d != documents.end(person); ++d) {
            search.find(texts, *d, found);
            pulse(texts[*d].length + 1);
        }
    }
    return found;
}

}  // namespace sfumato
