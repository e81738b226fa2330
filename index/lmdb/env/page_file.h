// The pages of an LMDB data file, read with pread and never through the map, so that a file that is too short
// or damaged gives errors instead of SIGBUS or a failed assertion of LMDB. Layout: LMDB 0.9, data version 1,
// as in mdb.c of https://git.openldap.org/openldap/openldap/-/tree/mdb.RE/0.9; pages have no checksums there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"

namespace akin::lmdb {

using PageNumber = std::uint64_t;

/// The root of a tree without pages.
inline constexpr PageNumber kNoPage = ~PageNumber{0};

/// What a tree's parent (a meta page, or the table of tables) records of it.
struct TreeRecord {
  std::uint16_t flags = 0, depth = 0;
  std::uint64_t branch_pages = 0, leaf_pages = 0, overflow_pages = 0, entries = 0;
  PageNumber root = kNoPage;
  friend bool operator==(const TreeRecord&, const TreeRecord&) = default;
};

/// One state of the environment.
struct MetaPage {
  TreeRecord free, main;
  PageNumber last_page = 0;
  std::uint64_t txn = 0;
  friend bool operator==(const MetaPage&, const MetaPage&) = default;
  friend bool operator<(const MetaPage& left, const MetaPage& right) noexcept { return left.txn < right.txn; }
};

/// Bytes of one record of a tree.
inline constexpr std::size_t kTreeRecordBytes = 48;
/// Requires that many bytes.
[[nodiscard]] TreeRecord decode_tree_record(const char* bytes) noexcept;

/// A page with its number, or several consecutive ones. The header is that of the first.
class Page {
 public:
  static constexpr std::size_t kHeaderBytes = 16;
  static constexpr std::size_t kFlagsAt = 10, kLowerAt = 12;
  enum Flag : unsigned { kBranch = 1, kLeaf = 2, kOverflow = 4 };

  explicit Page(std::string bytes) noexcept : bytes_(std::move(bytes)) {}
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] PageNumber number() const noexcept;
  [[nodiscard]] unsigned flags() const noexcept;
  [[nodiscard]] unsigned lower() const noexcept;
  [[nodiscard]] unsigned upper() const noexcept;
  [[nodiscard]] std::uint32_t overflow_pages() const noexcept;

 private:
  std::string bytes_;
};

/// Borrows a descriptor of the file.
class PageFile {
 public:
  /// Error: corrupt (not a data file), io.
  [[nodiscard]] static Result<PageFile> open(int file, std::string name);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::size_t page_bytes() const noexcept { return page_bytes_; }
  /// Bytes of the file now.
  [[nodiscard]] Result<std::uint64_t> size() const;
  /// The newest state, or that of one transaction, if the file still has it.
  [[nodiscard]] Result<std::optional<MetaPage>> meta(std::optional<std::uint64_t> txn = {}) const;
  /// `count` pages; nothing if they are not all inside the file.
  [[nodiscard]] Result<std::optional<Page>> pages(PageNumber first, std::uint64_t count = 1) const;

 private:
  PageFile(int file, std::string name) noexcept : file_(file), name_(std::move(name)) {}
  /// As many as there are.
  [[nodiscard]] Result<std::string> read(std::uint64_t at, std::size_t count) const;

  int file_;
  std::string name_;
  std::size_t page_bytes_ = 4096;
};

}  // namespace akin::lmdb
