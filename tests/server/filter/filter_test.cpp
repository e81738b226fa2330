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
  result.revision = Revision(1'709'164'800'000'250);  // 2024-02-29T00:00:00.000250Z
  result.metadata =
      R"({"author":"N. N.","date":"2019-05-17","moment":"2019-05-17T02:00:00+02:00",)"
      R"("year":2000,"share":0.1,"large":9007199254740993,"minus":-5,"open":true,"nothing":null,)"
      R"("groups":["a","b",7],"empty":[],"deep":{"x":1},"автор":"Н. Н.","a b":"x","in":"y",)"
      R"("note":"not a date"})";
  return result;
}

struct FilterRow {
  std::string_view filter;
  bool accepts;
};

class Filters : public testing::TestWithParam<FilterRow> {};

TEST_P(Filters, DecideByTheirMeaning) {
  const Result<Filter> filter = Filter::parse(GetParam().filter);
  ASSERT_FALSE(filter.has_error()) << filter.error().message();
  EXPECT_EQ(filter->accepts(record()), GetParam().accepts) << GetParam().filter;
}

INSTANTIATE_TEST_SUITE_P(
    Strings, Filters,
    testing::Values(FilterRow{R"(author = "N. N.")", true}, FilterRow{R"(author = "N.")", false},
                    FilterRow{R"(author != "N.")", true}, FilterRow{R"(author < "O")", true},
                    FilterRow{R"(author >= "N. N.")", true}, FilterRow{R"(author > "N. N.")", false},
                    FilterRow{R"(id = "fables/fox")", true}, FilterRow{R"(title <= "The Fox")", true},
                    FilterRow{R"(автор = "Н. Н.")", true}, FilterRow{R"("a b" = "x")", true},
                    FilterRow{R"("in" = "y")", true}, FilterRow{R"(author = "N. \"N\".\\")", false},
                    FilterRow{R"(author = 5)", false}, FilterRow{R"(author != 5)", true},
                    FilterRow{R"(deep = "x")", false}));

INSTANTIATE_TEST_SUITE_P(Numbers, Filters,
                         testing::Values(FilterRow{"year = 2000", true}, FilterRow{"year = 2000.0", true},
                                         FilterRow{"year = 2e3", true}, FilterRow{"year >= 2001", false},
                                         FilterRow{"year > 1999.5", true}, FilterRow{"share = 0.1", true},
                                         FilterRow{"large = 9007199254740993", true},
                                         FilterRow{"large = 9007199254740992", false},
                                         FilterRow{"minus < -4", true}, FilterRow{"minus = -5", true},
                                         FilterRow{R"(year = "2000")", false}, FilterRow{"open = true", true},
                                         FilterRow{"open != TRUE", false}, FilterRow{"open = false", false}));

INSTANTIATE_TEST_SUITE_P(Dates, Filters,
                         testing::Values(FilterRow{"date < 2020-01-01", true}, FilterRow{"date < 2020", true},
                                         FilterRow{"date > 2019", true}, FilterRow{"date < 2019", false},
                                         FilterRow{"date IN [1999, 2019-05-17]", true},
                                         FilterRow{"stored > 2000", true}, FilterRow{"stored < 2000", false},
                                         FilterRow{"date = 2019-05-17", true},
                                         FilterRow{R"(date = "2019-05-17T00:00:00Z")", true},
                                         FilterRow{"moment = 2019-05-17", true},
                                         FilterRow{"moment >= 2019-05-17T00:00:00.000001Z", false},
                                         FilterRow{R"(moment IN ["2019-05-17"])", true},
                                         FilterRow{"date IN [2021-01-01, 2020-01-01, 2019-05-17]", true},
                                         FilterRow{"note < 2020-01-01", false},
                                         FilterRow{"note != 2020-01-01", true},
                                         FilterRow{"stored > 2024-02-29", true},
                                         FilterRow{"stored < 2024-02-29T00:00:00.001Z", true},
                                         FilterRow{R"(stored = "2024-02-29T00:00:00.000250Z")", true},
                                         FilterRow{R"(id = "2019-05-17")", false}));

INSTANTIATE_TEST_SUITE_P(
    Sets, Filters,
    testing::Values(FilterRow{R"(author IN ["x", "N. N."])", true},
                    FilterRow{R"(author NOT IN ["x", "N. N."])", false},
                    FilterRow{R"(id NOT IN ["a", "b"])", true},
                    FilterRow{"year IN [1, 2000, \"x\", true]", true},
                    FilterRow{"year IN [2002, 2001, 2000]", true}, FilterRow{"open IN [true]", true},
                    FilterRow{"open IN [false]", false}, FilterRow{R"(groups = "b")", true},
                    FilterRow{"groups = 7", true}, FilterRow{R"(groups IN ["c", "a"])", true},
                    FilterRow{R"(groups != "a")", false}, FilterRow{R"(groups != "c")", true},
                    FilterRow{R"(groups > "a")", true}, FilterRow{R"(empty = "a")", false},
                    FilterRow{R"(empty != "a")", true}));

INSTANTIATE_TEST_SUITE_P(MissingFields, Filters,
                         testing::Values(FilterRow{"source EXISTS", false},
                                         FilterRow{"NOT source EXISTS", true}, FilterRow{"year EXISTS", true},
                                         FilterRow{"nothing EXISTS", false}, FilterRow{"empty EXISTS", true},
                                         FilterRow{"title EXISTS", true}, FilterRow{R"(source = "x")", false},
                                         FilterRow{R"(source != "x")", true}, FilterRow{"source < 5", false},
                                         FilterRow{"source >= 5", false},
                                         FilterRow{"source NOT IN [5]", true},
                                         FilterRow{"source IN [5]", false}));

INSTANTIATE_TEST_SUITE_P(Logic, Filters,
                         testing::Values(FilterRow{"year = 1 AND year = 2000 OR year = 2000", true},
                                         FilterRow{"year = 1 AND (year = 2000 OR year = 2000)", false},
                                         FilterRow{"NOT year = 1 AND year = 2000", true},
                                         FilterRow{"NOT (year = 1 OR year = 2000)", false},
                                         FilterRow{"not not year = 2000", true},
                                         FilterRow{"year=2000 and(open=true)", true},
                                         FilterRow{" year\t=\n2000 ", true}));

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
        Broken{"a = \"x", "at character 5: the string that begins here has no closing quote"},
        Broken{"a = \"\\n\"", "at character 6: a backslash"},
        Broken{"a IN []", "at character 7: expected a string"},
        Broken{"a IN [1 2]", "at character 9: expected ',' or ']'"},
        Broken{"a NOT 5", "at character 7: expected IN"},
        Broken{"a = x", "at character 5: expected a string"}, Broken{"a = 2020-13-01", "at character 5"},
        Broken{"a = 1e999", "at character 5"}, Broken{"a = 5x", "at character 5"},
        Broken{"a < true", "no order"}, Broken{"stored > 5", "at character 10: expected a date"},
        Broken{"date < 20200", "at character 8: expected a date"}, Broken{"date < 988", "expected a date"},
        Broken{"date < 2020.0", "expected a date"}, Broken{"date = true", "expected a date"},
        Broken{"date IN [2020-01-01, 7]", "expected a date"},
        Broken{"id = 5", "at character 6: expected a string"}, Broken{"and = 5", "at character 1"},
        Broken{"a ; 5", "at character 3: ';' cannot begin a word"}, Broken{"NOT", "at character 4"},
        Broken{"a ! 5", "at character 3"}));

TEST(FilterLimits, LevelsAreBounded) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '(') + "a = 5" + std::string(levels, ')');
  };
  EXPECT_FALSE(Filter::parse(nested(kMaxFilterDepth)).has_error());
  EXPECT_THAT(Filter::parse(nested(kMaxFilterDepth + 1)).error().reason,
              HasSubstr("nested deeper than 64 levels"));
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
