// What a group of an RTF inherits, and its table of colours.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/child/office/letter_look.h"
#include "extract/html/css_values.h"

namespace akin::extract {

/// Where text goes: `box` is a text box, `aside` what is left out, as the heads of pages, `label` what a list
/// writes in front of a paragraph, `code` that of a field.
enum class RtfPlace : std::uint8_t {
  body,
  footnote,
  box,
  aside,
  fonts,
  colours,
  styles,
  label,
  title,
  author,
  code,
  nowhere
};

/// What a group inherits, and restores at its end.
struct RtfState {
  RtfPlace place = RtfPlace::body;
  RtfPlace around = RtfPlace::nowhere;  ///< where the shape or object of the group is
  std::int32_t font = 0;
  std::int32_t skipped_after_unicode = 1;
  bool hidden = false, deleted = false, tiny = false, raised = false;
  bool relief = false;                            ///< embossed or engraved, which is drawn in white
  std::int32_t colour = -1;                       ///< its number; -1: automatic
  std::int32_t ground = 0, paragraph_ground = 0;  ///< numbers of colours; 0: none of their own
  bool narrow = false;                            ///< letters have less than a tenth of their width
  bool condensed = false, overlapped = false;     ///< blanks, or letters too, have none
  static constexpr std::array<std::string_view, 14> kLooks = {
      "b", "cb", "cf",        "charscalex", "chcbpat", "dn", "expndtw",
      "f", "fs", "highlight", "i",          "strike",  "ul", "up"};
  std::array<std::int32_t, kLooks.size()> looks{};  ///< what these words say of letters

  /// Takes what a word says of the width of letters.
  void read_width(std::string_view word, std::optional<std::int32_t> number) {
    constexpr std::int32_t kNarrow = 9;  // percent
    if (word == "plain") narrow = condensed = overlapped = false;
    if (word == "charscalex") narrow = number && *number <= kNarrow;
    if (word == "expndtw") {
      condensed = number && *number <= kWidthlessBlank;
      overlapped = number && *number <= kOverlappingLetters;
    }
  }

  void read_look(std::string_view word, std::optional<std::int32_t> number) {
    if (word == "plain") looks = {};
    if (const auto* const known = std::ranges::find(kLooks, word); known != kLooks.end())
      looks[static_cast<std::size_t>(known - kLooks.begin())] = number.value_or(1);
  }
  [[nodiscard]] std::size_t look() const {
    std::size_t hash = 0;
    for (const std::int32_t one : looks) hash = 31 * hash + static_cast<std::size_t>(one);
    return hash;
  }

  friend bool operator==(const RtfState&, const RtfState&) = default;
};

/// The table of colours.
class RtfColours {
 public:
  /// Takes a part of a colour.
  void read(std::string_view word, std::optional<std::int32_t> number) {
    constexpr std::array<std::string_view, 3> kParts = {"red", "green", "blue"};
    const auto* const part = std::ranges::find(kParts, word);
    if (part == kParts.end()) return;
    if (!last_) last_ = Colour{};
    (*last_)[static_cast<std::size_t>(part - kParts.begin())] = number.value_or(0);
  }
  void end_colour() { colours_.push_back(std::exchange(last_, std::nullopt)); }

  /// Whether letters of one colour cannot be distinguished on another, by their numbers. Automatic letters
  /// are seen, an automatic ground (0) is white.
  [[nodiscard]] bool are_same(std::int32_t letters, std::int32_t ground) const {
    const auto colour = at(letters);
    return colour && is_same_colour(*colour, ground == 0 ? kWhite : at(ground).value_or(kWhite));
  }

 private:
  [[nodiscard]] std::optional<Colour> at(std::int32_t number) const {
    const auto index = static_cast<std::size_t>(number);
    return number < 0 || index >= colours_.size() ? std::nullopt : colours_[index];
  }

  std::vector<std::optional<Colour>> colours_;
  std::optional<Colour> last_;
};

}  // namespace akin::extract
