// Postings that a process keeps, of all collections together.
#include "index/pg/postings/posting_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace akin::test {
namespace {

std::shared_ptr<const pg::Block> block_of(std::size_t bytes) {
  auto block = std::make_shared<pg::Block>();
  block->checked = std::string(bytes, 'x');
  return block;
}

TEST(PgPostingCache, KeepsWhatFits) {
  pg::PostingCaches caches(100);
  pg::PostingCache one(caches), other(caches);
  one.add(1, block_of(50));
  other.add(1, block_of(50));
  EXPECT_NE(one.find(1), nullptr);
  EXPECT_NE(other.find(1), nullptr);
}

TEST(PgPostingCache, ForgetsTheCollectionThatWasAskedLeastRecently) {
  pg::PostingCaches caches(100);
  pg::PostingCache old(caches), recent(caches), next(caches);
  old.add(1, block_of(40));
  recent.add(1, block_of(40));
  EXPECT_NE(old.find(1), nullptr);
  EXPECT_NE(recent.find(1), nullptr);
  next.add(1, block_of(40));
  EXPECT_EQ(old.find(1), nullptr);
  EXPECT_NE(recent.find(1), nullptr);
  EXPECT_NE(next.find(1), nullptr);
}

TEST(PgPostingCache, GivesItsBytesBackAtItsEnd) {
  pg::PostingCaches caches(100);
  pg::PostingCache stays(caches);
  stays.add(1, block_of(40));
  for (int i = 0; i < 10; ++i) pg::PostingCache(caches).add(1, block_of(50));
  EXPECT_NE(stays.find(1), nullptr);
}

TEST(PgPostingCache, CountsABlockThatIsAddedTwiceOnce) {
  pg::PostingCaches caches(100);
  pg::PostingCache one(caches), other(caches);
  one.add(1, block_of(40));
  for (int i = 0; i < 10; ++i) other.add(1, block_of(50));
  EXPECT_NE(one.find(1), nullptr);
}

}  // namespace
}  // namespace akin::test
