#include "index/lmdb/env/read_ahead.h"

#include <lmdb.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "index/lmdb/env/page_nodes.h"
#include "index/lmdb/env/transaction_state.h"

namespace akin::lmdb {

namespace {

constexpr std::size_t kSystemPage = 4096;
constexpr std::size_t kLongValue = std::size_t{64} << 10;
constexpr std::size_t kAhead = std::size_t{1} << 20;
constexpr unsigned kPagesOfAScan = 4;
/// Pages of a scan follow each other in the file, except for those of other tables written meanwhile.
constexpr std::ptrdiff_t kGapPages = 16;

/// Linux reads no more for one advice than the disk takes at once, or as much as it reads ahead, which is
/// this unless somebody has set it, and forgets the rest.
constexpr std::size_t kBytesOfAnAdvice = std::size_t{128} << 10;

void announce(const char* page, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kBytesOfAnAdvice) {
    // Without the advice pages are read one by one. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    static_cast<void>(
        madvise(const_cast<char*>(page) + at, std::min(kBytesOfAnAdvice, bytes - at), MADV_WILLNEED));
  }
}

/// Hints about the whole map: without them it is slower, or more of it stays with the process.
void advise_map(const EnvState& env, const char* map, int advice) noexcept {
  MDB_envinfo info{};
  if (mdb_env_info(env.env, &info) != MDB_SUCCESS) return;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  static_cast<void>(madvise(const_cast<char*>(map), info.me_mapsize, advice));
}

/// The pages of a snapshot.
struct Pages {
  const char* map;
  PageNumber last;  ///< in use
  std::size_t page_bytes;

  [[nodiscard]] const char* at(PageNumber number) const noexcept {
    return number <= last ? map + number * page_bytes : nullptr;
  }
};

/// Keys begin … end of those that are announced go through a page.
struct Place {
  const char* page;
  std::size_t begin, end;
};

/// The last entry that is not after a key, as entry `first` is known to be. Nothing if the page is damaged.
std::optional<std::size_t> last_before(const PageEntries& entries, std::size_t first,
                                       const std::string& key) {
  std::size_t end = entries.size();
  while (end - first > 1) {
    const std::size_t middle = first + (end - first) / 2;
    const std::optional<Node> entry = entries.at(middle);
    if (!entry) return std::nullopt;
    (entry->key.compare(key) <= 0 ? first : end) = middle;
  }
  return first;
}

/// Calls visit(entry, begin, end) for each entry of a page to which keys begin … end lead: the last one that
/// is not after them. Stops where the page is damaged, which reading it will report.
template <class Visit>
void for_each_entry(const Place& place, unsigned kind, std::span<const std::string> keys,
                    std::size_t page_bytes, const Visit& visit) {
  const PageEntries entries({place.page, page_bytes}, kind);
  if (entries.size() == 0) return;
  std::size_t at = 0;
  for (std::size_t begin = place.begin, end = begin; begin < place.end; begin = end) {
    const std::optional<std::size_t> last = last_before(entries, at, keys[begin]);
    const std::optional<Node> entry = last ? entries.at(*last) : std::nullopt;
    if (!entry) return;
    at = *last;
    const std::optional<Node> next = at + 1 < entries.size() ? entries.at(at + 1) : std::nullopt;
    while (end < place.end && (!next || keys[end].compare(next->key) < 0)) ++end;
    if (end == begin) return;
    visit(*entry, begin, end);
  }
}

/// Announces the values that are not in the leaf itself.
void announce_values(const Place& leaf, std::span<const std::string> keys, const Pages& pages) {
  for_each_entry(leaf, Page::kLeaf, keys, pages.page_bytes, [&](const Node& node, std::size_t, std::size_t) {
    if ((node.flags & Node::kBigData) == 0) return;
    const char* const first = pages.at(load_u64(node.value.data()));
    const std::size_t bytes = Page::kHeaderBytes + node.value_size;
    const char* const last = pages.at(load_u64(node.value.data()) + (bytes - 1) / pages.page_bytes);
    if (first != nullptr && last != nullptr) announce(first, bytes);
  });
}

}  // namespace

void announce_value(std::string_view value) noexcept {
  if (value.size() < kLongValue) return;
  const char* const first = page_of(value.data(), kSystemPage);
  announce(first, static_cast<std::size_t>(value.data() + value.size() - first));
}

void announce_keys(MDB_txn* txn, const Table& table, std::span<const std::string> keys,
                   std::size_t page_bytes) {
  constexpr MDB_dbi kTableOfTables = 1;
  MDB_val name = to_val(table.name);
  MDB_val value{};
  MDB_envinfo info{};
  const char* const map = begin_of_map(txn, page_bytes);
  if (map == nullptr || mdb_env_info(mdb_txn_env(txn), &info) != MDB_SUCCESS ||
      mdb_get(txn, kTableOfTables, &name, &value) != MDB_SUCCESS || value.mv_size != kTreeRecordBytes) {
    return;
  }
  const Pages pages{map, info.me_last_pgno, page_bytes};
  const TreeRecord tree = decode_tree_record(static_cast<const char*>(value.mv_data));
  const char* const root = pages.at(tree.root);
  if (root == nullptr) return;
  std::vector<Place> level{{root, 0, keys.size()}};
  for (unsigned depth = 1; depth < tree.depth; ++depth) {
    std::vector<Place> children;
    for (const Place& place : level) {
      for_each_entry(place, Page::kBranch, keys, page_bytes,
                     [&](const Node& node, std::size_t begin, std::size_t end) {
                       const char* const child = pages.at(node.child);
                       if (child != nullptr) children.push_back({child, begin, end});
                     });
    }
    for (const Place& child : children) announce(child.page, page_bytes);
    level = std::move(children);
  }
  for (const Place& leaf : level) announce_values(leaf, keys, pages);
}

Scan::Scan(EnvState& env, MDB_txn* txn) noexcept : env_(env), map_(begin_of_map(txn, env.page_bytes)) {
  if (map_ != nullptr && env_.scans++ == 0) advise(MADV_NORMAL);
}

Scan::~Scan() {
  if (map_ != nullptr && --env_.scans == 0) advise(MADV_RANDOM);
}

void Scan::advise(int advice) const noexcept { advise_map(env_, map_, advice); }

void count_read(EnvState& env, MDB_txn* txn, std::uint64_t pages) noexcept {
  if (env.options.held_pages == 0) return;
  const std::uint64_t read = env.pages_read.fetch_add(pages, std::memory_order_relaxed);
  if (read + pages < env.options.held_pages) return;
  env.pages_read.store(0, std::memory_order_relaxed);
  let_go_of_pages(env, txn);
}

void let_go_of_pages(const EnvState& env, MDB_txn* txn) noexcept {
  const char* const map = begin_of_map(txn, env.page_bytes);
  if (map != nullptr) advise_map(env, map, MADV_DONTNEED);
}

void ReadAhead::moved_to(const char* entry, std::size_t page_bytes) noexcept {
  const char* const page = page_of(entry, page_bytes);
  if (page == page_) return;
  const bool follows =
      page_ != nullptr && page > page_ && page - page_ <= kGapPages * static_cast<std::ptrdiff_t>(page_bytes);
  page_ = page;
  pages_ = follows ? pages_ + 1 : 0;
  if (pages_ < kPagesOfAScan || (page >= announced_ && page < announced_ + kAhead)) return;
  announced_ = page;
  announce(page, kAhead);
}

std::uint64_t disk_waits() noexcept {
  rusage use{};
  return getrusage(RUSAGE_THREAD, &use) == 0 ? static_cast<std::uint64_t>(use.ru_majflt) : 0;
}

}  // namespace akin::lmdb
