// When documents were stored, and what was stored since.
#include <algorithm>
#include <chrono>

#include "index/lmdb/tables/tables.h"
#include "index/store/records.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Revisions : public StoreTest {
 protected:
  std::uint64_t put_now(const std::string& id) {
    return must(store_->put(MadeDocument(id, {1}).view())).revision.value;
  }
  Result<PutResult> put_kept(const std::string& id, std::uint64_t revision) {
    const MadeDocument made(id, {1});
    NewDocument document = made.view();
    document.record.revision = Revision(revision);
    return store_->put(document);
  }
  std::vector<std::string> changes(std::uint64_t after, std::size_t limit = 100) {
    std::vector<std::string> ids;
    for (const DocumentRecord& record : must(must(store_->snapshot())->changes(Revision(after), limit))) {
      ids.push_back(record.id);
    }
    return ids;
  }
  std::uint64_t revision_of(const std::string& id) {
    return must(must(store_->snapshot())->find(id))->revision.value;
  }
};

TEST_F(Revisions, AreTheTimeOfStoring) {
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  const auto before = now();
  const auto revision = static_cast<std::int64_t>(put_now("a"));
  EXPECT_GE(revision, before);
  EXPECT_LE(revision, now());
  EXPECT_EQ(static_cast<std::int64_t>(revision_of("a")), revision);
}

TEST_F(Revisions, AscendWithinOneWrite) {
  const MadeDocument a("a", {1});
  const MadeDocument b("b", {2});
  const MadeDocument again("a", {3});
  const auto results = must(store_->put_all({a.view(), b.view(), again.view()}));
  EXPECT_LT(results[0].revision, results[1].revision);
  EXPECT_LT(results[1].revision, results[2].revision);
  EXPECT_EQ(revision_of("a"), results[2].revision.value);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Revisions, AscendWhenTheClockGoesBack) {
  const std::uint64_t future = must(put_kept("a", 4'000'000'000'000'000)).revision.value;
  EXPECT_EQ(future, 4'000'000'000'000'000U);
  EXPECT_EQ(put_now("b"), future + 1);
}

TEST_F(Revisions, AscendOverRemovalAndReopening) {
  must(put_kept("a", 4'000'000'000'000'000));
  erase({"a"});
  open();
  EXPECT_EQ(put_now("b"), 4'000'000'000'000'001U);
  EXPECT_EQ(stats().last_revision, Revision(4'000'000'000'000'001));
}

TEST_F(Revisions, GoOnFromAnotherCollections) {
  must(store_->continue_after(Revision(4'000'000'000'000'000)));
  EXPECT_EQ(put_now("a"), 4'000'000'000'000'001U);
  must(store_->continue_after(Revision(5)));
  EXPECT_EQ(put_now("b"), 4'000'000'000'000'002U);
  EXPECT_EQ(store_->continue_after(Revision(kMaxRevision.value + 1)).error().code, Errc::invalid_argument);
}

TEST_F(Revisions, ThatAreKeptMayBeOlderThanOthers) {
  must(put_kept("new", 200));
  must(put_kept("old", 100));
  EXPECT_EQ(revision_of("old"), 100U);
  EXPECT_THAT(changes(0), ElementsAre("old", "new"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Revisions, ThatAreKeptBelongToOneDocument) {
  must(put_kept("a", 100));
  EXPECT_EQ(put_kept("b", 100).error().code, Errc::invalid_argument);
  EXPECT_TRUE(must(put_kept("a", 100)).replaced);
  EXPECT_EQ(put_kept("c", kMaxRevision.value + 1).error().code, Errc::invalid_argument);
  EXPECT_THAT(changes(0), ElementsAre("a"));
}

TEST_F(Revisions, TellWhatWasStoredSince) {
  put_now("a");
  const std::uint64_t b = put_now("b");
  put_now("c");
  put_now("a");
  EXPECT_THAT(changes(0), ElementsAre("b", "c", "a"));
  EXPECT_THAT(changes(b), ElementsAre("c", "a"));
  EXPECT_THAT(changes(b - 1, 1), ElementsAre("b"));
  EXPECT_THAT(changes(kMaxRevision.value), IsEmpty());
  EXPECT_THAT(changes(~std::uint64_t{0}), IsEmpty());
}

TEST_F(Revisions, OfRemovedDocumentsAreGone) {
  put_now("a");
  put_now("b");
  erase({"a"});
  EXPECT_THAT(changes(0), ElementsAre("b"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Revisions, ReadInPagesTellEachDocumentOnce) {
  std::vector<std::string> expected;
  for (int i = 0; i < 50; ++i) {
    expected.push_back(numbered("d", i));
    must(put_kept(expected.back(), 1000 + static_cast<std::uint64_t>(i * 37 % 50)));
  }
  std::vector<std::string> told;
  std::uint64_t after = 0;
  for (;;) {
    const std::vector<std::string> page = changes(after, 7);
    if (page.empty()) break;
    told.insert(told.end(), page.begin(), page.end());
    after = revision_of(page.back());
  }
  EXPECT_THAT(told, testing::UnorderedElementsAreArray(expected));
}

TEST_F(Revisions, OfADamagedDocumentThatWasReplacedAreNoHindrance) {
  AKIN_SKIP_UNLESS_LMDB();
  put_now("a");
  put_now("b");
  overwrite(&Tables::records, document_key(DocNumber{0}), "damage");
  put_now("a");
  EXPECT_THAT(changes(0), ElementsAre("b", "a"));
}

TEST_F(Revisions, ThatLeadNowhereAreFound) {
  AKIN_SKIP_UNLESS_LMDB();
  const std::uint64_t revision = put_now("a");
  overwrite(&Tables::revisions, revision_key(Revision(revision + 1)), encode_document_number(DocNumber{0}));
  EXPECT_THAT(verify(), ElementsAre("revisions: there are more of them than documents"));
}

TEST_F(Revisions, ThatAreMissingAreFound) {
  AKIN_SKIP_UNLESS_LMDB();
  const std::uint64_t revision = put_now("a");
  tamper([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    AKIN_CHECK(txn.erase(tables.revisions, revision_key(Revision(revision))));
    return {};
  });
  EXPECT_THAT(verify(), ElementsAre("document 0: its revision does not lead back to it"));
}

}  // namespace
}  // namespace akin::test
