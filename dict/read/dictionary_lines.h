// Numbered lines of a dictionary file, and the error that names one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// Walks over the lines of a file's content, which must outlive it. A byte order mark and line ends (LF, CR
/// LF) are not part of a line.
class DictionaryLines {
 public:
  explicit DictionaryLines(std::string_view content);

  /// Moves to the next line; false at the end.
  [[nodiscard]] bool next();

  [[nodiscard]] std::string_view line() const noexcept { return line_; }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }  ///< from 1

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// Cuts the next field, bounded by blanks and tabs, off the front of `rest`; empty at the end.
[[nodiscard]] std::string_view next_field(std::string_view& rest);

/// Of one file of a dictionary.
inline constexpr std::size_t kMaxDictionaryBytes = std::size_t{512} << 20;

/// Errc::bad_dictionary for one line of a file.
[[nodiscard]] Error bad_line(const std::filesystem::path& file, std::size_t line, std::string reason);

}  // namespace akin
