// Reads a .dic file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/read/affix.h"

namespace akin {

/// One line of a .dic file. The word is as affixes see it: ignored characters removed, reversed if
/// AffixData::reversed.
struct DictionaryEntry {
  std::u32string word;
  std::uint32_t flags_begin = 0;
  std::uint32_t flags_count = 0;
  std::string stem;  ///< the result of stem() for it: its st: field, else the word after OCONV; UTF-8
};

/// The entries in file order; the flags of all entries are in one array, those of an entry sorted.
struct WordList {
  std::vector<DictionaryEntry> entries;
  std::vector<Flag> flags;
  /// Whether no entry has a field other than st: that changes what stem() or an analysis gives (ds:, sp:,
  /// pa:).
  bool plain_fields = true;

  [[nodiscard]] std::span<const Flag> flags_of(const DictionaryEntry& entry) const noexcept {
    return std::span(flags).subspan(entry.flags_begin, entry.flags_count);
  }
};

/// `content` is the file's bytes; `file` only names it in errors. The count in the first line is not trusted.
/// Error: bad_dictionary with file and line.
[[nodiscard]] Result<WordList> read_dic(std::string_view content, const AffixData& affixes,
                                        const std::filesystem::path& file);

}  // namespace akin
