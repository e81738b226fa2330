// Reads a text as folded characters, one after another, each with its place in the text. Word folding and the
// scanner both read through it, so they cannot disagree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dict/fold/characters.h"

namespace akin {

/// A character after folding. One source character may give several, and several may give one; all characters
/// of one cluster carry the range of the whole cluster.
struct FoldedChar {
  char32_t letter = 0;
  std::uint32_t code_point_offset = 0, byte_offset = 0;  ///< place of its source
  std::uint16_t code_points = 0, bytes = 0;              ///< size of its source
  CharKind kind = CharKind::other;  ///< never ignorable or soft_hyphen: those are skipped
  std::uint8_t scripts = kNoScript;
  bool zero_width = false;   ///< ignorable characters were before it or inside its cluster
  bool soft_hyphen = false;  ///< a soft hyphen was before it
};

/// Forward reader over well-formed UTF-8 of less than 2^32 bytes. The text must outlive it.
class FoldedReader {
 public:
  FoldedReader() : table_(&CharTable::instance()) {}

  /// Starts on a new text; reuses the buffers.
  void reset(std::string_view utf8) {
    text_ = utf8;
    at_ = 0;
    code_point_ = 0;
    queue_at_ = 0;
    queue_.clear();
    peek();
  }

  /// Gives the next character; false at the end of the text.
  bool next(FoldedChar& out) {
    if (queue_at_ < queue_.size()) {
      out = queue_[queue_at_++];
      return true;
    }
    for (;;) {
      if (!has_next_) return false;
      const Peeked current = next_;
      peek();
      if (!current.info.composes() && !(has_next_ && next_.info.composes())) [[likely]] {
        out = simple(current);
        return true;
      }
      if (fold_cluster(current, out)) return true;
    }
  }

  /// A place in the text.
  struct Place {
    std::uint32_t byte = 0, code_point = 0;
  };

  /// The place of the next character, unless it is part of a cluster that was begun or comes after something
  /// dropped.
  [[nodiscard]] std::optional<Place> place() const noexcept {
    if (queue_at_ < queue_.size() || !has_next_ || next_.zero_width || next_.soft_hyphen) return std::nullopt;
    return Place{next_.byte_offset, next_.code_point_offset};
  }
  /// The properties of the character at `place`. Requires that there is one.
  [[nodiscard]] CharInfo at_place() const noexcept { return next_.info; }

  /// Continues from another place after `place`, where a cluster begins.
  void seek(Place place) {
    at_ = place.byte;
    code_point_ = place.code_point;
    has_next_ = false;
    peek();
  }

  /// Code points read so far; after `next` returned false, the number in the text.
  [[nodiscard]] std::uint32_t code_points() const noexcept { return code_point_; }

 private:
  struct Peeked {
    char32_t letter = 0;
    CharInfo info;
    std::uint32_t byte_offset = 0, code_point_offset = 0;
    std::uint32_t bytes = 0;
    bool zero_width = false, soft_hyphen = false;
  };

  static FoldedChar simple(const Peeked& c) {
    return {c.info.folded(),
            c.code_point_offset,
            c.byte_offset,
            1,
            static_cast<std::uint16_t>(c.bytes),
            c.info.kind(),
            c.info.scripts(),
            c.zero_width,
            c.soft_hyphen};
  }

  /// Decodes the next character that is not skipped into next_.
  void peek() {
    next_.zero_width = false;
    next_.soft_hyphen = false;
    for (;;) {
      if (at_ >= text_.size()) {
        has_next_ = false;
        return;
      }
      const std::size_t start = at_;
      const char32_t c = decode(at_);
      const CharInfo info = (*table_)[c];
      const std::uint32_t place = code_point_++;
      if (info.kind() >= CharKind::soft_hyphen) [[unlikely]] {
        (info.kind() == CharKind::soft_hyphen ? next_.soft_hyphen : next_.zero_width) = true;
        continue;
      }
      next_.letter = c;
      next_.info = info;
      next_.byte_offset = static_cast<std::uint32_t>(start);
      next_.code_point_offset = place;
      next_.bytes = static_cast<std::uint32_t>(at_ - start);
      has_next_ = true;
      return;
    }
  }

  char32_t decode(std::size_t& at) const {
    const auto byte = [&](std::size_t i) {
      return static_cast<char32_t>(static_cast<unsigned char>(text_[at + i]));
    };
    const char32_t lead = byte(0);
    char32_t c = lead;
    if (lead < 0x80) {
      at += 1;
    } else if (lead < 0xe0) {
      c = (lead & 0x1fU) << 6U | (byte(1) & 0x3fU);
      at += 2;
    } else if (lead < 0xf0) {
      c = (lead & 0xfU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
      at += 3;
    } else {
      c = (lead & 7U) << 18U | (byte(1) & 0x3fU) << 12U | (byte(2) & 0x3fU) << 6U | (byte(3) & 0x3fU);
      at += 4;
    }
    return c;
  }

  /// Folds the cluster that begins with `first` and gives its first character; false if nothing of it is
  /// left.
  bool fold_cluster(const Peeked& first, FoldedChar& out);

  std::string_view text_;
  const CharTable* table_;
  std::size_t at_ = 0;
  std::uint32_t code_point_ = 0;
  bool has_next_ = false;
  Peeked next_;
  ClusterFolder folder_;
  std::vector<char32_t> cluster_;
  std::vector<FoldedChar> queue_;
  std::size_t queue_at_ = 0;
};

}  // namespace akin
