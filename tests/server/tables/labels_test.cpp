#include "server/tables/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/tables/deletions.h"

namespace akin::tables {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

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

TEST(KeptByTest, SaysWhichDocumentStays) {
  for (const char* a : {"keep a", "Keep-A", "keep_a", "delete b", "оставить а", "удалить б", "удалить b"})
    EXPECT_EQ(kept_by(a), Kept::a) << a;
  for (const char* b : {"keep b", "delete a", "оставить б"}) EXPECT_EQ(kept_by(b), Kept::b) << b;
  for (const char* both : {"keep both", "оставить оба"}) EXPECT_EQ(kept_by(both), Kept::both) << both;
  for (const char* none : {"yes", "keep", "keep c", "delete both", "a", "keep a b"})
    EXPECT_FALSE(kept_by(none)) << none;
  EXPECT_EQ(label_grade("delete a"), 1.0);
}

TEST(KeptByTest, LabelFollowsItsDocumentWhenTheIdsAreSorted) {
  const auto labels = read_given_labels("a\tb\tlabel\ny\tx\tkeep a\np\tq\tудалить б\n", "t").value();
  EXPECT_THAT(labels, ElementsAre(Pair(Pair("p", "q"), "keep a"), Pair(Pair("x", "y"), "keep b")));
}

TEST(DeletionsTest, AreWhatLabelsLetGo) {
  const Labels labels = {{{"a", "b"}, "keep a"}, {{"a", "c"}, "keep b"},    {{"d", "e"}, "yes"},
                         {{"d", "f"}, "no"},     {{"g", "h"}, "keep both"}, {{"b", "c"}, "keep b"}};
  const Deletions deletions = deletions_of(labels);
  EXPECT_THAT(deletions.documents, ElementsAre(Deletion{"a", "c"}, Deletion{"b", "a"}));
  EXPECT_THAT(deletions.contradictions, IsEmpty());
}

TEST(DeletionsTest, NeverTakeTheLastDocument) {
  const Labels labels = {
      {{"a", "b"}, "keep a"}, {{"b", "c"}, "keep a"}, {{"a", "c"}, "keep b"}, {{"x", "y"}, "keep b"}};
  const Deletions deletions = deletions_of(labels);
  EXPECT_THAT(deletions.documents, ElementsAre(Deletion{"x", "y"}));
  EXPECT_THAT(deletions.contradictions, ElementsAre(ElementsAre("a", "b", "c")));
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

TEST(StoredLabelsTest, AreReadBackAsTheyWereWritten) {
  const Labels labels = {{{"'=a", "-b"}, "no"}, {{"\"a\"", "б, в"}, "да"}, {{"x", "y"}, "0.5"}};
  EXPECT_EQ(stored_labels(labels_text(labels), "labels").value(), labels);
  EXPECT_THAT(stored_labels(labels_text({}), "labels").value(), IsEmpty());
}

TEST(StoredLabelsTest, ThatAreBrokenAreAnError) {
  EXPECT_EQ(stored_labels("nothing of the kind\n", "labels").error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace akin::tables
