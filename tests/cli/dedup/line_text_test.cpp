#include "cli/dedup/line_text.h"

#include <gtest/gtest.h>

#include <string>

#include "server/json/json.h"

namespace akin::dedup {
namespace {

using Pieces = std::vector<std::string_view>;

TEST(CutText, ParagraphsEndAfterBlankLines) {
  EXPECT_EQ(cut_text("a\nb\n\n \nc\n", Cut::paragraphs), (Pieces{"a\nb\n\n \n", "c\n"}));
  EXPECT_EQ(cut_text("\n\na", Cut::paragraphs), (Pieces{"\n\n", "a"}));
  EXPECT_EQ(cut_text("a\r\n\r\nb", Cut::paragraphs), (Pieces{"a\r\n\r\n", "b"}));
}

TEST(CutText, LinesEndAfterTheBlankLinesThatFollow) {
  EXPECT_EQ(cut_text("a\nb\n\nc", Cut::lines), (Pieces{"a\n", "b\n\n", "c"}));
}

TEST(CutText, ThePiecesAreTheText) {
  for (const std::string text : {"", "a", "\n", "\n\n\n", "a\n\n\nb\n c\n\t\nd\n\n"}) {
    for (const Cut cut : {Cut::paragraphs, Cut::lines}) {
      std::string joined;
      for (const std::string_view piece : cut_text(text, cut)) joined += piece;
      EXPECT_EQ(joined, text);
    }
  }
}

TEST(WithString, OnlyTheValueOfTheFieldChanges) {
  struct Row {
    std::string_view before, after;
  };
  for (const Row& row : {
           Row{R"({"text":"a"})", R"({"text":"new \"x\""})"},
           Row{R"( { "n" : 1.0 , "text" : "a\\\"}" , "m" : [ {"text":"b"} ] } )",
               R"( { "n" : 1.0 , "text" : "new \"x\"" , "m" : [ {"text":"b"} ] } )"},
           Row{R"({"meta":{"text":"}","a":[1,"]"]},"e":true,"f":null,"text":"a"})",
               R"({"meta":{"text":"}","a":[1,"]"]},"e":true,"f":null,"text":"new \"x\""})"},
           Row{R"({"n":-1e5,"te\u0078t":"a"})", R"({"n":-1e5,"te\u0078t":"new \"x\""})"},
       }) {
    EXPECT_EQ(with_string(row.before, "text", "new \"x\""), row.after);
    EXPECT_EQ(json::Json::parse(row.after).at("text"), "new \"x\"");
  }
}

}  // namespace
}  // namespace akin::dedup
