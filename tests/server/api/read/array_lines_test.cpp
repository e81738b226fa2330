// JSON arrays as lines, in pieces of any size.
#include "server/api/read/array_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/server/api/read/memory_streams.h"

namespace akin::test {
namespace {

std::string lines_in(const std::string& body, bool byte_by_byte) {
  std::vector<std::string> pieces;
  for (const char c : body) pieces.emplace_back(1, c);
  Pieces source(byte_by_byte ? pieces : std::vector<std::string>{body});
  api::ArrayLines array(source);
  std::string lines;
  for (;;) {
    const auto read = array.append_to(lines, byte_by_byte ? 1 : 1000);
    if (read.has_error() || *read == 0) return lines;
  }
}

struct ArrayRow {
  std::string name, body, lines;
  friend std::ostream& operator<<(std::ostream& out, const ArrayRow& row) { return out << row.name; }
};

class ArrayOfLines : public ::testing::TestWithParam<ArrayRow> {};

TEST_P(ArrayOfLines, HasOneOfEachElement) {
  EXPECT_EQ(lines_in(GetParam().body, false), GetParam().lines);
  EXPECT_EQ(lines_in(GetParam().body, true), GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(
    All, ArrayOfLines,
    ::testing::Values(
        ArrayRow{"Empty", " [ ] \n", ""}, ArrayRow{"Two", R"([{"a":1},{"b":2}])", "{\"a\":1}\n{\"b\":2}\n"},
        ArrayRow{"Indented", "[\n {\n\"a\": 1\n},\n 2\n]\n", "{ \"a\": 1 }\n2 \n"},
        ArrayRow{"Nested", R"([[1,[2]],{"a":{"b":[3,4]}}])", "[1,[2]]\n{\"a\":{\"b\":[3,4]}}\n"},
        ArrayRow{"BracketsInStrings", R"([{"a":"],[\"}"},"\\"])", "{\"a\":\"],[\\\"}\"}\n\"\\\\\"\n"},
        ArrayRow{"LineEndInAString", "[\"a\nb\",1]", "\"a\rb\"\n1\n"},
        ArrayRow{"MissingElement", "[1,,2]", "1\n,\n2\n"}, ArrayRow{"MissingFirst", "[,1]", ",\n1\n"},
        ArrayRow{"TrailingComma", "[1,]", "1\n]\n"}, ArrayRow{"NoEnd", "[1", "1\n[\n"},
        ArrayRow{"NoEndAfterAComma", "[1,", "1\n[\n"}, ArrayRow{"SomethingAfterIt", "[1] [2\n]", "1\n][2 ]"},
        ArrayRow{"NoArray", "{\"a\":\n1}", "{\"a\": 1}"}, ArrayRow{"Nothing", "", ""}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace akin::test
