// The text as its author set it, made from the text as it arrived: without the traces of e-mail, of printed
// pages, of footnotes, of letterspacing and of overridden directions. The rules: docs/text-rules.md,
// section 8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin {

/// Replaces a range of a text, in bytes.
struct ArrivalEdit {
  std::uint32_t begin = 0, end = 0;
  std::string_view by;    ///< a literal
  bool backward = false;  ///< by its own characters in reverse order, each followed by its marks
};

/// An edited copy of a text, which knows where each of its characters was. Immutable.
class Arrangement {
 public:
  /// nullopt if there is nothing to undo, as in most texts. Requires well-formed UTF-8 of at most
  /// kMaxTextBytes. Takes linear time; up to a quarter of that of a scan.
  [[nodiscard]] static std::optional<Arrangement> of(std::string_view utf8);

  /// Applies edits, given in the order of the text; an edit that overlaps an earlier one is ignored. `utf8`
  /// must outlive it.
  Arrangement(std::string_view utf8, const std::vector<ArrivalEdit>& edits);

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// Code points of the original text.
  [[nodiscard]] std::uint32_t original_code_points() const noexcept { return code_points_; }
  class Places;

 private:
  /// From here to the next stretch, the characters of copy and original have the same sizes.
  struct Stretch {
    std::uint32_t code_point = 0, byte = 0;  ///< in the copy
    std::uint32_t original_code_point = 0, original_byte = 0;
    bool resized = false;  ///< the stretch is a character, which stands for one of another size
  };

  std::string_view original_;
  std::string text_;
  std::vector<Stretch> stretches_;
  std::uint32_t code_points_ = 0;
};

/// Where characters of the copy were in the original. Fast for places that ascend. The arrangement must
/// outlive it.
class Arrangement::Places {
 public:
  explicit Places(const Arrangement& of) : of_(of) {}

  /// The original's range for one of the copy that is not empty and that begins and ends with characters that
  /// the original has.
  [[nodiscard]] TextRange original(TextRange range) noexcept {
    if (code_points_.holds(range)) [[likely]]
      return code_points_.translated(range);
    return translate(range, &Stretch::code_point, &Stretch::original_code_point, code_points_);
  }
  /// The same for a range in bytes.
  [[nodiscard]] TextRange original_bytes(TextRange range) noexcept {
    if (bytes_.holds(range)) [[likely]]
      return bytes_.translated(range);
    return translate(range, &Stretch::byte, &Stretch::original_byte, bytes_);
  }
  /// The original's bytes for such a range, given as a view of the copy.
  [[nodiscard]] std::string_view original(std::string_view of_copy) noexcept;

 private:
  /// Places of the copy that are all equally far from those of the original.
  struct Run {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t original_begin = 0;
    [[nodiscard]] bool holds(TextRange range) const noexcept {
      return range.begin >= begin && range.end <= end;
    }
    [[nodiscard]] TextRange translated(TextRange range) const noexcept {
      return {range.begin - begin + original_begin, range.end - begin + original_begin};
    }
  };

  /// A range of the copy in the unit of `copy`, in that of `in_original`; sets `run` to the run of its end.
  [[nodiscard]] TextRange translate(TextRange range, std::uint32_t Stretch::*copy,
                                    std::uint32_t Stretch::*in_original, Run& run) noexcept;
  [[nodiscard]] const Stretch& at(std::uint32_t place, std::uint32_t Stretch::*field) noexcept;

  const Arrangement& of_;
  std::size_t last_ = 0;
  Run code_points_, bytes_;
};

}  // namespace akin
