#include "lab/evaluate/passage_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace akin::evaluate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* kHead = "susp\tsource\tthis_offset\tthis_length\tsource_offset\tsource_length\n";

FolderNames texts() { return {"set/susp/", {"a.txt", "deep/b.txt"}}; }
FolderNames sources() { return {"set/src", {"s.txt", "t.txt"}}; }

Result<std::vector<PassageCase>> cases_of(const std::string& table) {
  return read_passage_cases(tables::read_delimited(table, "cases.tsv").value(), texts(), sources());
}

Result<std::set<SourcePair>> overlaps_of(const std::string& table) {
  return read_known_overlaps(tables::read_delimited(table, "overlaps.tsv").value(), texts(), sources());
}

TEST(FolderNames, FindPathsWithAndWithoutTheFoldersOwnName) {
  EXPECT_EQ(*texts().find("deep/b.txt"), "deep/b.txt");
  EXPECT_EQ(*texts().find("susp/deep/b.txt"), "deep/b.txt");
  EXPECT_EQ(*sources().find("src/s.txt"), "s.txt");
  EXPECT_EQ(texts().find("b.txt"), nullptr);
  EXPECT_EQ(texts().find("set/susp/a.txt"), nullptr);
}

TEST(PassageCases, ColumnsAreFoundByTheirNames) {
  const auto cases = cases_of(
      "source_length\tsource_offset\tthis_length\tthis_offset\tnote\tsource\tsusp\n"
      "8\t7\t6\t5\tfirst\ts.txt\ta.txt\n\n4\t3\t2\t1\tsecond\tsrc/t.txt\tsusp/deep/b.txt\n");
  ASSERT_FALSE(cases.has_error()) << cases.error().message();
  ASSERT_EQ(cases->size(), 2U);
  EXPECT_EQ((*cases)[0].reuse.document, "a.txt");
  EXPECT_EQ((*cases)[0].reuse.a, (TextRange{5, 11}));
  EXPECT_EQ((*cases)[0].reuse.b, (TextRange{7, 15}));
  EXPECT_EQ((*cases)[1].reuse.document, "deep/b.txt");
  EXPECT_EQ((*cases)[1].reuse.source, "t.txt");
  EXPECT_EQ((*cases)[1].line, 4U);
}

TEST(PassageCases, ErrorsNameTheLine) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "cases.tsv has no cases"},
      {"a.txt\ts.txt\t-1\t2\t3\t4\n", "cases.tsv line 2 the this_offset '-1' is not a number"},
      {"a.txt\ts.txt\t1\t2x\t3\t4\n", "the this_length '2x' is not a number"},
      {"a.txt\ts.txt\t1\t2\t\t4\n", "the source_offset '' is not a number"},
      {"a.txt\ts.txt\t1\t2\t3\t0\n", "the source_length is 0"},
      {"a.txt\ts.txt\t4294967295\t1\t3\t4\n", "the sum of this_offset and this_length is over 2^32-1"},
      {"a.txt\ts.txt\t4294967296\t1\t3\t4\n", "is not a number"},
      {"a.txt\ts.txt\t1\t2\t3\t4\ns.txt\ts.txt\t1\t2\t3\t4\n",
       "cases.tsv line 3 the susp 's.txt' is not in set/susp/"},
      {"a.txt\ta.txt\t1\t2\t3\t4\n", "the source 'a.txt' is not in set/src"},
  };
  for (const auto& [rows, complaint] : wrong) {
    const auto cases = cases_of(kHead + rows);
    ASSERT_TRUE(cases.has_error()) << rows;
    const Error& error = cases.error();
    EXPECT_THAT(error.what + " " + error.reason, HasSubstr(complaint)) << rows;
  }
  EXPECT_THAT(cases_of("susp\tsource\n").error().message(), HasSubstr("no column 'this_offset'"));
}

TEST(PassageCases, TheLastCodePointOfARangeMayBeTheLargestOffset) {
  const auto cases = cases_of(std::string(kHead) + "a.txt\ts.txt\t4294967294\t1\t0\t1\n");
  ASSERT_FALSE(cases.has_error()) << cases.error().message();
  EXPECT_EQ(cases->front().reuse.a, (TextRange{4294967294U, 4294967295U}));
}

TEST(KnownOverlaps, ArePairsOfATextAndASourceInEitherOrder) {
  const auto pairs = overlaps_of(
      "doc_a\tdoc_b\tshared\n"
      "susp/a.txt\tsrc/s.txt\t5\n"
      "t.txt\tdeep/b.txt\t5\n"
      "susp/a.txt\tsusp/deep/b.txt\t5\n"
      "src/s.txt\tsrc/t.txt\t5\n"
      "susp/elsewhere.txt\tsrc/s.txt\t5\n");
  ASSERT_FALSE(pairs.has_error()) << pairs.error().message();
  EXPECT_THAT(*pairs, ElementsAre(Pair("a.txt", "s.txt"), Pair("deep/b.txt", "t.txt")));
}

TEST(KnownOverlaps, WithoutOneThatConcernsTheFoldersAreAnError) {
  const Error error = overlaps_of("doc_a\tdoc_b\nx.txt\ts.txt\n").error();
  EXPECT_EQ(error.what, "overlaps.tsv");
  EXPECT_THAT(error.reason, HasSubstr("no pair of a text in set/susp/ and a source in set/src"));
  EXPECT_THAT(overlaps_of("a\tb\n").error().message(), HasSubstr("no column 'doc_a'"));
}

}  // namespace
}  // namespace akin::evaluate
