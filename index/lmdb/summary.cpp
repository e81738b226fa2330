#include "index/lmdb/summary.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <string>
#include <string_view>

#include "base/files.h"
#include "index/encoding.h"
#include "index/lmdb/format.h"
#include "index/lmdb/tables.h"

namespace akin {

namespace {

static_assert(std::endian::native == std::endian::little, "LMDB writes numbers in the machine's byte order");

constexpr std::uint32_t kLmdbMagic = 0xBEEFC0DE;
constexpr std::uint32_t kLmdbVersion = 1;
constexpr std::size_t kPageHeader = 16;
constexpr std::size_t kNodeHeader = 8;
constexpr std::size_t kTreeBytes = 48;  ///< MDB_db
constexpr std::uint16_t kLeafPage = 0x02, kLeafOfFixedKeys = 0x20;
constexpr std::uint16_t kOverflowNode = 0x01, kSubtreeNode = 0x02, kDuplicatesNode = 0x04;
constexpr std::size_t kSmallestPage = 512, kLargestPage = 65'536;

std::uint16_t load_u16(const char* at) noexcept {
  std::uint16_t number = 0;
  __builtin_memcpy(&number, at, sizeof number);
  return number;
}

/// A tree of pages: a table, or the one that lists the tables (MDB_db).
struct Tree {
  std::uint16_t depth = 0;
  std::uint64_t entries = 0, root = 0;
};

Tree read_tree(const char* at) noexcept { return {load_u16(at + 6), load_u64(at + 32), load_u64(at + 40)}; }

/// MDB_meta: the state after one transaction.
struct Meta {
  std::array<char, 136> bytes{};
  std::uint32_t page_bytes = 0;
  Tree tables;
  std::uint64_t last_page = 0, transaction = 0;
  std::uint64_t offset = 0;  ///< in the file
};

class DataFile {
 public:
  explicit DataFile(const std::filesystem::path& store_folder)
      : file_(open((store_folder / format::kDataFile).c_str(), O_RDONLY | O_CLOEXEC)) {}

  /// The bytes of the file; nothing without one.
  [[nodiscard]] std::optional<std::uint64_t> size() const {
    struct stat status = {};
    if (file_.get() < 0 || fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
  }

  [[nodiscard]] bool read(char* to, std::size_t bytes, std::uint64_t offset) const {
    return pread(file_.get(), to, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
  }

  /// The newer of the two that the file holds: transactions write them in turn.
  [[nodiscard]] std::optional<Meta> newest_meta() const {
    const std::optional<Meta> first = meta_at(0);
    if (!first) return std::nullopt;
    const std::optional<Meta> second = meta_at(first->page_bytes);
    if (!second || second->page_bytes != first->page_bytes) return std::nullopt;
    return first->transaction < second->transaction ? second : first;
  }

  [[nodiscard]] bool still_has(const Meta& meta) const {
    std::array<char, sizeof(meta.bytes)> now{};
    return read(now.data(), now.size(), meta.offset) && now == meta.bytes;
  }

 private:
  [[nodiscard]] std::optional<Meta> meta_at(std::uint64_t page_offset) const {
    Meta meta;
    meta.offset = page_offset + kPageHeader;
    if (!read(meta.bytes.data(), meta.bytes.size(), meta.offset)) return std::nullopt;
    const char* const at = meta.bytes.data();
    if (load_u32(at) != kLmdbMagic || load_u32(at + 4) != kLmdbVersion) return std::nullopt;
    constexpr std::size_t kFreeTree = 24;
    meta.page_bytes = load_u32(at + kFreeTree);
    if (!std::has_single_bit(meta.page_bytes) || meta.page_bytes < kSmallestPage ||
        meta.page_bytes > kLargestPage) {
      return std::nullopt;
    }
    meta.tables = read_tree(at + kFreeTree + kTreeBytes);
    meta.last_page = load_u64(at + kFreeTree + 2 * kTreeBytes);
    meta.transaction = load_u64(at + kFreeTree + 2 * kTreeBytes + 8);
    return meta;
  }

  FileHandle file_;
};

/// A tree of a single page, in memory of its own.
class LeafPage {
 public:
  [[nodiscard]] static std::optional<LeafPage> read(const DataFile& file, const Meta& meta,
                                                    const Tree& tree) {
    LeafPage page;
    if (tree.depth != 1 || tree.root > meta.last_page) return std::nullopt;
    page.bytes_.resize(meta.page_bytes);
    if (!file.read(page.bytes_.data(), page.bytes_.size(), tree.root * meta.page_bytes)) return std::nullopt;
    const char* const at = page.bytes_.data();
    const std::uint16_t flags = load_u16(at + 10);
    const std::uint16_t lower = load_u16(at + 12);
    const bool is_leaf = (flags & kLeafPage) != 0 && (flags & kLeafOfFixedKeys) == 0;
    if (load_u64(at) != tree.root || !is_leaf || lower < kPageHeader || lower > page.bytes_.size())
      return std::nullopt;
    page.nodes_ = (lower - kPageHeader) / 2;
    return page;
  }

  /// The value of a key, if it is on this page and has these flags; it lives as long as the page.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key, std::uint16_t flags) const {
    const std::string_view page(bytes_);
    for (std::size_t i = 0; i < nodes_; ++i) {
      const std::size_t at = load_u16(bytes_.data() + kPageHeader + 2 * i);
      if (at + kNodeHeader > page.size()) return std::nullopt;
      const char* const node = bytes_.data() + at;
      const std::size_t value_bytes = load_u16(node) | std::size_t{load_u16(node + 2)} << 16U;
      const std::size_t key_bytes = load_u16(node + 6);
      const std::size_t left = page.size() - at - kNodeHeader;
      if (key_bytes > left) return std::nullopt;
      if (page.substr(at + kNodeHeader, key_bytes) != key) continue;
      constexpr std::uint16_t kKinds = kOverflowNode | kSubtreeNode | kDuplicatesNode;
      if ((load_u16(node + 4) & kKinds) != flags || value_bytes > left - key_bytes) return std::nullopt;
      return page.substr(at + kNodeHeader + key_bytes, value_bytes);
    }
    return std::nullopt;
  }

 private:
  std::string bytes_;
  std::size_t nodes_ = 0;
};

std::optional<Tree> find_table(const LeafPage& tables, std::string_view name) {
  const std::optional<std::string_view> tree = tables.find(name, kSubtreeNode);
  if (!tree || tree->size() != kTreeBytes) return std::nullopt;
  return read_tree(tree->data());
}

bool has_this_format(std::string_view stamp) {
  return stamp.size() == format::kMagic.size() + 4 && stamp.starts_with(format::kMagic) &&
         load_u32(stamp.data() + format::kMagic.size()) == format::kFormatVersion;
}

std::optional<StoreSummary> summary_of(const LeafPage& meta) {
  const auto entry = [&](std::string_view name) { return meta.find(name, 0); };
  const auto stamp = entry(format::kFormatEntry);
  const auto scheme = entry(format::kSchemeEntry);
  const auto fingerprint = entry(format::kFingerprintEntry);
  const auto languages = entry(format::kLanguagesEntry);
  const auto texts = entry(format::kTextsEntry);
  const auto counters_entry = entry(format::kCountersEntry);
  if (!stamp || !scheme || !fingerprint || !languages || !texts || !counters_entry) return std::nullopt;
  const std::optional<Counters> counters = decode_counters(*counters_entry);
  if (!has_this_format(*stamp) || (*texts != "yes" && *texts != "no") || !counters) return std::nullopt;
  StoreSummary summary;
  summary.identity = {std::string(*scheme), std::string(*fingerprint), std::string(*languages),
                      *texts == "yes"};
  summary.stats.documents = counters->documents;
  summary.stats.features = counters->features;
  summary.stats.postings = counters->postings;
  summary.stats.text_bytes = counters->text_bytes;
  summary.stats.text_stored_bytes = counters->text_stored_bytes;
  summary.stats.last_revision = counters->last_revision;
  return summary;
}

}  // namespace

std::optional<StoreSummary> read_summary(const std::filesystem::path& store_folder) {
  const DataFile file(store_folder);
  constexpr int kAttempts = 8;  // each lost only to two commits meanwhile
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::optional<Meta> state = file.newest_meta();
    if (!state) continue;
    const std::optional<std::uint64_t> size = file.size();
    const std::optional<LeafPage> tables = LeafPage::read(file, *state, state->tables);
    const std::optional<Tree> meta = tables ? find_table(*tables, format::kMetaTable) : std::nullopt;
    const std::optional<Tree> tombstones =
        tables ? find_table(*tables, format::kTombstoneTable) : std::nullopt;
    const std::optional<LeafPage> page = meta ? LeafPage::read(file, *state, *meta) : std::nullopt;
    // Pages of the state after transaction n are reused by n + 3 at the earliest (mdb_find_oldest), and n + 2
    // has written its meta page over n's by then.
    if (!file.still_has(*state)) continue;
    // A file without its last pages is for the opening to explain.
    if (!size || *size / state->page_bytes <= state->last_page || !page || !tombstones) return std::nullopt;
    std::optional<StoreSummary> summary = summary_of(*page);
    if (!summary) return std::nullopt;
    summary->stats.disk_bytes = *size;
    summary->stats.tombstones = tombstones->entries;
    return summary;
  }
  return std::nullopt;
}

}  // namespace akin
