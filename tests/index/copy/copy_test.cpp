// Collections copied from one data folder to another; tests/e2e/test_topologies.py copies into databases and
// out of them.
#include "index/copy/copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/sha256.h"
#include "index/lmdb/catalog.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Copies : public CatalogTest {
 protected:
  Copies() {
    put(*books_, "a", text_of("cats", 20));
    put(*books_, "b", text_of("dogs", 20));
  }

  Result<CopyReport> copy(const JobControl& control = {}, bool update = false) {
    const std::shared_ptr<Catalog> from = must(open_data_folder(data_, nullptr, "", false));
    const std::shared_ptr<Catalog> to = must(open_data_folder(elsewhere_, nullptr, "", true));
    return copy_collection(*from, *to, {.collection = "books", .update = update}, control);
  }
  std::shared_ptr<Catalog> there() const { return must(open_data_folder(elsewhere_, plain_, "none", false)); }

  const std::filesystem::path elsewhere_ = folder_.path() / "elsewhere";
  std::shared_ptr<Collection> books_ = must(catalog_->create("books", ""));
};

TEST_F(Copies, HaveEveryDocumentAndAreCompared) {
  const CopyReport report = must(copy());
  EXPECT_EQ(report.copied, 2U);
  EXPECT_EQ(report.equal.sampled, 2U);
  EXPECT_FALSE(report.written_meanwhile);
  const std::shared_ptr<Collection> copied = must(there()->get("books"));
  EXPECT_THAT(ids(*copied), ElementsAre("a", "b"));
  EXPECT_THAT(found(*copied, text_of("cats", 20), 10), ElementsAre("a"));
  EXPECT_THAT(verify(*copied), IsEmpty());
}

TEST_F(Copies, HaveThePlacesInTheFile) {
  must(books_->put({"c", "", "", text_of("cows", 20), FileOrigin{}, "places"}));
  must(copy());
  const std::shared_ptr<Collection> copied = must(there()->get("books"));
  EXPECT_EQ(must(must(copied->snapshot())->find("c"))->places, "places");
}

TEST_F(Copies, HaveTheFilesThatDocumentsWereReadFrom) {
  const StoredFile file{"a.pdf", "application/pdf", "%PDF-1.7 and more"};
  books_ = nullptr;
  must(catalog_->drop("books"));
  books_ = must(catalog_->create("books", "", true, true));
  must(books_->put({.id = "a",
                    .text = text_of("cats", 20),
                    .file = FileOrigin{.sha256 = sha256(file.bytes)},
                    .original = file.view()}));
  must(copy());
  const std::shared_ptr<Collection> copied = must(there()->get("books"));
  EXPECT_TRUE(copied->keeps_files());
  EXPECT_EQ(must(must(copied->snapshot())->file("a")), file);
  EXPECT_THAT(verify(*copied), IsEmpty());
}

TEST_F(Copies, ExpireWhenTheCollectionDoes) {
  const Time expires = time_now() + std::chrono::hours(1);
  must(catalog_->set_expiry("books", expires));
  must(copy());
  EXPECT_EQ(must(there()->expiry("books")), expires);
}

TEST_F(Copies, AreBroughtUpToDate) {
  must(copy());
  put(*books_, "b", text_of("birds", 20));
  put(*books_, "c", text_of("cows", 20));
  must(books_->remove({"a"}));
  const CopyReport update = must(copy({}, true));
  EXPECT_EQ(update.copied, 2U);
  EXPECT_EQ(update.removed, 1U);
  const std::shared_ptr<Collection> copied = must(there()->get("books"));
  EXPECT_THAT(ids(*copied), ElementsAre("b", "c"));
  EXPECT_THAT(found(*copied, text_of("birds", 20), 10), ElementsAre("b"));
  EXPECT_THAT(found(*copied, text_of("dogs", 20), 10), IsEmpty());
  EXPECT_THAT(verify(*copied), IsEmpty());
  const CopyReport again = must(copy({}, true));
  EXPECT_EQ(again.copied + again.removed, 0U);
}

TEST_F(Copies, AreNotBroughtUpToDateDuringAJob) {
  must(copy());
  const std::shared_ptr<Catalog> target = must(open_data_folder(elsewhere_, nullptr, "", false));
  const std::shared_ptr<Store> held = must(target->open_for_update("books"));
  EXPECT_EQ(copy({}, true).error().code, Errc::busy);
  EXPECT_EQ(target->compact("books", {}).error().code, Errc::busy);
}

TEST_F(Copies, OfWhatIsThereAreComparedAlone) {
  must(copy());
  const CopyReport again = must(copy());
  EXPECT_TRUE(again.was_there);
  EXPECT_EQ(again.copied, 0U);
  put(*books_, "c", text_of("cows", 20));
  EXPECT_EQ(copy().error().code, Errc::already_exists);
}

TEST_F(Copies, TakeOverWhatIsWrittenMeanwhile) {
  bool written = false;
  const auto write = [&](const JobProgress&) {
    if (std::exchange(written, true)) return;
    put(*books_, "b", text_of("other", 20));
    put(*books_, "c", text_of("cows", 20));
    must(books_->remove({"a"}));
  };
  EXPECT_FALSE(must(copy({write, {}})).written_meanwhile);
  const std::shared_ptr<Collection> copied = must(there()->get("books"));
  EXPECT_THAT(ids(*copied), ElementsAre("b", "c"));
  EXPECT_THAT(found(*copied, text_of("other", 20), 10), ElementsAre("b"));
}

TEST_F(Copies, TellThatADocumentWasReplacedWhileTheyWereCompared) {
  const auto replace = [&](const JobProgress& progress) {
    if (progress.phase == "comparing") put(*books_, "b", text_of("other", 20));
  };
  EXPECT_TRUE(must(copy({replace, {}})).written_meanwhile);
}

}  // namespace
}  // namespace akin::test
