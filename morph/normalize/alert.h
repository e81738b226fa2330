// Alerts: places of a text that look disguised. The rules: docs/text-rules.md, section 6.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "base/text_range.h"

namespace akin {

/// Something in the text that a careful author would not have caused: a sign of disguise or, as two_columns,
/// of a text that was not read as it was printed. The scanner raises
/// the first two, find_disguise (morph/disguise/disguise.h) the others, and mixed_script for whole words.
/// Stored as numbers (docs/index-format.md).
enum class AlertKind : std::uint8_t {
  zero_width,
  mixed_script,
  letter_spacing,
  digit_in_word,
  impossible_mark,
  two_columns,
  private_use,
  bidi_override,
  transliterated
};

inline constexpr std::array kAlertKinds = {
    AlertKind::zero_width,    AlertKind::mixed_script,    AlertKind::letter_spacing,
    AlertKind::digit_in_word, AlertKind::impossible_mark, AlertKind::two_columns,
    AlertKind::private_use,   AlertKind::bidi_override,   AlertKind::transliterated};

/// "zero_width" …
[[nodiscard]] constexpr std::string_view alert_name(AlertKind kind) noexcept {
  constexpr std::array<std::string_view, kAlertKinds.size()> kNames = {
      "zero_width",  "mixed_script", "letter_spacing", "digit_in_word", "impossible_mark",
      "two_columns", "private_use",  "bidi_override",  "transliterated"};
  return kNames[static_cast<std::size_t>(kind)];
}

struct Alert {
  AlertKind kind = AlertKind::zero_width;
  /// The word; of letter_spacing, the letters and what separates them; of two_columns, the lines; of
  /// bidi_override, from the override to what ends it.
  TextRange range;
};

/// At most this many alerts are listed; their numbers are always exact.
inline constexpr std::size_t kMaxAlerts = 1000;

/// Numbers of alerts by kind, listed or not.
class AlertCounts {
 public:
  [[nodiscard]] std::uint64_t operator[](AlertKind kind) const noexcept {
    return counts_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::uint64_t& operator[](AlertKind kind) noexcept {
    return counts_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::uint64_t total() const noexcept {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }

 private:
  std::array<std::uint64_t, kAlertKinds.size()> counts_{};
};

}  // namespace akin
