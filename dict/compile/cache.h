// Compiled tables on disk: one file for each set of dictionary contents, found again without reading the
// dictionaries.
//
// `<fingerprint>.dict` is a table (format.h). `<name>.stamp` belongs to one list of files and records that
// when these files had these sizes, times and inodes, their contents had these digests, and the table, which
// then had that size, time and inode, was intact. As long as none of this has changed, opening reads neither
// the dictionaries nor the table's body. `<fingerprint>.sources` are the contents that the table was compiled
// from (packed_sources.h), which collections keep. `<name>.parts` are the parts of a dictionary's compounds
// (dict/ask/compounds/compound_parts.h), found when a word is first split. All kinds of file are written
// under a temporary name, synced and renamed, so other processes see a complete file or none, and two
// processes that build the same table replace each other's file by an equal one.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "dict/table/content_hash.h"
#include "dict/table/table.h"

namespace akin {

/// What a stamp vouches for.
struct Stamp {
  Digest files;                 ///< FileStates::digest when the contents were read
  Digest fingerprint;           ///< of the contents
  Digest table;                 ///< file_state of the table file when its body was checked
  std::vector<Digest> sources;  ///< SourceContent::digest by place in the list of files
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

/// Size, times and inode of files, as one digest. Nothing if one cannot be read. `settled` is false while
/// some file is so recent that it could still change without its times changing.
struct FileStates {
  Digest digest;
  bool settled = false;
};
[[nodiscard]] std::optional<FileStates> file_states(std::span<const std::filesystem::path> files);

/// One folder of tables and stamps. Failures to read or write are not errors here: a table that cannot be
/// cached is built again.
class TableCache {
 public:
  /// $AKIN_CACHE, $XDG_CACHE_HOME/akin, ~/.cache/akin, else a folder in /tmp that only this user can write.
  /// Created if needed; if that fails, nothing is cached.
  [[nodiscard]] static TableCache open(const std::filesystem::path& configured);

  [[nodiscard]] std::filesystem::path table_path(const Digest& fingerprint) const;

  [[nodiscard]] std::optional<Stamp> read_stamp(const Digest& name) const;
  void write_stamp(const Digest& name, const Stamp& stamp) const;

  /// The table that the stamp describes; nothing if it is missing or has changed.
  [[nodiscard]] std::optional<WordClassTable> open_stamped(const Stamp& stamp) const;

  /// The table with this fingerprint, after a check of its whole content; a damaged file is removed.
  [[nodiscard]] std::optional<WordClassTable> open_checked(const Digest& fingerprint) const;

  /// The pack with this Dictionary::synonym_fingerprint, or nothing if it is missing or damaged.
  [[nodiscard]] std::optional<std::string> read_sources(std::string_view fingerprint) const;
  void write_sources(std::string_view fingerprint, std::string_view packed) const;

  /// The bytes of a file of parts, unchecked; nothing if it is missing.
  [[nodiscard]] std::optional<std::string> read_parts(const Digest& name) const;
  void write_parts(const Digest& name, std::string_view bytes) const;

  /// Writes the table and opens it from the file; nothing if that fails. First removes files that nobody has
  /// read for 90 days, by their times of access, or of their making where the file system keeps no access.
  [[nodiscard]] std::optional<WordClassTable> publish(const Digest& fingerprint,
                                                      std::span<const char> image) const;

 private:
  explicit TableCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] bool replace_file(const std::filesystem::path& path, std::span<const char> content) const;
  void remove_unused() const;

  std::filesystem::path folder_;  // empty: nothing is cached
};

}  // namespace akin
