// Books and texts that are incomplete or written another way than their formats say.
#include "extract/child/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/extract/child/sample_files.h"

namespace akin::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kMostBookIn = 1U << 24U;

Document book_in(const std::string& bytes) {
  const Result<Document> document = read_file(bytes, kMostBookIn);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *document : Document();
}

std::string epub(const std::string& manifest, const std::string& spine,
                 std::vector<std::pair<std::string, std::string>> files) {
  files.insert(files.begin(),
               {{"mimetype", "application/epub+zip"},
                {"META-INF/container.xml", "<container><rootfile full-path=\"OPS/book.opf\"/></container>"},
                {"OPS/book.opf",
                 "<package><manifest>" + manifest + "</manifest><spine>" + spine + "</spine></package>"}});
  return make_zip(files);
}

TEST(Epub, LinksMayBeginWithADot) {
  const Document document =
      book_in(epub("<item id=\"one\" href=\"./text/./1.xhtml\"/><item id=\"nav\" href=\"./nav.xhtml\" "
                   "properties=\"nav\"/>",
                   "<itemref idref=\"one\"/>",
                   {{"OPS/text/1.xhtml", "<p>It is here.</p>"},
                    {"OPS/nav.xhtml", "<html><a href=\"text/1.xhtml\">The Mill</a></html>"}}));
  EXPECT_EQ(document.text, "It is here.");
  EXPECT_THAT(document.parts, ElementsAre("The Mill"));
}

TEST(Epub, WhatItsStyleSheetsHideIsHidden) {
  const auto with = [](const std::string& link, const std::string& css) {
    return book_in(
        epub("<item id=\"one\" href=\"text/1.xhtml\"/>", "<itemref idref=\"one\"/>",
             {{"OPS/text/1.xhtml", "<html><head><link rel=\"stylesheet\" " + link +
                                       "/></head><body><p>seen <i class=\"a\">unseen</i></p></body></html>"},
              {"OPS/look.css", css}}));
  };
  const std::string link = "href=\"../look.css\"", hides = "@charset \"utf-8\"; p .a{display:none}";
  EXPECT_EQ(with(link, hides).text, "seen");
  EXPECT_EQ(with(link, hides).hidden, "unseen");
  EXPECT_EQ(with(link, ".a{color:#fff}").text, "seen");
  EXPECT_EQ(with(link, "body{background:#000} .a{color:#fff}").text, "seen unseen");
  EXPECT_EQ(with(link + " media=\"print\"", hides).text, "seen unseen");
  EXPECT_EQ(with("href=\"other.css\"", ".a{color:#fff}").text, "seen unseen");
}

/// They are parsed once, but what a chapter adds to them is its own.
TEST(Epub, ChaptersShareStyleSheetsAndHaveTheirOwn) {
  const auto chapter = [](const std::string& more) {
    return "<html><head><link rel=\"stylesheet\" href=\"look.css\"/>" + more +
           "</head><body><p>seen <i>a</i> <b>b</b> <u>u</u></p></body></html>";
  };
  std::string manifest, spine;
  for (const char* name : {"1", "2", "3", "4"}) {
    (manifest += "<item id=\"i") += std::string(name) + "\" href=\"" + name + ".xhtml\"/>";
    (spine += "<itemref idref=\"i") += std::string(name) + "\"/>";
  }
  const std::string second = "<link rel=\"stylesheet\" href=\"more.css\"/>";
  EXPECT_EQ(book_in(epub(manifest, spine,
                         {{"OPS/1.xhtml", chapter("<style>b{display:none}</style>")},
                          {"OPS/2.xhtml", chapter("")},
                          {"OPS/3.xhtml", chapter(second)},
                          {"OPS/4.xhtml", chapter(second + "<style>b{display:none}</style>")},
                          {"OPS/look.css", "i{display:none}"},
                          {"OPS/more.css", "u{display:none}"}}))
                .text,
            "seen u\n\nseen b u\n\nseen b\n\nseen");
}

TEST(Epub, APageOfContentsWithMoreTextIsAChapter) {
  const auto with = [](const std::string& more) {
    return book_in(epub("<item id=\"one\" href=\"1.xhtml\"/><item id=\"nav\" href=\"nav.xhtml\" "
                        "properties=\"nav\"/>",
                        "<itemref idref=\"nav\"/><itemref idref=\"one\"/>",
                        {{"OPS/1.xhtml", "<p>It is here.</p>"},
                         {"OPS/nav.xhtml",
                          "<html><h1>Contents</h1><nav><ol><li><a href=\"1.xhtml\">The Mill</a></li>"
                          "</ol></nav>" +
                              more + "</html>"}}))
        .text;
  };
  EXPECT_EQ(with(""), "It is here.");
  const std::string text(600, 'x');
  EXPECT_EQ(with("<p>" + text + "</p>"), "Contents\n\n" + text + "\n\nIt is here.");
}

TEST(Epub, ChaptersMayHaveTheOlderEndOfXhtml) {
  EXPECT_EQ(book_in(epub("<item id=\"one\" href=\"1.xht\"/>", "<itemref idref=\"one\"/>",
                         {{"OPS/1.xht", "<p>It is here.</p>"}}))
                .text,
            "It is here.");
}

TEST(Epub, OfAMissingChapterTheOthersAreReadAndItIsReported) {
  const std::string manifest =
      "<item id=\"one\" href=\"1.xhtml\"/><item id=\"two\" href=\"2.xhtml\"/>"
      "<item id=\"cover\" href=\"cover.jpg\" media-type=\"image/jpeg\"/>"
      "<item id=\"plan\" href=\"plan.svg\" media-type=\"image/svg+xml\"/>";
  const std::string spine =
      "<itemref idref=\"cover\"/><itemref idref=\"one\"/><itemref idref=\"two\"/><itemref idref=\"plan\"/>";
  const std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>The plan</text></svg>";
  const Document document =
      book_in(epub(manifest, spine, {{"OPS/1.xhtml", "<p>It is here.</p>"}, {"OPS/plan.svg", svg}}));
  EXPECT_EQ(document.text, "It is here.\n\nThe plan");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::part_missing);
  EXPECT_EQ(document.alerts[0].sample, "OPS/2.xhtml");
  EXPECT_DOUBLE_EQ(document.alerts[0].share, 1.0 / 3);
  EXPECT_EQ(read_file(epub(manifest, "<itemref idref=\"two\"/>", {}), kMostBookIn).error().code,
            Errc::file_damaged);
}

std::string book(const std::string& body, const std::string& declaration = "<?xml version=\"1.0\"?>") {
  return declaration +
         "<FictionBook><description><title-info><book-title>The Mill</book-title></title-info>"
         "<publish-info><year>1998</year></publish-info></description><body><section>" +
         body + "</section></body></FictionBook>";
}

/// Programs show such books.
TEST(Fb2, ThatIsNotWellFormedIsReadAndReported) {
  for (const char* body : {"<p>The mill & the river, where 1 < 2.</p><p>It is here.</p>",
                           "<p>The mill and<p>It is here.</p>", "<p>The \x01mill.</p><p>It is here.</p>"}) {
    const Document document = book_in(book(body));
    EXPECT_THAT(document.text, HasSubstr("The ")) << body;
    EXPECT_THAT(document.text, HasSubstr("It is here.")) << body;
    ASSERT_EQ(document.alerts.size(), 1U) << body;
    EXPECT_EQ(document.alerts[0].kind, FileAlertKind::part_missing);
  }
  const Document cut =
      book_in("<?xml version=\"1.0\"?><FictionBook><body><section><p>It is here.</p><p>And the");
  EXPECT_EQ(cut.text, "It is here.\n\nAnd the");
  EXPECT_TRUE(book_in(book("<p>It is here.</p>")).alerts.empty());
}

TEST(Fb2, InAnotherEncodingThanDeclaredIsRead) {
  // "Мельник держал за мельницей двух серых гусей, и каждое утро они переходили двор." in windows-1251.
  const std::string bytes =
      "<p>\xCC\xE5\xEB\xFC\xED\xE8\xEA \xE4\xE5\xF0\xE6\xE0\xEB \xE7\xE0 "
      "\xEC\xE5\xEB\xFC\xED\xE8\xF6\xE5\xE9 "
      "\xE4\xE2\xF3\xF5 \xF1\xE5\xF0\xFB\xF5 \xE3\xF3\xF1\xE5\xE9, \xE8 \xEA\xE0\xE6\xE4\xEE\xE5 "
      "\xF3\xF2\xF0\xEE \xEE\xED\xE8 \xEF\xE5\xF0\xE5\xF5\xEE\xE4\xE8\xEB\xE8 \xE4\xE2\xEE\xF0.</p>";
  for (const char* declaration : {"<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"utf-8\"?>"})
    EXPECT_EQ(book_in(book(bytes, declaration)).text,
              "Мельник держал за мельницей двух серых гусей, и каждое утро они переходили двор.");
}

TEST(Fb2, HasNothingOfTheDescriptionNorNumbersOfNotes) {
  EXPECT_EQ(book_in(book("<p>The gate<sup>1</sup> of 10<sup>3</sup>.</p>")).text, "The gate of 103.");
}

TEST(Fb2, AReferenceToANoteThatIsTextIsRead) {
  EXPECT_EQ(book_in(book("<p>It stood<a type=\"note\"><sup>[12]</sup></a> by "
                         "<a type=\"note\">the river and the mill</a>.</p>"))
                .text,
            "It stood by the river and the mill.");
}

TEST(Fb2, HasBlockQuotations) {
  EXPECT_EQ(
      book_in(book("<p>One.</p><epigraph><p>The mill.</p></epigraph><p>He wrote:</p><cite><p>The gate.</p>"
                   "<poem><stanza><v>One</v><v>two</v></stanza></poem></cite><p>So it was.</p>"))
          .text,
      "One.\n\n    The mill.\n\nHe wrote:\n\n    The gate.\n\n    One\n    two\n\nSo it was.");
}

TEST(Rtf, ThatBreaksOffIsReadAndReported) {
  const Document document = book_in("{\\rtf1 It is here.\\par {\\b And the");
  EXPECT_EQ(document.text, "It is here.\n\nAnd the");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::part_missing);
}

TEST(Rtf, LinesOfAnIndentedParagraphAreSetOff) {
  const auto second = [](const std::string& properties) {
    const std::string text =
        book_in(
            "{\\rtf1\\ansicpg1251{\\stylesheet{\\s0 Normal;}{\\s15\\li0 Quote;}{\\*\\cs3 "
            "Quote;}{\\s16\\sbasedon15 "
            "Mine;}{\\s17 \\'d6\\'e8\\'f2\\'e0\\'f2\\'e0 2;}{\\s18 heading 1;}}\\pard\\s0 One.\\par\\pard" +
            properties + " Two.\\par}")
            .text;
    return text.substr(text.find("\n\n") + 2);
  };
  for (const char* set_off : {"\\s15", "\\s16", "\\s17", "\\li720", "\\s0\\li300\\fi100"})
    EXPECT_EQ(second(set_off), "    Two.") << set_off;
  for (const char* usual : {"", "\\s0", "\\s18", "\\s3", "\\li200", "\\fi720", "\\li720\\fi-360",
                            "\\ls1\\li720", "\\s15\\pard\\plain", "\\li720\\intbl"})
    EXPECT_EQ(second(usual), "Two.") << usual;
}

TEST(Rtf, TextThatAListWritesBeforeItsParagraphsIsRead) {
  const auto text = [](const std::string& label) {
    return book_in("{\\rtf1 {\\listtext\\pard\\plain " + label + "\\tab}It ends.\\par}").text;
  };
  EXPECT_EQ(text("1. The grey geese crossed the yard."), "1. The grey geese crossed the yard. It ends.");
  EXPECT_EQ(text("1."), "It ends.");
  EXPECT_EQ(text("Chapter 1"), "It ends.");
  EXPECT_EQ(text("{\\v The grey geese crossed the yard.}"), "It ends.");
}

TEST(Rtf, BlanksWithoutWidthPartNoWords) {
  EXPECT_EQ(book_in("{\\rtf1 ge{\\expndtw-60  }ese a{\\charscalex1  }re{\\expndtw-10  }two\\par}").text,
            "geese are two");
}

TEST(Rtf, HasUnicodeOfTwoForms) {
  EXPECT_EQ(book_in("{\\rtf1 One {\\upr{?}{\\*\\ud{\\u1084?}}} two.\\par}").text, "One м two.");
}

TEST(Rtf, HasNoRaisedNumbersOfNotes) {
  EXPECT_EQ(book_in("{\\rtf1 The gate{\\super 1}, 10{\\super 3} m.\\par}").text, "The gate, 103 m.");
}

}  // namespace
}  // namespace akin::extract
