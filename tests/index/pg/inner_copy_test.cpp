// Compaction of a collection in PostgreSQL within its database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "index/codec/stored_file.h"
#include "index/pg/client/connection.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A collection whose documents came in a load and one by one, with features that all have and features of
/// few.
class InnerCopy : public CatalogTest {
 protected:
  static constexpr std::uint64_t kDocuments = 700;

  InnerCopy() {
    books_ = must(catalog_->create("books", "sentences", true));
    std::vector<SourceDocument> load;
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < kDocuments; ++i) texts.push_back(text_of_document(numbered("d", i)));
    for (std::uint64_t i = 0; i < kDocuments; ++i) ids_.push_back(numbered("d", i));
    for (std::uint64_t i = 0; i < kDocuments; ++i) load.push_back({ids_[i], "", "", texts[i]});
    must(books_->put_all(load));
    for (std::uint64_t i = 0; i < 10; ++i) {
      put(*books_, numbered("single", i), text_of_document(numbered("single", i)));
      put(*books_, numbered("d", 7 * i), text_of_document(numbered("changed", i)));
    }
    std::vector<std::string> gone;
    for (std::uint64_t i = 100; i < 400; ++i) gone.push_back(numbered("d", i));
    must(books_->remove(gone));
  }

  static std::string text_of_document(const std::string& name) {
    return text_of("common", 3) + text_of(name, 20);
  }

  [[nodiscard]] std::shared_ptr<Collection> books() const { return must(catalog_->get("books")); }

  struct Stored {
    std::uint64_t number = 0, x = 0, revision = 0;
    std::string text;
    std::vector<Feature> features;
    friend bool operator==(const Stored&, const Stored&) = default;
  };
  /// All documents, as a search for what they have in common finds them.
  static std::map<std::string, Stored> stored(const Collection& collection) {
    const FeatureSequence query = must(collection.analyze(text_of_document("d450")));
    SearchRequest request;
    request.query = &query;
    request.bound = 0;
    request.limit = 10'000;
    const auto snapshot = must(collection.snapshot());
    std::map<std::string, Stored> all;
    for (const Hit& hit : must(snapshot->search(request)).hits) {
      const std::string& id = hit.document.id;
      all[id] = {hit.document.number, hit.overlap.x, hit.document.revision.value, must(snapshot->text(id)),
                 must(snapshot->features(id)).hashes};
    }
    return all;
  }

  /// The number of the collection's store, as in the names of its tables.
  [[nodiscard]] std::string store() const {
    const auto connection = must(pg::Connection::open(database_));
    const pg::Rows rows = must(connection->run("SELECT store FROM akin.collections"));
    return std::to_string(rows.number(0, 0));
  }
  void change(const std::string& sql) const { must(must(pg::Connection::open(database_))->command(sql)); }

  std::shared_ptr<Collection> books_;
  std::vector<std::string> ids_;
};

TEST_F(InnerCopy, KeepsDocumentsAndTheirNumbersAndDropsWhatIsGone) {
  const std::map<std::string, Stored> before = stored(*books());
  ASSERT_EQ(before.size(), kDocuments + 10 - 300);
  const StoreStats old = must(must(books()->snapshot())->stats());
  EXPECT_GT(old.tombstones, 0U);
  must(catalog_->compact("books", {}));
  EXPECT_EQ(stored(*books()), before);
  EXPECT_THAT(verify(*books()), IsEmpty());
  const StoreStats now = must(must(books()->snapshot())->stats());
  EXPECT_EQ(now.documents, old.documents);
  EXPECT_EQ(now.features, old.features);
  EXPECT_EQ(now.postings, old.postings);
  EXPECT_EQ(now.text_bytes, old.text_bytes);
  EXPECT_EQ(now.text_stored_bytes, old.text_stored_bytes);
  EXPECT_EQ(now.last_revision, old.last_revision);
  EXPECT_EQ(now.tombstones, 0U);
  EXPECT_EQ(now.recent_postings, 0U);
  EXPECT_EQ(now.runs, 1U) << "rows of a look-up";
  EXPECT_LT(now.disk_bytes, old.disk_bytes);
}

TEST_F(InnerCopy, GivesLaterDocumentsOtherNumbers) {
  must(catalog_->compact("books", {}));
  std::uint64_t last = 0;
  for (const auto& [id, one] : stored(*books())) last = std::max(last, one.number);
  put(*books(), "later", text_of_document("later"));
  EXPECT_GT(stored(*books()).at("later").number, last);
  must(catalog_->compact("books", {}));
  EXPECT_TRUE(stored(*books()).contains("later"));
  EXPECT_THAT(verify(*books()), IsEmpty());
}

TEST_F(InnerCopy, OfNothingLeavesAnEmptyCollectionThatTakesDocuments) {
  std::vector<std::string> all;
  for (const auto& [id, one] : stored(*books())) all.push_back(id);
  must(books()->remove(all));
  must(catalog_->compact("books", {}));
  EXPECT_THAT(ids(*books()), IsEmpty());
  EXPECT_FALSE(put(*books(), "first", text_of_document("first")));
  EXPECT_THAT(verify(*books()), IsEmpty());
}

TEST_F(InnerCopy, IsNoWayForACollectionThatHasUsedHalfOfItsNumbers) {
  change("SELECT setval('akin.next_document_" + store() + "', 3000000000)");
  put(*books(), "late", text_of_document("late"));
  std::map<std::string, Stored> before = stored(*books());
  EXPECT_GT(before.at("late").number, 3'000'000'000U);
  must(catalog_->compact("books", {}));
  std::map<std::string, Stored> after = stored(*books());
  for (auto* const documents : {&before, &after}) {
    for (auto& [id, one] : *documents) {
      EXPECT_EQ(one.number < 10'000U, documents == &after || id != "late") << id;
      one.number = 0;
    }
  }
  EXPECT_EQ(after, before);
  EXPECT_THAT(verify(*books()), IsEmpty());
}

TEST_F(InnerCopy, FailsIfADocumentHasNoContent) {
  change("DELETE FROM akin.contents_" + store() + " WHERE doc = (SELECT min(doc) FROM akin.documents_" +
         store() + ")");
  const Error error = catalog_->compact("books", {}).error();
  EXPECT_EQ(error.code, Errc::corrupt);
  EXPECT_THAT(error.reason, HasSubstr("1 of its documents"));
  EXPECT_THAT(error.remedy, HasSubstr("akin verify"));
  EXPECT_THAT(database_leftovers(), IsEmpty());
  EXPECT_EQ(ids(*books()).size(), kDocuments + 10 - 300);
}

TEST_F(InnerCopy, FailsIfPostingsAreDamaged) {
  change("UPDATE akin.packed_postings_" + store() + " SET body = set_byte(body, 0, get_byte(body, 0) # 1)");
  EXPECT_EQ(catalog_->compact("books", {}).error().code, Errc::corrupt);
  EXPECT_THAT(database_leftovers(), IsEmpty());
}

TEST_F(InnerCopy, StopsWhenItIsStopped) {
  std::stop_source stop;
  const JobControl control{[&](const JobProgress& progress) {
                             if (progress.documents_done > 0) stop.request_stop();
                           },
                           stop.get_token()};
  EXPECT_EQ(catalog_->compact("books", control).error().code, Errc::unsupported);
  EXPECT_THAT(database_leftovers(), IsEmpty());
  must(catalog_->compact("books", {}));
}

TEST_F(InnerCopy, ReportsAllDocumentsAndBytesAsCopied) {
  JobProgress last;
  const JobControl control{[&](const JobProgress& progress) { last = progress; }, {}};
  must(catalog_->compact("books", control));
  EXPECT_EQ(last.documents_done, kDocuments + 10 - 300);
  EXPECT_EQ(last.documents_total, last.documents_done);
  EXPECT_GT(last.bytes_done, 0U);
  EXPECT_EQ(last.bytes_total, last.bytes_done);
}

}  // namespace
}  // namespace akin::test
