// docs/dictionaries.md shows a whole table as a dump; this decodes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <sstream>

#include "base/files.h"
#include "base/hash.h"
#include "dict/read/dictionary_lines.h"
#include "dict/table/format.h"
#include "dict/table/table.h"
#include "tests/support/built.h"

namespace akin {
namespace {

/// Bytes of a `hexdump -C` inside a page; "*" repeats the line above it.
std::vector<char> read_dump(const std::string& page) {
  std::vector<char> bytes;
  bool repeat = false;
  DictionaryLines lines(page);
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string_view offset = next_field(rest);
    if (offset == "*") {
      repeat = true;
    } else if (offset.size() == 8 && offset.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      const std::size_t at = std::stoul(std::string(offset), nullptr, 16);
      while (repeat && bytes.size() < at) bytes.push_back(bytes[bytes.size() - 16]);
      repeat = false;
      for (std::string_view field = next_field(rest); field.size() == 2; field = next_field(rest)) {
        bytes.push_back(static_cast<char>(std::stoi(std::string(field), nullptr, 16)));
      }
    }
  }
  return bytes;
}

class DocumentedTable : public testing::Test {
 protected:
  void SetUp() override {
    const auto page = read_whole_file(test::source_folder() / "docs/dictionaries.md");
    ASSERT_TRUE(page);
    std::vector<char> dump = read_dump(*page);
    std::uint32_t byte_order = 0;
    ASSERT_GT(dump.size(), sizeof(table_format::Header));
    std::memcpy(&byte_order, dump.data() + offsetof(table_format::Header, byte_order), sizeof(byte_order));
    if (byte_order != table_format::kByteOrder) GTEST_SKIP() << "another byte order";
    auto opened = WordClassTable::keep(std::move(dump));
    ASSERT_TRUE(opened) << opened.error().message();
    table_.emplace(std::move(*opened));
  }
  [[nodiscard]] std::uint32_t row(std::u32string_view form) const { return table_->find(spelling_key(form)); }
  std::optional<WordClassTable> table_;
};

TEST_F(DocumentedTable, IsWhole) { EXPECT_TRUE(table_->check_body()); }

TEST_F(DocumentedTable, FindsTheForms) {
  ASSERT_NE(row(U"cat"), WordClassTable::kNoRow);
  ASSERT_NE(row(U"it"), WordClassTable::kNoRow);
  EXPECT_EQ(row(U"cat"), row(U"cats"));
  EXPECT_EQ(row(U"dog"), WordClassTable::kNoRow);
  EXPECT_EQ(table_->header().forms, 3U);
}

TEST_F(DocumentedTable, NamesLemmasAndClasses) {
  EXPECT_EQ(table_->hash(row(U"cats")), word_hash(U"cat"));
  EXPECT_THAT(table_->lemma_ids(row(U"cats")), testing::ElementsAre(1));
  EXPECT_EQ(table_->lemma(1), "cat");
  EXPECT_EQ(table_->lemma(2), "it");
  EXPECT_EQ(table_->lemma(3), "");
  EXPECT_EQ(table_->class_name_of_row(row(U"it")), "it");
  EXPECT_EQ(table_->class_of_lemma("it"), 1U);
  EXPECT_EQ(table_->class_of_lemma("its"), std::nullopt);
}

TEST_F(DocumentedTable, CountsItsSource) {
  ASSERT_EQ(table_->sources().size(), 1U);
  EXPECT_EQ(table_->sources().front().lemmas, 2U);
  EXPECT_EQ(table_->sources().front().forms, 3U);
}

}  // namespace
}  // namespace akin
