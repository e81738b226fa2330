// A store in PostgreSQL whose server may be killed, and verbs.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/pg/store.h"
#include "tests/support/store_fixture.h"

namespace akin::test {

/// Holds a table of a server locked until it dies, or the server does: any use of the table waits.
class Stall {
 public:
  Stall(const std::string& conninfo, std::string table);
  /// Whether somebody waits.
  [[nodiscard]] bool has_waiter() const;
  /// Returns when somebody waits; fails the test after 20 seconds.
  void await() const;

 private:
  std::unique_ptr<pg::Connection> holder_;
  std::string conninfo_, table_;
};

/// Waits until something holds; fails the test after 20 seconds.
void await(const std::function<bool()>& holds);

/// A database of its own, with a store in it.
class FaultTest : public testing::Test {
 protected:
  FaultTest();
  ~FaultTest() override;  ///< starts what was killed
  FaultTest(const FaultTest&) = delete;
  FaultTest& operator=(const FaultTest&) = delete;

  [[nodiscard]] std::string of_store(const std::string& sql) const {
    return pg::of_store(sql, store_->number());
  }

  /// Documents "d0", "d1" …, of random features, stored and expected.
  void fill(std::uint64_t count);
  Result<PutResult> put(const std::string& id, const Values& values);
  Result<std::vector<PutResult>> put_all(const Documents& documents);
  Result<SearchResult> search(const Values& query, std::uint64_t bound = 0) const;
  static Result<SearchResult> search(const Snapshot& view, const Values& query, std::uint64_t bound = 0);
  /// "id:x", as hits_by_definition.
  static std::vector<std::string> told(const SearchResult& result);
  /// The store holds the expected documents, finds them as the definition requires, and verify finds no
  /// errors.
  void expect_exact();

  /// The answer to a query.
  [[nodiscard]] std::int64_t ask(const std::string& sql) const;
  /// Documents' contents.
  [[nodiscard]] std::int64_t count_content() const;

  std::string database_;
  std::shared_ptr<pg::Pool> pool_;
  std::shared_ptr<pg::PgStore> store_;
  RandomValues random_{11, 400, 0x9e3779b97f4a7c15};
  Documents expected_;
};

}  // namespace akin::test
