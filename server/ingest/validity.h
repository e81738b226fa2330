// Which texts are worth storing: neither too short nor too long, in the wanted languages, mostly letters.
// ("Detecting near-duplicates for automatically forming thematic text collections", which drops invalid texts
// before it compares.)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dict/dictionary.h"

namespace akin::ingest {

/// Why a text is not valid. Tested in this order; the first reason is reported.
enum class Invalid : std::uint8_t { no_words, too_short, too_long, few_letters, other_language };
inline constexpr std::array kAllInvalid = {Invalid::no_words, Invalid::too_short, Invalid::too_long,
                                           Invalid::few_letters, Invalid::other_language};

/// "too_short" …
[[nodiscard]] std::string_view invalid_name(Invalid reason) noexcept;

/// The requirements for a text, beyond that it has a word.
struct Validity {
  std::uint64_t min_length = 0;  ///< code points, as stored
  std::uint64_t max_length = 0;  ///< 0 = no limit
  double min_letters = 0.0;  ///< least share of letters and marks among the code points that are not white
  /// Least share of its words (those that begin with a letter, counted with repeats) that the dictionary's
  /// table has; tested only if there is a dictionary.
  double min_known = 0.0;
  std::shared_ptr<const Dictionary> dictionary = nullptr;

  [[nodiscard]] bool demands_nothing() const noexcept {
    return min_length == 0 && max_length == 0 && min_letters <= 0.0 && dictionary == nullptr;
  }
};

struct NotValid {
  Invalid reason = Invalid::too_short;
  std::string detail;  ///< "120 characters, at least 2000 are wanted"
};

/// Share of letters and combining marks among the code points that are not white space or controls; 0 for a
/// text without any. Requires well-formed UTF-8.
[[nodiscard]] double share_of_letters(std::string_view utf8) noexcept;

/// Share of the words that the dictionary's table has, among those that begin with a letter; 0 for a text
/// without such words. Errors: as scan_text.
[[nodiscard]] Result<double> share_of_known(std::string_view utf8, const Dictionary& dictionary);

/// Why a text is not valid; nothing if it is valid. Requires well-formed UTF-8. Errors: as scan_text.
[[nodiscard]] Result<std::optional<NotValid>> find_invalid(std::string_view utf8, const Validity& wanted);

}  // namespace akin::ingest
