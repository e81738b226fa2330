#include <gtest/gtest.h>

#include <map>

#include "index/postings.h"
#include "tests/index/store_fixture.h"

namespace akin::test {
namespace {

using Lists = std::map<std::uint64_t, std::map<std::uint32_t, std::uint32_t>>;  // feature → document → count

/// Postings written as they are, without documents.
class PostingCursors : public testing::Test {
 protected:
  void add(const Lists& lists) {
    std::vector<Posting> postings;
    for (const auto& [feature, documents] : lists) {
      for (const auto& [document, count] : documents) {
        postings.push_back({Feature{feature}, DocNumber{document}, count});
      }
    }
    must(env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      AKIN_CHECK(change_postings(txn, tables_, {}, postings));
      return {};
    }));
  }

  TemporaryFolder folder_;
  lmdb::Env env_ = must(lmdb::Env::open(folder_.path(), table_specs(), {}, true));
  Tables tables_ = tables_of(env_);
};

Lists lists_of_many_lengths() {
  Lists lists;
  RandomValues random(7, 10, 1);
  // One value; a few, kept in the node; some on one page of their own; several pages.
  for (const std::uint64_t length : {1U, 2U, 5U, 300U, 511U, 512U, 5000U}) {
    std::map<std::uint32_t, std::uint32_t>& list = lists[length * 1000];
    std::uint32_t document = 0;
    for (std::uint64_t i = 0; i < length; ++i) {
      document += 1 + static_cast<std::uint32_t>(random.below(5));
      list[document] = 1 + static_cast<std::uint32_t>(random.below(9));
    }
  }
  return lists;
}

TEST_F(PostingCursors, WalkOverWholeLists) {
  const Lists lists = lists_of_many_lengths();
  add(lists);
  const lmdb::ReadTxn txn = must(env_.read());
  LmdbPostingCursor cursor = must(LmdbPostingCursor::make(txn, tables_));
  for (const auto& [feature, list] : lists) {
    cursor.open(Feature{feature});
    for (const auto& [document, count] : list) {
      ASSERT_EQ(cursor.doc(), DocNumber{document});
      ASSERT_EQ(cursor.count(), count);
      cursor.next();
    }
    EXPECT_EQ(cursor.doc(), kEnd);
    cursor.next();
    EXPECT_EQ(cursor.doc(), kEnd);
  }
  EXPECT_FALSE(cursor.status().has_error());
}

TEST_F(PostingCursors, OfAFeatureWithoutPostingsAreAtTheEnd) {
  add(lists_of_many_lengths());
  const lmdb::ReadTxn txn = must(env_.read());
  LmdbPostingCursor cursor = must(LmdbPostingCursor::make(txn, tables_));
  for (const std::uint64_t feature : {std::uint64_t{0}, std::uint64_t{1001}, ~std::uint64_t{0}}) {
    cursor.open(Feature{feature});
    EXPECT_EQ(cursor.doc(), kEnd);
  }
}

TEST_F(PostingCursors, SkipAsASlowWalkWould) {
  const Lists lists = lists_of_many_lengths();
  add(lists);
  const lmdb::ReadTxn txn = must(env_.read());
  LmdbPostingCursor cursor = must(LmdbPostingCursor::make(txn, tables_));
  RandomValues random(9, 10, 1);
  for (int round = 0; round < 300; ++round) {
    for (const auto& [feature, list] : lists) {
      cursor.open(Feature{feature});
      while (cursor.doc() != kEnd) {
        auto target = static_cast<std::uint32_t>(cursor.doc());
        const std::uint64_t choice = random.below(4);
        if (choice == 0) {
          cursor.next();
          ++target;
        } else {
          target += static_cast<std::uint32_t>(random.below(choice == 1 ? 4 : 4000));
          cursor.next_geq(DocNumber{target});
        }
        const auto expected = list.lower_bound(target);
        if (expected == list.end()) {
          ASSERT_EQ(cursor.doc(), kEnd);
        } else {
          ASSERT_EQ(cursor.doc(), DocNumber{expected->first});
          ASSERT_EQ(cursor.count(), expected->second);
        }
      }
    }
  }
}

TEST_F(PostingCursors, NeverGoBack) {
  add({{1, {{10, 1}, {20, 1}, {30, 1}}}});
  const lmdb::ReadTxn txn = must(env_.read());
  LmdbPostingCursor cursor = must(LmdbPostingCursor::make(txn, tables_));
  cursor.open(Feature{1});
  cursor.next_geq(DocNumber{25});
  cursor.next_geq(DocNumber{5});
  EXPECT_EQ(cursor.doc(), DocNumber{30});
  cursor.next_geq(kEnd);
  EXPECT_EQ(cursor.doc(), kEnd);
}

}  // namespace
}  // namespace akin::test
