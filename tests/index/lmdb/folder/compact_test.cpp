#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/support/catalog_fixture.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Compact : public CatalogTest {
 protected:
  /// Documents that have all been replaced some times, and half of them removed.
  static void churn(Collection& collection, int documents) {
    for (int version = 0; version < 3; ++version) {
      for (int i = 0; i < documents; ++i) {
        const std::string id = numbered("d", 100 + i);
        put(collection, id, text_of(id + std::to_string(version), 40));
      }
    }
    for (int i = 0; i < documents; i += 2) must(collection.remove({numbered("d", 100 + i)}));
  }
};

TEST_F(Compact, ShrinksTheFileAndKeepsEveryDocument) {
  const std::shared_ptr<Collection> before = must(catalog_->create("books", ""));
  churn(*before, 40);
  const std::vector<std::string> kept = ids(*before);
  const Revision revision = must(must(before->snapshot())->find("d101"))->revision;
  const Compaction done = must(catalog_->compact("books", {}));
  EXPECT_LT(done.bytes_after, done.bytes_before);
  const std::shared_ptr<Collection> after = must(catalog_->get("books"));
  EXPECT_EQ(must(must(after->snapshot())->stats()).disk_bytes, done.bytes_after);
  EXPECT_EQ(ids(*after), kept);
  EXPECT_EQ(must(must(after->snapshot())->find("d101"))->revision, revision);
  EXPECT_THAT(found(*after, text_of("d1012", 40), 30), ElementsAre("d101"));
  EXPECT_THAT(verify(*after), IsEmpty());
  EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-2"));
}

/// With texts and without.
class CompactBesideWrites : public Compact, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(Texts, CompactBesideWrites, testing::Bool());

TEST_P(CompactBesideWrites, TakesThemOver) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", "", GetParam()));
  churn(*books, 4);
  bool tried = false;
  JobControl control;
  control.progress = [&](const JobProgress& now) {
    if (now.phase != "copying" || std::exchange(tried, true)) return;
    put(*books, "new", text_of("new", 30));
    EXPECT_EQ(must(books->remove({"d101"})), 1U);
  };
  must(catalog_->compact("books", control));
  EXPECT_TRUE(tried);
  const std::shared_ptr<Collection> after = must(catalog_->get("books"));
  EXPECT_THAT(ids(*after), ElementsAre("d103", "new"));
  EXPECT_THAT(found(*after, text_of("new", 30), 20), ElementsAre("new"));
  EXPECT_EQ(must(must(after->snapshot())->verify(nullptr, nullptr)), 0U);
}

TEST_F(Compact, StoppedLeavesEverythingAsItWas) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  churn(*books, 4);
  std::stop_source stop;
  const JobControl control{[&](const JobProgress&) { stop.request_stop(); }, stop.get_token()};
  EXPECT_EQ(catalog_->compact("books", control).error().code, Errc::unsupported);
  EXPECT_EQ(must(catalog_->get("books")), books);
  EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-1"));
}

TEST_F(Compact, OfAnUnknownCollectionIsNotFound) {
  EXPECT_EQ(catalog_->compact("books", {}).error().code, Errc::not_found);
  EXPECT_EQ(catalog_->compact("../books", {}).error().code, Errc::not_found);
}

}  // namespace
}  // namespace akin::test
