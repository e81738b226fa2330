// What a data folder has of features that follow from texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "index/lmdb/env/format.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"
#include "tests/index/write/derived_features_fixture.h"
#include "tests/support/stored_postings.h"

namespace akin::test {
namespace {

using testing::HasSubstr;

TEST_F(DerivedFeatures, TakeSixtyBytesAtMost) {
  put_text("a", worded("cat", 1000));
  EXPECT_LT(raw(&Tables::sequences, document_key(DocNumber{0})).size(), 60U);
}

TEST_F(DerivedFeatures, AreComparedWithThePostings) {
  put_text("a", worded("cat", 100));
  const Feature lost = must(words_of("cat7")).hashes.front();
  tamper([&](lmdb::WriteTxn& txn, const Tables& tables) {
    return change_postings(txn, tables, [&](std::vector<Posting>& postings) {
      EXPECT_EQ(std::erase_if(postings, [&](const Posting& one) { return one.feature == lost; }), 1U);
    });
  });
  EXPECT_THAT(verify(), testing::Contains(HasSubstr("document 0")));
  derive_by(words_of);
  EXPECT_THAT(verify(), testing::Contains(name_of(lost) + ": the posting of document 0 is missing"));
}

}  // namespace
}  // namespace akin::test
