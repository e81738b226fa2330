#include "server/tables/delimited.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace akin::tables {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> rows(const DelimitedTable& table) {
  std::vector<std::vector<std::string>> fields;
  for (const DelimitedRow& row : table.rows) fields.push_back(row.fields);
  return fields;
}

TEST(DelimitedTest, ReadsCommasAsRfc4180HasThem) {
  const auto table =
      read_delimited("a,b,label\r\n\"x, y\",\"he said \"\"no\"\"\",1\r\n\"two\nlines\",,\r\n", "t.csv")
          .value();
  EXPECT_THAT(table.head, ElementsAre("a", "b", "label"));
  EXPECT_THAT(rows(table),
              ElementsAre(ElementsAre("x, y", "he said \"no\"", "1"), ElementsAre("two\nlines", "", "")));
  EXPECT_EQ(table.place(table.rows[1]), "t.csv line 3");
}

TEST(DelimitedTest, KeepsTheCarriageReturnOfAQuotedValue) {
  const auto table = read_delimited("a,b\r\n1,\"x\r\"\r\n", "t.csv").value();
  EXPECT_THAT(rows(table), ElementsAre(ElementsAre("1", "x\r")));
}

TEST(DelimitedTest, ReadsTabsWithoutQuoting) {
  const auto table = read_delimited("a\tb\n\"half\t,;\n\n\tlast", "t.tsv").value();
  EXPECT_THAT(rows(table), ElementsAre(ElementsAre("\"half", ",;"), ElementsAre("", "last")));
  EXPECT_EQ(table.rows[1].line, 4U);
}

TEST(DelimitedTest, ReadsSemicolonsOfSpreadsheets) {
  const auto table = read_delimited("a;b;label\n1,5;\"x;y\";да\n", "t.csv").value();
  EXPECT_THAT(rows(table), ElementsAre(ElementsAre("1,5", "x;y", "да")));
}

TEST(DelimitedTest, FindsColumnsByTheFirstNameThatIsThere) {
  const auto table = read_delimited("file_a,b\n", "t.csv").value();
  EXPECT_EQ(table.column({"a", "file_a"}), 0U);
  EXPECT_EQ(table.column({"c"}), std::nullopt);
  EXPECT_THAT(table.required_column({"label"}).error().message(),
              HasSubstr("no column 'label' (it has 'file_a' and 'b')"));
}

TEST(DelimitedTest, TellsWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is empty"},
      {"\n\n", "is empty"},
      {"a,b\n1,2\n1\n", "t line 3: has 1 fields, the heading 2"},
      {"a,b\n1,2,3\n", "t line 2: has 3 fields"},
      {"a,b\n1,\"2\n3\n", "t line 2: a quotation mark is not closed"},
      {"a,a\n", "two columns 'a'"},
  };
  for (const auto& [text, complaint] : cases) {
    const auto table = read_delimited(text, "t");
    ASSERT_TRUE(table.has_error()) << text;
    EXPECT_THAT(table.error().message(), HasSubstr(complaint));
  }
}

TEST(DelimitedTest, SurvivesEveryPrefix) {
  const std::string text = "a,b\n\"x\"\"y\",2\r\n\"\n\",\"\"\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto table = read_delimited(text.substr(0, length), "t");
    if (table.has_value()) {
      for (const DelimitedRow& row : table->rows) EXPECT_EQ(row.fields.size(), table->head.size());
    }
  }
}

}  // namespace
}  // namespace akin::tables
