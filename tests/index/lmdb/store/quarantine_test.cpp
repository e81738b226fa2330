// A crash of a process puts the collection that it hit in quarantine: it stays closed, the others do not.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "index/collection/crash_record.h"
#include "index/lmdb/catalog.h"
#include "index/lmdb/folder/collection_folder.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/child_process.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class QuarantineTest : public CatalogTest {
 protected:
  QuarantineTest() {
    for (const char* name : {"books", "news"})
      put(*must(catalog_->create(name, "")), "one", text_of(name, 400));
    catalog_.reset();  // this process must not have a store open when a child is forked
  }

  /// In a child: records its crashes, which nothing else handles. A sanitizer would exit instead.
  static void record_crashes_alone() {
    for (const int signal : {SIGBUS, SIGSEGV, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
    record_crashes();
  }

  /// Runs `body` in a process that records its crashes; -1 if a signal ended it.
  int run_recorded(const std::function<void(Catalog&)>& body) const {
    ChildProcess child([&](const ChildSide&) {
      record_crashes_alone();
      const std::shared_ptr<Catalog> catalog = open_catalog();
      body(*catalog);
      return 0;
    });
    return child.wait();
  }

  [[nodiscard]] std::filesystem::path data_file(const std::string& name) const {
    const CollectionFolder folder(data_ / "collections" / name);
    return folder.store_path(must(folder.current())) / "data.mdb";
  }

  /// What a damaged file does to a server that has it open.
  void crash_books() const {
    const std::filesystem::path file = data_file("books");
    const std::filesystem::path copy = folder_.path() / "copy";
    std::filesystem::copy_file(file, copy);
    const int code = run_recorded([&](Catalog& catalog) {
      const std::shared_ptr<Collection> books = must(catalog.get("books"));
      std::filesystem::resize_file(file, 8192);
      static_cast<void>(ids(*books));
    });
    ASSERT_EQ(code, -1);
    std::filesystem::rename(copy, file);
  }

  Result<BackupManifest> back_up(Catalog& catalog, std::vector<std::string> names = {}) const {
    BackupRequest request;
    request.collections = std::move(names);
    request.target = folder_.path() / "backup";
    return catalog.backup(request);
  }

  std::vector<std::string> quarantined() const { return must(open_catalog()->quarantined()); }
};

TEST_F(QuarantineTest, AFileThatBecomesShorterPutsItsCollectionThere) {
  crash_books();
  catalog_ = open_catalog();
  const Error error = catalog_->get("books").error();
  EXPECT_EQ(error.code, Errc::quarantined);
  EXPECT_EQ(error.what, "collection 'books'");
  EXPECT_THAT(error.reason, HasSubstr("ended by SIGBUS at 20"));
  EXPECT_THAT(error.remedy, HasSubstr("akin verify --collection books"));
  EXPECT_THAT(must(catalog_->quarantined()), ElementsAre("books"));
  EXPECT_THAT(ids(*must(catalog_->get("news"))), ElementsAre("one"));
}

TEST_F(QuarantineTest, NothingElseOpensItEither) {
  crash_books();
  catalog_ = open_catalog();
  EXPECT_EQ(catalog_->open_store("books").error().code, Errc::quarantined);
  EXPECT_EQ(catalog_->identity("books").error().code, Errc::quarantined);
  EXPECT_EQ(catalog_->compact("books", {}).error().code, Errc::quarantined);
  EXPECT_EQ(catalog_->reindex("books", "", {}).error().code, Errc::quarantined);
  EXPECT_EQ(back_up(*catalog_, {"books"}).error().code, Errc::quarantined);
}

TEST_F(QuarantineTest, ABackupOfAllCollectionsHasTheOthers) {
  crash_books();
  catalog_ = open_catalog();
  const BackupManifest made = must(back_up(*catalog_));
  ASSERT_EQ(made.collections.size(), 1U);
  EXPECT_EQ(made.collections[0].name, "news");
  ASSERT_EQ(made.left_out.size(), 1U);
  EXPECT_EQ(made.left_out[0].name, "books");
  EXPECT_EQ(made.left_out[0].error.code, Errc::quarantined);
  EXPECT_EQ(made.check("backup").error().code, Errc::quarantined);
  EXPECT_THAT(made.check("backup").error().message(), HasSubstr("without collection 'books'"));
  must(catalog_->drop("books"));
  must(catalog_->drop("news"));
  RestoreRequest request;
  request.source = folder_.path() / "backup";
  must(catalog_->restore(request));
  EXPECT_THAT(must(catalog_->list()), ElementsAre("news"));
}

TEST_F(QuarantineTest, VerifyingOpensItAndEndsTheQuarantine) {
  crash_books();
  catalog_ = open_catalog();
  ASSERT_EQ(catalog_->get("books").error().code, Errc::quarantined);
  {
    const auto verifying = must(open_data_folder(data_, plain_, "none", false, {.open_quarantined = true}));
    EXPECT_THAT(verify(*must(verifying->get("books"))), IsEmpty());
    EXPECT_TRUE(must(verifying->end_quarantine("books")));
    EXPECT_FALSE(must(verifying->end_quarantine("books")));
  }
  EXPECT_THAT(ids(*must(catalog_->get("books"))), ElementsAre("one"));
  EXPECT_THAT(must(catalog_->quarantined()), IsEmpty());
}

TEST_F(QuarantineTest, ARestoredBackupEndsIt) {
  must(back_up(*open_catalog()));
  crash_books();
  catalog_ = open_catalog();
  ASSERT_THAT(must(catalog_->quarantined()), ElementsAre("books"));
  RestoreRequest request;
  request.source = folder_.path() / "backup";
  request.replace = true;
  must(catalog_->restore(request));
  EXPECT_THAT(ids(*must(catalog_->get("books"))), ElementsAre("one"));
  EXPECT_THAT(must(catalog_->quarantined()), IsEmpty());
}

TEST_F(QuarantineTest, ItCanBeDropped) {
  crash_books();
  catalog_ = open_catalog();
  must(catalog_->drop("books"));
  EXPECT_THAT(must(catalog_->quarantined()), IsEmpty());
  EXPECT_FALSE(catalog_->create("books", "").has_error());
}

TEST_F(QuarantineTest, AnAbortDuringAReadHitsTheCollectionThatIsRead) {
  EXPECT_EQ(run_recorded([](Catalog& catalog) {
              const auto books = must(must(catalog.get("books"))->snapshot());
              const auto news = must(must(catalog.get("news"))->snapshot());
              must(books->list("", 10));
              must(news->list("", 10));
              must(books->list("", 10));
              std::abort();
            }),
            -1);
  EXPECT_THAT(quarantined(), ElementsAre("books"));
}

TEST_F(QuarantineTest, ACrashAfterAReadHitsNoCollection) {
  EXPECT_EQ(run_recorded([](Catalog& catalog) {
              static_cast<void>(ids(*must(catalog.get("books"))));
              std::abort();
            }),
            -1);
  EXPECT_THAT(quarantined(), IsEmpty());
}

TEST_F(QuarantineTest, ASignalFromAnotherProcessHitsNoCollection) {
  for (const int signal : {SIGKILL, SIGTERM, SIGABRT, SIGSEGV}) {
    ChildProcess child([&](const ChildSide& side) {
      record_crashes_alone();
      const std::shared_ptr<Catalog> catalog = open_catalog();
      const auto snapshot = must(must(catalog->get("books"))->snapshot());
      must(snapshot->list("", 10));
      side.tell(std::to_string(getpid()));
      side.wait_for_go();
      return 0;
    });
    const int pid = std::stoi(child.line());
    ASSERT_EQ(::kill(pid, signal), 0);
    EXPECT_EQ(child.wait(), -1);
  }
  EXPECT_THAT(quarantined(), IsEmpty());
}

TEST_F(QuarantineTest, ARecordWithoutContentsCounts) {
  std::ofstream(data_file("books").replace_filename(kQuarantineFile));
  EXPECT_EQ(open_catalog()->get("books").error().code, Errc::quarantined);
}

}  // namespace
}  // namespace akin::test
