// What may come after a word without more than one look at it.
#pragma once

#include <array>
#include <cstdint>

#include "dict/fold/characters.h"

namespace akin {

[[nodiscard]] inline bool is_white(CharInfo info) {
  return info.kind() == CharKind::space || info.kind() == CharKind::line_break;
}

/// Whether this character may change the one before it.
[[nodiscard]] inline bool touches_neighbour(CharInfo info) {
  return info.composes() || info.kind() >= CharKind::soft_hyphen;
}

/// What the first byte of a character says about it. Immutable and shared.
class Successors {
 public:
  static const Successors& instance() {
    static const Successors successors;
    return successors;
  }

  /// A blank or line feed.
  [[nodiscard]] bool is_blank(unsigned char byte) const noexcept { return (uses_[byte] & kBlank) != 0; }
  /// A mark of one byte that neither joins nor divides words.
  [[nodiscard]] bool is_mark(unsigned char byte) const noexcept { return (uses_[byte] & kMark) != 0; }
  /// A character that is not white space and cannot change what is before it.
  [[nodiscard]] bool may_follow_blank(unsigned char byte) const noexcept {
    return (uses_[byte] & kFollowsBlank) != 0;
  }

 private:
  static constexpr std::uint8_t kBlank = 1, kMark = 2, kFollowsBlank = 4;

  Successors() {
    const CharTable& table = CharTable::instance();
    const auto follows_blank = [&](char32_t c) {
      const CharInfo info = table[c];
      return !is_white(info) && !touches_neighbour(info) && info.kind() != CharKind::paragraph_break;
    };
    for (unsigned byte = 0; byte < 0x80; ++byte) {
      const CharInfo info = table[byte];
      const CharKind kind = info.kind();
      const bool is_mark = kind == CharKind::other || kind == CharKind::quote || kind == CharKind::dash;
      if (is_mark && !info.composes()) uses_[byte] |= kMark;
      if (follows_blank(byte)) uses_[byte] |= kFollowsBlank;
    }
    uses_[' '] = uses_['\n'] = kBlank;
    for (const unsigned lead : {0xd0U, 0xd1U}) {
      const char32_t first = (lead & 0x1fU) << 6U;
      bool all = true;
      for (char32_t c = first; c < first + 0x40; ++c) all = all && follows_blank(c);
      if (all) uses_[lead] = kFollowsBlank;
    }
  }

  std::array<std::uint8_t, 0x100> uses_{};
};

}  // namespace akin
