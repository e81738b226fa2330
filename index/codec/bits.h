// Fields of a few bits each, one after another, least significant bit first in little-endian words.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace akin {

/// The low `width` bits set; width 0 … 64.
[[nodiscard]] constexpr std::uint64_t low_bits(unsigned width) noexcept {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Appends fields to bytes; `finish` fills the last byte with zeros.
class BitWriter {
 public:
  explicit BitWriter(std::string& out) noexcept : out_(out) {}

  /// Requires value <= low_bits(width).
  void put(std::uint64_t value, unsigned width) {
    if (width == 0) return;
    pending_ |= value << used_;
    const unsigned room = 64 - used_;
    if (width < room) {
      used_ += width;
      return;
    }
    flush_word();
    pending_ = room == 64 ? 0 : value >> room;
    used_ = width - room;
  }
  /// `zeros` zero bits and a one.
  void put_unary(std::uint64_t zeros) {
    for (; zeros >= 63; zeros -= 63) put(0, 63);
    put(std::uint64_t{1} << zeros, static_cast<unsigned>(zeros) + 1);
  }
  void finish() {
    for (; used_ > 0; used_ -= used_ < 8 ? used_ : 8) {
      out_.push_back(static_cast<char>(pending_ & 0xffU));
      pending_ >>= 8;
    }
    pending_ = 0;
  }

 private:
  void flush_word() { append_u64(out_, pending_); }

  std::string& out_;
  std::uint64_t pending_ = 0;
  unsigned used_ = 0;
};

/// The field of `width` bits at bit `at`. Reads up to 9 bytes from at / 8 on, which the caller must provide.
[[nodiscard]] inline std::uint64_t get_bits(const char* bytes, std::size_t at, unsigned width) noexcept {
  const char* const from = bytes + at / 8;
  const auto shift = static_cast<unsigned>(at % 8);
  std::uint64_t word = load_u64(from) >> shift;
  if (shift + width > 64) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[8])) << (64 - shift);
  }
  return word & low_bits(width);
}

}  // namespace akin
