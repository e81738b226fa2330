// Runs of a short text in all documents of a collection, of whatever length, on every engine.
#include "index/search/run_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "index/collection/bulk.h"
#include "tests/support/long_text_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const char* const kQuoted = "seven grey herons stood there";

class RunsOfAllDocuments : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    collection_ = must(catalog_->create("c", "library"));
  }

  [[nodiscard]] RunsFound find(const std::string& text, std::shared_ptr<const Dictionary> dictionary = {}) {
    if (!dictionary) dictionary = plain_;
    const auto aligner = must(TextAligner::of(text, must(read_words(text, *dictionary)), dictionary));
    const auto snapshot = must(collection_->snapshot());
    return must(find_runs(*snapshot, *aligner, {page_, 4, most_}));
  }
  [[nodiscard]] static std::vector<std::string> ids(const RunsFound& found) {
    std::vector<std::string> ids;
    for (const StoredDocument& one : found.documents) ids.push_back(one.id);
    return ids;
  }
  void put_quoting(const std::string& id, const std::string& quoted = kQuoted) {
    put(*collection_, id, text_of(id, 3) + " " + quoted + ". " + text_of("end" + id, 3));
  }

  std::shared_ptr<Collection> collection_;
  SearchRequest page_;
  std::optional<std::uint64_t> most_;
};

TEST_F(RunsOfAllDocuments, AreFoundAsLongAsTheDocumentsAreThere) {
  for (const char* const id : {"a", "b", "c", "d"}) put_quoting(id);
  put(*collection_, "other", text_of("other", 9));
  EXPECT_THAT(ids(find(kQuoted)), ElementsAre("a", "b", "c", "d"));
  must(collection_->remove({"b"}));
  put(*collection_, "c", text_of("replaced", 6));
  put_quoting("other");
  EXPECT_THAT(ids(find(kQuoted)), UnorderedElementsAre("a", "d", "other"));
  must(catalog_->reindex("c", "", {}));
  collection_ = must(catalog_->get("c"));
  EXPECT_THAT(ids(find(kQuoted)), UnorderedElementsAre("a", "d", "other"));
}

TEST_F(RunsOfAllDocuments, AreFoundInTextsInPartsAndInLongOnes) {
  const std::string novel = long_text(std::size_t{300} << 10U) + " " + kQuoted + ".";
  put(*collection_, "novel", novel);
  put(*collection_, "works", text_in_parts() + " " + kQuoted + ".");
  put(*collection_, "page", std::string(kQuoted) + ".");
  put(*collection_, "none", long_text(std::size_t{400} << 10U));
  EXPECT_THAT(ids(find(kQuoted)), ElementsAre("page", "novel", "works"));
}

TEST_F(RunsOfAllDocuments, AreFoundByTheWordsOfAnotherDictionary) {
  put_quoting("a");
  put(*collection_, "other", text_of("other", 9));
  EXPECT_THAT(ids(find(kQuoted, with_synonyms("heron bird\n"))), ElementsAre("a"));
}

TEST_F(RunsOfAllDocuments, LeaveOutWhatThePageLeavesOut) {
  for (const char* const id : {"a", "b", "c"}) put_quoting(id);
  page_.exclude = {"b"};
  page_.accept = [](const DocumentRecord& record) { return Result<bool>(record.id != "c"); };
  const RunsFound found = find(kQuoted);
  EXPECT_THAT(ids(found), ElementsAre("a"));
  EXPECT_EQ(found.total, 3U);
}

TEST_F(RunsOfAllDocuments, OfTooManyThoseWithTheRarestRunsAreWanted) {
  for (int i = 0; i < 30; ++i) put_quoting("common" + std::to_string(i), "once upon a time");
  put_quoting("rare", "the lonely crow flew");
  most_ = 10;
  const RunsFound found = find("once upon a time the lonely crow flew");
  EXPECT_EQ(found.total, 31U);
  EXPECT_EQ(found.common, 4U) << "the words of the run that thirty documents have";
  EXPECT_GE(found.documents.size(), 10U);
  EXPECT_THAT(ids(found), testing::Contains("rare"));
}

TEST_F(RunsOfAllDocuments, AreFoundInEachOfThousandsThatThreadsReadTogether) {
  constexpr std::size_t kDocuments = 3'000, kEvery = 50;
  std::vector<OwnedDocument> documents(kDocuments);
  std::vector<std::string> quoting;
  for (std::size_t i = 0; i < kDocuments; ++i) {
    const std::string id = "d" + std::to_string(i);
    documents[i].id = id;
    documents[i].text = text_of(id, 1);
    if (i % kEvery != 0) continue;
    documents[i].text += std::string(" ") + kQuoted + ".";
    if (i > 0) quoting.push_back(id);
  }
  BulkResult loaded;
  const auto all_at_once = [&](std::uint64_t) -> Result<std::vector<OwnedDocument>> {
    return std::exchange(documents, {});
  };
  must(bulk_load(*collection_, all_at_once, {}, loaded));
  must(collection_->remove({"d0", "d1", "d1024", "d2048"}));
  const RunsFound found = find(kQuoted);
  EXPECT_EQ(found.total, quoting.size());
  EXPECT_THAT(ids(found), testing::UnorderedElementsAreArray(quoting));
}

TEST_F(RunsOfAllDocuments, AnEmptyCollectionHasNone) { EXPECT_THAT(ids(find(kQuoted)), IsEmpty()); }

}  // namespace
}  // namespace akin::test
