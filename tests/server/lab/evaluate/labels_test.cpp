#include "server/lab/evaluate/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "index/lmdb/side_files.h"
#include "tests/support/temporary_folder.h"

namespace akin::evaluate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class LabelsTest : public testing::Test {
 protected:
  const test::TemporaryFolder folder_;
  const std::filesystem::path data_ = folder_.path();
};

TEST(LabelGradeTest, WordsAndNumbers) {
  for (const char* yes : {"1", "yes", "YES", " да ", "Дубликат", "OK", "0.5", "y"}) {
    ASSERT_TRUE(label_grade(yes)) << yes;
    EXPECT_GT(*label_grade(yes), 0) << yes;
  }
  for (const char* no : {"0", "-1", "no", "BAD", "нет", "non", "false"}) {
    ASSERT_TRUE(label_grade(no)) << no;
    EXPECT_LE(*label_grade(no), 0) << no;
  }
  for (const char* neither : {"", "perhaps", "-", "nan", "inf", "1x", "0,5"})
    EXPECT_FALSE(label_grade(neither)) << neither;
}

TEST(GivenLabelsTest, OrderOfIdsAndRowsWithout) {
  const auto labels =
      read_given_labels("rank\tb\ta\tlabel\n1\tx\ty\tyes\n2\tp\tq\t\n3\tz\tx\t-\n", "t").value();
  EXPECT_THAT(labels, ElementsAre(Pair(Pair("x", "y"), "yes"), Pair(Pair("x", "z"), "-")));
}

TEST(GivenLabelsTest, WrongOnesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a\tb\n", "no column 'label'"},
      {"a\tb\tlabel\nx\ty\tmaybe\n", "t line 2: the label 'maybe' means neither yes nor no"},
      {"a\tb\tlabel\nx\tx\t1\n", "pairs a document with itself"},
      {"a\tb\tlabel\nx\ty\t" + std::string(65, '1') + "\n", "more than 64 bytes"},
  };
  for (const auto& [text, complaint] : cases) {
    EXPECT_THAT(read_given_labels(text, "t").error().message(), HasSubstr(complaint));
  }
}

TEST(MergeLabelsTest, CountsWhatChanges) {
  Labels stored = {{{"a", "b"}, "yes"}, {{"a", "c"}, "no"}, {{"a", "d"}, "1"}};
  const Labels given = {
      {{"a", "b"}, "yes"}, {{"a", "c"}, "yes"}, {{"a", "d"}, "-"}, {{"a", "e"}, "0"}, {{"a", "f"}, "-"}};
  const LabelChanges changes = merge_labels(stored, given);
  EXPECT_EQ(changes.added, 1U);
  EXPECT_EQ(changes.changed, 1U);
  EXPECT_EQ(changes.removed, 1U);
  EXPECT_EQ(changes.same, 2U);
  EXPECT_THAT(stored, ElementsAre(Pair(Pair("a", "b"), "yes"), Pair(Pair("a", "c"), "yes"),
                                  Pair(Pair("a", "e"), "0")));
}

TEST_F(LabelsTest, AreReadBackAsTheyWereWritten) {
  const auto file = labels_file(data_, "books");
  EXPECT_EQ(file, data_ / "labels" / "books.tsv");
  EXPECT_THAT(read_labels(file).value(), IsEmpty());
  const Labels labels = {{{"'=a", "-b"}, "no"}, {{"\"a\"", "б, в"}, "да"}, {{"x", "y"}, "0.5"}};
  std::filesystem::create_directory(data_ / "labels");
  ASSERT_FALSE(write_labels(file, labels).has_error());
  EXPECT_EQ(read_labels(file).value(), labels);
  ASSERT_FALSE(write_labels(file, {}).has_error());
  EXPECT_FALSE(std::filesystem::exists(file));
  ASSERT_FALSE(write_labels(file, {}).has_error());
}

TEST_F(LabelsTest, AreKeptTogetherWithThoseBefore) {
  const auto file = labels_file(data_, "books");
  EXPECT_EQ(store_labels(file, {{{"a", "b"}, "yes"}}).value().added, 1U);
  EXPECT_EQ(store_labels(file, {{{"a", "b"}, "no"}, {{"a", "c"}, "yes"}}).value().changed, 1U);
  EXPECT_EQ(read_labels(file).value(), (Labels{{{"a", "b"}, "no"}, {{"a", "c"}, "yes"}}));
  EXPECT_EQ(store_labels(file, {{{"a", "b"}, "-"}, {{"a", "c"}, "-"}}).value().removed, 2U);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(LabelsTest, StoredAtOnceNoneIsLost) {
  const auto file = labels_file(data_, "books");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 5; ++j) {
        const Labels given = {{{"a" + std::to_string(i), "b" + std::to_string(j)}, "yes"}};
        EXPECT_FALSE(store_labels(file, given).has_error());
      }
    });
  }
  threads.clear();
  EXPECT_EQ(read_labels(file).value().size(), 40U);
}

TEST_F(LabelsTest, ABrokenFileIsAnError) {
  const auto file = labels_file(data_, "books");
  std::filesystem::create_directory(data_ / "labels");
  std::ofstream(file) << "nothing of the kind\n";
  EXPECT_EQ(read_labels(file).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace akin::evaluate
