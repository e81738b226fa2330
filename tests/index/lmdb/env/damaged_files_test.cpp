// What verify says about files that are missing, changed or nobody's, in LMDB's tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DamagedFiles : public CatalogTest {
 protected:
  DamagedFiles() {
    const auto books = must(catalog_->create("books", "", true, true));
    must(books->put({.id = "a",
                     .text = text_of("cats", 20),
                     .file = FileOrigin{.sha256 = sha256(file_.bytes)},
                     .original = file_.view()}));
    put(*books, "b", text_of("dogs", 20));
  }

  /// The findings after a change of the table of files; the error of reading the file of "a".
  std::vector<std::string> verify_after(
      const std::function<Result<void>(lmdb::WriteTxn&, lmdb::Table)>& change) {
    change_tables("books",
                  [&](lmdb::WriteTxn& txn, const Tables& tables) { return change(txn, tables.files); });
    return verify(*must(catalog_->get("books")));
  }
  Error error_of_reading() {
    const Result<StoredFile> file = must(must(catalog_->get("books"))->snapshot())->file("a");
    return file.has_error() ? file.error() : Error();
  }

  const StoredFile file_{"a.pdf", "application/pdf", "%PDF-1.7 and more"};
};

TEST_F(DamagedFiles, ThatAreMissingAreFound) {
  const auto found = verify_after([](lmdb::WriteTxn& txn, lmdb::Table files) -> Result<void> {
    AKIN_CHECK(txn.erase(files, document_key(DocNumber{0})));
    return {};
  });
  EXPECT_THAT(
      found, ElementsAre(HasSubstr("its file is missing"), HasSubstr("stored file bytes is 40, but 0 were")));
  EXPECT_EQ(error_of_reading().code, Errc::corrupt);
}

TEST_F(DamagedFiles, ThatAreOthersAreFoundByTheirDigests) {
  StoredFile other = file_;
  other.bytes.back() = '!';
  const auto found = verify_after([&](lmdb::WriteTxn& txn, lmdb::Table files) {
    return txn.put(files, document_key(DocNumber{0}), *encode_file(other.view()));
  });
  EXPECT_THAT(found, ElementsAre(HasSubstr("its file does not have the SHA-256 that its record gives")));
  EXPECT_EQ(error_of_reading().code, Errc::corrupt);
}

TEST_F(DamagedFiles, OfDocumentsWithoutAFileOrNoDocumentAreFound) {
  const std::string stored = *encode_file(file_.view());
  const auto found = verify_after([&](lmdb::WriteTxn& txn, lmdb::Table files) -> Result<void> {
    AKIN_CHECK(txn.put(files, document_key(DocNumber{1}), stored));
    return txn.put(files, document_key(DocNumber{9}), stored);
  });
  EXPECT_THAT(found, ElementsAre(HasSubstr("there is a file that its record does not have"),
                                 HasSubstr("there is a file without a record"),
                                 HasSubstr("stored file bytes is 40, but 80 were")));
  EXPECT_EQ(must(must(must(catalog_->get("books"))->snapshot())->file("a")), file_);
}

}  // namespace
}  // namespace akin::test
