#include "server/filter/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace akin::filter {
namespace {

using testing::HasSubstr;

DocumentRecord record() {
  DocumentRecord result;
  result.id = "fables/fox";
  result.title = "The Fox";
  result.revision = 1'709'164'800'000'250;  // 2024-02-29T00:00:00.000250Z
  result.metadata =
      R"({"author":"N. N.","date":"2019-05-17","moment":"2019-05-17T02:00:00+02:00",)"
      R"("year":2000,"share":0.1,"large":9007199254740993,"minus":-5,"open":true,"nothing":null,)"
      R"("groups":["a","b",7],"empty":[],"deep":{"x":1},"автор":"Н. Н.","a b":"x","in":"y",)"
      R"("note":"not a date"})";
  return result;
}

struct Row {
  std::string_view filter;
  bool accepts;
};

class Filters : public testing::TestWithParam<Row> {};

TEST_P(Filters, DecideByTheirMeaning) {
  const Result<Filter> filter = Filter::parse(GetParam().filter);
  ASSERT_FALSE(filter.has_error()) << filter.error().message();
  EXPECT_EQ(filter->accepts(record()), GetParam().accepts) << GetParam().filter;
}

INSTANTIATE_TEST_SUITE_P(Strings, Filters,
                         testing::Values(Row{R"(author = "N. N.")", true}, Row{R"(author = "N.")", false},
                                         Row{R"(author != "N.")", true}, Row{R"(author < "O")", true},
                                         Row{R"(author >= "N. N.")", true}, Row{R"(author > "N. N.")", false},
                                         Row{R"(id = "fables/fox")", true},
                                         Row{R"(title <= "The Fox")", true}, Row{R"(автор = "Н. Н.")", true},
                                         Row{R"("a b" = "x")", true}, Row{R"("in" = "y")", true},
                                         Row{R"(author = "N. \"N\".\\")", false}, Row{R"(author = 5)", false},
                                         Row{R"(author != 5)", true}, Row{R"(deep = "x")", false}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, Filters,
    testing::Values(Row{"year = 2000", true}, Row{"year = 2000.0", true}, Row{"year = 2e3", true},
                    Row{"year >= 2001", false}, Row{"year > 1999.5", true}, Row{"share = 0.1", true},
                    Row{"large = 9007199254740993", true}, Row{"large = 9007199254740992", false},
                    Row{"minus < -4", true}, Row{"minus = -5", true}, Row{R"(year = "2000")", false},
                    Row{"open = true", true}, Row{"open != TRUE", false}, Row{"open = false", false}));

INSTANTIATE_TEST_SUITE_P(Dates, Filters,
                         testing::Values(Row{"date < 2020-01-01", true}, Row{"date = 2019-05-17", true},
                                         Row{R"(date = "2019-05-17T00:00:00Z")", true},
                                         Row{"moment = 2019-05-17", true},
                                         Row{"moment >= 2019-05-17T00:00:00.000001Z", false},
                                         Row{R"(moment IN ["2019-05-17"])", true},
                                         Row{"note < 2020-01-01", false}, Row{"note != 2020-01-01", true},
                                         Row{"stored > 2024-02-29", true},
                                         Row{"stored < 2024-02-29T00:00:00.001Z", true},
                                         Row{R"(stored = "2024-02-29T00:00:00.000250Z")", true},
                                         Row{R"(id = "2019-05-17")", false}));

INSTANTIATE_TEST_SUITE_P(Sets, Filters,
                         testing::Values(Row{R"(author IN ["x", "N. N."])", true},
                                         Row{R"(author NOT IN ["x", "N. N."])", false},
                                         Row{R"(id NOT IN ["a", "b"])", true},
                                         Row{"year IN [1, 2000, \"x\", true]", true},
                                         Row{"open IN [true]", true}, Row{"open IN [false]", false},
                                         Row{R"(groups = "b")", true}, Row{"groups = 7", true},
                                         Row{R"(groups IN ["c", "a"])", true}, Row{R"(groups != "a")", false},
                                         Row{R"(groups != "c")", true}, Row{R"(groups > "a")", true},
                                         Row{R"(empty = "a")", false}, Row{R"(empty != "a")", true}));

INSTANTIATE_TEST_SUITE_P(MissingFields, Filters,
                         testing::Values(Row{"source EXISTS", false}, Row{"NOT source EXISTS", true},
                                         Row{"year EXISTS", true}, Row{"nothing EXISTS", false},
                                         Row{"empty EXISTS", true}, Row{"title EXISTS", true},
                                         Row{R"(source = "x")", false}, Row{R"(source != "x")", true},
                                         Row{"source < 5", false}, Row{"source >= 5", false},
                                         Row{"source NOT IN [5]", true}, Row{"source IN [5]", false}));

INSTANTIATE_TEST_SUITE_P(Logic, Filters,
                         testing::Values(Row{"year = 1 AND year = 2000 OR year = 2000", true},
                                         Row{"year = 1 AND (year = 2000 OR year = 2000)", false},
                                         Row{"NOT year = 1 AND year = 2000", true},
                                         Row{"NOT (year = 1 OR year = 2000)", false},
                                         Row{"not not year = 2000", true},
                                         Row{"year=2000 and(open=true)", true},
                                         Row{" year\t=\n2000 ", true}));

struct Broken {
  std::string_view filter;
  std::string_view reason;
};

class BrokenFilters : public testing::TestWithParam<Broken> {};

TEST_P(BrokenFilters, AreRefusedWithThePlace) {
  const Result<Filter> filter = Filter::parse(GetParam().filter);
  ASSERT_TRUE(filter.has_error());
  EXPECT_EQ(filter.error().code, Errc::invalid_argument);
  EXPECT_EQ(filter.error().what, "filter");
  EXPECT_THAT(filter.error().reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BrokenFilters,
    testing::Values(
        Broken{"", "at character 1: expected a field"}, Broken{"author", "at character 7: expected ="},
        Broken{"автор ==", "at character 8: expected a string in double quotes"},
        Broken{"a = 5 b = 6", "at character 7: expected AND, OR or the end, found 'b'"},
        Broken{"(a = 5", "at character 7: expected AND, OR or ')', found the end"},
        Broken{"a = \"x", "at character 5: the string that begins here does not end"},
        Broken{"a = \"\\n\"", "at character 6: a backslash"},
        Broken{"a IN []", "at character 7: expected a string"},
        Broken{"a IN [1 2]", "at character 9: expected ',' or ']'"},
        Broken{"a NOT 5", "at character 7: expected IN"},
        Broken{"a = x", "at character 5: expected a string"}, Broken{"a = 2020-13-01", "at character 5"},
        Broken{"a = 1e999", "at character 5"}, Broken{"a = 5x", "at character 5"},
        Broken{"a < true", "no order"}, Broken{"stored > 5", "at character 10: expected a date"},
        Broken{"id = 5", "at character 6: expected a string"}, Broken{"and = 5", "at character 1"},
        Broken{"a ; 5", "at character 3: ';' begins no word"}, Broken{"NOT", "at character 4"},
        Broken{"a ! 5", "at character 3"}));

TEST(FilterLimits, LevelsAreBounded) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '(') + "a = 5" + std::string(levels, ')');
  };
  EXPECT_FALSE(Filter::parse(nested(kMaxFilterDepth)).has_error());
  EXPECT_THAT(Filter::parse(nested(kMaxFilterDepth + 1)).error().reason, HasSubstr("more than 64 levels"));
}

TEST(FilterLimits, BytesAndItemsAreBounded) {
  EXPECT_EQ(Filter::parse(std::string(kMaxFilterBytes + 1, ' ')).error().code, Errc::too_large);
  EXPECT_EQ(Filter::parse("a = \"\xff\"").error().code, Errc::invalid_utf8);
  std::string list = "a IN [1";
  for (int i = 0; i < 5000; ++i) list += ",1";
  EXPECT_FALSE(Filter::parse(list + "]").has_error());
}

TEST(FilterLimits, ManyTestsBesideOneAnotherAreNoDepth) {
  std::string filter = "a = 1";
  while (filter.size() + 9 < kMaxFilterBytes) filter += " OR a = 1";
  EXPECT_FALSE(Filter::parse(filter)->accepts(record()));
}

TEST(FilterMetadata, ThatAreNoObjectHaveNoFields) {
  DocumentRecord other = record();
  for (const char* metadata : {"", "no JSON", "[1]", "5"}) {
    other.metadata = metadata;
    EXPECT_FALSE(Filter::parse("year EXISTS")->accepts(other)) << metadata;
  }
}

}  // namespace
}  // namespace akin::filter
