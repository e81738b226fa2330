#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/hash.h"
#include "index/codec/encoding.h"
#include "index/lmdb/catalog.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/env/lmdb.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/earlier_collection.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Catalogs = CatalogTest;

TEST_F(Catalogs, ListCollectionsInByteOrder) {
  for (const char* name : {"b", "a.1", "C"}) must(catalog_->create(name, ""));
  EXPECT_THAT(must(catalog_->list()), ElementsAre("C", "a.1", "b"));
}

TEST_F(Catalogs, ListNoUnfinishedOrForeignFolders) {
  must(catalog_->create("books", ""));
  std::filesystem::create_directories(data_ / "collections" / "empty");
  std::filesystem::create_directories(data_ / "collections" / ".making-1");
  EXPECT_THAT(must(catalog_->list()), ElementsAre("books"));
}

TEST_F(Catalogs, HaveNoCollectionWhoseTimeIsOver) {
  put(*must(catalog_->create("books", "")), "a", text_of("cats", 5));
  must(catalog_->set_expiry("books", time_now() + std::chrono::hours(1)));
  EXPECT_THAT(must(catalog_->list()), ElementsAre("books"));
  must(catalog_->set_expiry("books", time_now()));
  EXPECT_THAT(must(catalog_->list()), IsEmpty());
  const Error error = catalog_->get("books").error();
  EXPECT_EQ(error.code, Errc::not_found);
  EXPECT_THAT(error.reason, HasSubstr("expired"));
  EXPECT_EQ(open_catalog()->identity("books").error().code, Errc::not_found);
}

TEST_F(Catalogs, KeepATemporaryCollectionThatWasMadePermanent) {
  must(catalog_->create("books", ""));
  const Time later = time_now() + std::chrono::hours(1);
  must(catalog_->set_expiry("books", later));
  EXPECT_EQ(must(open_catalog()->expiry("books")), later);
  must(catalog_->set_expiry("books", std::nullopt));
  EXPECT_EQ(must(open_catalog()->expiry("books")), std::nullopt);
  if (is_lmdb()) {
    EXPECT_THAT(files("books"), ElementsAre("CURRENT", "LOCK", "gen-1"));
  }
}

TEST_F(Catalogs, RemoveTheFilesOfWhatHasExpiredAndNothingElse) {
  for (const char* name : {"a", "b", "c"}) must(catalog_->create(name, ""));
  must(catalog_->set_expiry("a", time_now()));
  must(catalog_->set_expiry("b", time_now() + std::chrono::hours(1)));
  EXPECT_THAT(must(catalog_->drop_expired(by_the_clock)), ElementsAre("a"));
  EXPECT_FALSE(std::filesystem::exists(data_ / "collections" / "a"));
  EXPECT_THAT(must(catalog_->list()), ElementsAre("b", "c"));
  must(catalog_->set_expiry("c", time_now()));
  reopen();
  EXPECT_THAT(must(catalog_->drop_expired(by_the_clock)), ElementsAre("c"));
  EXPECT_FALSE(std::filesystem::exists(data_ / "collections" / "c"));
}

TEST_F(Catalogs, MakeACollectionAnewUnderTheNameOfOneThatHasExpired) {
  put(*must(catalog_->create("books", "")), "a", text_of("cats", 5));
  must(catalog_->set_expiry("books", time_now()));
  EXPECT_THAT(ids(*must(catalog_->create("books", ""))), IsEmpty());
  EXPECT_EQ(must(catalog_->expiry("books")), std::nullopt);
}

TEST_F(Catalogs, ReindexATemporaryCollectionAndItStaysTemporary) {
  put(*must(catalog_->create("books", "")), "a", text_of("cats", 5));
  const Time later = time_now() + std::chrono::hours(1);
  must(catalog_->set_expiry("books", later));
  must(catalog_->reindex("books", "sentences", {}));
  reopen();
  EXPECT_EQ(must(catalog_->expiry("books")), later);
}

TEST_F(Catalogs, TellThatAnExpiryIsDamaged) {
  AKIN_SKIP_UNLESS_LMDB();
  must(catalog_->create("books", ""));
  std::ofstream(data_ / "collections" / "books" / "EXPIRES") << "soon";
  EXPECT_EQ(open_catalog()->get("books").error().code, Errc::corrupt);
  EXPECT_TRUE(std::filesystem::exists(data_ / "collections" / "books"));
}

TEST_F(Catalogs, LeaveAnExpiryThatIsJustBeingWritten) {
  AKIN_SKIP_UNLESS_LMDB();
  put(*must(catalog_->create("books", "")), "a", text_of("cats", 5));
  const std::filesystem::path folder = data_ / "collections" / "books";
  std::ofstream(folder / "EXPIRES.tmp") << "2099-01-01T00:00:00Z\n";
  std::ofstream(folder / "leftover");
  must(open_catalog()->get("books"));
  EXPECT_TRUE(std::filesystem::exists(folder / "EXPIRES.tmp"));
  EXPECT_FALSE(std::filesystem::exists(folder / "leftover"));
}

TEST_F(Catalogs, RefuseBadNames) {
  for (const std::string& name : {std::string(), std::string("../x"), std::string(".x"), std::string("a/b"),
                                  std::string("a b"), std::string(65, 'a'), std::string("ы")}) {
    EXPECT_EQ(catalog_->create(name, "").error().code, Errc::invalid_argument) << name;
    EXPECT_EQ(catalog_->get(name).error().code, Errc::not_found) << name;
    EXPECT_EQ(catalog_->drop(name).error().code, Errc::not_found) << name;
    EXPECT_EQ(catalog_->identity(name).error().code, Errc::not_found) << name;
    EXPECT_EQ(catalog_->reindex(name, "", {}).error().code, Errc::not_found) << name;
  }
  EXPECT_FALSE(catalog_->create(std::string(64, 'a'), "").has_error());
}

TEST_F(Catalogs, RefuseASecondCollectionOfOneName) {
  must(catalog_->create("books", ""));
  EXPECT_EQ(catalog_->create("books", "").error().code, Errc::already_exists);
}

TEST_F(Catalogs, RefuseAnUnknownScheme) {
  EXPECT_EQ(catalog_->create("books", "no-such-scheme").error().code, Errc::invalid_argument);
  EXPECT_THAT(must(catalog_->list()), IsEmpty());
}

TEST_F(Catalogs, GiveTheSameCollectionAgain) {
  const std::shared_ptr<Collection> made = must(catalog_->create("books", "sentences"));
  EXPECT_EQ(must(catalog_->get("books")), made);
  EXPECT_EQ(made->scheme().name(), "sentences");
}

TEST_F(Catalogs, DoNotFindWhatIsNotThere) {
  EXPECT_EQ(catalog_->get("books").error().code, Errc::not_found);
  EXPECT_EQ(catalog_->drop("books").error().code, Errc::not_found);
  EXPECT_EQ(catalog_->identity("books").error().code, Errc::not_found);
  EXPECT_EQ(catalog_->reindex("books", "", {}).error().code, Errc::not_found);
}

TEST_F(Catalogs, DropACollectionWithItsFiles) {
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  must(catalog_->drop("books"));
  EXPECT_EQ(catalog_->get("books").error().code, Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(data_ / "collections" / "books"));
  EXPECT_EQ(books->put({"a", "", "", "Some text."}).error().code, Errc::not_found);
}

TEST_F(Catalogs, NoticeWhatAnotherCatalogMadeDroppedAndMadeAgain) {
  const std::shared_ptr<Catalog> other = open_catalog();
  put(*must(other->create("books", "")), "old", text_of("cats", 5));
  const std::shared_ptr<Collection> seen = must(catalog_->get("books"));
  EXPECT_THAT(ids(*seen), ElementsAre("old"));
  must(other->drop("books"));
  EXPECT_EQ(catalog_->get("books").error().code, Errc::not_found);
  must(other->create("books", "sentences"));
  EXPECT_THAT(ids(*must(catalog_->get("books"))), IsEmpty());
  // The collection that was seen before writes into its namesake, not into the files that are gone.
  put(*seen, "new", text_of("cats", 5));
  EXPECT_THAT(ids(*must(other->get("books"))), ElementsAre("new"));
}

TEST_F(Catalogs, RefuseACollectionWhoseDictionariesAreGoneAndNameReindex) {
  must(catalog_->create("books", ""));
  forget_dictionaries();
  reopen(other_);
  const Error error = catalog_->get("books").error();
  EXPECT_EQ(error.code, Errc::mismatch);
  EXPECT_THAT(error.remedy, HasSubstr("akin reindex --collection books"));
  EXPECT_THAT(error.reason, HasSubstr("languages: none"));
  EXPECT_EQ(must(catalog_->identity("books")).fingerprint, plain_->fingerprint());
  EXPECT_THAT(must(catalog_->list()), ElementsAre("books"));
}

TEST_F(Catalogs, OpenACollectionWithTheDictionariesThatItWasBuiltWith) {
  put(*must(catalog_->create("books", "")), "a", text_of("cats", 5));
  EXPECT_THAT(must(catalog_->outdated()).in_use, IsEmpty());
  reopen(other_);
  const std::shared_ptr<Collection> books = must(catalog_->get("books"));
  EXPECT_EQ(books->dictionary().fingerprint(), plain_->fingerprint());
  EXPECT_THAT(found(*books, text_of("cats", 5)), ElementsAre("a"));
  put(*books, "b", text_of("cats", 5));
  EXPECT_THAT(verify(*books), IsEmpty());
  must(catalog_->create("new", ""));
  EXPECT_EQ(must(catalog_->get("new"))->dictionary().fingerprint(), other_->fingerprint());
  EXPECT_THAT(must(catalog_->outdated()).in_use, ElementsAre("books"));
  reopen();
  EXPECT_THAT(must(catalog_->outdated()).in_use, ElementsAre("new"));
  EXPECT_EQ(must(catalog_->get("new"))->dictionary().fingerprint(), other_->fingerprint());
}

TEST_F(Catalogs, RefuseKeptDictionariesThatACollectionWasNotBuiltWith) {
  AKIN_SKIP_UNLESS_LMDB();
  must(catalog_->create("books", ""));
  std::ofstream(data_ / "collections" / "books" / "gen-1" / "dictionary", std::ios::binary)
      << with_synonyms("word sentence\n")->packed();
  reopen(other_);
  const Error error = catalog_->get("books").error();
  EXPECT_EQ(error.code, Errc::mismatch);
  EXPECT_THAT(error.reason, HasSubstr("those kept with it cannot be used: they are not those"));
}

TEST_F(Catalogs, NameCollectionsOfEarlierTextRulesAndRebuildThem) {
  const std::string text = text_of("cats", 5);
  make_with_earlier_rules(*catalog_, "old", plain_, text);
  put(*must(catalog_->create("books", "")), "a", text);
  const OutdatedCollections outdated = must(catalog_->outdated());
  EXPECT_THAT(outdated.in_use, IsEmpty());
  ASSERT_EQ(outdated.unreadable.size(), 1U);
  const auto& [name, error] = outdated.unreadable.front();
  EXPECT_EQ(name, "old");
  EXPECT_EQ(error.code, Errc::mismatch);
  EXPECT_EQ(error.what, "collection 'old'");
  EXPECT_EQ(error.reason, "it was made with version " + std::to_string(kHashVersion - 1) +
                              " of the text rules, and this akin has version " +
                              std::to_string(kHashVersion));
  EXPECT_THAT(error.remedy, HasSubstr("`akin reindex --collection old`"));
  EXPECT_EQ(catalog_->get("old").error().message(), error.message());
  EXPECT_EQ(catalog_->describe("old").error().message(), error.message());
  EXPECT_THAT(must(catalog_->list()), ElementsAre("books", "old"));
  must(catalog_->reindex("old", "", {}));
  EXPECT_THAT(must(catalog_->outdated()).unreadable, IsEmpty());
  EXPECT_THAT(found(*must(catalog_->get("old")), text), ElementsAre("a"));
  EXPECT_THAT(verify(*must(catalog_->get("old"))), IsEmpty());
}

TEST_F(Catalogs, SendTheUserToTheOriginalsOfACollectionThatCannotBeRebuilt) {
  make_with_earlier_rules(*catalog_, "old", plain_, text_of("cats", 5), false);
  const Error error = catalog_->get("old").error();
  EXPECT_THAT(error.reason, HasSubstr("of the text rules"));
  EXPECT_THAT(error.remedy, HasSubstr("index its originals into a new collection"));
  EXPECT_EQ(catalog_->reindex("old", "", {}).error().code, Errc::unsupported);
}

TEST_F(Catalogs, NameACollectionThatLacksItsDictionariesUntilTheyAreBack) {
  AKIN_SKIP_UNLESS_LMDB();
  must(catalog_->create("books", ""));
  const std::filesystem::path kept = data_ / "collections" / "books" / "gen-1" / "dictionary";
  std::filesystem::rename(kept, folder_.path() / "kept");
  reopen(other_);
  const OutdatedCollections outdated = must(catalog_->outdated());
  ASSERT_EQ(outdated.unreadable.size(), 1U);
  EXPECT_THAT(outdated.unreadable.front().error.reason, HasSubstr("built with other dictionaries"));
  std::filesystem::rename(folder_.path() / "kept", kept);
  must(catalog_->get("books"));
  EXPECT_THAT(must(catalog_->outdated()).unreadable, IsEmpty());
  EXPECT_THAT(must(catalog_->outdated()).in_use, ElementsAre("books"));
}

TEST_F(Catalogs, NameTheWayOutOfAnIndexOfAnotherFormat) {
  AKIN_SKIP_UNLESS_LMDB();
  must(catalog_->create("books", ""));
  catalog_.reset();
  {
    const std::vector<lmdb::TableSpec> meta = {{format::kMetaTable}};
    auto env = must(lmdb::Env::open(data_ / "collections" / "books" / "gen-1", meta, {}, false));
    must(env.write([&](lmdb::WriteTxn& txn) {
      return txn.put(env.tables()[0], format::kFormatEntry, encode_format(9));
    }));
  }
  reopen();
  const std::vector<UnreadableCollection> unreadable = must(catalog_->outdated()).unreadable;
  ASSERT_EQ(unreadable.size(), 1U);
  EXPECT_EQ(unreadable.front().error.code, Errc::mismatch);
  EXPECT_THAT(unreadable.front().error.reason, HasSubstr("the index has format 9"));
  EXPECT_THAT(unreadable.front().error.remedy, HasSubstr("with the akin that wrote it (akin export)"));
  EXPECT_EQ(catalog_->reindex("books", "", {}).error().code, Errc::mismatch);
  EXPECT_EQ(catalog_->scrub("books", {}).error().code, Errc::mismatch);
}

TEST_F(Catalogs, ShareOneObjectForCollectionsOfTheSameDictionaries) {
  must(catalog_->create("books", ""));
  must(catalog_->create("more", ""));
  reopen(other_);
  EXPECT_EQ(&must(catalog_->get("books"))->dictionary(), &must(catalog_->get("more"))->dictionary());
}

TEST_F(Catalogs, KeepTheDictionariesThroughACompactionAndNotThroughAReindex) {
  must(catalog_->create("books", ""));
  reopen(other_);
  must(catalog_->compact("books", {}));
  EXPECT_EQ(must(catalog_->packed_dictionary("books")), std::string(plain_->packed()));
  must(catalog_->reindex("books", "", {}));
  EXPECT_EQ(must(catalog_->packed_dictionary("books")), std::string(other_->packed()));
  EXPECT_THAT(must(catalog_->outdated()).in_use, IsEmpty());
}

TEST_F(Catalogs, OpenACollectionThatJoinsSynonymsWithThoseThatItWasBuiltWith) {
  reopen(with_synonyms("sentence word\n"));
  put(*must(catalog_->create("books", "synonyms")), "a", "A sentence stands here. Another too.");
  reopen(other_);
  EXPECT_THAT(found(*must(catalog_->get("books")), "A word stands here. Another too.", 1), ElementsAre("a"));
  EXPECT_THAT(must(catalog_->outdated()).in_use, ElementsAre("books"));
}

TEST_F(Catalogs, OpenPlainCollectionsWithAndWithoutSynonyms) {
  reopen(other_);
  put(*must(catalog_->create("books", "")), "a", text_of("cats", 5));
  reopen(with_synonyms("word sentence\n"));
  EXPECT_TRUE(found(*must(catalog_->get("books")), text_of("dogs", 5)).empty());
  EXPECT_THAT(found(*must(catalog_->get("books")), text_of("cats", 5)), ElementsAre("a"));
}

TEST_F(Catalogs, FindWhatDiffersBySynonymsInACollectionThatJoinsThem) {
  reopen(with_synonyms("sentence word\n"));
  const auto joining = must(catalog_->create("joining", "synonyms"));
  const auto plain = must(catalog_->create("plain", ""));
  for (const auto& collection : {joining, plain})
    put(*collection, "a", "A sentence stands here. Another too.");
  // The last feature is of the last sentence alone.
  EXPECT_TRUE(found(*plain, "A word stands here. Another too.", 1).empty());
  EXPECT_THAT(found(*joining, "A word stands here. Another too.", 1), ElementsAre("a"));
}

TEST_F(Catalogs, RefuseACollectionThatJoinsSynonymsWhereItsOwnAreGone) {
  reopen(with_synonyms("sentence word\n"));
  must(catalog_->create("books", "synonyms"));
  forget_dictionaries();
  reopen(other_);
  const Error none = catalog_->get("books").error();
  EXPECT_EQ(none.code, Errc::mismatch);
  EXPECT_THAT(none.reason, HasSubstr("joins synonyms, and none are configured"));
  EXPECT_THAT(none.remedy, HasSubstr("--synonyms ru"));
  EXPECT_EQ(catalog_->create("more", "synonyms").error().code, Errc::unsupported);
  EXPECT_EQ(catalog_->reindex("books", "", {}).error().code, Errc::unsupported);
  reopen(with_synonyms("sentence word # others\n"));
  const Error others = catalog_->get("books").error();
  EXPECT_EQ(others.code, Errc::mismatch);
  EXPECT_THAT(others.reason, HasSubstr("other dictionaries or synonyms"));
  EXPECT_THAT(others.remedy, HasSubstr("akin reindex --collection books"));
  must(catalog_->reindex("books", "", {}));
  EXPECT_EQ(must(catalog_->get("books"))->scheme().name(), "synonyms(of=sentence-pairs)");
  reopen(other_);
  must(catalog_->reindex("books", "sentence-pairs", {}));
  EXPECT_EQ(must(catalog_->get("books"))->fingerprint(), other_->fingerprint());
}

TEST_F(Catalogs, RemoveWhatACrashLeftOfMakingAndDropping) {
  AKIN_SKIP_UNLESS_LMDB();
  std::filesystem::create_directories(data_ / "collections" / ".making-1" / "gen-1");
  std::filesystem::create_directories(data_ / "collections" / ".dropped-2");
  reopen();
  EXPECT_FALSE(std::filesystem::exists(data_ / "collections" / ".making-1"));
  EXPECT_FALSE(std::filesystem::exists(data_ / "collections" / ".dropped-2"));
}

TEST_F(Catalogs, SayThatCurrentIsDamaged) {
  AKIN_SKIP_UNLESS_LMDB();
  must(catalog_->create("books", ""));
  for (const char* content : {"", "gen-", "gen-x y\n", "gen-1\n", "else"}) {
    std::ofstream(data_ / "collections" / "books" / "CURRENT") << content;
    EXPECT_EQ(catalog_->get("books").error().code, Errc::corrupt) << content;
  }
}

TEST_F(Catalogs, ListACollectionWhoseCurrentIsLostAndSayWhatBelongsIntoIt) {
  AKIN_SKIP_UNLESS_LMDB();
  const std::filesystem::path folder = data_ / "collections" / "books";
  put(*must(catalog_->create("books", "")), "a", text_of("cats", 5));
  std::filesystem::create_directory(data_ / "collections" / "no-collection");
  std::filesystem::remove(folder / "CURRENT");
  reopen();
  EXPECT_THAT(must(catalog_->list()), ElementsAre("books"));
  ASSERT_EQ(must(catalog_->outdated()).unreadable.size(), 1U);
  EXPECT_EQ(must(catalog_->outdated()).unreadable[0].name, "books");
  const BackupManifest made = must(catalog_->backup({{}, folder_.path() / "backup", {}, {}}));
  EXPECT_EQ(made.left_out.at(0).error.code, Errc::corrupt);
  const Error lost = catalog_->get("books").error();
  EXPECT_EQ(lost.code, Errc::corrupt);
  EXPECT_THAT(
      lost.message(),
      HasSubstr("collection 'books': its file CURRENT is missing (write the line \"gen-1 1\" into it, or "
                "replace the collection from a backup)"));

  std::filesystem::create_directory(folder / "gen-2");  // one of the two is unfinished
  EXPECT_THAT(catalog_->get("books").error().message(),
              HasSubstr("CURRENT is missing (replace the collection"));
  std::filesystem::remove(folder / "gen-2");

  std::ofstream(folder / "CURRENT") << "gen-1 1\n";
  EXPECT_EQ(must(must(catalog_->get("books"))->snapshot())->stats().value().documents, 1U);
  std::filesystem::remove(folder / "CURRENT");
  must(catalog_->drop("books"));
  EXPECT_THAT(must(catalog_->list()), IsEmpty());
}

TEST_F(Catalogs, SayThatTheLockOfACollectionIsLost) {
  AKIN_SKIP_UNLESS_LMDB();
  const auto books = must(catalog_->create("books", ""));
  std::filesystem::remove(data_ / "collections" / "books" / "LOCK");
  const Error lost = books->put({"a", "", "", "One two three."}).error();
  EXPECT_EQ(lost.code, Errc::corrupt);
  EXPECT_THAT(lost.message(), HasSubstr("its file LOCK is missing (make it"));
}

TEST_F(Catalogs, AreNotMadeWhenTheyShouldBeThere) {
  AKIN_SKIP_UNLESS_LMDB();
  const Error error = open_data_folder(folder_.path() / "nowhere", plain_, "", false).error();
  EXPECT_EQ(error.code, Errc::not_found);
  EXPECT_THAT(error.what, HasSubstr("nowhere"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "nowhere"));
}

TEST_F(Catalogs, AreMadeWithTheFoldersAbove) {
  AKIN_SKIP_UNLESS_LMDB();
  EXPECT_FALSE(open_data_folder(folder_.path() / "a" / "b", plain_, "", true).has_error());
}

TEST_F(Catalogs, OnAPlainFileAreAClearError) {
  AKIN_SKIP_UNLESS_LMDB();
  std::ofstream(folder_.path() / "file") << "text";
  EXPECT_THAT(open_data_folder(folder_.path() / "file", plain_, "", true).error().message(),
              HasSubstr("file"));
  EXPECT_THAT(open_data_folder(folder_.path() / "file", plain_, "", false).error().message(),
              HasSubstr("file"));
  EXPECT_EQ(open_data_folder("", plain_, "", true).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace akin::test
