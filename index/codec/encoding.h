// Bytes of the store's values: variable-width numbers, a checksum, and a reader that never reads beyond its
// bytes. Grammar: docs/index-format.md.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/hash.h"

namespace akin {

/// Seven bits a byte, least significant first, the top bit set on all bytes but the last.
inline void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

inline void append_counted(std::string& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out.append(bytes);
}

/// Signed differences as small unsigned numbers: 0, -1, 1, -2 … become 0, 1, 2, 3 …
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1U);
}

/// Detects damage, not malice: mix64 chained over the bytes as little-endian words, the last one filled with
/// zeros, after the length; its upper half.
[[nodiscard]] inline std::uint32_t checksum(std::string_view bytes) noexcept {
  std::uint64_t state = mix64(bytes.size() ^ 0x9e3779b97f4a7c15U);
  std::size_t at = 0;
  for (; bytes.size() - at >= 8; at += 8) state = mix64(state ^ load_u64(bytes.data() + at));
  char tail[8] = {};
  if (at < bytes.size()) std::memcpy(tail, bytes.data() + at, bytes.size() - at);
  return static_cast<std::uint32_t>(mix64(state ^ load_u64(tail)) >> 32);
}

inline constexpr std::size_t kChecksumBytes = 4;

inline void append_checksum(std::string& out) { append_u32(out, checksum(out)); }

/// The bytes before the checksum at the end; nothing if the checksum is missing or wrong.
[[nodiscard]] inline std::optional<std::string_view> without_checksum(std::string_view bytes) noexcept {
  if (bytes.size() < kChecksumBytes) return std::nullopt;
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (checksum(body) != load_u32(bytes.data() + body.size())) return std::nullopt;
  return body;
}

/// Reads from the front of a view. The first read beyond the bytes makes the reader fail: from then on it
/// returns zeros and empty views, and ok() is false. So a decoder may continue reading and test once; only
/// sizes that it allocates must be tested before.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  /// Everything was read, and nothing was missing.
  [[nodiscard]] bool finished() const noexcept { return ok_ && rest_.empty(); }
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }

  [[nodiscard]] std::string_view bytes(std::uint64_t count) noexcept {
    if (count > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view result = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(result.size());
    return result;
  }
  [[nodiscard]] std::uint8_t u8() noexcept {
    const std::string_view one = bytes(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one[0]);
  }
  [[nodiscard]] std::uint32_t u32() noexcept {
    const std::string_view four = bytes(4);
    return four.empty() ? 0 : load_u32(four.data());
  }
  [[nodiscard]] std::uint64_t u64() noexcept {
    const std::string_view eight = bytes(8);
    return eight.empty() ? 0 : load_u64(eight.data());
  }
  /// Fails on more than 64 bits and on a form that is longer than needed: every number has one encoding.
  [[nodiscard]] std::uint64_t varint() noexcept {
    if (rest_.size() >= 8) {
      const std::uint64_t eight = load_u64(rest_.data());
      const std::uint64_t ends = ~eight & 0x8080808080808080U;
      if (ends != 0) return short_varint(eight, static_cast<unsigned>(std::countr_zero(ends)) / 8);
    }
    return any_varint();
  }
  /// What has not been read yet.
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
  [[nodiscard]] std::string_view counted() noexcept { return bytes(varint()); }

 private:
  /// Of 8 bytes: the number that ends with byte `last`.
  [[nodiscard]] std::uint64_t short_varint(std::uint64_t eight, unsigned last) noexcept {
    std::uint64_t bits = eight & (~std::uint64_t{0} >> (56 - 8 * last)) & 0x7f7f7f7f7f7f7f7fU;
    if (last > 0 && bits >> (8 * last) == 0) {
      fail();
      return 0;
    }
    rest_.remove_prefix(last + 1);
    // Groups of seven bits move together, in pairs, fours and eights.
    bits = (bits & 0x007f007f007f007fU) | (bits & 0x7f007f007f007f00U) >> 1U;
    bits = (bits & 0x00003fff00003fffU) | (bits & 0x3fff00003fff0000U) >> 2U;
    return (bits & 0x000000000fffffffU) | (bits & 0x0fffffff00000000U) >> 4U;
  }
  [[nodiscard]] std::uint64_t any_varint() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = u8();
      const std::uint64_t bits = byte & 0x7fU;
      if (!ok_ || (shift == 63 && bits > 1)) break;
      value |= bits << shift;
      if ((byte & 0x80U) == 0) {
        if (byte == 0 && shift != 0) break;
        return value;
      }
    }
    fail();
    return 0;
  }
  void fail() noexcept {
    ok_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace akin
