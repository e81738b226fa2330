// The manifest of sets: how it is read, and how errors name the set.
#include "server/lab/evaluate/manifest.h"

#include <gtest/gtest.h>

namespace akin::evaluate {
namespace {

TEST(Manifest, ListsSetsInTheirOrder) {
  const auto sets = read_manifest(R"({"sets": [
      {"name": "news-ru", "method": "threshold", "arguments": ["news.tsv", "--at", "0.1,0.3"]},
      {"name": "judge", "method": "judge", "arguments": ["labels.tsv"]}]})");
  ASSERT_FALSE(sets.has_error()) << sets.error().message();
  ASSERT_EQ(sets->size(), 2U);
  EXPECT_EQ((*sets)[0].name, "news-ru");
  EXPECT_EQ((*sets)[0].method, "threshold");
  EXPECT_EQ((*sets)[0].arguments, (std::vector<std::string>{"news.tsv", "--at", "0.1,0.3"}));
  EXPECT_EQ((*sets)[1].method, "judge");
}

TEST(Manifest, ErrorsNameTheSet) {
  struct Case {
    const char* text;
    const char* said;
  };
  for (const Case& wrong :
       {Case{R"({"sets": []})", "lists no sets"}, Case{R"({})", "lists no sets"},
        Case{R"({"sets": [1]})", "set 1"}, Case{R"({"sets": [{"method": "rank"}]})", "set 1"},
        Case{R"({"sets": [{"name": "a b", "method": "rank", "arguments": ["x"]}]})", "set 'a b'"},
        Case{R"({"sets": [{"name": "a-->", "method": "rank", "arguments": ["x"]}]})", "set 'a-->'"},
        Case{R"({"sets": [{"name": "news", "method": "guess", "arguments": ["x"]}]})",
             "set 'news': field 'method'"},
        Case{R"({"sets": [{"name": "news", "method": "rank"}]})", "set 'news': field 'arguments'"},
        Case{R"({"sets": [{"name": "news", "method": "rank", "arguments": "x"}]})",
             "set 'news': field 'arguments'"},
        Case{R"({"sets": [{"name": "news", "method": "rank", "arguments": ["x"], "label": 1}]})", "label"},
        Case{R"({"sets": [{"name": "n", "method": "rank", "arguments": ["x"]},
                          {"name": "n", "method": "judge", "arguments": ["y"]}]})",
             "set 'n'"}}) {
    const auto sets = read_manifest(wrong.text);
    ASSERT_TRUE(sets.has_error()) << wrong.text;
    EXPECT_NE(sets.error().message().find(wrong.said), std::string::npos) << sets.error().message();
  }
  EXPECT_EQ(read_manifest("{").error().code, Errc::invalid_json);
}

}  // namespace
}  // namespace akin::evaluate
