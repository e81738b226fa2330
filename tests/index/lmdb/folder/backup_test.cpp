#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <utility>

#include "base/sha256.h"
#include "index/lmdb/catalog.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/folder/backup_manifest.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/store/store.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Backups : public CatalogTest {
 protected:
  Backups() {
    put(*must(catalog_->create("books", "")), "one", text_of("one", 30));
    put(*must(catalog_->create("news", "sentences", false)), "two", text_of("two", 30));
  }

  BackupManifest back_up(std::vector<std::string> names = {}) {
    BackupRequest request;
    request.collections = std::move(names);
    request.target = target_;
    return must(catalog_->backup(request));
  }

  Result<RestoreReport> restore(Catalog& catalog, std::vector<std::string> names = {}, std::string as = "",
                                bool replace = false) {
    RestoreRequest request;
    request.source = target_;
    request.collections = std::move(names);
    request.as = std::move(as);
    request.replace = replace;
    return catalog.restore(request);
  }

  /// A catalog over an empty data folder.
  std::shared_ptr<Catalog> elsewhere() {
    return must(open_data_folder(folder_.path() / "elsewhere", plain_, "none", true));
  }

  static std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Changes one byte of a file of the backup.
  void damage(const std::filesystem::path& file, std::streamoff at) const {
    std::fstream stream(target_ / file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(at);
    const int byte = stream.get();
    stream.seekp(at);
    stream.put(static_cast<char>(byte ^ 1));
  }

  static void write(const std::filesystem::path& file, std::string_view content) {
    std::filesystem::create_directories(file.parent_path());
    must(replace_file(file, content));
  }

  const std::filesystem::path target_ = folder_.path() / "backup";
};

TEST_F(Backups, BringEverythingBack) {
  const BackupManifest made = back_up();
  EXPECT_EQ(made.collections.size(), 2U);
  EXPECT_EQ(made.collections[0].documents, 1U);
  const std::shared_ptr<Catalog> other = elsewhere();
  const RestoreReport report = must(restore(*other));
  EXPECT_EQ(report.state, RestoreReport::State::none);
  EXPECT_THAT(must(other->list()), ElementsAre("books", "news"));
  const std::shared_ptr<Collection> books = must(other->get("books"));
  EXPECT_THAT(found(*books, text_of("one", 30), 20), ElementsAre("one"));
  EXPECT_THAT(verify(*books), IsEmpty());
  EXPECT_FALSE(must(other->identity("news")).store_text);
  EXPECT_THAT(ids(*must(other->get("news"))), ElementsAre("two"));
  EXPECT_FALSE(put(*books, "more", "A text."));
}

TEST_F(Backups, BringBackTheFilesThatDocumentsWereReadFrom) {
  const StoredFile file{"a.pdf", "application/pdf", "%PDF-1.7 and more"};
  EXPECT_EQ(back_up({"books"}).format, format::kFormatVersion);
  std::filesystem::remove_all(target_);
  must(must(catalog_->create("files", "", true, true))
           ->put({.id = "a",
                  .text = text_of("cats", 20),
                  .file = FileOrigin{.sha256 = sha256(file.bytes)},
                  .original = file.view()}));
  const BackupManifest made = back_up({"files"});
  EXPECT_EQ(made.format, format::kFormatVersion);
  EXPECT_TRUE(must(read_manifest(target_)).collections.front().identity.store_file);
  const std::shared_ptr<Catalog> other = elsewhere();
  must(restore(*other));
  const std::shared_ptr<Collection> files = must(other->get("files"));
  EXPECT_EQ(must(must(files->snapshot())->file("a")), file);
  EXPECT_THAT(verify(*files), IsEmpty());
}

TEST_F(Backups, HoldWhatWasThereAtOneMoment) {
  const std::shared_ptr<Collection> books = must(catalog_->get("books"));
  bool tried = false;
  BackupRequest request;
  request.target = target_;
  request.control.progress = [&](const JobProgress&) {
    if (!std::exchange(tried, true)) put(*books, "meanwhile", "A text.");
  };
  const BackupManifest made = must(catalog_->backup(request));
  const std::shared_ptr<Catalog> other = elsewhere();
  must(restore(*other));
  EXPECT_EQ(ids(*must(other->get("books"))).size(), made.collections[0].documents);
  EXPECT_THAT(verify(*must(other->get("books"))), IsEmpty());
}

/// The only entry of a state in a data folder.
std::string state_entry(const std::filesystem::path& data) {
  const std::vector<lmdb::TableSpec> tables = {{"keys"}};
  const lmdb::Env env = must(lmdb::Env::open(data / "state", tables, {}, false));
  return std::string(must(must(env.read()).get(env.tables()[0], "k")).value());
}

void set_state_entry(const std::filesystem::path& data, std::string_view value) {
  const std::vector<lmdb::TableSpec> tables = {{"keys"}};
  lmdb::Env env = must(lmdb::Env::open(data / "state", tables, {}, true));
  must(env.write([&](lmdb::WriteTxn& txn) { return txn.put(env.tables()[0], "k", value); }));
}

TEST_F(Backups, TakeTheServersStateWithThem) {
  set_state_entry(data_, "v");
  EXPECT_TRUE(back_up().state);
  EXPECT_EQ(must(restore(*catalog_, {}, "", true)).state, RestoreReport::State::kept);
  EXPECT_EQ(must(restore(*elsewhere())).state, RestoreReport::State::restored);
  EXPECT_EQ(state_entry(folder_.path() / "elsewhere"), "v");
}

TEST_F(Backups, GiveACopyOfTheStateToWhoeverRestoresSomeCollections) {
  set_state_entry(data_, "of the backup");
  back_up();
  set_state_entry(data_, "later");
  RestoreRequest request;
  request.source = target_;
  request.collections = {"books"};
  request.as = "old-books";
  std::filesystem::path copied;
  request.take_state = [&](const BackedUpState& copy) -> Result<void> {
    copied = copy.folder;
    EXPECT_EQ(state_entry(copy.folder), "of the backup");
    EXPECT_THAT(copy.collections, ElementsAre(testing::Pair("books", "old-books")));
    EXPECT_FALSE(copy.whole || copy.becomes_state);
    EXPECT_TRUE(catalog_->get("old-books").has_value());
    return {};
  };
  EXPECT_EQ(must(catalog_->restore(request)).state, RestoreReport::State::none);
  EXPECT_EQ(state_entry(data_), "later");
  EXPECT_FALSE(copied.empty() || std::filesystem::exists(copied));
}

TEST_F(Backups, LetTheStateBeChangedBeforeItIsInPlace) {
  set_state_entry(data_, "of the backup");
  back_up();
  RestoreRequest request;
  request.source = target_;
  request.take_state = [&](const BackedUpState& copy) -> Result<void> {
    EXPECT_TRUE(copy.whole && copy.becomes_state);
    set_state_entry(copy.folder, "changed");
    return {};
  };
  const std::shared_ptr<Catalog> other = elsewhere();
  EXPECT_EQ(must(other->restore(request)).state, RestoreReport::State::restored);
  EXPECT_EQ(state_entry(folder_.path() / "elsewhere"), "changed");
  request.replace = true;
  request.take_state = [](const BackedUpState& copy) -> Result<void> {
    EXPECT_TRUE(copy.whole && !copy.becomes_state);
    return {};
  };
  EXPECT_EQ(must(other->restore(request)).state, RestoreReport::State::kept);
  EXPECT_EQ(state_entry(folder_.path() / "elsewhere"), "changed");
}

TEST_F(Backups, WithADamagedStateMakeNothingVisible) {
  set_state_entry(data_, "of the backup");
  back_up();
  damage("state/data.mdb", 3);
  const std::shared_ptr<Catalog> other = elsewhere();
  EXPECT_EQ(restore(*other).error().code, Errc::corrupt);
  EXPECT_THAT(must(other->list()), IsEmpty());
  EXPECT_THAT(names_in(folder_.path() / "elsewhere"), ElementsAre("collections"));
  EXPECT_THAT(names_in(folder_.path() / "elsewhere" / "collections"), ElementsAre(".lock"));
}

TEST_F(Backups, AskWhoeverHasTheStateOpenForIt) {
  BackupRequest request;
  request.target = target_;
  request.copy_state = [](const ByteSink& take) { return take("bytes"); };
  EXPECT_EQ(must(catalog_->backup(request)).state->bytes, 5U);
}

TEST_F(Backups, HaveTheDocumentsThatTheirStateSpeaksOf) {
  const std::shared_ptr<Collection> books = must(catalog_->get("books"));
  BackupRequest request;
  request.target = target_;
  request.copy_state = [&](const ByteSink& take) {
    put(*books, "spoken-of", "A text.");
    return take("the state");
  };
  must(catalog_->backup(request));
  const std::shared_ptr<Catalog> other = elsewhere();
  must(restore(*other, {"books"}));
  EXPECT_THAT(ids(*must(other->get("books"))), ElementsAre("one", "spoken-of"));
}

TEST_F(Backups, MadeDuringAReindexGiveBackCollectionsThatNoteNoChanges) {
  {
    const std::shared_ptr<LmdbStore> store = must(LmdbStore::open(data_ / "collections/books/gen-1"));
    must(store->begin_change_log());
    back_up();
    must(store->end_change_log());
  }
  must(restore(*elsewhere()));
  const auto restored = must(LmdbStore::open(folder_.path() / "elsewhere/collections/books/gen-1"));
  EXPECT_FALSE(must(restored->has_change_log()));
}

TEST_F(Backups, GoIntoANewOrAnEmptyFolderOnly) {
  std::filesystem::create_directory(target_);
  back_up({"books"});
  EXPECT_THAT(names_in(target_), ElementsAre("akin-backup.json", "collections", "dictionaries"));
  EXPECT_THAT(names_in(target_ / "dictionaries"), ElementsAre(plain_->fingerprint()));
  EXPECT_THAT(names_in(target_ / "collections" / "books"), ElementsAre("data.mdb"));
  BackupRequest again;
  again.target = target_;
  EXPECT_EQ(catalog_->backup(again).error().code, Errc::already_exists);
}

TEST_F(Backups, AreTheirOwners) {
  set_state_entry(data_, "a secret");
  back_up();
  struct stat status = {};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(target_)) {
    if (entry.path().filename() == kManifestFile) continue;
    ASSERT_EQ(stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 077U, 0U) << entry.path();
  }
  ASSERT_EQ(stat(target_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 077U, 0U);
  must(restore(*elsewhere()));
  ASSERT_EQ(stat((folder_.path() / "elsewhere" / "state" / "data.mdb").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 077U, 0U);
}

TEST_F(Backups, StoppedOrRefusedLeaveNothing) {
  std::stop_source stop;
  BackupRequest request;
  request.target = target_;
  request.control = {[&](const JobProgress&) { stop.request_stop(); }, stop.get_token()};
  EXPECT_EQ(catalog_->backup(request).error().code, Errc::unsupported);
  request.control = {};
  request.collections = {"books", "no-such"};
  EXPECT_EQ(catalog_->backup(request).error().code, Errc::not_found);
  EXPECT_THAT(names_in(folder_.path()), testing::Not(testing::Contains(HasSubstr("backup"))));
}

TEST_F(Backups, LeaveOutACollectionWhoseFolderCannotBeLookedInto) {
  const std::filesystem::path locked = data_ / "collections" / "locked";
  std::filesystem::create_directory_symlink("locked", locked);  // even root cannot: the link leads to itself

  EXPECT_THAT(must(catalog_->list()), ElementsAre("books", "locked", "news"));
  std::ofstream(data_ / "collections" / "stray") << "a file is no collection";
  const OutdatedCollections known = must(catalog_->outdated());
  ASSERT_EQ(known.unreadable.size(), 1U);
  EXPECT_EQ(known.unreadable.front().name, "locked");
  const BackupManifest made = back_up();
  EXPECT_EQ(made.collections.size(), 2U);
  ASSERT_EQ(made.left_out.size(), 1U);
  EXPECT_EQ(made.left_out.front().name, "locked");
  EXPECT_THAT(names_in(target_ / "collections"), ElementsAre("books", "news"));
}

TEST_F(Backups, ReportNoMoreThanTheirTotal) {
  BackupRequest request;
  request.target = target_;
  request.copy_state = [](const ByteSink& take) { return take(std::string(10'000'000, 'x')); };
  std::uint64_t done = 0;
  request.control.progress = [&](const JobProgress& now) {
    done = now.bytes_done;
    EXPECT_LE(now.bytes_done, now.bytes_total);
  };
  must(catalog_->backup(request));
  EXPECT_GT(done, 10'000'000U);
}

TEST_F(Backups, AreRefusedAmongTheCollections) {
  BackupRequest request;
  for (const char* name : {"backup", "books/backup", "../collections/backup/"}) {
    request.target = data_ / "collections" / name;
    EXPECT_EQ(catalog_->backup(request).error().code, Errc::invalid_argument) << name;
  }
  EXPECT_THAT(must(catalog_->list()), ElementsAre("books", "news"));
  request.target = data_ / "backups";
  must(catalog_->backup(request));
}

TEST_F(Backups, NameTheTargetIfItsFolderIsMissing) {
  BackupRequest request;
  request.target = folder_.path() / "none" / "backup";
  const Error error = catalog_->backup(request).error();
  EXPECT_EQ(error.what, "backup '" + request.target.string() + "'");
  EXPECT_THAT(error.reason, HasSubstr("No such file or directory"));
}

TEST_F(Backups, RestoreUnderAnotherName) {
  back_up();
  must(restore(*catalog_, {"books"}, "old-books"));
  EXPECT_THAT(ids(*must(catalog_->get("old-books"))), ElementsAre("one"));
  EXPECT_EQ(restore(*catalog_, {}, "both").error().code, Errc::invalid_argument);
  EXPECT_EQ(restore(*catalog_, {"books"}, "../x").error().code, Errc::invalid_argument);
  EXPECT_EQ(restore(*catalog_, {"no-such"}).error().code, Errc::not_found);
}

TEST_F(Backups, ReplaceOnlyWhenTold) {
  back_up();
  const std::shared_ptr<Collection> books = must(catalog_->get("books"));
  put(*books, "later", "A text.");
  must(catalog_->drop("news"));
  EXPECT_EQ(restore(*catalog_).error().code, Errc::already_exists);
  EXPECT_THAT(must(catalog_->list()), ElementsAre("books"));
  EXPECT_THAT(ids(*must(catalog_->get("books"))), ElementsAre("later", "one"));

  const RestoreReport report = must(restore(*catalog_, {}, "", true));
  EXPECT_TRUE(report.collections[0].replaced);
  EXPECT_FALSE(report.collections[1].replaced);
  EXPECT_THAT(ids(*must(catalog_->get("books"))), ElementsAre("one"));
  put(*books, "follows", "A text.");
  EXPECT_THAT(ids(*must(catalog_->get("books"))), ElementsAre("follows", "one"));
  EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-2"));
}

TEST_F(Backups, ReplaceACollectionThatDoesNotSayWhichGenerationIsInUse) {
  back_up();
  const std::filesystem::path current = data_ / "collections" / "books" / "CURRENT";
  for (const std::string_view content : {"", "gen-"}) {
    std::filesystem::remove(current);
    if (!content.empty()) write(current, content);
    ASSERT_EQ(catalog_->get("books").error().code, Errc::corrupt);
    EXPECT_TRUE(must(restore(*catalog_, {"books"}, "", true)).collections[0].replaced);
    EXPECT_THAT(ids(*must(catalog_->get("books"))), ElementsAre("one"));
    EXPECT_THAT(files("books"), SizeIs(3)) << "CURRENT, LOCK and one generation";
  }
}

TEST_F(Backups, DamagedMakeNothingVisible) {
  back_up();
  damage("collections/books/data.mdb", 9000);
  const std::shared_ptr<Catalog> other = elsewhere();
  const Error error = restore(*other).error();
  EXPECT_EQ(error.code, Errc::corrupt);
  EXPECT_THAT(error.what, HasSubstr("books"));
  EXPECT_THAT(must(other->list()), IsEmpty());
  EXPECT_THAT(names_in(folder_.path() / "elsewhere" / "collections"), ElementsAre(".lock"));
  EXPECT_EQ(restore(*catalog_, {}, "", true).error().code, Errc::corrupt);
  EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-1"));
}

TEST_F(Backups, AreRestoredWholeOrNotAtAll) {
  back_up();
  damage("collections/news/data.mdb", 9000);  // the second one
  const std::shared_ptr<Catalog> other = elsewhere();
  EXPECT_EQ(restore(*other).error().code, Errc::corrupt);
  EXPECT_THAT(must(other->list()), IsEmpty());
  EXPECT_EQ(restore(*catalog_, {}, "", true).error().code, Errc::corrupt);
  EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-1"));
}

TEST_F(Backups, WhoseStateIsNotTakenLeaveNoNewCollection) {
  set_state_entry(data_, "of the backup");
  back_up();
  RestoreRequest request;
  request.source = target_;
  request.take_state = [](const BackedUpState&) -> Result<void> {
    return Error{Errc::disk_full, "state", "the disk is full", "make room"};
  };
  const std::shared_ptr<Catalog> other = elsewhere();
  EXPECT_EQ(other->restore(request).error().code, Errc::disk_full);
  EXPECT_THAT(must(other->list()), IsEmpty());
  request.take_state = {};
  EXPECT_EQ(must(other->restore(request)).collections.size(), 2U);
}

TEST_F(Backups, LeftoversOfAKilledRestoreGoWithTheNextOpening) {
  back_up();
  const CollectionFolder left(data_ / "collections" / ".restoring-0123");
  must(left.make());
  {
    const FileLock at_work = must(left.lock_maintenance(std::chrono::milliseconds(0)));
    reopen();
    EXPECT_TRUE(std::filesystem::exists(left.path()));
  }
  reopen();
  EXPECT_FALSE(std::filesystem::exists(left.path()));
}

TEST_F(Backups, AreReadFromRegularFilesAlone) {
  back_up();
  const std::filesystem::path data = target_ / "collections/books/data.mdb";
  const std::filesystem::path moved = target_ / "moved";
  std::filesystem::rename(data, moved);
  std::filesystem::create_symlink(moved, data);
  EXPECT_EQ(restore(*elsewhere()).error().code, Errc::invalid_argument);
  std::filesystem::remove(data);
  ASSERT_EQ(mkfifo(data.c_str(), 0600), 0);
  EXPECT_EQ(restore(*elsewhere()).error().code, Errc::invalid_argument);
}

TEST_F(Backups, AreReadNoFurtherThanTheirManifestSays) {
  back_up();
  const std::filesystem::path data = target_ / "collections/books/data.mdb";
  constexpr std::uintmax_t kTerabyte = std::uintmax_t{1} << 40;  // of a sparse file: reading it takes minutes
  std::filesystem::resize_file(data, std::filesystem::file_size(data) + kTerabyte);
  EXPECT_EQ(restore(*elsewhere()).error().code, Errc::corrupt);
}

TEST_F(Backups, WithoutAManifestAreNone) {
  std::filesystem::create_directory(target_);
  const Error error = restore(*catalog_).error();
  EXPECT_EQ(error.code, Errc::not_found);
  EXPECT_THAT(error.reason, HasSubstr("akin-backup.json"));
}

}  // namespace
}  // namespace akin::test
