// Tables whose entries hold the values of several documents.
#include "index/lmdb/documents/chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

constexpr std::uint32_t kDocuments = 100;

/// The texts of a hundred documents, of 2,000 to 3,000 bytes.
class Chunks : public testing::Test {
 protected:
  Chunks() {
    for (std::uint32_t number = 0; number < kDocuments; ++number)
      values_.push_back(std::to_string(number) + std::string(2'000 + number * 10, 'x'));
    write([&](lmdb::WriteTxn& txn, const Chunked& texts) {
      DocumentChunk::Parts parts;
      for (std::uint32_t number = 0; number < kDocuments; ++number)
        parts.emplace_back(DocNumber{number}, values_[number]);
      return put_parts(txn, texts, parts);
    });
  }

  template <class Change>
  void write(const Change& change) {
    must(env_.write([&](lmdb::WriteTxn& txn) { return change(txn, texts_of(tables_of(env_))); }));
  }
  void erase(const std::vector<std::uint32_t>& numbers) {
    std::vector<DocNumber> documents;
    for (const std::uint32_t number : numbers) {
      documents.push_back(DocNumber{number});
      values_[number].clear();
    }
    write([&](lmdb::WriteTxn& txn, const Chunked& texts) { return erase_parts(txn, texts, documents); });
  }
  void expect_values() {
    const lmdb::ReadTxn txn = must(env_.read());
    for (std::uint32_t number = 0; number < kDocuments; ++number)
      EXPECT_EQ(must(find_part(txn, texts_of(tables_of(env_)), DocNumber{number})), values_[number]);
  }
  std::uint64_t entries() { return must(must(env_.read()).entries(tables_of(env_).texts)); }

  TemporaryFolder folder_;
  lmdb::Env env_ = must(lmdb::Env::open(folder_.path(), table_specs(), {}, true));
  std::vector<std::string> values_;  ///< empty: none
};

TEST_F(Chunks, FillTheirPagesAndGiveEachDocumentItsText) {
  expect_values();
  EXPECT_EQ(entries(), 8U) << "245 kB in chunks of 32,748 bytes";
}

TEST_F(Chunks, LoseOnlyWhatIsRemovedInAnyOrder) {
  erase({99, 0, 50, 51, 52, 3, 13});
  expect_values();
  erase({50, 53});
  expect_values();
  std::vector<std::uint32_t> all;
  for (std::uint32_t number = kDocuments; number > 0; --number) all.push_back(number - 1);
  erase(all);
  expect_values();
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Chunks, OfOneLongTextHoldNothingElse) {
  const std::string text(100'000, 'y');
  write([&](lmdb::WriteTxn& txn, const Chunked& texts) {
    return put_parts(txn, texts, {{DocNumber{200}, "a"}, {DocNumber{201}, text}, {DocNumber{202}, "b"}});
  });
  EXPECT_EQ(entries(), 11U);
  EXPECT_EQ(must(find_part(must(env_.read()), texts_of(tables_of(env_)), DocNumber{201})).size(),
            text.size());
}

}  // namespace
}  // namespace akin::test
