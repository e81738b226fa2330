// A merge in a database that fails in the background is counted.
#include "index/pg/background.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/background_failures.h"
#include "tests/support/database.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class BackgroundOfDatabase : public StoreTest {};

TEST_F(BackgroundOfDatabase, CountsAMergeThatFails) {
  const auto pool = test_database();
  const pg::StoreNumber none{number_ + 1'000'000};
  const pg::Parts parts = [&] {
    const auto connection = must(pool->lease());
    return must(pg::Parts::read(*connection, *pool, pg::StoreNumber{number_}));
  }();
  const std::uint64_t before = failures_of(Round::merge_in_database);
  pg::Background background(pool, parts, none);
  background.add({.postings = 10'000'000});
  while (failures_of(Round::merge_in_database) == before)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace
}  // namespace akin::test
