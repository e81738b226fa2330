#include "server/json/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace akin::json {
namespace {

using ::testing::HasSubstr;

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(StrictJson, ReadsWhatItWrites) {
  const std::string text = R"({"a":[1,-2,2.5,true,false,null,"x\u0041\ud83d\ude00"],"b":{"c":{}},"":[]})";
  const auto value = parse_json(text);
  ASSERT_TRUE(value.has_value()) << value.error().message();
  EXPECT_EQ(value->dump(), R"({"a":[1,-2,2.5,true,false,null,"xA😀"],"b":{"c":{}},"":[]})");
}

/// A string in JSON of some hundred characters, many of them escaped.
std::string random_string(std::mt19937& random) {
  const std::vector<std::string> pieces = {
      "a",       "ж",      "😀", " ", ":", "{\\\"", "\\n", "\\\\", "\\/", "\\u0416", "\\ud83d\\ude00",
      "\\u0000", "\\t\\b", ",", "]"};
  std::string text = "\"";
  for (std::size_t left = random() % 600; left > 0; --left) text += pieces[random() % pieces.size()];
  return text + "\"";
}

TEST(StrictJson, ReadsLongStringsAsItsLexerDoes) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::string key = random() % 4 == 0 ? random_string(random) : "\"k\"";
    const std::string body = "{" + key + " : " + random_string(random) + ",\"list\":[" +
                             random_string(random) + ", 1 ," + random_string(random) + "],\"\":\"short\"}";
    const auto value = parse_json(body);
    ASSERT_TRUE(value.has_value()) << value.error().message();
    EXPECT_EQ(*value, Json::parse(body));
  }
}

TEST(StrictJson, RefusesWhatStandsBesideOrWithinALongString) {
  const std::string text(1000, 'x');
  for (const std::string& body : {"\"" + text, "\"" + text + "\\\"", "\"" + text + "\n\"",
                                  "\"" + text + "\\q\"", "\"" + text + "\\ud800\"", "\"" + text + "\\udc00\"",
                                  "\"" + text + "\\u12\"", "[\"" + text + "\",]", "\"" + text + "\" 1"}) {
    const auto value = parse_json(body);
    ASSERT_TRUE(value.has_error()) << body;
    EXPECT_EQ(value.error().code, Errc::invalid_json);
    EXPECT_THAT(value.error().what, HasSubstr("column 10")) << "of the whole, after a thousand";
  }
}

struct Broken {
  std::string name;
  std::string body;
  Errc code;
  std::string what;    ///< part of Error::what
  std::string reason;  ///< part of Error::reason

  friend std::ostream& operator<<(std::ostream& out, const Broken& row) { return out << row.name; }
};

class BrokenJson : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenJson, IsRefusedWithItsPosition) {
  const auto value = parse_json(GetParam().body);
  ASSERT_TRUE(value.has_error());
  EXPECT_EQ(value.error().code, GetParam().code);
  EXPECT_THAT(value.error().what, HasSubstr(GetParam().what));
  EXPECT_THAT(value.error().reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenJson,
    ::testing::Values(
        Broken{"Empty", "", Errc::invalid_json, "line 1, column 1", "unexpected end of input"},
        Broken{"Unclosed", "{\"a\": 1", Errc::invalid_json, "line 1, column 8", "unexpected end of input"},
        Broken{"SecondLine", "{\n  \"я\": x}", Errc::invalid_json, "line 2, column 8", "invalid literal"},
        Broken{"TrailingComma", "[1,]", Errc::invalid_json, "line 1, column 4", "unexpected ']'"},
        Broken{"TwoValues", "{} {}", Errc::invalid_json, "line 1, column 4", "expected end of input"},
        Broken{"ZeroByteAndMore", std::string("{}\0 more", 8), Errc::invalid_json, "line 1, column 3",
               "byte 0"},
        Broken{"Comment", "/* no */ {}", Errc::invalid_json, "line 1, column 1", "invalid literal"},
        Broken{"SingleQuotes", "{'a':1}", Errc::invalid_json, "line 1, column 2", "invalid literal"},
        Broken{"Infinity", "[1e999]", Errc::invalid_json, "line 1, column 6", "number overflow"},
        Broken{"NotANumber", "[NaN]", Errc::invalid_json, "line 1, column 2", "invalid literal"},
        Broken{"ControlCharacter", "\"a\nb\"", Errc::invalid_json, "line 1, column 3", "control character"},
        Broken{"LoneHighSurrogate", R"(["\ud800"])", Errc::invalid_json, "line 1, column 9", "surrogate"},
        Broken{"LoneLowSurrogate", R"(["\udc00"])", Errc::invalid_json, "line 1, column 8", "surrogate"},
        Broken{"ReversedSurrogates", R"(["\udc00\ud800"])", Errc::invalid_json, "line 1, column 8",
               "surrogate"},
        Broken{"DoubledKey", R"({"a":1,"b":2,"a":3})", Errc::invalid_json, "line 1, column 17",
               "'a' is given twice"},
        Broken{"DoubledKeyInside", R"({"m":[{"k":{}},{"k":1,"\u006b":2}]})", Errc::invalid_json,
               "line 1, column 31", "'k' is given twice"},
        Broken{"TooDeep", nested(kMaxJsonDepth + 1), Errc::invalid_json, "line 1, column 66", "more than 64"},
        Broken{"FarTooDeep", std::string(10'000'000, '['), Errc::invalid_json, "line 1, column 66",
               "more than 64"},
        Broken{"NotUtf8", "{\"a\":\"\xff\"}", Errc::invalid_utf8, "JSON body", "byte 6"}),
    [](const auto& row) { return row.param.name; });

TEST(StrictJson, RefusesIntegersThatWouldLoseDigits) {
  EXPECT_EQ(parse_json("[18446744073709551615,-9223372036854775808,1e30]").value().dump(),
            "[18446744073709551615,-9223372036854775808,1e+30]");
  for (const char* const digits : {"18446744073709551616", "-9223372036854775809"}) {
    const auto refused = parse_json("{\"barcode\": " + std::string(digits) + "}");
    ASSERT_TRUE(refused.has_error()) << digits;
    EXPECT_EQ(refused.error().code, Errc::invalid_json);
    EXPECT_EQ(refused.error().remedy, "send it as a string");
  }
}

TEST(StrictJson, TakesTheDeepestAllowed) { EXPECT_TRUE(parse_json(nested(kMaxJsonDepth)).has_value()); }

TEST(StrictJson, RefusesMoreValuesThanItIsAllowed) {
  std::string most = "[0";  // the array is a value too
  for (std::size_t i = 2; i < kMaxJsonValues; ++i) most += ",[]";
  EXPECT_TRUE(parse_json(most + "]").has_value());
  const auto refused = parse_json(most + ",[]]");
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::too_large);
  EXPECT_EQ(refused.error().reason, "has more than 262144 values");
  EXPECT_TRUE(parse_json(most + ",[]]", kAnyJsonValues).has_value());
}

TEST(StrictJson, TakesTheSameKeyInDifferentObjects) {
  EXPECT_TRUE(parse_json(R"({"a":{"a":[{"a":1},{"a":2}]}})").has_value());
}

TEST(StrictJson, DoesNotRepeatTheBodyInItsReason) {
  const std::string secret = "the secret text of a document";
  const auto value = parse_json("{\"text\": \"" + secret);
  ASSERT_TRUE(value.has_error());
  EXPECT_THAT(value.error().message(), ::testing::Not(HasSubstr(secret)));
}

/// Cutting a valid text anywhere, or changing any byte, gives a value or an error, never a crash; a cut is an
/// error.
TEST(StrictJson, SurvivesEveryTruncationAndEveryByte) {
  const std::string text =
      R"({"text":"a\u00e9\ud83d\ude00б","metadata":{"n":[1,2.5e3,null,true]},"title":""})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_TRUE(parse_json(std::string_view(text).substr(0, length)).has_error()) << length;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      const auto value = parse_json(changed);
      const auto oracle = nlohmann::ordered_json::parse(changed, nullptr, false);
      if (value.has_value()) {
        EXPECT_EQ(*value, oracle) << changed;
      }
    }
  }
}

/// The strict reader takes random values as the library's own reader does.
TEST(StrictJson, AgreesWithTheLibraryOnRandomValues) {
  std::mt19937 random(20240229);
  const auto roll = [&](unsigned sides) { return static_cast<unsigned>(random()) % sides; };
  const auto make = [&](const auto& self, int depth) -> Json {
    switch (roll(depth > 4 ? 5U : 7U)) {
      case 0:
        return nullptr;
      case 1:
        return roll(2) == 0;
      case 2:
        return static_cast<std::int64_t>(random()) - 2'000'000'000;
      case 3:
        return static_cast<double>(random()) / 7.0;
      case 4:
        return std::string(roll(5), static_cast<char>('a' + roll(26)));
      case 5: {
        Json array = Json::array();
        for (unsigned count = roll(5); count > 0; --count) array.push_back(self(self, depth + 1));
        return array;
      }
      default: {
        Json object = Json::object();
        for (unsigned count = roll(5); count > 0; --count)
          object[std::to_string(count)] = self(self, depth + 1);
        return object;
      }
    }
  };
  for (int round = 0; round < 2000; ++round) {
    const Json value = make(make, 0);
    const auto read = parse_json(value.dump(round % 3));
    ASSERT_TRUE(read.has_value()) << value.dump();
    EXPECT_EQ(*read, value);
  }
}

TEST(Fields, NameWhatIsUnknownAndWhatIsKnown) {
  const auto fields = Fields::read(parse_json(R"({"txet":""})").value(), {"text", "title"});
  ASSERT_TRUE(fields.has_error());
  EXPECT_EQ(fields.error().message(), "field 'txet': unknown here (known fields: 'text' and 'title')");
}

TEST(Fields, TakeNumbersUpToTheLargestAllowedAndTellIt) {
  const auto fields =
      Fields::read(parse_json(R"({"a":0,"b":9,"c":10,"d":-1,"e":9.0,"share":1,"more":1.01})").value(),
                   {"a", "b", "c", "d", "e", "share", "more"})
          .value();
  EXPECT_EQ(fields.integer("a", 9).value(), 0U);
  EXPECT_EQ(fields.integer("b", 9).value(), 9U);
  for (const char* name : {"c", "d", "e"}) {
    const auto refused = fields.integer(name, 9);
    ASSERT_TRUE(refused.has_error()) << name;
    EXPECT_THAT(refused.error().message(), HasSubstr("an integer from 0 to 9"));
  }
  EXPECT_EQ(fields.share("share").value(), 1.0);
  EXPECT_TRUE(fields.share("more").has_error());
  EXPECT_FALSE(fields.integer("none", 9).value());
}

TEST(Fields, TakenStringIsMovedOut) {
  const std::string text(1000, 'a');
  auto fields = Fields::read({{"text", text}}, {"text"}).value();
  const char* bytes = fields.string("text").value()->data();
  const std::string taken = fields.take_string("text");
  EXPECT_EQ(taken, text);
  EXPECT_EQ(taken.data(), bytes);
  EXPECT_EQ(fields.string("text").value(), "");
}

}  // namespace
}  // namespace akin::json
