#include "server/tables/pair_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "index/collection/catalog.h"
#include "index/lmdb/catalog.h"
#include "server/tables/pairs_page.h"
#include "tests/support/temporary_folder.h"

namespace akin::tables {
namespace {

using test::must;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

DocumentPair pair(std::string_view a, std::string_view b, Overlap overlap) { return {a, b, overlap}; }

std::vector<std::string> ids(BestPairs& best) {
  std::vector<std::string> names;
  for (const RankedPair& one : best.take()) names.push_back(one.a + one.b);
  return names;
}

void add_all(BestPairs& best) {
  best.add(pair("a", "b", {.x = 5, .a_features = 10, .b_features = 10}));     // resemblance 1/3
  best.add(pair("a", "c", {.x = 4, .a_features = 4, .b_features = 40}));      // 1/10
  best.add(pair("b", "c", {.x = 50, .a_features = 100, .b_features = 100}));  // 1/3
  best.add(pair("b", "d", {.x = 50, .a_features = 100, .b_features = 100}));
  best.add(pair("c", "d", {.x = 9, .a_features = 10, .b_features = 10}));  // 9/11
}

TEST(BestPairsTest, RanksByEachMeasure) {
  BestPairs by_resemblance(RankBy::resemblance, 0);
  add_all(by_resemblance);
  EXPECT_THAT(ids(by_resemblance), ElementsAre("cd", "bc", "bd", "ab", "ac"));
  BestPairs by_containment(RankBy::containment, 0);
  add_all(by_containment);
  EXPECT_THAT(ids(by_containment), ElementsAre("ac", "cd", "bc", "bd", "ab"));
  BestPairs by_x(RankBy::x, 0);
  add_all(by_x);
  EXPECT_THAT(ids(by_x), ElementsAre("bc", "bd", "cd", "ab", "ac"));
}

TEST(BestPairsTest, KeepsTheBestWhateverTheLimit) {
  BestPairs all(RankBy::resemblance, 0);
  add_all(all);
  const auto order = ids(all);
  for (std::size_t limit = 1; limit <= 6; ++limit) {
    BestPairs best(RankBy::resemblance, limit);
    add_all(best);
    EXPECT_EQ(best.total(), 5U);
    EXPECT_EQ(ids(best), std::vector<std::string>(
                             order.begin(),
                             order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(limit, 5))));
  }
}

/// Three documents: "one" and "two" share all, "three" a half.
class PairTableTest : public testing::Test {
 protected:
  void SetUp() override {
    auto dictionary = must(Dictionary::open({}));
    catalog_ = must(open_data_folder(folder_.path(), dictionary, "", true));
    collection_ = must(catalog_->create("books", "sentences"));
    put("one", "The <b>first</b>", kText);
    put("three", "", "Quite another thing. A sentence of three words. </script><script>alert(1)</script>");
    put("two", "Second", kText);
    snapshot_ = must(collection_->snapshot());
  }

  void put(std::string_view id, std::string_view title, std::string_view text) {
    must(collection_->put({.id = id, .title = title, .metadata = "", .text = text}));
  }

  PairTable table(std::size_t limit = 0) {
    PairTable table;
    table.collection = "books";
    BestPairs best(RankBy::resemblance, limit);
    must(snapshot_->pairs({}, [&](const DocumentPair& found) -> Result<void> {
      best.add(found);
      return {};
    }));
    table.total = best.total();
    must(fill_table(table, best.take(), {{{"one", "two"}, "да"}}, {*snapshot_}));
    return table;
  }

  std::string page(const PairTable& table, std::uint64_t texts, PageSummary* summary = nullptr) {
    std::string written;
    const PageSummary told =
        must(write_pairs_page(table, *snapshot_, texts, [&](std::string_view piece) -> Result<void> {
          written += piece;
          return {};
        }));
    EXPECT_EQ(told.bytes, written.size());
    if (summary != nullptr) *summary = told;
    return written;
  }

  static constexpr std::string_view kText = "A sentence of three words. Another sentence <i>here</i>.";
  const test::TemporaryFolder folder_;
  std::shared_ptr<Catalog> catalog_;
  std::shared_ptr<Collection> collection_;
  std::unique_ptr<Snapshot> snapshot_;
};

TEST_F(PairTableTest, HoldsEveryDocumentOnce) {
  const PairTable made = table();
  ASSERT_EQ(made.pairs.size(), 3U);
  ASSERT_EQ(made.documents.size(), 3U);
  EXPECT_EQ(made.a(made.pairs[0]).id, "one");
  EXPECT_EQ(made.b(made.pairs[0]).id, "two");
  EXPECT_EQ(made.pairs[0].label, "да");
  EXPECT_EQ(made.pairs[1].label, "");
  EXPECT_EQ(made.pairs[1].passages.size(), 1U);
  EXPECT_EQ(made.pairs[1].passages[0].features, 1U);
}

TEST_F(PairTableTest, ThePageHasNoMarkupOfTextsAndEachTextOnce) {
  PageSummary summary;
  const std::string written = page(table(), kDefaultPageTexts, &summary);
  EXPECT_EQ(summary.readable, 3U);
  EXPECT_THAT(written, Not(HasSubstr("<b>first")));
  EXPECT_THAT(written, Not(HasSubstr("<i>here")));
  EXPECT_THAT(written, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(written, HasSubstr("\\u003cb>first"));
  const std::string once = "Quite another thing.";
  EXPECT_EQ(written.find(once), written.rfind(once));
  EXPECT_NE(written.find(once), std::string::npos);
  for (const char* part : {"@style@", "@data@", "@table@", "@sides@"})
    EXPECT_THAT(written, Not(HasSubstr(part)));
}

TEST_F(PairTableTest, TextsKeepWithinTheirRoom) {
  PageSummary summary;
  const PairTable made = table();
  EXPECT_THAT(page(made, 0, &summary), Not(HasSubstr("Quite another")));
  EXPECT_EQ(summary.readable, 0U);
  // Room for the two equal texts with their passage, not for the third.
  EXPECT_THAT(page(made, 190, &summary), Not(HasSubstr("Quite another")));
  EXPECT_EQ(summary.readable, 1U);
}

TEST_F(PairTableTest, LimitAndTotalStandBesideOneAnother) {
  const PairTable made = table(1);
  EXPECT_EQ(made.total, 3U);
  EXPECT_EQ(made.pairs.size(), 1U);
  EXPECT_EQ(made.documents.size(), 2U);
}

TEST(ScriptJsonTest, LeavesNoMarkup) {
  EXPECT_EQ(script_json("\"</script><!--\""), "\"\\u003c/script>\\u003c!--\"");
}

}  // namespace
}  // namespace akin::tables
