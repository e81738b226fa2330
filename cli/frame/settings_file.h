// A configuration file: TOML 1.0 text as a list of keys, independent of the program's options.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::cli {

/// The type of a key's value.
enum class FileValue {
  text,
  number,   ///< whole or floating
  boolean,  ///< "true" or "false"
  list,     ///< of texts and numbers
  table,    ///< a section; its keys are entries of their own
  other,    ///< dates, times, lists of other things: no option takes one
};

/// One key. `section` is the names of the tables around it, joined by dots, empty at the top.
struct FileEntry {
  std::string section;
  std::string key;
  FileValue kind = FileValue::other;
  std::vector<std::string> values;  ///< one, or those of a list; numbers in decimal
  std::size_t line = 0;             ///< from 1
};

/// The largest file that is read, in bytes.
inline constexpr std::size_t kMaxSettingsBytes = std::size_t{1} << 20;

/// The keys of a text in the order of their lines. Error: invalid_argument, which names `name`, line and
/// column (not TOML, a key given twice).
[[nodiscard]] Result<std::vector<FileEntry>> parse_settings(std::string_view text, const std::string& name);

/// The same for a file. Further errors: not_found, io, too_large.
[[nodiscard]] Result<std::vector<FileEntry>> read_settings_file(const std::filesystem::path& path);

/// `text` as a TOML string in quotes.
[[nodiscard]] std::string toml_string(std::string_view text);

}  // namespace akin::cli
