// Damage to an LMDB data file, for tests: which bytes of it are of which table, single bits flipped, pages
// overwritten.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "index/lmdb/env/page_file.h"

namespace akin::test {

/// Bytes of the data file.
struct FileRegion {
  std::string table;
  bool is_entry =
      false;  ///< keys, values and their headers; otherwise the header and the directory of a page
  std::uint64_t begin = 0, size = 0;
};

class DamagedFile {
 public:
  /// A sound file that no process has open for writing.
  explicit DamagedFile(const std::filesystem::path& file);
  ~DamagedFile();
  DamagedFile(const DamagedFile&) = delete;
  DamagedFile& operator=(const DamagedFile&) = delete;

  /// Everything that the tables use now, the table of tables ("main") and the list of free pages ("free")
  /// included.
  [[nodiscard]] const std::vector<FileRegion>& regions() const noexcept { return regions_; }
  /// The pages in use, without the meta pages.
  [[nodiscard]] const std::vector<std::uint64_t>& pages() const noexcept { return pages_; }
  [[nodiscard]] std::string page(std::uint64_t number) const;

  /// Twice restores it.
  void flip(std::uint64_t byte, unsigned bit);
  void overwrite(std::uint64_t page, const std::string& bytes);

 private:
  void add_tree(const std::string& table, const lmdb::TreeRecord& tree);
  void add_page(const std::string& table, std::uint64_t number, unsigned depth);
  void add_entries(const std::string& table, std::uint64_t number, const lmdb::Page& page, unsigned depth);

  int file_;
  std::vector<FileRegion> regions_;
  std::vector<std::uint64_t> pages_;
};

}  // namespace akin::test
