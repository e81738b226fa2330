#include "index/lmdb/tables/meta_table.h"

#include <fcntl.h>

#include <utility>
#include <vector>

#include "base/files.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/env/page_nodes.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

namespace {

using lmdb::MetaPage;
using lmdb::Node;
using lmdb::PageFile;
using lmdb::TreeRecord;
using Entries = std::map<std::string, std::string, std::less<>>;

/// The values on a tree's only page that have these flags.
std::optional<Entries> read_leaf(const PageFile& file, const MetaPage& state, const TreeRecord& tree,
                                 unsigned flags) {
  if (tree.depth != 1 || tree.root > state.last_page) return std::nullopt;
  const Result<std::optional<lmdb::Page>> page = file.pages(tree.root);
  if (page.has_error() || !*page) return std::nullopt;
  if ((*page)->number() != tree.root || (*page)->flags() != lmdb::Page::kLeaf) return std::nullopt;
  const std::optional<std::vector<Node>> nodes = lmdb::decode_nodes(**page);
  if (!nodes) return std::nullopt;
  Entries entries;
  for (const Node& node : *nodes) {
    if (node.flags == flags) entries.emplace(node.key, node.value);
  }
  return entries;
}

std::optional<TreeRecord> find_table(const Entries& tables, std::string_view name) {
  const auto tree = tables.find(name);
  if (tree == tables.end() || tree->second.size() != lmdb::kTreeRecordBytes) return std::nullopt;
  return lmdb::decode_tree_record(tree->second.data());
}

std::optional<MetaTable> read_state(const PageFile& file, const MetaPage& state) {
  const std::optional<Entries> tables = read_leaf(file, state, state.main, Node::kSubTree);
  const std::optional<TreeRecord> meta = tables ? find_table(*tables, format::kMetaTable) : std::nullopt;
  std::optional<Entries> entries = meta ? read_leaf(file, state, *meta, 0) : std::nullopt;
  if (!entries) return std::nullopt;
  MetaTable table;
  table.entries = *std::move(entries);
  if (const auto tombstones = find_table(*tables, format::kTombstoneTable))
    table.tombstones = tombstones->entries;
  return table;
}

}  // namespace

std::optional<MetaTable> read_meta_table(const std::filesystem::path& store_folder) {
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
    std::optional<MetaTable> table = read_state(*file, **state);
    // Pages of the state after transaction n are reused by n + 3 at the earliest (mdb_find_oldest), and n + 2
    // has written its meta page over n's by then.
    const Result<std::optional<MetaPage>> still = file->meta((*state)->txn);
    if (still.has_error() || *still != *state) continue;
    if (size.has_error() || !table) return std::nullopt;
    table->file_bytes = *size;
    table->is_whole = *size / file->page_bytes() > (*state)->last_page;
    return table;
  }
  return std::nullopt;
}

Result<void> check_format(std::string_view entry, const std::filesystem::path& store_folder) {
  const std::optional<std::uint32_t> version = decode_format(entry);
  if (version == format::kFormatVersion) return {};
  if (!version) {
    return Error{Errc::corrupt, store_folder.string(),
                 "this is not an index of akin: the magic bytes are missing", ""};
  }
  return Error{Errc::mismatch, store_folder.string(),
               "the index has format " + std::to_string(*version) + ", and this akin reads format " +
                   std::to_string(format::kFormatVersion),
               "export the collection with the akin that wrote it (akin export) and import that here (akin "
               "import), or index the files again"};
}

Result<void> check_format(const std::filesystem::path& store_folder) {
  const std::optional<MetaTable> meta = read_meta_table(store_folder);
  const auto entry = meta ? meta->entries.find(format::kFormatEntry) : Entries::const_iterator();
  if (!meta || entry == meta->entries.end()) return {};
  return check_format(entry->second, store_folder);
}

}  // namespace akin
