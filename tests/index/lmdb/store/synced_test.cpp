// What is acknowledged is on the disk, and what is named is whole: the order of writing, syncing and
// renaming.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/sync_log.h"

namespace akin::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Synced : public CatalogTest {
 protected:
  static constexpr const char* kCurrent = "data/collections/books/CURRENT";

  std::shared_ptr<Collection> books_ = must(catalog_->create("books", ""));
};

TEST_F(Synced, AFileReplacesAnotherWhenItsContentIsOnTheDiskAndItsNameIsSyncedThen) {
  const SyncLog log(folder_.path());
  must(replace_file(folder_.path() / "file", "content"));
  EXPECT_THAT(SyncLog::events(), ElementsAre("write file.tmp", "sync file.tmp", "name file", "sync ."));
}

TEST_F(Synced, AFolderThatIsMadeHasItsNameSynced) {
  const SyncLog log(folder_.path());
  must(make_folder(folder_.path() / "folder"));
  EXPECT_THAT(SyncLog::events(), ElementsAre("sync ."));
}

TEST_F(Synced, ADocumentIsOnTheDiskWhenThePutIsAnswered) {
  const SyncLog log(folder_.path());
  put(*books_, "a", text_of("a", 3));
  // LMDB writes what names the pages last, past a descriptor that syncs by itself.
  EXPECT_THAT(
      SyncLog::events(),
      ElementsAre(HasSubstr("write "), "sync data/collections/books/gen-1/data.mdb", HasSubstr("write ")));
}

TEST_F(Synced, AReindexedCollectionIsOnTheDiskBeforeCurrentNamesIt) {
  for (const char* id : {"a", "b", "gone"}) put(*books_, id, text_of(id, 30));
  must(books_->remove({"gone"}));  // its revision is written into the new index last
  const SyncLog log(folder_.path());
  must(catalog_->reindex("books", "sentences", {}));
  const std::vector<std::string> before = SyncLog::events_before_naming(kCurrent);
  EXPECT_THAT(before, Contains(HasSubstr("write data/collections/books/gen-2/data.mdb")));
  // The old generation's last write names its pages, past a descriptor that syncs by itself.
  EXPECT_THAT(not_synced(before), ElementsAre("data/collections/books/gen-1/data.mdb"));
  EXPECT_THAT(before, Contains("sync data/collections/books/gen-2"));
  EXPECT_THAT(before, Contains("sync data/collections/books"));
}

TEST_F(Synced, ABackupIsOnTheDiskBeforeItHasItsName) {
  put(*books_, "a", text_of("a", 30));
  const SyncLog log(folder_.path());
  BackupRequest request;
  request.target = folder_.path() / "backup";
  request.copy_state = [](const ByteSink& take) { return take("the state"); };
  must(catalog_->backup(request));
  const std::vector<std::string> before = SyncLog::events_before_naming("backup");
  EXPECT_THAT(before, Contains(HasSubstr("write .akin-backup-")).Times(testing::Ge(3)));
  EXPECT_THAT(not_synced(before), IsEmpty());
  EXPECT_EQ(SyncLog::events().back(), "sync .");
}

TEST_F(Synced, ARestoredCollectionIsOnTheDiskBeforeItHasItsName) {
  put(*books_, "a", text_of("a", 30));
  BackupRequest backup;
  backup.target = folder_.path() / "backup";
  must(catalog_->backup(backup));
  const SyncLog log(folder_.path());
  RestoreRequest request;
  request.source = backup.target;
  request.as = "again";
  must(catalog_->restore(request));
  const std::vector<std::string> before = SyncLog::events_before_naming("data/collections/again");
  EXPECT_THAT(before, Contains(HasSubstr("gen-1/data.mdb")));
  // The copy is synced; then LMDB itself ends the log of changes in it.
  EXPECT_THAT(before, Contains(testing::MatchesRegex("sync .*/gen-1/data.mdb")));
  EXPECT_EQ(SyncLog::events().back(), "sync data/collections");
}

}  // namespace
}  // namespace akin::test
