#include "index/lmdb/summary.h"

#include <fcntl.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "index/encoding.h"
#include "index/lmdb/format.h"
#include "index/lmdb/page_nodes.h"
#include "index/lmdb/tables.h"

namespace akin {

namespace {

using lmdb::MetaPage;
using lmdb::Node;
using lmdb::PageFile;
using lmdb::TreeRecord;

/// A tree of a single page, in memory of its own.
class LeafPage {
 public:
  [[nodiscard]] static std::optional<LeafPage> read(const PageFile& file, const MetaPage& state,
                                                    const TreeRecord& tree) {
    if (tree.depth != 1 || tree.root > state.last_page) return std::nullopt;
    Result<std::optional<lmdb::Page>> page = file.pages(tree.root);
    if (page.has_error() || !*page) return std::nullopt;
    if ((*page)->number() != tree.root || (*page)->flags() != lmdb::Page::kLeaf) return std::nullopt;
    auto held = std::make_unique<const lmdb::Page>(**std::move(page));
    std::optional<std::vector<Node>> nodes = lmdb::decode_nodes(*held);
    if (!nodes) return std::nullopt;
    return LeafPage(std::move(held), *std::move(nodes));
  }

  /// The value of a key, if it is on this page and has these flags; it lives as long as the page.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key, unsigned flags) const {
    for (const Node& node : nodes_) {
      if (node.key == key) return node.flags == flags ? std::optional(node.value) : std::nullopt;
    }
    return std::nullopt;
  }

 private:
  LeafPage(std::unique_ptr<const lmdb::Page> page, std::vector<Node> nodes)
      : page_(std::move(page)), nodes_(std::move(nodes)) {}

  std::unique_ptr<const lmdb::Page> page_;
  std::vector<Node> nodes_;  ///< views of its bytes
};

std::optional<TreeRecord> find_table(const LeafPage& tables, std::string_view name) {
  const std::optional<std::string_view> tree = tables.find(name, Node::kSubTree);
  if (!tree || tree->size() != lmdb::kTreeRecordBytes) return std::nullopt;
  return lmdb::decode_tree_record(tree->data());
}

bool has_known_format(std::string_view stamp) {
  const std::optional<std::uint32_t> version = decode_format(stamp);
  return version && *version >= format::kFirstChecked && format::is_known_version(*version);
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
  if (!has_known_format(*stamp) || (*texts != "yes" && *texts != "no") || !counters) return std::nullopt;
  StoreSummary summary;
  summary.identity = {std::string(*scheme), std::string(*fingerprint), std::string(*languages),
                      *texts == "yes", entry(format::kFilesEntry).has_value()};
  summary.stats.documents = counters->documents;
  summary.stats.features = counters->features;
  summary.stats.postings = counters->postings;
  summary.stats.text_bytes = counters->text_bytes;
  summary.stats.text_stored_bytes = counters->text_stored_bytes;
  summary.stats.last_revision = counters->last_revision;
  summary.stats.files = counters->files;
  return summary;
}

}  // namespace

std::optional<StoreSummary> read_summary(const std::filesystem::path& store_folder) {
  const std::filesystem::path path = store_folder / format::kDataFile;
  const FileHandle handle(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (handle.get() < 0) return std::nullopt;
  const Result<PageFile> file = PageFile::open(handle.get(), path.string());
  if (file.has_error()) return std::nullopt;
  constexpr int kAttempts = 8;  // each lost only to two commits meanwhile
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Result<std::optional<MetaPage>> state = file->meta();
    if (state.has_error() || !*state) continue;
    const Result<std::uint64_t> size = file->size();
    const std::optional<LeafPage> tables = LeafPage::read(*file, **state, (*state)->main);
    const std::optional<TreeRecord> meta = tables ? find_table(*tables, format::kMetaTable) : std::nullopt;
    const std::optional<TreeRecord> tombstones =
        tables ? find_table(*tables, format::kTombstoneTable) : std::nullopt;
    const std::optional<LeafPage> page = meta ? LeafPage::read(*file, **state, *meta) : std::nullopt;
    // Pages of the state after transaction n are reused by n + 3 at the earliest (mdb_find_oldest), and n + 2
    // has written its meta page over n's by then.
    const Result<std::optional<MetaPage>> still = file->meta((*state)->txn);
    if (still.has_error() || *still != *state) continue;
    // A file without its last pages is for the opening to explain.
    if (size.has_error() || *size / file->page_bytes() <= (*state)->last_page || !page || !tombstones)
      return std::nullopt;
    std::optional<StoreSummary> summary = summary_of(*page);
    if (!summary) return std::nullopt;
    summary->stats.disk_bytes = *size;
    summary->stats.tombstones = tombstones->entries;
    return summary;
  }
  return std::nullopt;
}

}  // namespace akin
