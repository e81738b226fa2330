// A store in a folder of its own, and verbs.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "index/store/store.h"
#include "tests/support/sequences.h"
#include "tests/support/store_kind.h"
#include "tests/support/temporary_folder.h"

namespace akin {
struct LmdbStoreOptions;
struct Tables;
namespace lmdb {
struct Table;
class WriteTxn;
}  // namespace lmdb
}  // namespace akin

namespace akin::test {

/// What a store should hold, by id.
using Documents = std::map<std::string, Values>;

/// "id:x" of all that a search must find, in the order of these strings.
std::vector<std::string> hits_by_definition(const Documents& documents, const Values& query,
                                            std::uint64_t bound);

class StoreTest : public testing::Test {
 protected:
  StoreTest();

  // Verbs. All fail the test if the store refuses.
  bool put(const std::string& id, const Values& values);
  std::uint64_t put_all(const std::vector<std::pair<std::string, Values>>& documents);
  std::uint64_t erase(const std::vector<std::string>& ids);
  SearchResult search(const Values& query, std::uint64_t bound = 0);
  SearchResult search(const Values& query, SearchRequest request);
  /// "id:x" of the hits, in order.
  std::vector<std::string> found(const Values& query, std::uint64_t bound = 0);
  StoreStats stats();
  /// "where: broken" of all findings.
  std::vector<std::string> verify();

  // The store is closed, if it is open, and opened again. Options are LMDB's.
  void close() { store_.reset(); }
  void open();
  void open(const LmdbStoreOptions& options);
  void open_with_a_small_map();
  void open_without_waiting_for_the_disk();

  // Damage, without the knowledge of LMDB's store. The store is closed and opened again.
  using Tamper = std::function<Result<void>(lmdb::WriteTxn&, const Tables&)>;
  void tamper(const Tamper& damage);
  void overwrite(lmdb::Table Tables::*table, const std::string& key, const std::string& value);
  std::string raw(lmdb::Table Tables::*table, const std::string& key);

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "store";
  std::shared_ptr<akin::Store> store_;
  std::int64_t number_ = 0;  ///< of PostgreSQL's store
  std::string name_;         ///< of a cluster's
};

}  // namespace akin::test
