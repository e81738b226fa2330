// Walks the trees of an LMDB data file page by page and checks everything on which LMDB relies without
// looking: LMDB follows a damaged page out of the map, or fails an assertion, and so ends the process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/lmdb/env/page_nodes.h"

namespace akin::lmdb {

/// How values are checked, by the names of their tables.
struct ValueChecks {
  /// Whether a value in a page is sound.
  std::function<bool(std::string_view table, std::string_view key, std::string_view value)> is_sound;
  /// The checksum (crc32c) of what comes before a value on pages of its own, which ends with the checksum of
  /// both; nothing if it does not.
  std::function<std::optional<std::uint32_t>(std::string_view table, std::string_view key)> seed;
};

/// A part of the leaves: from a key of a table on, then those of the tables after it.
struct Slice {
  std::string table, key;   ///< where it begins
  std::uint64_t bytes = 0;  ///< it ends after the leaf, with its values, at which so many have been read
  std::uint64_t read = 0;   ///< pages of values included
  bool ended = false;       ///< before the last leaf: `table` and `key` are where the next one begins

  [[nodiscard]] bool is_full() const noexcept { return read >= bytes; }
};

/// The state that is walked must stay readable: a transaction of the environment sees it, or nobody writes.
class PageWalk {
 public:
  using Report = std::function<void(std::string where, std::string broken)>;

  PageWalk(const PageFile& file, const MetaPage& state, Report report);

  /// How much is read.
  enum class Extent : std::uint8_t {
    free_list,  ///< the list of free pages
    branches,   ///< also the table of tables, and every table without its leaves: about one page in 10,000
    everything
  };
  /// Checks, of each page: its number and kind; that its entries lie inside it, do not overlap and ascend,
  /// within the bounds of its parent; that no page is in two places or free and in use; that a tree has the
  /// pages and entries that are recorded of it. Returns the number of findings. May be called again. Error:
  /// io.
  [[nodiscard]] Result<std::uint64_t> run(Extent extent);

  /// Checks the leaves of a slice, and the branches that lead to them, like `run`, without what only a whole
  /// tree shows, and its values. Moves the slice to its end. Returns the number of findings. Error: io.
  [[nodiscard]] Result<std::uint64_t> run_slice(Slice& slice, const ValueChecks& checks);

  /// Requires `run`. Whether every page that the file should have, and does not, is free: LMDB does not write
  /// a page that one transaction has both taken and freed, even if it is the last one.
  [[nodiscard]] bool lacks_only_free_pages() const noexcept { return free_beyond_ == missing_; }
  [[nodiscard]] std::uint64_t missing_pages() const noexcept { return missing_; }

 private:
  struct Tree {
    std::string name;
    TreeRecord record;
    TreeRecord counted;
    bool leaves = true;      ///< whether leaves are read
    std::string table = {};  ///< the table's name; empty for LMDB's own trees
    bool sliced = false;
  };
  /// The keys that a page may have: from `low` on, and below `high` unless that is empty.
  struct Bounds {
    std::string low, high;
  };

  [[nodiscard]] Result<void> begin(Extent extent);
  void found(PageNumber page, const Tree& tree, const std::string& broken);
  [[nodiscard]] Result<void> walk(Tree tree);
  [[nodiscard]] Result<void> walk_page(PageNumber number, unsigned level, const Bounds& bounds, Tree& tree);
  [[nodiscard]] Result<void> walk_branch(PageNumber number, const std::vector<Node>& nodes, unsigned level,
                                         const Bounds& bounds, Tree& tree);
  [[nodiscard]] Result<void> walk_value(PageNumber number, const Node& node, Tree& tree);
  [[nodiscard]] Result<void> walk_table(const Node& node, const TreeRecord& record);
  void check_value(PageNumber number, const Node& node, const Tree& tree);
  [[nodiscard]] Result<void> check_large_value(PageNumber first, const Node& node, const Tree& tree);
  [[nodiscard]] Result<void> walk_overflow(PageNumber leaf, const Node& node, Tree& tree);
  void take_free(std::string_view list, PageNumber page, const Tree& tree);
  void check_keys(PageNumber number, const std::vector<Node>& nodes, const Bounds& bounds, const Tree& tree,
                  bool is_branch);
  /// Notes that a page is in use; false if it cannot be, which is reported.
  bool take(PageNumber number, const Tree& tree);

  const PageFile& file_;
  MetaPage state_;
  Report report_;
  Extent extent_ = Extent::everything;
  Slice* slice_ = nullptr;               ///< null: everything
  const ValueChecks* checks_ = nullptr;  ///< null: values are not checked
  std::uint64_t findings_ = 0;
  std::uint64_t missing_ = 0, free_beyond_ = 0;
  std::vector<bool> used_, free_;  ///< of the pages that the file has
};

}  // namespace akin::lmdb
