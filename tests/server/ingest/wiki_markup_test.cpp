// Wikitext → what a reader sees.
#include "server/ingest/wiki_markup.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/support/processor_time.h"

namespace akin::ingest {
namespace {

struct MarkupRow {
  const char* name;
  const char* page;
  const char* text;
};

void PrintTo(const MarkupRow& row, std::ostream* out) { *out << row.name; }

class WikiMarkup : public ::testing::TestWithParam<MarkupRow> {};

TEST_P(WikiMarkup, GivesTheTextThatIsSeen) { EXPECT_EQ(read_wiki_markup(GetParam().page), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(
    Rows, WikiMarkup,
    ::testing::Values(
        MarkupRow{"Empty", "", ""},
        MarkupRow{"Plain", "One line\nand the next.\n\nNew.", "One line\nand the next.\n\nNew."},
        MarkupRow{"BoldAndItalic", "'''Bold''' and ''italic'', '''''both''''', it's",
                  "Bold and italic, both, it's"},
        MarkupRow{"FourApostrophes", "''''a'''", "'a"},
        MarkupRow{"Headings", "Before\n== Title ==\nText\n=== ''Sub'' ===\n= not closed",
                  "Before\n\nTitle\n\nText\n\nSub\n\n= not closed"},
        MarkupRow{"Lists", "* one\n** two\n# three\n; term\n: said", "one\n\ntwo\n\nthree\n\nterm\n\nsaid"},
        MarkupRow{"Rule", "a\n----\nb", "a\n\nb"}, MarkupRow{"Template", "a {{cite|x=1}} b", "a b"},
        MarkupRow{"TemplateOverLines", "{{Card\n| name = x\n== y ==\n| z = {{in|{{deep}}}}\n}}\nText",
                  "Text"},
        MarkupRow{"TemplateParameter", "a{{{1|default}}}b", "ab"},
        MarkupRow{"TemplateWithBraces", "a{{x|{y}}}b", "ab"},
        MarkupRow{"TemplateNotClosed", "a {{cite b", "a cite b"},
        MarkupRow{"BracesOfText", "a } b { c }} d", "a } b { c d"},
        MarkupRow{"Link", "a [[dog]] and [[dog|two dogs]]s", "a dog and two dogss"},
        MarkupRow{"LinkWithFirstColon", "[[:Category:Dogs]] [[:de:Hund|Hund]]", "Category:Dogs Hund"},
        MarkupRow{"LinkNotClosed", "a [[dog b\n\nc", "a dog b\n\nc"},
        MarkupRow{"LinkWithTemplate", "[[{{x}}|label]]", "|label"},
        MarkupRow{"Files",
                  "[[Файл:Dog.jpg|мини|Это [[собака]] и {{x}}]]Текст[[Image:a.png]][[file:b.png|thumb]]",
                  "Текст"},
        MarkupRow{"FileThatIsNotClosed", "[[Файл:Dog.jpg|мини\n\nТекст]] ещё", "мини\n\nТекст ещё"},
        MarkupRow{"Categories", "a[[Категория:Собаки]][[Category:Dogs|key]][[Категорія:Б]]", "a"},
        MarkupRow{"OtherLanguages", "a[[de:Hund]][[be-tarask:Сабака]][[wikt:dog]]", "awikt:dog"},
        MarkupRow{"ExternalLinks",
                  "[http://a.b c d] [https://a.b] http://c.d [//e.f g] [sic] [mailto:a@b me]",
                  "c d http://c.d g [sic] me"},
        MarkupRow{"ExternalLinkInALine", "[http://a.b not closed\nnext] x", "not closed\nnext] x"},
        MarkupRow{
            "Table",
            "{| class=\"wikitable\"\n|+ Caption\n|-\n! A !! B\n|- style=\"x\"\n| align=left | 1 || 2\n| "
            "[[a|b]]\n|}\nAfter",
            "Caption\n\nA\n\nB\n\n1\n\n2\n\nb\n\nAfter"},
        MarkupRow{"ExclamationInACell", "{|\n| Wow!! Great | x\n|}", "x"},
        MarkupRow{"TableInATable", "{|\n| a\n{|\n| b\n|}\n| c\n|}\nd", "a\n\nb\n\nc\n\nd"},
        MarkupRow{"TableInATemplate", "{{x|\n{|\n| a\n|}\n}}b", "b"},
        MarkupRow{"BarsInText", "a | b || c ! d", "a | b || c ! d"},
        MarkupRow{"References", "a<ref>note [[x]]</ref>b<ref name=\"n\" />c<REF name=x>{{y}}</Ref >d",
                  "abcd"},
        MarkupRow{"ListOfReferences", "a<references>\n<ref name=x>b</ref>\n</references>c", "ac"},
        MarkupRow{"ReferenceNotClosed", "a<ref>b c", "ab c"}, MarkupRow{"Comment", "a<!-- b\n{{ -->c", "ac"},
        MarkupRow{"CommentNotClosed", "a<!-- b", "a"},
        MarkupRow{"Nowiki", "<nowiki>[[a]] {{b}} ''c'' &amp; &lt;</nowiki>", "[[a]] {{b}} ''c'' & <"},
        MarkupRow{"NowikiInATemplate", "{{x|<nowiki>}}</nowiki>}}b", "b"},
        MarkupRow{"Preformatted", "a<pre>b  {{c}}\n d</pre>e", "a\n\nb  {{c}}\n d\n\ne"},
        MarkupRow{"Math", "a <math>\\frac{{x}}{y}</math> b <chem>H2O</chem>", "a b"},
        MarkupRow{"Gallery", "a\n<gallery>\nФайл:x.jpg|caption\n</gallery>\nb", "a\n\nb"},
        MarkupRow{"Tags", "<span style=\"a\">x</span><br />y<div>z</div><small>w</small>", "x\ny\n\nz\n\nw"},
        MarkupRow{"NoTags", "a < b, x<y>z, <foo>, <b", "a < b, x<y>z, <foo>, <b"},
        MarkupRow{"Entities", "&nbsp;&mdash; &#1071;&#x44F; &lt;b&gt; &foo; A&B &#0; &#xD800;",
                  "\u00A0— Яя <b> &foo; A&B &#0; &#xD800;"},
        MarkupRow{"MagicWords", "__NOTOC__a __ОГЛ__ b __x__ c_d", "a b __x__ c_d"},
        MarkupRow{"BlankLineWithinATemplate", "a {{x|\n\ny}}\nb", "a\nb"},
        MarkupRow{"LineOfATemplateAlone", "a\n{{x}}\nb", "a\n\nb"},
        MarkupRow{"ParagraphAfterADroppedFile", "a [[Файл:x.jpg]]\n\nb", "a\n\nb"}),
    [](const auto& row) { return row.param.name; });

/// Each repeated until it is 1 MB long: time that grows as the square would take minutes.
class NestedMarkup : public ::testing::TestWithParam<const char*> {};

TEST_P(NestedMarkup, IsReadInLinearTime) {
  const std::string piece = GetParam();
  std::string page;
  while (page.size() < (std::size_t{1} << 20)) page += piece;
  const auto begin = test::processor_time();
  const std::string text = read_wiki_markup(page);
  EXPECT_LE(text.size(), page.size());
  EXPECT_LT(test::processor_time() - begin, std::chrono::seconds(5));
}

INSTANTIATE_TEST_SUITE_P(Pieces, NestedMarkup,
                         ::testing::Values("{{", "{{a|", "}}", "{{a}}}}", "[[", "[[a|", "[[a|b]]", "]]",
                                           "[[Файл:a|", "\n{|\n|", "\n|}", "\n{|\n| a || b\n|}", "<ref>",
                                           "<ref", "</ref>", "<math><nowiki><pre><gallery>", "<!--",
                                           "[http://a ", "''", "'", "&", "&#", "__", "__A",
                                           "\n==", "\n== a =", "\n*", "\n| ", "{{[[", "[[a|{{", "\n\n", "{",
                                           "[", "|", "<", "<b", "\n{|\n!a!!", "x{{a}}[[b|", "<ref></ref"));

TEST(WikiMarkup, LosesNothingBehindMarkupThatIsNotClosed) {
  const std::string tail = "\n\nThe last words.";
  for (const char* open : {"{{a|", "[[a|", "[[Файл:a|", "[http://a b", "{|\n|", "<ref>", "<nowiki>", "<math>",
                           "'''", "== a", "__A", "&#", "<ref name=\"", "{{{", "[[{{"}) {
    const std::string text = read_wiki_markup("Begin " + std::string(open) + tail);
    EXPECT_TRUE(text.ends_with("The last words.")) << open << " gives " << text;
    EXPECT_TRUE(text.starts_with("Begin")) << open;
  }
}

}  // namespace
}  // namespace akin::ingest
