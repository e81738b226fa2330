// A fast 128-bit hash of file contents, for cache keys and fingerprints. It distinguishes files that differ
// by accident or by an edit; it is not a defence against someone who constructs collisions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace akin {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

/// Four independent lanes of (lane ^ word) * odd constant with a rotation, eight bytes each: every step is a
/// bijection of its lane, so contents that differ in one word differ in the digest. Reads bytes in the
/// machine's order.
[[nodiscard]] Digest content_hash(std::string_view bytes) noexcept;

[[nodiscard]] std::string to_hex(const Digest& digest);

/// A digest over a sequence of parts, in which the boundaries between parts count.
class DigestBuilder {
 public:
  void add(std::string_view part) { add(content_hash(part)); }
  void add(const Digest& part) noexcept;
  void add(std::uint64_t number) noexcept { add(Digest{number, 1}); }
  [[nodiscard]] Digest digest() const noexcept { return state_; }

 private:
  Digest state_{0x243f6a8885a308d3U, 0x13198a2e03707344U};
};

}  // namespace akin
