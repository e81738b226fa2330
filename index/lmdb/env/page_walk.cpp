#include "index/lmdb/env/page_walk.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "index/lmdb/env/checked_value.h"

namespace akin::lmdb {

namespace {

constexpr std::uint16_t kIntegerKeys = 8;
constexpr unsigned kDeepest = 32;  // LMDB's cursors have room for that many levels

}  // namespace

PageWalk::PageWalk(const PageFile& file, const MetaPage& state, Report report)
    : file_(file), state_(state), report_(std::move(report)) {}

void PageWalk::found(PageNumber page, const Tree& tree, const std::string& broken) {
  ++findings_;
  if (report_) report_(file_.name() + ", page " + std::to_string(page) + " (" + tree.name + ")", broken);
}

Result<void> PageWalk::begin(Extent extent) {
  extent_ = extent;
  findings_ = missing_ = free_beyond_ = 0;
  AKIN_TRY(const std::uint64_t bytes, file_.size());
  const std::uint64_t present = bytes / file_.page_bytes();
  if (state_.last_page >= present) missing_ = state_.last_page - present + 1;
  used_.assign(present, false);
  free_.assign(present, false);
  return {};
}

Result<std::uint64_t> PageWalk::run(Extent extent) {
  AKIN_CHECK(begin(extent));
  AKIN_CHECK(walk({"the list of free pages", state_.free, {}, true}));
  if (extent != Extent::free_list) AKIN_CHECK(walk({"the table of tables", state_.main, {}, true}));
  return findings_;
}

Result<std::uint64_t> PageWalk::run_slice(Slice& slice, const ValueChecks& checks) {
  AKIN_CHECK(begin(Extent::everything));
  slice.read = 0;
  slice.ended = false;
  slice_ = &slice;
  checks_ = &checks;
  const Result<void> walked = walk({"the table of tables", state_.main, {}, true});
  slice_ = nullptr;
  checks_ = nullptr;
  AKIN_CHECK(walked);
  return findings_;
}

Result<void> PageWalk::walk(Tree tree) {
  if (tree.record.root == kNoPage) {
    if (tree.record.entries != 0) found(kNoPage, tree, "it has entries, but no root");
    return {};
  }
  if (tree.record.depth == 0 || tree.record.depth > kDeepest) {
    found(tree.record.root, tree, "its tree has an impossible depth");
    return {};
  }
  const std::uint64_t before = findings_;
  AKIN_CHECK(walk_page(tree.record.root, 1, {}, tree));
  if (findings_ != before || tree.sliced) return {};
  const TreeRecord& is = tree.counted;
  const TreeRecord& said = tree.record;
  if (is.branch_pages != said.branch_pages)
    found(said.root, tree, "its tree has another number of branch pages");
  if (!tree.leaves && said.depth > 1) return {};
  if (is.leaf_pages != said.leaf_pages) found(said.root, tree, "its tree has another number of leaves");
  if (tree.leaves && is.overflow_pages != said.overflow_pages)
    found(said.root, tree, "its tree has another number of overflow pages");
  if (is.entries != said.entries) found(said.root, tree, "its tree has another number of entries");
  return {};
}

bool PageWalk::take(PageNumber number, const Tree& tree) {
  if (number >= used_.size() || number < 2 || number > state_.last_page) {
    found(number, tree, "the file does not have this page");
    return false;
  }
  if (used_[number] || free_[number]) {
    found(number, tree, used_[number] ? "the page is in use elsewhere too" : "the page is in use and free");
    return false;
  }
  used_[number] = true;
  return true;
}

Result<void> PageWalk::walk_page(PageNumber number, unsigned level, const Bounds& bounds, Tree& tree) {
  if (!take(number, tree)) return {};
  const bool is_leaf = level == tree.record.depth;
  if (is_leaf && !tree.leaves && level > 1) return {};
  AKIN_TRY(const std::optional<Page> page, file_.pages(number));
  if (is_leaf && slice_ != nullptr) slice_->read += file_.page_bytes();
  if (!page) {
    found(number, tree, "the file ends before it");
    return {};
  }
  if (page->number() != number) {
    found(number, tree, "it has the content of page " + std::to_string(page->number()));
    return {};
  }
  if (page->flags() != (is_leaf ? Page::kLeaf : Page::kBranch)) {
    found(number, tree, std::string("it should be a ") + (is_leaf ? "leaf" : "branch") + " and is not");
    return {};
  }
  const auto nodes = decode_nodes(*page);
  if (!nodes || nodes->empty()) {
    found(number, tree, "its entries do not fill it as its header says");
    return {};
  }
  const std::uint64_t before = findings_;
  check_keys(number, *nodes, bounds, tree, !is_leaf);
  if (findings_ != before) return {};
  if (!is_leaf) return walk_branch(number, *nodes, level, bounds, tree);
  ++tree.counted.leaf_pages;
  for (const Node& node : *nodes) AKIN_CHECK(walk_value(number, node, tree));
  return {};
}

void PageWalk::check_keys(PageNumber number, const std::vector<Node>& nodes, const Bounds& bounds,
                          const Tree& tree, bool is_branch) {
  if ((tree.record.flags & kIntegerKeys) != 0) {
    std::uint64_t last = 0;
    for (std::size_t i = is_branch ? 1 : 0; i < nodes.size(); ++i) {
      const std::uint64_t key = nodes[i].key.size() == 8 ? load_u64(nodes[i].key.data()) : 0;
      if (key <= last) return found(number, tree, "its keys do not ascend");
      last = key;
    }
    return;
  }
  for (std::size_t i = is_branch ? 1 : 0; i < nodes.size(); ++i) {
    if (i > (is_branch ? 1 : 0) && nodes[i].key <= nodes[i - 1].key) {
      return found(number, tree, "its keys do not ascend");
    }
    if (nodes[i].key < bounds.low || (!bounds.high.empty() && nodes[i].key >= bounds.high)) {
      return found(number, tree, "it has a key that belongs into another page");
    }
  }
}

Result<void> PageWalk::walk_branch(PageNumber number, const std::vector<Node>& nodes, unsigned level,
                                   const Bounds& bounds, Tree& tree) {
  ++tree.counted.branch_pages;
  if (nodes.size() < 2) {
    found(number, tree, "a branch has one child");
    return {};
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Bounds inner{i == 0 ? bounds.low : std::string(nodes[i].key),
                       i + 1 < nodes.size() ? std::string(nodes[i + 1].key) : bounds.high};
    if (tree.sliced && !inner.high.empty() && inner.high <= slice_->key) continue;
    AKIN_CHECK(walk_page(nodes[i].child, level + 1, inner, tree));
    if (!tree.sliced || !slice_->is_full()) continue;
    if (!slice_->ended) slice_->key = inner.high;
    slice_->ended = true;
    return {};
  }
  return {};
}

Result<void> PageWalk::walk_value(PageNumber number, const Node& node, Tree& tree) {
  const bool is_free_list = (tree.record.flags & kIntegerKeys) != 0;
  // Its keys are the transactions that freed the pages.
  if (is_free_list && node.key.size() == 8 && load_u64(node.key.data()) > state_.txn)
    found(number, tree, "pages are listed as freed by a transaction that has not been");
  ++tree.counted.entries;
  if (node.flags == Node::kBigData) return walk_overflow(number, node, tree);
  if (node.flags == 0) {
    check_value(number, node, tree);
    if (is_free_list) take_free(node.value, number, tree);
    return {};
  }
  if (node.flags == Node::kSubTree && node.value.size() == kTreeRecordBytes)
    return walk_table(node, decode_tree_record(node.value.data()));
  found(number, tree, "an entry is of an unknown kind");
  return {};
}

Result<void> PageWalk::walk_table(const Node& node, const TreeRecord& record) {
  const std::string table(node.key);
  Tree tree{"table '" + table + "'", record, {}, extent_ == Extent::everything, table};
  if (slice_ == nullptr) return walk(std::move(tree));
  if (slice_->ended || table < slice_->table) return {};
  if (table > slice_->table) slice_->key.clear();
  slice_->table = table;
  tree.sliced = true;
  AKIN_CHECK(walk(std::move(tree)));
  if (slice_->ended && !slice_->key.empty()) return {};
  slice_->table += '\0';  // what comes after this table
  slice_->key.clear();
  slice_->ended = slice_->is_full();
  return {};
}

void PageWalk::check_value(PageNumber number, const Node& node, const Tree& tree) {
  if (checks_ != nullptr && !tree.table.empty() && !checks_->is_sound(tree.table, node.key, node.value))
    found(number, tree, "a value does not have its checksum");
}

Result<void> PageWalk::check_large_value(PageNumber first, const Node& node, const Tree& tree) {
  constexpr std::uint64_t kPagesAtOnce = 256;
  const std::optional<std::uint32_t> seed = checks_->seed(tree.table, node.key);
  if (!seed || node.value_size < kCheckBytes) return {};
  const std::uint64_t end = Page::kHeaderBytes + node.value_size;
  std::uint32_t sum = *seed;
  std::string tail;  // the last bytes, which may be the value's checksum
  for (std::uint64_t at = 0; at < end; at += kPagesAtOnce * file_.page_bytes()) {
    const std::uint64_t bytes = std::min(end - at, kPagesAtOnce * file_.page_bytes());
    AKIN_TRY(
        const std::optional<Page> part,
        file_.pages(first + at / file_.page_bytes(), (bytes + file_.page_bytes() - 1) / file_.page_bytes()));
    if (!part) return {};  // the file has become shorter, which its pages show
    tail += std::string_view(part->bytes())
                .substr(at == 0 ? Page::kHeaderBytes : 0, at == 0 ? bytes - Page::kHeaderBytes : bytes);
    if (tail.size() <= kCheckBytes) continue;
    sum = crc32c(std::string_view(tail).substr(0, tail.size() - kCheckBytes), sum);
    tail.erase(0, tail.size() - kCheckBytes);
    slice_->read += bytes;
  }
  if (load_u32(tail.data()) != sum) found(first, tree, "a value does not have its checksum");
  return {};
}

Result<void> PageWalk::walk_overflow(PageNumber leaf, const Node& node, Tree& tree) {
  const PageNumber first = load_u64(node.value.data());
  const std::uint64_t needed =
      (Page::kHeaderBytes + node.value_size + file_.page_bytes() - 1) / file_.page_bytes();
  if (!take(first, tree) || !tree.leaves) return {};
  AKIN_TRY(const std::optional<Page> head, file_.pages(first));
  if (!head || head->number() != first || head->flags() != Page::kOverflow ||
      head->overflow_pages() < needed) {
    found(first, tree, "it does not begin the value to which page " + std::to_string(leaf) + " refers");
    return {};
  }
  tree.counted.overflow_pages += head->overflow_pages();
  for (std::uint64_t i = 1; i < head->overflow_pages(); ++i) {
    if (!take(first + i, tree)) return {};
  }
  if (checks_ != nullptr) return check_large_value(first, node, tree);
  if ((tree.record.flags & kIntegerKeys) == 0) return {};
  AKIN_TRY(const std::optional<Page> list, file_.pages(first, needed));
  if (list) {
    take_free(std::string_view(list->bytes()).substr(Page::kHeaderBytes, node.value_size), leaf, tree);
  }
  return {};
}

void PageWalk::take_free(std::string_view list, PageNumber page, const Tree& tree) {
  const std::uint64_t count = list.size() < 8 ? 0 : load_u64(list.data());
  if (list.size() < 8 || count > list.size() / 8 - 1)
    return found(page, tree, "a list has an impossible length");
  for (std::uint64_t i = 1; i <= count; ++i) {
    const PageNumber number = load_u64(list.data() + i * 8);
    if (number > state_.last_page || number < 2)
      return found(page, tree, "it lists a page that does not exist");
    if (number >= free_.size()) {
      ++free_beyond_;
    } else if (free_[number] || used_[number]) {
      return found(number, tree, "the page is free twice, or free and in use");
    } else {
      free_[number] = true;
    }
  }
}

}  // namespace akin::lmdb
