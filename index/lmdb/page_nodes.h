// The entries of a page of an LMDB data file. Layout: MDB_node in mdb.c of LMDB 0.9.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "index/lmdb/page_file.h"

namespace akin::lmdb {

/// An entry of a page, as far as its bytes lie inside the page.
struct Node {
  enum Flag : unsigned { kBigData = 1, kSubTree = 2, kDuplicates = 4 };

  std::string_view key;
  unsigned flags = 0;
  std::uint64_t child = 0;       ///< of a branch
  std::uint64_t value_size = 0;  ///< of a leaf, also if the value is on overflow pages
  std::string_view value;        ///< of a leaf: as stored in it
};

/// The entries of a page; nothing if they are not packed at its end one after another, without gaps. They
/// live as long as the page.
[[nodiscard]] std::optional<std::vector<Node>> decode_nodes(const Page& page);

/// Those of a page with keys of one size, which have no headers.
[[nodiscard]] std::optional<std::vector<Node>> decode_fixed_keys(const Page& page);

}  // namespace akin::lmdb
