// Verification of a store in PostgreSQL: a document whose parts disagree is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/codec/posting.h"
#include "index/pg/client/connection.h"
#include "index/pg/tables/names.h"
#include "index/store/records.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class PgVerify : public CatalogTest {
 protected:
  explicit PgVerify(bool keeps_text = true) {
    put(*must(catalog_->create("c", "", keeps_text)), "a", text_of("cats", 20));
  }

  [[nodiscard]] std::string sql(const std::string& statement) const {
    const auto stores = must(
        must(pg::Connection::open(database_))->run("SELECT store FROM akin.collections WHERE name = 'c'"));
    return pg::of_store(statement, pg::StoreNumber{stores.number(0, 0)});
  }

  /// Replaces the document's record by a changed one, sound in itself.
  template <class Change>
  void change_record(const Change& change) {
    const auto connection = must(pg::Connection::open(database_));
    const auto rows = must(connection->run(sql("SELECT record FROM akin.documents_@")));
    auto record = decode_record(rows.bytes(0, 0));
    ASSERT_TRUE(record);
    change(*record);
    must(connection->run(sql("UPDATE akin.documents_@ SET record = $1"),
                         pg::Params().bytes(encode_record(*record))));
  }

  [[nodiscard]] std::vector<std::string> findings() const {
    std::vector<std::string> found;
    const auto report = [&](const Finding& one) { found.push_back(one.where + ": " + one.broken); };
    must(must(must(catalog_->get("c"))->snapshot())->verify(report, nullptr));
    return found;
  }
  void expect_reported(const std::string& broken) {
    EXPECT_THAT(findings(), Contains("document 0 ('a'): " + broken));
  }
};

/// Its features do not follow from a text, so that they are stored.
class PgVerifySequence : public PgVerify {
 protected:
  PgVerifySequence() : PgVerify(false) {}
};

TEST_F(PgVerifySequence, FindsNothingInASoundDocument) { EXPECT_THAT(findings(), IsEmpty()); }

TEST_F(PgVerify, FindsNothingInASoundDocument) { EXPECT_THAT(findings(), IsEmpty()); }

TEST_F(PgVerify, ComparesTheNumberOfFeatures) {
  change_record([](DocumentRecord& record) { ++record.features; });
  expect_reported("its record and its sequence have different numbers of features");
}

TEST_F(PgVerifySequence, ComparesTheSizesOfTiers) {
  change_record([](DocumentRecord& record) {
    ASSERT_GT(record.tier_sizes.size(), 1U);
    --record.features;  // the size of the first tier
    ++record.tier_sizes[1];
  });
  expect_reported("its record and its sequence have different numbers of features of a tier");
}

TEST_F(PgVerify, ComparesTheNumberOfSentences) {
  change_record([](DocumentRecord& record) { ++record.sentences; });
  expect_reported("its record and its sequence have different numbers of sentences");
}

TEST_F(PgVerify, ComparesTheNumberOfCodePoints) {
  change_record([](DocumentRecord& record) { ++record.code_points; });
  expect_reported("its record and its sequence have different numbers of code points");
  expect_reported("its text does not have as many code points as its record says");
}

TEST_F(PgVerify, NamesAPostingThatIsMissing) {
  const auto connection = must(pg::Connection::open(database_));
  const auto rows = must(connection->run(sql("SELECT key FROM akin.postings_@ ORDER BY key LIMIT 1")));
  const std::int64_t key = rows.number(0, 0);
  must(connection->run(sql("DELETE FROM akin.postings_@ WHERE key = $1"), pg::Params().number(key)));
  EXPECT_THAT(findings(), Contains(name_of(pg::feature_of(key)) + ": the posting of document 0 is missing"));
}

TEST_F(PgVerifySequence, ReportsAFeatureOutsideTheText) {
  change_record([](DocumentRecord& record) { record.code_points = 10; });
  expect_reported("a feature's range lies outside the text");
}

TEST_F(PgVerify, ReportsARecordThatCannotBeDecoded) {
  must(must(pg::Connection::open(database_))
           ->command(
               sql("UPDATE akin.documents_@ SET record = set_byte(record, 0, get_byte(record, 0) # 1)")));
  EXPECT_THAT(findings(), Contains(HasSubstr("document 0")));
}

TEST_F(PgVerify, ReportsContentWithoutADocumentAndADocumentWithoutContent) {
  must(must(pg::Connection::open(database_))->command(sql("UPDATE akin.contents_@ SET doc = 7")));
  expect_reported("it has neither text nor sequence");
  EXPECT_THAT(findings(), Contains("document 7: it has postings or a text but does not exist"));
}

}  // namespace
}  // namespace akin::test
