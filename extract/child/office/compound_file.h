// The container of old Office files (MS-CFB): a file system of sectors inside a file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/error.h"

namespace akin::extract {

/// The streams that its root holds; those of folders, where embedded objects are, are left out. Views into
/// the bytes, which must outlive it.
class CompoundFile {
 public:
  /// Error: file_damaged.
  [[nodiscard]] static Result<CompoundFile> read(std::string_view bytes);

  /// In either case. Names are of ASCII; other characters became '?'.
  [[nodiscard]] bool has(const std::string& name) const { return streams_.contains(ascii_lower(name)); }
  /// The bytes of a stream. Error: file_damaged (it is absent or cut off).
  [[nodiscard]] Result<std::string> stream(const std::string& name) const;

 private:
  struct Stream {
    std::uint32_t first = 0;
    std::uint64_t size = 0;
  };
  using Table = std::vector<std::uint32_t>;

  explicit CompoundFile(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] Result<void> read_tables();
  [[nodiscard]] Result<void> read_entries();
  /// Sector `number` of the file; shorter at its end, empty after it.
  [[nodiscard]] std::string_view sector(std::uint32_t number) const noexcept;
  /// The sectors from `first` on. Error: file_damaged (a loop, or a sector that does not exist).
  [[nodiscard]] Result<std::string> chain(std::uint32_t first) const;
  [[nodiscard]] Result<std::string> small_stream(const Stream& stream) const;
  [[nodiscard]] Result<Table> table_of(std::uint32_t first) const;

  std::string_view bytes_;
  unsigned sector_shift_ = 0;
  Table next_;                             ///< of each sector the next one
  Table small_next_;                       ///< the same of the sectors of small streams
  std::string small_;                      ///< what those sectors are parts of
  std::map<std::string, Stream> streams_;  ///< by names in lower case
};

}  // namespace akin::extract
