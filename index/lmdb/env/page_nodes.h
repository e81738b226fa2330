// The entries of a page of an LMDB data file. Layout: MDB_node in mdb.c of LMDB 0.9.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "index/lmdb/env/page_file.h"

namespace akin::lmdb {

/// An entry of a page, as far as its bytes lie inside the page.
struct Node {
  enum Flag : unsigned { kBigData = 1, kSubTree = 2 };

  std::string_view key;
  unsigned flags = 0;
  std::uint64_t child = 0;       ///< of a branch
  std::uint64_t value_size = 0;  ///< of a leaf, also if the value is on overflow pages
  std::string_view value;        ///< of a leaf: as stored in it
};

/// The entries of a page; nothing if they are not packed at its end one after another, without gaps. They
/// live as long as the page.
[[nodiscard]] std::optional<std::vector<Node>> decode_nodes(const Page& page);

/// The entries of a page one by one: decodes only those that are asked for.
class PageEntries {
 public:
  /// `page`: all its bytes, which must outlive this object. `kind`: Page::kBranch or Page::kLeaf; a page of
  /// another kind, or with a damaged header, has no entries.
  PageEntries(std::string_view page, unsigned kind) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// Nothing if it does not lie inside the page. Requires index < size().
  [[nodiscard]] std::optional<Node> at(std::size_t index) const noexcept;

 private:
  std::string_view page_;
  bool is_branch_;
  std::size_t count_ = 0;
};

}  // namespace akin::lmdb
