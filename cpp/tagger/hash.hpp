// Hashes of words and features; 64 bits, the same on every machine.
#pragma once

#include <cstdint>

namespace sfumato::tagger {

inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

inline std::uint64_t joined(std::uint64_t a, std::uint64_t b) {
    return mixed(a * 0x9E3779B97F4A7C15u + b);
}

// A sequence of symbols, one after the other.
struct Hash {
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    void add(std::uint32_t symbol) { state = (state ^ symbol) * 0x100000001B3u; }
    std::uint64_t value() const { return mixed(state); }
};

// The same numbers in the same order on every machine.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  private:
    std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15u); }
    std::uint64_t state_;
};

}  // namespace sfumato::tagger
