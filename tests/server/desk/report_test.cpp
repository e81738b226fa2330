// The pages of the desk, from what they show to their HTML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/error.h"
#include "extract/document.h"
#include "morph/normalize/alert.h"
#include "server/check/letters.h"
#include "server/desk/alerts.h"
#include "server/desk/changes.h"
#include "server/desk/marked_text.h"
#include "server/desk/overview.h"
#include "server/desk/page.h"
#include "server/desk/report.h"
#include "server/desk/sheet.h"

namespace akin::test {
namespace {

const desk::Words& english() { return *desk::words_of("en"); }
const desk::Words& russian() { return *desk::words_of("ru"); }

using testing::HasSubstr;
using testing::Not;

std::string marked(std::string_view text, const std::vector<desk::Match>& matches,
                   const std::vector<desk::LeftOut>& left_out) {
  return desk::marked_text(english(), {text, matches, left_out, matches.size()});
}

/// Without the sections that browsers lay out.
std::string inner(std::string html) {
  for (const std::string_view tag : {"<div class=\"part\">\n", "</div>\n"}) {
    for (auto at = html.find(tag); at != std::string::npos; at = html.find(tag)) html.erase(at, tag.size());
  }
  return html;
}

TEST(MarkedText, MarksAMatchAndLinksToItsPassage) {
  EXPECT_EQ(inner(marked("жук abc конец", {{{4, 7}, 2, 1}}, {})),
            "<p dir=\"auto\">жук <a id=\"m1\" href=\"#p1\" title=\"Match 1 of 1, source 2\" "
            "aria-label=\"Match 1 of 1, source 2\">[2]</a><mark class=\"s2\">abc</mark> конец</p>\n");
}

TEST(MarkedText, MarksEachParagraphOfAMatch) {
  const std::string html = marked("ab\ncd", {{{1, 4}, 1, 1}}, {});
  EXPECT_THAT(html,
              HasSubstr("<mark class=\"s1\">b</mark></p>\n<p dir=\"auto\"><mark class=\"s1\">c</mark>d</p>"));
}

TEST(MarkedText, ShowsTheFirstSourceWhereSeveralHaveAStretch) {
  const std::string html = marked("abcdef", {{{0, 4}, 2, 1}, {{2, 6}, 1, 2}}, {});
  EXPECT_THAT(html, HasSubstr("<mark class=\"s2\">ab</mark>"));
  EXPECT_THAT(html, HasSubstr("<mark class=\"s1\">cd</mark><mark class=\"s1\">ef</mark>"));
}

TEST(MarkedText, NamesAllSourcesOfMatchesThatBeginTogether) {
  const std::string html = marked("abc", {{{0, 3}, 1, 1}, {{0, 2}, 3, 2}}, {});
  EXPECT_THAT(html, HasSubstr("<span id=\"m2\"></span><a id=\"m1\" href=\"#p1\" data-m=\"1 2\""));
  EXPECT_THAT(html, HasSubstr("Match 1 of 2, source 1, also in 3"));
  EXPECT_THAT(html, HasSubstr(">[1 +1]</a>"));
}

TEST(MarkedText, ShowsWhatWasLeftOutAsSuch) {
  EXPECT_THAT(
      marked("abc", {{{0, 3}, 1, 1}}, {{{1, 2}, "quotation"}}),
      HasSubstr("<mark class=\"s1\">a</mark><span class=\"left\" title=\"left out: quotations\">b</span>"
                "<mark class=\"s1\">c</mark>"));
}

TEST(MarkedText, LeavesGapsOfAMatchUnmarked) {
  const std::string html = marked("abcdef", {{{0, 6}, 1, 1, true, {{2, 4}}}}, {});
  EXPECT_THAT(html, HasSubstr("<mark class=\"s1\">ab</mark>cd<mark class=\"s1\">ef</mark>"));
}

TEST(MarkedText, MarksInAGapWhatAnotherSourceHas) {
  const std::string html = marked("abcdef", {{{0, 6}, 1, 1, true, {{2, 4}}}, {{2, 3}, 2, 2}}, {});
  EXPECT_THAT(html, HasSubstr("<mark class=\"s2\">c</mark>d<mark"));
}

TEST(MarkedText, SaysForSwitchesWhichMatchesHaveEachMarkAndHowManyLetters) {
  const std::string text = "ab, c\ndef";
  const check::Letters letters(text);
  const std::vector<desk::Match> matches = {{{0, 9}, 2, 1, true, {{1, 3}}}, {{2, 9}, 1, 2, false}};
  const std::string html = desk::marked_text(english(), {text, matches, {}, 2, &letters});
  EXPECT_THAT(html, HasSubstr("<mark class=\"s2\" data-m=\"1\" data-n=\"1\">a</mark>b"));
  EXPECT_THAT(html, HasSubstr("<mark class=\"off\" data-m=\"2\" data-n=\"0\">,</mark>"));
  EXPECT_THAT(html, HasSubstr("<mark class=\"s2\" data-m=\"2 1\" data-n=\"4\"> c</mark></p>\n<p dir=\"auto\">"
                              "<mark class=\"s2\" data-m=\"2 1\">def</mark>"));
}

TEST(MarkedText, SetsUnusualPlacesOffWithinAMarkAndWithAnAnchorEach) {
  const std::vector<desk::Match> matches = {{{1, 4}, 1, 1}};
  const std::string html = desk::marked_text(
      english(),
      {"abcdef", matches, {}, 1, nullptr, {{{2, 5}, 1, "zero_width"}, {{3, 4}, 2, "mixed_script"}}});
  const std::string unusual = "<span class=\"unusual\" title=\"invisible characters inside words\">";
  EXPECT_THAT(html, HasSubstr("<mark class=\"s1\">b</mark><span id=\"u1\"></span><mark class=\"s1\">" +
                              unusual + "c</span></mark><span id=\"u2\"></span><mark class=\"s1\">" +
                              unusual + "d</span></mark>" + unusual + "e</span>f</p>"));
}

TEST(AlertsList, SaysOfAFileWhatItHidesAndOmitsSharesThatSayNothing) {
  const json::Json check = {{"query", {{"alert_counts", json::Json::object()}}},
                            {"file",
                             {{"alerts",
                               {{{"kind", "hidden_text"},
                                 {"share", .25},
                                 {"page", 3},
                                 {"hidden_by", {"colour", "size"}},
                                 {"sample", "a <b>"}},
                                {{"kind", "type_contradicted"}, {"share", 0.}, {"sample", "text/plain"}}}}}}};
  EXPECT_EQ(desk::alerts_list(english(), check, SlicedText(""), desk::unusual_places(check)),
            "<h2>Unusual characters</h2>\n<ul>\n<li>text that no reader sees: 25.0\u00a0% of the file, page "
            "3, hidden "
            "by: its colour, its size<blockquote dir=\"auto\">a &lt;b&gt;</blockquote></li>\n"
            "<li>a file of another type than its name says<blockquote "
            "dir=\"auto\">text/plain</blockquote></li>\n</ul>\n");
}

TEST(MarkedText, LeavesNoMarkupOfATextWorking) {
  const std::string html = marked("<script>alert('&')</script>\x01", {}, {});
  EXPECT_EQ(inner(html), "<p dir=\"auto\">&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;\ufffd</p>\n");
}

TEST(MarkedText, KeepsEveryCharacterOfALongText) {
  std::string text, expected;
  for (int i = 0; i < 173; ++i) {
    text += "line " + std::to_string(i) + "\n";
    expected += "<p dir=\"auto\">line " + std::to_string(i) + "</p>\n";
  }
  EXPECT_EQ(inner(marked(text, {}, {})), expected);
}

TEST(DocumentMap, HasOneBarForAStretchAndLeadsToItsFirstMatchThatCounts) {
  const std::vector<desk::Match> matches = {{{0, 500}, 2, 1, false}, {{250, 500}, 3, 2}, {{500, 510}, 1, 3}};
  EXPECT_EQ(
      desk::document_map(matches, 1000),
      "<svg class=\"map screen\" viewBox=\"0 0 200 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<a href=\"#m1\" tabindex=\"-1\"><rect class=\"off\" x=\"0\" width=\"50\" height=\"10\"/></a>"
      "<a href=\"#m2\" tabindex=\"-1\"><rect class=\"s3\" x=\"50\" width=\"50\" height=\"10\"/></a>"
      "<a href=\"#m3\" tabindex=\"-1\"><rect class=\"s1\" x=\"100\" width=\"2\" height=\"10\"/></a></svg>\n");
}

TEST(DocumentMap, IsNothingWithoutAMatch) { EXPECT_EQ(desk::document_map({}, 1000), ""); }

TEST(DocumentMap, ShowsAMatchThatIsShorterThanABar) {
  EXPECT_THAT(desk::document_map({{{999'999, 1'000'000}, 1, 1}}, 1'000'000),
              HasSubstr("x=\"199\" width=\"1\""));
}

TEST(MatchFilter, ComparesSourceWordsAndKind) {
  const json::Json source, passage = {{"words", 20}, {"quoted", true}};
  const auto accepts = [&](const desk::MatchFilter& filter) {
    return filter.accepts(source, {&passage, 1, {{0, 1}, 3, 1}, true}, "");
  };
  EXPECT_FALSE(desk::MatchFilter{}.is_any());
  EXPECT_TRUE(accepts({}));
  EXPECT_FALSE(accepts({.source = 2}));
  EXPECT_TRUE(accepts({.least_words = 20}));
  EXPECT_FALSE(accepts({.least_words = 21}));
  EXPECT_FALSE(accepts({.hides_quoted = true}));
  EXPECT_TRUE(accepts({.hides_referenced = true}));
  EXPECT_FALSE(accepts({.hides_bibliography = true}));
}

TEST(MatchFilter, ComparesClassesAndYears) {
  const json::Json dated = {{"date", "2019-05-17"}}, undated = {{"date", nullptr}},
                   passage = json::Json::object();
  const auto accepts = [&](const desk::MatchFilter& filter, const json::Json& source) {
    EXPECT_TRUE(filter.is_any());
    return filter.accepts(source, {&passage, 1, {{0, 1}, 1, 1}}, "quotation");
  };
  EXPECT_TRUE(accepts({.mark_class = "quotation"}, dated));
  EXPECT_FALSE(accepts({.mark_class = "template"}, dated));
  EXPECT_TRUE(accepts({.first_year = 2019, .last_year = 2019}, dated));
  EXPECT_FALSE(accepts({.first_year = 2020}, dated));
  EXPECT_FALSE(accepts({.last_year = 2018}, dated));
  EXPECT_FALSE(accepts({.first_year = 1}, undated));
  EXPECT_FALSE(accepts({.last_year = 2030}, undated));
}

TEST(DeskWords, NumbersAreWrittenAsTheLanguageDoes) {
  EXPECT_EQ(desk::number(english(), 1234567), "1,234,567");
  EXPECT_EQ(desk::number(russian(), 1234567), "1\u00a0234\u00a0567");
  EXPECT_EQ(desk::number(english(), 999), "999");
  EXPECT_EQ(desk::percent(russian(), 0.407), "40,7\u00a0%");
}

TEST(DeskWords, SizesOfShortTextsAreKilobytes) {
  EXPECT_EQ(desk::megabytes(english(), 1'300'000), "1.3\u00a0MB");
  EXPECT_EQ(desk::megabytes(english(), 999'950), "1.0\u00a0MB");
  EXPECT_EQ(desk::megabytes(english(), 128'102), "128.1\u00a0kB");
  EXPECT_EQ(desk::megabytes(russian(), 20), "0,1\u00a0КБ");
  EXPECT_EQ(desk::megabytes(english(), 0), "0.0\u00a0kB");
}

TEST(DeskWords, PercentsNeverSayNothingOrAllOfWhatIsNot) {
  EXPECT_EQ(desk::percent(english(), 0.00001), "<0.1\u00a0%");
  EXPECT_EQ(desk::percent(english(), 0.99999), "99.9\u00a0%");
  EXPECT_EQ(desk::percent(english(), 0), "0.0\u00a0%");
  EXPECT_EQ(desk::percent(english(), 0.0625), "6.3\u00a0%");
  EXPECT_EQ(desk::percent(english(), 0.0007), "0.1\u00a0%");
  EXPECT_EQ(desk::percent(english(), 1), "100.0\u00a0%");
}

TEST(DeskWords, EveryLanguageNamesEveryAlertReasonAndExclusion) {
  for (const desk::Words* words : desk::languages()) {
    for (const AlertKind kind : kAlertKinds)
      EXPECT_NE(desk::Words::of(words->alert_kinds, alert_name(kind)), alert_name(kind));
    for (const std::string_view name : extract::kFileAlertNames)
      EXPECT_NE(desk::Words::of(words->file_alerts, name), name);
    for (const std::string_view name : {"share", "source_share", "own_share", "too_short", "alerts",
                                        "unknown_words", "sentence_length", "quotations", "disguise"})
      EXPECT_NE(desk::Words::of(words->reason_kinds, name), name);
    for (const std::string_view name : {"quotation", "bibliography", "template", "own_earlier"})
      EXPECT_NE(desk::Words::of(words->exclusions, name), name);
  }
}

TEST(DeskWords, TheLanguageIsTheFirstThatTheBrowserWants) {
  EXPECT_EQ(desk::words_for("de, ru-RU;q=0.9, en;q=0.8").tag, "ru");
  EXPECT_EQ(desk::words_for("de").tag, "en");
  EXPECT_EQ(desk::words_for("").tag, "en");
}

/// The passage [10, 30) of a text and [100, 120) of its source, in which two words differ.
json::Json differing_passage() {
  return {{"a", {10, 30}},
          {"b", {100, 120}},
          {"change_places", {{"kinds", {2, 0}}, {"a", {4, 3, 2, 0}}, {"b", {5, 2, -1, 4}}}}};
}

TEST(ChangedText, ReadsTheColumnsOfACheck) {
  const json::Json passage = differing_passage();
  const auto a = desk::changes_of(passage, "a"), b = desk::changes_of(passage, "b");
  ASSERT_EQ(a.size(), 2U);
  EXPECT_EQ(a[0].range, (TextRange{14, 17}));
  EXPECT_EQ(a[0].kind, "replaced");
  EXPECT_EQ(a[1].range, (TextRange{19, 19}));
  EXPECT_EQ(a[1].kind, "inserted");
  ASSERT_EQ(b.size(), 2U);
  EXPECT_EQ(b[0].range, (TextRange{105, 107}));
  EXPECT_EQ(b[1].range, (TextRange{106, 110}));
}

TEST(ChangedText, ReadsTheObjectsOfAComparison) {
  const json::Json passage = {{"a", {0, 9}},
                              {"changes", {{{"kind", "moved"}, {"a", {1, 2}}, {"b", {3, 4}}}}}};
  const auto changes = desk::changes_of(passage, "b");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].range, (TextRange{3, 4}));
  EXPECT_EQ(changes[0].kind, "moved");
}

TEST(ChangedText, MarksEachWordOnceAndNamesTheChange) {
  const json::Json passage = differing_passage();
  EXPECT_EQ(
      desk::changed_text(english(), "жук лев кот", {10, 21}, desk::changes_of(passage, "a")),
      "жук <mark class=\"change\" title=\"replaced\">лев<span class=\"spoken\"> (replaced)</span></mark> "
      "кот");
  EXPECT_EQ(desk::changed_text(english(), "<>", {0, 2}, {}), "&lt;&gt;");
}

TEST(Problems, EveryCodeHasASentenceInEveryLanguage) {
  for (int code = 0; code <= static_cast<int>(Errc::internal); ++code) {
    const std::string_view name = error_name(static_cast<Errc>(code));
    for (const desk::Words* words : {&english(), &russian()})
      EXPECT_THAT(desk::Words::of(words->problems, name), HasSubstr(" ")) << words->tag << ": " << name;
  }
}

TEST(Problems, AreFollowedByTheParticulars) {
  EXPECT_EQ(
      desk::problem(russian(), {{"code", "file_encrypted"}, {"what", "a.pdf"}, {"reason", "needs <it>"}}),
      "<p>Файл закрыт паролем. Сохраните его без пароля.</p><p lang=\"en\"><small>a.pdf: needs "
      "&lt;it&gt;</small></p>\n");
}

/// Which words of a page, given with blanks between them, are marked: as "x" and ".".
std::string marked_on_page(std::string_view passage, std::string_view page) {
  std::vector<extract::PlacedWord> words;
  for (const std::string_view word : split(page, ' ')) words.push_back({.text = std::string(word)});
  std::string marks;
  for (const bool one : desk::words_in(passage, words)) marks += one ? 'x' : '.';
  return marks;
}

TEST(WordsOfAPage, AreMarkedWhereThePassageHasThreeOfThemTogether) {
  EXPECT_EQ(marked_on_page("The fox ran home, at last", "Once THE fox ran home: at night"), ".xxxxx.");
  EXPECT_EQ(marked_on_page("the fox", "the fox"), "..");
}

TEST(WordsOfAPage, AreMarkedAcrossAFewThatDiffer) {
  EXPECT_EQ(marked_on_page("one two three four five six seven", "one two three fo- ur five six seven"),
            "xxxxxxxx");
  EXPECT_EQ(marked_on_page("one two three four five six", "one two three a b c d e f g four five six"),
            "xxx.......xxx");
}

TEST(WordsOfAPage, AreMarkedWithTheSignsBetweenThem) {
  EXPECT_EQ(marked_on_page("one - two, three/four", "zero one \u2014 two three/four"), ".xxxx");
}

}  // namespace
}  // namespace akin::test
