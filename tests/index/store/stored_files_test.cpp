// Collections that keep the files that documents were read from, over both engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "index/codec/encoding.h"
#include "index/codec/stored_file.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string noise(std::size_t size) {
  std::string bytes;
  std::uint64_t state = 88172645463325252U;
  while (bytes.size() < size) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    bytes += static_cast<char>(state >> 56U);
  }
  return bytes;
}

class StoredFiles : public CatalogTest {
 protected:
  void put_file(Collection& collection, const std::string& id, const StoredFile& file) {
    must(collection.put({.id = id,
                         .text = text_of(id, 20),
                         .file = FileOrigin{.sha256 = sha256(file.bytes), .reading = 7},
                         .original = view_if_any(file)}));
  }
  static Result<StoredFile> file_of(const Collection& collection, const std::string& id) {
    return must(collection.snapshot())->file(id);
  }
  static std::optional<FileSizes> sizes(const Collection& collection) {
    return must(must(collection.snapshot())->stats()).files;
  }
  static std::uint64_t kept_bytes(const Collection& collection, const std::string& id) {
    return must(must(collection.snapshot())->find(id))->file->kept_bytes;
  }

  const StoredFile pdf_{"Thesis.pdf", "application/pdf", "%PDF-1.7\n" + std::string(100'000, ' ') + "%%EOF"};
  const StoredFile garbage_{"\xD0\xBC.bin", "application/octet-stream", noise(3'000'000)};
  std::shared_ptr<Collection> books_ = must(catalog_->create("books", "", true, true));
};

TEST_F(StoredFiles, AreGivenBackByteByByte) {
  put_file(*books_, "a", pdf_);
  put_file(*books_, "b", garbage_);
  put(*books_, "c", text_of("c", 20));
  EXPECT_EQ(must(file_of(*books_, "a")), pdf_);
  EXPECT_EQ(must(file_of(*books_, "b")), garbage_);
  EXPECT_EQ(kept_bytes(*books_, "a"), pdf_.bytes.size());
  const Result<StoredFile> none = file_of(*books_, "c");
  ASSERT_TRUE(none.has_error());
  EXPECT_EQ(none.error().code, Errc::not_found);
  EXPECT_THAT(none.error().reason, HasSubstr("not read from a file"));
  EXPECT_EQ(file_of(*books_, "d").error().code, Errc::not_found);
  EXPECT_THAT(verify(*books_), IsEmpty());
  reopen();
  EXPECT_TRUE(must(catalog_->identity("books")).store_file);
  EXPECT_EQ(must(file_of(*must(catalog_->get("books")), "b")), garbage_);
}

TEST_F(StoredFiles, GoWithTheDocumentThatIsReplacedOrRemoved) {
  put_file(*books_, "a", garbage_);
  const std::uint64_t before = must(must(books_->snapshot())->stats()).disk_bytes;
  put_file(*books_, "a", pdf_);
  EXPECT_EQ(must(file_of(*books_, "a")), pdf_);
  put(*books_, "a", text_of("a", 20));
  EXPECT_EQ(file_of(*books_, "a").error().code, Errc::not_found);
  put_file(*books_, "a", garbage_);
  must(books_->remove({"a"}));
  EXPECT_EQ(file_of(*books_, "a").error().code, Errc::not_found);
  EXPECT_THAT(verify(*books_), IsEmpty());
  put_file(*books_, "a", pdf_);
  if (is_opensearch()) return;  // the engine frees the disk when it merges, hours later
  books_ = nullptr;
  must(catalog_->compact("books", {}));
  const auto compacted = must(catalog_->get("books"));
  EXPECT_LT(must(must(compacted->snapshot())->stats()).disk_bytes, before);
  EXPECT_EQ(must(file_of(*compacted, "a")), pdf_);
}

TEST_F(StoredFiles, OfOneBatchAreKeptTogetherWithThoseOfDocumentsWithoutFiles) {
  std::vector<StoredFile> files;
  std::vector<std::string> ids, texts;
  for (int i = 0; i < 50; ++i) {
    ids.push_back("doc" + std::to_string(i));
    texts.push_back(text_of(ids.back(), 100));
    files.push_back(
        {ids.back() + ".bin", "application/octet-stream", noise(1000 + static_cast<std::size_t>(i))});
  }
  std::vector<SourceDocument> documents;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    documents.push_back({.id = ids[i], .text = texts[i]});
    if (i % 3 == 0) continue;
    documents.back().file = FileOrigin{.sha256 = sha256(files[i].bytes)};
    documents.back().original = files[i].view();
  }
  must(books_->put_all(documents));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Result<StoredFile> file = file_of(*books_, ids[i]);
    EXPECT_EQ(file.has_value(), i % 3 != 0) << ids[i];
    if (file.has_value()) {
      EXPECT_EQ(*file, files[i]);
    }
  }
  EXPECT_THAT(verify(*books_), IsEmpty());
}

TEST_F(StoredFiles, SurviveAReindex) {
  put_file(*books_, "a", pdf_);
  put_file(*books_, "b", garbage_);
  books_ = nullptr;
  must(catalog_->reindex("books", "sentences", {}));
  const auto rebuilt = must(catalog_->get("books"));
  EXPECT_EQ(rebuilt->scheme().name(), "sentences");
  EXPECT_TRUE(rebuilt->keeps_files());
  EXPECT_EQ(must(file_of(*rebuilt, "a")), pdf_);
  EXPECT_EQ(must(file_of(*rebuilt, "b")), garbage_);
  EXPECT_EQ(must(must(rebuilt->snapshot())->find("b"))->file->reading, 7U);
  EXPECT_THAT(verify(*rebuilt), IsEmpty());
}

TEST_F(StoredFiles, AreCountedWhileTheyAreKept) {
  EXPECT_EQ(sizes(*books_), FileSizes());
  put_file(*books_, "a", pdf_);
  put_file(*books_, "b", garbage_);
  const FileSizes both = *sizes(*books_);
  EXPECT_EQ(both.bytes, pdf_.bytes.size() + garbage_.bytes.size());
  EXPECT_GT(both.stored_bytes, garbage_.bytes.size());
  EXPECT_LT(both.stored_bytes, garbage_.bytes.size() + pdf_.bytes.size() / 10);
  put_file(*books_, "c", pdf_);
  put_file(*books_, "c", garbage_);
  must(books_->remove({"c", "unknown"}));
  EXPECT_EQ(sizes(*books_), both);
  EXPECT_THAT(verify(*books_), IsEmpty());
  books_ = nullptr;
  must(catalog_->compact("books", {}));
  EXPECT_EQ(sizes(*must(catalog_->get("books"))), both);
  must(catalog_->reindex("books", "sentences", {}));
  books_ = must(catalog_->get("books"));
  EXPECT_EQ(sizes(*books_), both);
  put(*books_, "b", text_of("b", 20));
  EXPECT_EQ(sizes(*books_)->bytes, pdf_.bytes.size());
  must(books_->remove({"a", "b"}));
  EXPECT_EQ(sizes(*books_), FileSizes());
  EXPECT_THAT(verify(*books_), IsEmpty());
  EXPECT_EQ(sizes(*must(catalog_->create("plain", ""))), std::nullopt);
}

TEST_F(StoredFiles, AreNotKeptByOtherCollections) {
  const auto plain = must(catalog_->create("plain", ""));
  put_file(*plain, "a", pdf_);
  EXPECT_EQ(kept_bytes(*plain, "a"), 0U);
  const Result<StoredFile> none = file_of(*plain, "a");
  ASSERT_TRUE(none.has_error());
  EXPECT_EQ(none.error().code, Errc::unsupported);
  EXPECT_THAT(none.error().remedy, HasSubstr("store_file"));
  EXPECT_THAT(verify(*plain), IsEmpty());
}

TEST_F(StoredFiles, AreKeptWithoutTexts) {
  const auto bare = must(catalog_->create("bare", "", false, true));
  put_file(*bare, "a", pdf_);
  EXPECT_EQ(must(file_of(*bare, "a")), pdf_);
  EXPECT_EQ(must(must(bare->snapshot())->verify(nullptr, nullptr)), 0U);
}

TEST(EncodedFile, IsCompressedWhereThatHelps) {
  const StoredFile text{"a.txt", "text/plain", std::string(10'000, 'a')};
  const StoredFile random{"a.bin", "", noise(10'000)};
  const std::string encoded = must(encode_file(text.view()));
  EXPECT_LT(encoded.size(), 200U);
  EXPECT_EQ(must(decode_file(encoded, 10'000, sha256(text.bytes), "x")), text);
  const std::string as_it_is = must(encode_file(random.view()));
  EXPECT_LE(as_it_is.size(), random.bytes.size() + 10);
  EXPECT_EQ(must(decode_file(as_it_is, 10'000, sha256(random.bytes), "x")), random);
}

TEST(EncodedFile, ThatIsDamagedIsNoFile) {
  for (const std::string& bytes : {std::string(300, 'a'), noise(300)}) {
    const std::string encoded = must(encode_file({"a", "b", bytes}));
    const Sha256 digest = sha256(bytes);
    for (std::size_t i = 0; i < encoded.size(); ++i) {
      EXPECT_TRUE(decode_file(encoded.substr(0, i), bytes.size(), digest, "x").has_error()) << i;
      std::string changed = encoded;
      changed[i] = static_cast<char>(changed[i] ^ 0x10);
      const Result<StoredFile> file = decode_file(changed, bytes.size(), digest, "x");
      if (file.has_value()) {
        EXPECT_EQ(file->bytes, bytes) << i;  // the name was changed
      }
    }
    EXPECT_EQ(decode_file(encoded, bytes.size() + 1, digest, "document 3").error().what, "document 3");
    EXPECT_TRUE(decode_file(encoded, bytes.size(), sha256("other"), "x").has_error());
  }
}

TEST(EncodedFile, ThatIsTooLargeIsRefusedByName) {
  const std::string large(kMaxFileBytes + 1, 'a');
  const Result<std::string> refused = encode_file({"large.pdf", "application/pdf", large});
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::too_large);
  EXPECT_THAT(refused.error().message(), HasSubstr("'large.pdf'"));
  EXPECT_THAT(refused.error().message(), HasSubstr("268435456"));
  EXPECT_EQ(encode_file({std::string(kMaxFileNameBytes + 1, 'a'), "", "b"}).error().code, Errc::too_large);
}

}  // namespace
}  // namespace akin::test
