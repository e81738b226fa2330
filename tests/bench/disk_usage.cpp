#include "tests/bench/disk_usage.h"

#include <lmdb.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "tests/bench/process.h"

namespace akin::bench {

namespace {

void check(int code) {
  if (code != MDB_SUCCESS) throw std::runtime_error(std::string("LMDB: ") + mdb_strerror(code));
}

/// Tables of docs/index-format.md.
constexpr std::string_view kTexts = "texts";
constexpr std::array<std::string_view, 5> kOfDocuments = {"meta", "ids", "records", "files", "sequences"};

template <class Wanted>
std::uint64_t sum_of(const std::vector<TableUsage>& tables, Wanted&& wanted) {
  std::uint64_t bytes = 0;
  for (const TableUsage& table : tables)
    if (wanted(table.name)) bytes += table.bytes;
  return bytes;
}

struct Closer {
  void operator()(MDB_env* env) const noexcept { mdb_env_close(env); }
  void operator()(MDB_txn* txn) const noexcept { mdb_txn_abort(txn); }
  void operator()(MDB_cursor* cursor) const noexcept { mdb_cursor_close(cursor); }
};

std::vector<std::string> table_names(MDB_txn* txn) {
  MDB_dbi main = 0;
  check(mdb_dbi_open(txn, nullptr, 0, &main));
  MDB_cursor* raw = nullptr;
  check(mdb_cursor_open(txn, main, &raw));
  const std::unique_ptr<MDB_cursor, Closer> cursor(raw);
  std::vector<std::string> names;
  MDB_val key{}, value{};
  while (mdb_cursor_get(raw, &key, &value, MDB_NEXT) == MDB_SUCCESS)
    names.emplace_back(static_cast<const char*>(key.mv_data), key.mv_size);
  return names;
}

}  // namespace

std::uint64_t DiskUsage::texts() const noexcept {
  return sum_of(tables, [](const std::string& name) { return name == kTexts; });
}

std::uint64_t DiskUsage::postings() const noexcept {
  return sum_of(tables, [](const std::string& name) {
    return name != kTexts && std::find(kOfDocuments.begin(), kOfDocuments.end(), name) == kOfDocuments.end();
  });
}

DiskUsage disk_usage(const std::filesystem::path& folder) {
  MDB_env* raw_env = nullptr;
  check(mdb_env_create(&raw_env));
  const std::unique_ptr<MDB_env, Closer> env(raw_env);
  check(mdb_env_set_maxdbs(raw_env, 64));
  check(mdb_env_open(raw_env, folder.c_str(), MDB_RDONLY, 0));
  MDB_txn* raw_txn = nullptr;
  check(mdb_txn_begin(raw_env, nullptr, MDB_RDONLY, &raw_txn));
  const std::unique_ptr<MDB_txn, Closer> txn(raw_txn);
  DiskUsage usage;
  usage.total = disk_bytes(folder);
  for (const std::string& name : table_names(raw_txn)) {
    MDB_dbi table = 0;
    if (mdb_dbi_open(raw_txn, name.c_str(), 0, &table) != MDB_SUCCESS) continue;  // a key of the main table
    MDB_stat stat{};
    check(mdb_stat(raw_txn, table, &stat));
    const std::size_t pages = stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages;
    usage.tables.push_back({name, pages * stat.ms_psize});
  }
  return usage;
}

}  // namespace akin::bench
