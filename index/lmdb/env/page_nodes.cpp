#include "index/lmdb/env/page_nodes.h"

#include <algorithm>

#include "base/bytes.h"

namespace akin::lmdb {

namespace {

constexpr std::size_t kNodeHeader = 8;

constexpr std::size_t even(std::size_t size) noexcept { return size + (size & 1U); }

std::optional<Node> decode_node(std::string_view page, std::size_t at, bool is_branch) noexcept {
  if (at + kNodeHeader > page.size()) return std::nullopt;
  const char* const header = page.data() + at;
  const std::uint64_t low = load_u16(header);
  const std::uint64_t high = load_u16(header + 2);
  const unsigned flags = load_u16(header + 4);
  const std::size_t key_size = load_u16(header + 6);
  const std::string_view rest = page.substr(at + kNodeHeader);
  if (key_size > rest.size()) return std::nullopt;
  Node node;
  node.key = rest.substr(0, key_size);
  if (is_branch) {
    node.child = low | high << 16 | std::uint64_t{flags} << 32;
    return node;
  }
  node.flags = flags;
  node.value_size = low | high << 16;
  const std::uint64_t stored = (flags & Node::kBigData) != 0 ? sizeof(PageNumber) : node.value_size;
  if (stored > rest.size() - key_size) return std::nullopt;
  node.value = rest.substr(key_size, stored);
  return node;
}

}  // namespace

std::optional<std::vector<Node>> decode_nodes(const Page& page) {
  const std::size_t page_bytes = page.bytes().size();
  const std::size_t lower = page.lower();
  const std::size_t upper = page.upper();
  if (lower < Page::kHeaderBytes || lower % 2 != 0 || lower > upper || upper > page_bytes)
    return std::nullopt;
  const bool is_branch = (page.flags() & Page::kBranch) != 0;
  std::vector<Node> nodes;
  std::size_t sum = 0;
  std::vector<std::size_t> begins;
  for (std::size_t at = Page::kHeaderBytes; at < lower; at += 2) {
    begins.push_back(load_u16(page.bytes().data() + at));
    if (begins.back() < upper) return std::nullopt;
    const std::optional<Node> node = decode_node(page.bytes(), begins.back(), is_branch);
    if (!node) return std::nullopt;
    sum += even(kNodeHeader + node->key.size() + node->value.size());
    nodes.push_back(*node);
  }
  std::sort(begins.begin(), begins.end());
  const bool distinct = std::adjacent_find(begins.begin(), begins.end()) == begins.end();
  return distinct && sum == page_bytes - upper ? std::optional(std::move(nodes)) : std::nullopt;
}

PageEntries::PageEntries(std::string_view page, unsigned kind) noexcept
    : page_(page), is_branch_(kind == Page::kBranch) {
  const std::size_t lower = load_u16(page.data() + Page::kLowerAt);
  if (load_u16(page.data() + Page::kFlagsAt) != kind || lower < Page::kHeaderBytes || lower > page.size())
    return;
  count_ = (lower - Page::kHeaderBytes) / 2;
}

std::optional<Node> PageEntries::at(std::size_t index) const noexcept {
  return decode_node(page_, load_u16(page_.data() + Page::kHeaderBytes + 2 * index), is_branch_);
}

}  // namespace akin::lmdb
