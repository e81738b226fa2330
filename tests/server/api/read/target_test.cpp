#include "server/api/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace akin::api {
namespace {

using ::testing::HasSubstr;

struct Good {
  std::string target;
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;

  friend std::ostream& operator<<(std::ostream& out, const Good& row) { return out << row.target; }
};

class GoodTarget : public ::testing::TestWithParam<Good> {};

TEST_P(GoodTarget, IsTakenApart) {
  const auto target = parse_target(GetParam().target);
  ASSERT_TRUE(target.has_value()) << target.error().message();
  EXPECT_EQ(target->path, GetParam().path);
  std::vector<std::pair<std::string, std::string>> query;
  for (const Parameter& parameter : target->query) query.emplace_back(parameter.name, parameter.value);
  EXPECT_EQ(query, GetParam().query);
}

INSTANTIATE_TEST_SUITE_P(
    All, GoodTarget,
    ::testing::Values(Good{"/", "/", {}}, Good{"/a/b%2Fc", "/a/b%2Fc", {}}, Good{"/a?", "/a", {}},
                      Good{"/a?x=1&y=2", "/a", {{"x", "1"}, {"y", "2"}}}, Good{"/a?x", "/a", {{"x", ""}}},
                      Good{"/a?x=a=b", "/a", {{"x", "a=b"}}}, Good{"/a?&x=1&&", "/a", {{"x", "1"}}},
                      Good{"/a?x=%D0%AF+%2B%20", "/a", {{"x", "Я + "}}},
                      Good{"/a?x=%2525", "/a", {{"x", "%25"}}}, Good{"/a?x=1?2/3", "/a", {{"x", "1?2/3"}}},
                      Good{"http://host:80/a?x=1", "/a", {{"x", "1"}}}, Good{"http://host", "/", {}}));

struct Bad {
  std::string target;
  Errc code;
  std::string message;

  friend std::ostream& operator<<(std::ostream& out, const Bad& row) { return out << row.target; }
};

class BadTarget : public ::testing::TestWithParam<Bad> {};

TEST_P(BadTarget, IsRefusedBySayingWhere) {
  const auto target = parse_target(GetParam().target);
  ASSERT_TRUE(target.has_error());
  EXPECT_EQ(target.error().code, GetParam().code);
  EXPECT_THAT(target.error().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadTarget,
    ::testing::Values(Bad{"", Errc::invalid_argument, "does not begin with '/'"},
                      Bad{"*", Errc::invalid_argument, "does not begin with '/'"},
                      Bad{"a/b", Errc::invalid_argument, "does not begin with '/'"},
                      Bad{"/a#b", Errc::invalid_argument, "holds a '#'"},
                      Bad{"/a?=1", Errc::invalid_argument, "no name"},
                      Bad{"/a?x=%", Errc::invalid_argument, "query parameter 'x': '%' at byte 0"},
                      Bad{"/a?x=12%4", Errc::invalid_argument, "query parameter 'x': '%' at byte 2"},
                      Bad{"/a?x=%zz", Errc::invalid_argument, "query parameter 'x': '%' at byte 0"},
                      Bad{"/a?x=%ff", Errc::invalid_utf8, "query parameter 'x'"},
                      Bad{"/a?%ff=1", Errc::invalid_utf8, "name of a query parameter"}));

TEST(PercentDecode, DecodesOnce) {
  EXPECT_EQ(percent_decode("%252e%252e", "x", Plus::literal).value(), "%2e%2e");
}

TEST(PercentDecode, LeavesPlusInPaths) {
  EXPECT_EQ(percent_decode("a+b", "x", Plus::literal).value(), "a+b");
}

}  // namespace
}  // namespace akin::api
