// Fingerprints of strings that the collision study compares.
#pragma once

#include <cstdint>
#include <string_view>

namespace akin::experiments {

/// Karp and Rabin's fingerprint ("Efficient randomized pattern-matching algorithms", 1987): the string's
/// bytes as the digits of a number to a base, modulo a prime.
class KarpRabin {
 public:
  /// The largest prime of `bits` bits, and a base drawn once. Requires bits to be 32, 40, 48, 56 or 64.
  explicit KarpRabin(unsigned bits);

  /// By this prime, which exceeds 2^32 / 2. The base is drawn once, too.
  [[nodiscard]] static KarpRabin by(std::uint64_t prime);

  [[nodiscard]] std::uint64_t prime() const noexcept { return prime_; }
  [[nodiscard]] std::uint64_t base() const noexcept { return base_; }
  [[nodiscard]] std::uint64_t of(std::string_view bytes) const noexcept;

 private:
  KarpRabin(std::uint64_t prime, std::uint64_t base) : prime_(prime), base_(base) {}

  std::uint64_t prime_;
  std::uint64_t base_;
};

/// That of the program of "Shingle method" (text_search_cmp by A. Tsimbalov), whose table 3 counts its
/// collisions.
inline constexpr std::uint64_t kPaperPrime = 4'049'561'377;

/// CRC-32 as in zlib and Ethernet.
[[nodiscard]] std::uint64_t crc32_of(std::string_view bytes) noexcept;

/// CRC-64 of ECMA-182, reflected, as in xz.
[[nodiscard]] std::uint64_t crc64_of(std::string_view bytes) noexcept;

}  // namespace akin::experiments
