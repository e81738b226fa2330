#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <utility>

#include "index/lmdb/documents/chunks.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Reindex : public CatalogTest {
 protected:
  static void fill(Collection& collection, int documents) {
    std::vector<std::string> names;
    std::vector<std::string> texts;
    for (int i = 0; i < documents; ++i) {
      names.push_back(numbered("d", 1000 + i));
      texts.push_back(text_of(names.back(), 30));
    }
    std::vector<SourceDocument> sources;
    for (std::size_t i = 0; i < names.size(); ++i) sources.push_back({names[i], "t", "{}", texts[i]});
    must(collection.put_all(sources));
  }
};

TEST_F(Reindex, KeepsEveryDocumentUnderTheNewScheme) {
  const std::shared_ptr<Collection> before = must(catalog_->create("books", ""));
  fill(*before, 20);
  must(catalog_->reindex("books", "sentences", {}));
  const std::shared_ptr<Collection> after = must(catalog_->get("books"));
  EXPECT_EQ(after->scheme().name(), "sentences");
  EXPECT_EQ(ids(*after), ids(*before));
  EXPECT_THAT(found(*after, text_of("d1007", 30), 25), ElementsAre("d1007"));
  EXPECT_EQ(must(must(after->snapshot())->find("d1007"))->title, "t");
  EXPECT_THAT(verify(*after), IsEmpty());
  if (is_lmdb()) {
    EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-2"));
  }
}

TEST_F(Reindex, KeepsWhatIsKnownOfAFile) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  const FileOrigin file{.sha256 = sha256("a file"), .reading = 7};
  const std::string places(5'000, '\7');
  must(books->put({"a", "", "", "A text.", file, places}));
  must(books->put({"b", "", "", "A text."}));
  must(catalog_->reindex("books", "sentences", {}));
  const std::unique_ptr<Snapshot> after = must(must(catalog_->get("books"))->snapshot());
  const std::optional<StoredDocument> kept = must(after->find("a"));
  EXPECT_EQ(kept->file, file);
  EXPECT_EQ(kept->places, places);
  EXPECT_EQ(must(after->find("b"))->places, "");
}

TEST_F(Reindex, KeepsRevisionsAndGoesOnAfterTheLastOne) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  fill(*books, 3);
  const Revision kept = must(must(books->snapshot())->find("d1001"))->revision;
  const Revision last = must(books->put({"gone", "", "", "A text."})).revision;
  must(books->remove({"gone"}));
  must(catalog_->reindex("books", "", {}));
  const std::shared_ptr<Collection> after = must(catalog_->get("books"));
  EXPECT_EQ(must(must(after->snapshot())->find("d1001"))->revision, kept);
  EXPECT_EQ(must(must(after->snapshot())->stats()).last_revision, last);
}

TEST_F(Reindex, KeepsTheSchemeUnlessOneIsGiven) {
  must(catalog_->create("books", "sentences"));
  must(catalog_->reindex("books", "", {}));
  EXPECT_EQ(must(catalog_->get("books"))->scheme().name(), "sentences");
}

TEST_F(Reindex, GivesACollectionTheConfiguredDictionaries) {
  fill(*must(catalog_->create("books", "")), 5);
  reopen(other_);
  EXPECT_EQ(must(catalog_->get("books"))->dictionary().fingerprint(), plain_->fingerprint());
  must(catalog_->reindex("books", "", {}));
  const std::shared_ptr<Collection> books = must(catalog_->get("books"));
  EXPECT_EQ(ids(*books).size(), 5U);
  EXPECT_THAT(verify(*books), IsEmpty());
  EXPECT_EQ(must(catalog_->identity("books")).fingerprint, other_->fingerprint());
}

TEST_F(Reindex, TellsProgressUpToTheTotal) {
  fill(*must(catalog_->create("books", "")), 7);
  JobProgress last;
  must(catalog_->reindex("books", "", {[&](const JobProgress& progress) { last = progress; }, {}}));
  EXPECT_EQ(last.documents_done, 7U);
  EXPECT_EQ(last.documents_total, 7U);
  EXPECT_GT(last.bytes_done, 0U);
  EXPECT_EQ(last.bytes_done, last.bytes_total);
}

TEST_F(Reindex, OfAnEmptyCollectionWorks) {
  must(catalog_->create("books", ""));
  must(catalog_->reindex("books", "", {}));
  EXPECT_THAT(ids(*must(catalog_->get("books"))), IsEmpty());
}

TEST_F(Reindex, LetsSearchesAndWritesGoOnWhileItRuns) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  fill(*books, 5);
  bool tried = false;
  JobControl control;
  control.progress = [&](const JobProgress&) {
    if (std::exchange(tried, true)) return;
    EXPECT_FALSE(put(*books, "new", text_of("new", 30)));
    EXPECT_TRUE(put(*books, "d1002", text_of("other", 30)));
    EXPECT_EQ(must(books->remove({"d1000"})), 1U);
    EXPECT_THAT(found(*books, text_of("d1001", 30), 20), ElementsAre("d1001"));
    EXPECT_EQ(must(catalog_->get("books")), books);
  };
  must(catalog_->reindex("books", "", control));
  EXPECT_TRUE(tried);
  const std::shared_ptr<Collection> after = must(catalog_->get("books"));
  EXPECT_NE(after, books);
  EXPECT_THAT(ids(*after), ElementsAre("d1001", "d1002", "d1003", "d1004", "new"));
  EXPECT_THAT(found(*after, text_of("new", 30), 20), ElementsAre("new"));
  EXPECT_THAT(found(*after, text_of("other", 30), 20), ElementsAre("d1002"));
  EXPECT_THAT(found(*after, text_of("d1002", 30), 20), IsEmpty());
  EXPECT_THAT(verify(*after), IsEmpty());
}

TEST_F(Reindex, KeepsTheOrderOfPairs) {
  const auto pairs_of = [](const Collection& collection) {
    std::vector<std::string> pairs;
    const std::unique_ptr<Snapshot> view = must(collection.snapshot());
    must(view->pairs({}, [&](const DocumentPair& pair) -> Result<void> {
      pairs.push_back(std::string(pair.a) + " " + std::string(pair.b));
      return {};
    }));
    return pairs;
  };
  // Each text twice; ids descend while documents arrive.
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  std::vector<std::string> names, texts;
  for (int i = 0; i < 600; ++i) {
    names.push_back(numbered("d", 9'000 - i));
    texts.push_back(text_of(numbered("t", i / 2), 20));
  }
  for (std::size_t i = 0; i < names.size(); ++i) must(books->put({names[i], "", "", texts[i]}));
  const std::vector<std::string> before = pairs_of(*books);
  ASSERT_EQ(before.size(), 300U);
  must(catalog_->reindex("books", "", {}));
  EXPECT_EQ(pairs_of(*must(catalog_->get("books"))), before);
}

TEST_F(Reindex, IsRefusedWhileAnotherOneRuns) {
  fill(*must(catalog_->create("books", "")), 5);
  bool tried = false;
  JobControl control;
  control.progress = [&](const JobProgress&) {
    if (std::exchange(tried, true)) return;
    const Error error = open_catalog()->reindex("books", "", {}).error();
    EXPECT_EQ(error.code, Errc::busy);
    EXPECT_EQ(error.what, "collection 'books'");
    EXPECT_EQ(catalog_->drop("books").error().code, Errc::busy);
  };
  must(catalog_->reindex("books", "", control));
  must(catalog_->reindex("books", "", {}));
}

TEST_F(Reindex, WaitsForTheRemovalOfLeftovers) {
  if (!is_lmdb()) GTEST_SKIP() << "folders of generations are LMDB's";
  fill(*must(catalog_->create("books", "")), 5);
  const CollectionFolder folder(data_ / "collections" / "books");
  std::optional<FileLock> removal = must(folder.lock_maintenance());
  const std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    removal.reset();
  });
  must(catalog_->compact("books", {}));
}

TEST_F(Reindex, StoppedLeavesEverythingAsItWas) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  fill(*books, 5);
  std::stop_source stop;
  JobControl control{[&](const JobProgress&) { stop.request_stop(); }, stop.get_token()};
  EXPECT_EQ(catalog_->reindex("books", "", control).error().code, Errc::unsupported);
  EXPECT_EQ(must(catalog_->get("books")), books);
  if (is_lmdb()) {
    EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-1"));
  }
  EXPECT_FALSE(put(*books, "new", "A text."));
}

TEST_F(Reindex, OfACollectionWithoutTextsIsRefusedByName) {
  must(catalog_->create("bare", "", false));
  const Error error = catalog_->reindex("bare", "", {}).error();
  EXPECT_EQ(error.code, Errc::unsupported);
  EXPECT_EQ(error.what, "collection 'bare'");
}

TEST_F(Reindex, OldCollectionAnswersAsBeforeAndWritesIntoTheNewOne) {
  const std::shared_ptr<Collection> old = must(catalog_->create("books", ""));
  fill(*old, 3);
  must(catalog_->reindex("books", "sentences", {}));
  EXPECT_FALSE(put(*old, "new", text_of("new", 9)));
  EXPECT_EQ(must(old->remove({"d1000"})), 1U);
  EXPECT_EQ(ids(*old).size(), 3U);
  EXPECT_THAT(ids(*must(catalog_->get("books"))), ElementsAre("d1001", "d1002", "new"));
  EXPECT_THAT(verify(*must(catalog_->get("books"))), IsEmpty());
}

TEST_F(Reindex, OfAnUnknownSchemeLeavesEverythingAsItWas) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  EXPECT_EQ(catalog_->reindex("books", "no-such", {}).error().code, Errc::invalid_argument);
  EXPECT_EQ(must(catalog_->get("books")), books);
  if (is_lmdb()) {
    EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-1"));
  }
}

TEST_F(Reindex, OfADamagedTextNamesTheDocumentAndLeavesEverythingAsItWas) {
  AKIN_SKIP_UNLESS_LMDB();
  fill(*must(catalog_->create("books", "")), 3);
  catalog_.reset();
  {
    lmdb::Env env =
        must(lmdb::Env::open(data_ / "collections" / "books" / "gen-1", table_specs(), {}, false));
    const Tables tables = tables_of(env);
    must(env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      AKIN_CHECK(erase_parts(txn, texts_of(tables), {DocNumber{2}}));
      return put_parts(txn, texts_of(tables), {{DocNumber{2}, "no frame"}});
    }));
  }
  catalog_ = open_catalog();
  const Error error = catalog_->reindex("books", "", {}).error();
  EXPECT_EQ(error.code, Errc::corrupt);
  EXPECT_THAT(error.what, testing::HasSubstr("d1002"));
  if (is_lmdb()) {
    EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-1"));
  }
  EXPECT_EQ(must(must(catalog_->get("books"))->remove({"d1002"})), 1U);
  must(catalog_->reindex("books", "", {}));
  EXPECT_THAT(verify(*must(catalog_->get("books"))), IsEmpty());
}

TEST_F(Reindex, WriteAfterAnotherProcessReindexedGoesToTheNewGeneration) {
  must(catalog_->create("books", ""));
  catalog_.reset();
  ChildProcess child([&](const ChildSide& parent) {
    parent.wait_for_go();
    must(open_catalog()->reindex("books", "sentences", {}));
    return 0;
  });
  catalog_ = open_catalog();
  const std::shared_ptr<Collection> old = must(catalog_->get("books"));
  put(*old, "before", text_of("before", 5));
  child.go();
  ASSERT_EQ(child.wait(), 0);
  put(*old, "after", text_of("after", 5));
  const std::shared_ptr<Collection> now = must(catalog_->get("books"));
  EXPECT_EQ(now->scheme().name(), "sentences");
  EXPECT_THAT(ids(*now), ElementsAre("after", "before"));
  EXPECT_THAT(verify(*now), IsEmpty());
}

TEST_F(Reindex, WritersOfManyThreadsLoseNothingOverASwitch) {
  must(catalog_->create("books", ""));
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 15; ++i) {
        const std::string id = numbered(numbered("t", thread) + "-", i);
        const std::string text = text_of(id, 3);
        must(must(catalog_->get("books"))->put({id, "", "", text}));
      }
    });
  }
  for (int i = 0; i < 3; ++i)
    must(catalog_->reindex("books", i % 2 == 0 ? "sentences" : "sentence-pairs", {}));
  threads.clear();
  EXPECT_EQ(ids(*must(catalog_->get("books"))).size(), 45U);
  EXPECT_THAT(verify(*must(catalog_->get("books"))), IsEmpty());
}

TEST_F(Reindex, KilledAtAnyMomentLeavesACompleteIndex) {
  constexpr int kDocuments = 60;
  fill(*must(catalog_->create("books", "")), kDocuments);
  catalog_.reset();
  for (int round = 0; round < 10; ++round) {
    {
      ChildProcess child([&](const ChildSide& parent) -> int {
        const std::shared_ptr<Catalog> catalog = open_catalog();
        parent.tell("begun");
        for (;;) must(catalog->reindex("books", "", {}));
      });
      EXPECT_EQ(child.line(), "begun");
      std::this_thread::sleep_for(std::chrono::milliseconds(3 * round));
      child.kill();
    }
    reopen();
    const std::shared_ptr<Collection> books = must(catalog_->get("books"));
    EXPECT_EQ(ids(*books).size(), static_cast<std::size_t>(kDocuments));
    EXPECT_THAT(verify(*books), IsEmpty());
    if (is_lmdb()) {
      EXPECT_EQ(files("books").size(),
                3U);  // CURRENT, LOCK and the generation: leftovers went with the opening
    }
    EXPECT_TRUE(put(*books, "d1000", text_of("d1000", 30)));
    catalog_.reset();
  }
}

}  // namespace
}  // namespace akin::test
