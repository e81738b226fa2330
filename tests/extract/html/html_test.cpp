// What a page shows, and nothing else.
#include "extract/html/html.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "extract/html/html_attributes.h"
#include "extract/html/html_charset.h"
#include "extract/html/style_sheet.h"
#include "tests/support/processor_time.h"

namespace akin::extract {
namespace {

struct HtmlRow {
  const char* name;
  const char* page;
  const char* text;
};

void PrintTo(const HtmlRow& row, std::ostream* out) { *out << row.name; }

class Html : public ::testing::TestWithParam<HtmlRow> {};

struct HiddenHtmlRow {
  const char* name;
  const char* before;  ///< "unseen", without the end of its element
  bool hidden;
};
void PrintTo(const HiddenHtmlRow& row, std::ostream* out) { *out << row.name; }
class HiddenInHtml : public ::testing::TestWithParam<HiddenHtmlRow> {};

TEST_P(HiddenInHtml, IsKeptApart) {
  const auto page = read_html("<p>seen</p>" + std::string(GetParam().before) + "unseen</p>", "page");
  ASSERT_FALSE(page.has_error());
  EXPECT_EQ(page->text, GetParam().hidden ? "seen" : "seen\n\nunseen");
  EXPECT_EQ(page->hidden, GetParam().hidden ? "unseen" : "");
  EXPECT_EQ(page->ways != 0, GetParam().hidden);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HiddenInHtml,
    ::testing::Values(
        HiddenHtmlRow{"Attribute", "<p hidden>", true},
        HiddenHtmlRow{"NotDisplayed", "<p style='color:red; DISPLAY : none !important'>", true},
        HiddenHtmlRow{"Invisible", "<p style='visibility:hidden'>", true},
        HiddenHtmlRow{"Transparent", "<p style='opacity:0'>", true},
        HiddenHtmlRow{"HalfTransparent", "<p style='opacity:.5'>", false},
        HiddenHtmlRow{"OffScreen", "<p style='position:absolute;left:-9999px'>", true},
        HiddenHtmlRow{"Indented", "<p style='text-indent:-2em'>", false},
        HiddenHtmlRow{"Tiny", "<p style='font-size:1px'>", true},
        HiddenHtmlRow{"Small", "<p style='font-size:80%'>", false},
        HiddenHtmlRow{"Clipped", "<p style='position:absolute;clip:rect(1px 1px 1px 1px)'>", true},
        HiddenHtmlRow{"ClippedInPart", "<p style='position:absolute;clip:rect(0,10px,10px,0)'>", false},
        HiddenHtmlRow{"ClippedInPlace", "<p style='clip:rect(0,0,0,0)'>", false},
        HiddenHtmlRow{"CutToNothing", "<p style='clip-path: inset(50%)'>", true},
        HiddenHtmlRow{"CutALittle", "<p style='clip-path:inset(5px)'>", false},
        HiddenHtmlRow{"OnePixelLarge", "<p style='width:1px;height:1px;overflow:hidden'>", true},
        HiddenHtmlRow{"Folded", "<p style='max-height:0;overflow:hidden'>", true},
        HiddenHtmlRow{"FoldedInSight", "<p style='max-height:0'>", false},
        HiddenHtmlRow{"Scaled", "<p style='transform:scale(0)'>", true},
        HiddenHtmlRow{"ScaledALittle", "<p style='transform:scale(.9)'>", false},
        HiddenHtmlRow{"MovedAway", "<p style='transform:translateX(-9999px)'>", true},
        HiddenHtmlRow{"MovedByItsWidth", "<p style='transform:translate(-50%,-50%)'>", false},
        HiddenHtmlRow{"Filtered", "<p style='filter:opacity(0)'>", true},
        HiddenHtmlRow{"Blurred", "<p style='filter:blur(2px)'>", false},
        HiddenHtmlRow{"TinyByFont", "<p style='font:italic 1px/2 serif'>", true},
        HiddenHtmlRow{"NoneByFont", "<p style='font:0/0 a'>", true},
        HiddenHtmlRow{"SmallByFont", "<p style='font:bold 12px/0.5 serif'>", false},
        HiddenHtmlRow{"TinyByPercent", "<p style='font-size:1%'>", true},
        HiddenHtmlRow{"TinyInMillimetres", "<p style='font-size:.1mm'>", true},
        HiddenHtmlRow{"DrawnOver", "<p style='letter-spacing:-1em'>", true},
        HiddenHtmlRow{"Narrow", "<p style='letter-spacing:-.05em'>", false},
        HiddenHtmlRow{"NotRendered", "<p style='content-visibility:hidden'>", true},
        HiddenHtmlRow{"WhiteByHue", "<p style='color:hsl(120deg, 0%, 100%)'>", true},
        HiddenHtmlRow{"GreenByHue", "<p style='color:hsl(120,100%,50%)'>", false},
        HiddenHtmlRow{"WhiteByPercent", "<p style='color:rgb(100%, 100%, 100%)'>", true},
        HiddenHtmlRow{"NearlyWhite", "<p style='color:ghostwhite'>", true},
        HiddenHtmlRow{"FilledWithNothing", "<p style='-webkit-text-fill-color:transparent'>", true},
        HiddenHtmlRow{"FilledWithItsGround",
                      "<p style='background:linear-gradient(red,blue);-webkit-text-fill-color:transparent'>",
                      false},
        HiddenHtmlRow{"FarAbove", "<p style='position:relative;top:-5000px'>", true},
        HiddenHtmlRow{"ClassOnScreens", "<style>@media screen{.b{display:none}}</style><p class=b>", true},
        HiddenHtmlRow{"ClassOnNarrowScreens",
                      "<style>@media screen and (max-width:9px){.b{display:none}}</style><p class=b>", false},
        HiddenHtmlRow{"White", "<p style='color:#fff'>", true},
        HiddenHtmlRow{"InAnother", "<style>div p{display:none}</style><div><b><p>", true},
        HiddenHtmlRow{"NotInAnother", "<style>div p{display:none}</style><p>", false},
        HiddenHtmlRow{"Child", "<style>body div>p{display:none}</style><div><p>", true},
        HiddenHtmlRow{"NoChild", "<style>div>p{display:none}</style><div><section><p>", false},
        HiddenHtmlRow{"ChildOfAnInnerOne", "<style>.a>div p{display:none}</style><div class=a><div><div><p>",
                      true},
        HiddenHtmlRow{"TwoClasses", "<style>.a.b{display:none}</style><p class='b a'>", true},
        HiddenHtmlRow{"OneClassOfTwo", "<style>.a.b{display:none}</style><p class='a bb'>", false},
        HiddenHtmlRow{"TagWithAClass", "<style>P.b#i{display:none}</style><p class=b id=i>", true},
        HiddenHtmlRow{"Everything", "<style>#a *{display:none}</style><div id=a><p>", true},
        HiddenHtmlRow{"ShownByAMoreSpecificRule",
                      "<style>div .b.c{display:block} div .b{display:none}</style><div><p class='b c'>",
                      false},
        HiddenHtmlRow{"ShownByAnId",
                      "<style>#i{display:block} div p.b{display:none}</style><div><p class=b id=i>", false},
        HiddenHtmlRow{"ShownByALaterRule", "<style>div p{display:none} div p{display:block}</style><div><p>",
                      false},
        HiddenHtmlRow{"Important",
                      "<style>.b{display:none!important}</style><p class=b style='display:block'>", true},
        HiddenHtmlRow{"ShownAsImportant",
                      "<style>.b{display:block !important} p.b{display:none}</style><p class=b>", false},
        HiddenHtmlRow{"UnderThePointer", "<style>p:hover{display:none}</style><p>", false},
        HiddenHtmlRow{"AfterAStatement", "<style>@charset 'utf-8'; .b{display:none}</style><p class=b>",
                      true},
        HiddenHtmlRow{"InALayer", "<style>@layer a{.b{display:none}}</style><p class=b>", true},
        HiddenHtmlRow{"WhereSupported",
                      "<style>@supports (display:grid){.b{display:none}}</style><p class=b>", true},
        HiddenHtmlRow{"WhereNotSupported",
                      "<style>@supports not (display:grid){.b{display:none}}</style><p class=b>", false},
        HiddenHtmlRow{"OnUsualScreens",
                      "<style>@media (hover: hover) and (pointer:fine){.b{display:none}}</style><p class=b>",
                      true},
        HiddenHtmlRow{"OnAllButPaper", "<style>@media not print{.b{display:none}}</style><p class=b>", true},
        HiddenHtmlRow{"OnTouchScreens", "<style>@media (hover:none){.b{display:none}}</style><p class=b>",
                      false},
        HiddenHtmlRow{"InAContainer",
                      "<style>@container (min-width:1px){.b{display:none}}</style><p class=b>", true},
        HiddenHtmlRow{"InANarrowContainer",
                      "<style>@container (max-width:9px){.b{display:none}}</style><p class=b>", false},
        HiddenHtmlRow{"InAScope", "<style>@scope (.a){p{display:none}}</style><div class=a><p>", true},
        HiddenHtmlRow{"OutOfAScope", "<style>@scope (.a){p{display:none}}</style><p>", false},
        HiddenHtmlRow{"TagInCapitals", "<style>P{display:none}</style><p>", true},
        HiddenHtmlRow{"NotEmpty", "<style>p:not(:empty){display:none}</style><p>", true},
        HiddenHtmlRow{"Empty", "<style>p:empty{display:none}</style><p>", false},
        HiddenHtmlRow{"InALanguage", "<style>p:lang(de){display:none}</style><p lang=de-AT>", true},
        HiddenHtmlRow{"FarBelow", "<p style='position:absolute;bottom:-9999px'>", true},
        HiddenHtmlRow{"FarRight", "<p style='position:absolute;left:9999px'>", true},
        HiddenHtmlRow{"AtItsRight", "<p style='position:absolute;left:900px'>", false},
        HiddenHtmlRow{"FarByInset", "<p style='position:fixed;inset:-9999px auto auto -9999px'>", true},
        HiddenHtmlRow{"FarByMargin", "<p style='margin:-9999px 0 0'>", true},
        HiddenHtmlRow{"FarByAMarginAbove", "<p style='margin-top:-9999px'>", true},
        HiddenHtmlRow{"MovedFarRight", "<p style='transform:translate(9999px)'>", true},
        HiddenHtmlRow{"FromItsEdge", "<p style='transform:rotateY(90deg)'>", true},
        HiddenHtmlRow{"FromItsUpperEdge", "<p style='rotate:x 90deg'>", true},
        HiddenHtmlRow{"Upright", "<p style='transform:rotate(90deg);rotate:90deg'>", false},
        HiddenHtmlRow{"ByAMatrixOfNothing", "<p style='transform:matrix(0, 0, 0, 0, 0, 0)'>", true},
        HiddenHtmlRow{"ByAMatrixThatTurns", "<p style='transform:matrix(0, 1, -1, 0, 0, 0)'>", false},
        HiddenHtmlRow{"Popover", "<div popover><p>", true},
        HiddenHtmlRow{"OfNoWidth", "<p style='overflow:hidden;max-width:0'>", true},
        HiddenHtmlRow{"WhiteOnADarkOneAround",
                      "<style>.a .b{background:#000}</style><div class=a><div class=b><p "
                      "style='color:#fff'>",
                      false},
        HiddenHtmlRow{"WhiteByName", "<p><font color=white>", true},
        HiddenHtmlRow{"WhiteOnDark", "<div style='background:#003'><p style='color:#fff'>", false},
        HiddenHtmlRow{"ColourOfItsGround", "<p style='color:#abcdef;background:rgb(171,205,239)'>", true},
        HiddenHtmlRow{"Class", "<style>/* x */ .a, .b { display: none }</style><p class='z b'>", true},
        HiddenHtmlRow{"ClassInPrint", "<style>@media print {.b{display:none}}</style><p class=b>", false},
        HiddenHtmlRow{"Id", "<style>#i{font-size:0}</style><p id=i>", true},
        HiddenHtmlRow{"WhiteWithAnotherSheet", "<link rel=StyleSheet href=x><p style='color:#fff'>", false},
        HiddenHtmlRow{"WhiteWithALateSheet", "<link rel=preload as=style href=x><p style='color:#fff'>",
                      false},
        HiddenHtmlRow{"TransparentByPercent", "<p style='opacity:1%'>", true},
        HiddenHtmlRow{"WhiteInLight", "<p style='color:light-dark(rgb(255,255,255),#000)'>", true},
        HiddenHtmlRow{"BlackInLight", "<p style='color:light-dark(#000,#fff)'>", false},
        HiddenHtmlRow{"FarByTheScreen", "<p style='position:absolute;left:-100vw'>", true},
        HiddenHtmlRow{"OfNoLogicalSize", "<p style='max-inline-size:0;overflow:hidden'>", true},
        HiddenHtmlRow{"Inverted", "<p style='filter:invert(1)'>", true},
        HiddenHtmlRow{"InvertedWithItsGround", "<p style='filter:invert(1);background:#000'>", false},
        HiddenHtmlRow{"UntilFound", "<p hidden=until-found>", false},
        HiddenHtmlRow{"UntilFoundInALine", "<p><b hidden=until-found>", true},
        HiddenHtmlRow{"Phantom", "<p><math><mphantom>", true},
        HiddenHtmlRow{"ByAQuotedClass", "<style>.a\\:b{display:none}</style><p class=a:b>", true},
        HiddenHtmlRow{"ByASheetInComments", "<style><!-- .b{display:none} --></style><p class=b>", true},
        HiddenHtmlRow{"ByAnAttribute", "<style>[data-x=a]{display:none}</style><p data-x=a>", true},
        HiddenHtmlRow{"ByAnotherAttribute", "<style>[data-x='b']{display:none}</style><p data-x=a>", false},
        HiddenHtmlRow{"ByAWordOfAnAttribute", "<style>p[data-x~=b]{display:none}</style><p data-x='a b'>",
                      true},
        HiddenHtmlRow{"ByTheBeginningOfAnAttribute", "<style>[id^=ab]{display:none}</style><p id=abc>", true},
        HiddenHtmlRow{"AfterAnother", "<style>b+i~p{display:none}</style><b></b><i></i><u></u><p>", true},
        HiddenHtmlRow{"NotRightAfterAnother", "<style>b+p{display:none}</style><b></b><i></i><p>", false},
        HiddenHtmlRow{"Second", "<style>p:nth-child(2n+1):nth-of-type(-n+2){display:none}</style><p>", true},
        HiddenHtmlRow{"NotFirst", "<style>p:first-child{display:none}</style><p>", false},
        HiddenHtmlRow{"OneOf", "<style>:is(.a, .b > p):where(p){display:none}</style><div class=b><p>", true},
        HiddenHtmlRow{"NoneOf", "<style>p:not(.a,:hover){display:none}</style><p>", true},
        HiddenHtmlRow{"OneOfThoseExcluded", "<style>p:not(.a){display:none}</style><p class=a>", false},
        HiddenHtmlRow{"TheLastOne", "<style>p:last-child{display:none}</style><p>", false},
        HiddenHtmlRow{"WithinARule", "<style>div{color:red; p{display:none} top:0}</style><div><p>", true},
        HiddenHtmlRow{"WithinARuleByItsSign", "<style>.a{&.b{display:none}}</style><p class='a b'>", true},
        HiddenHtmlRow{"OneOfTwoWithinARule", "<style>.a{&.b{display:none}}</style><p class=b>", false},
        HiddenHtmlRow{"OnScreensOfAPixel",
                      "<style>@media screen and (min-width:1px){.b{display:none}}</style><p class=b>", true},
        HiddenHtmlRow{"OnWideScreens", "<style>@media (min-width:768px){.b{display:none}}</style><p class=b>",
                      false},
        HiddenHtmlRow{"ByASheetInAnAddress",
                      "<link rel=stylesheet href='data:text/css,.b%7Bdisplay:none}'><p class=b>", true},
        HiddenHtmlRow{"ByAnImportedSheet",
                      "<style>@import url('data:text/css,.b{display:none}');.c{top:0}</style><p class=b>",
                      true},
        HiddenHtmlRow{"ByAVariable", "<style>:root{--c:#fff}</style><p style='color:var(--c)'>", true},
        HiddenHtmlRow{"ByAVariableThatAnElementSets",
                      "<style>:root{--d: none}div{--d:block}</style><div><p style='display:var(--d)'>",
                      false},
        HiddenHtmlRow{"ByAVariableOfVariables",
                      "<style>p{--a:255 255;--b:var(--a) 255}</style><p style='color:rgb(var(--b) / 1)'>",
                      true},
        HiddenHtmlRow{"ByTheDefaultOfAVariable", "<p style='display:var(--none, none)'>", true},
        HiddenHtmlRow{"ByAnUnknownVariable", "<p style='color:var(--c);background:var(--b)'>", false},
        HiddenHtmlRow{"WhiteOnAVariableGround", "<div style='background:var(--b)'><p style='color:#fff'>",
                      false},
        HiddenHtmlRow{"ComputedSize", "<p style='font-size:calc(2px*.5 - (1px - 1px))'>", true},
        HiddenHtmlRow{"ComputedSeenSize", "<p style='font-size:calc(1em + 2px)'>", false},
        HiddenHtmlRow{"ClampedSize", "<p style='font-size:clamp(0px, 5vw, max(0px, 1px))'>", true},
        HiddenHtmlRow{"WhiteByNumbersWithoutCommas", "<p style='color:rgb(255 255 255)'>", true},
        HiddenHtmlRow{"TransparentWithoutCommas", "<p style='color:rgb(0 0 0 / 0%)'>", true},
        HiddenHtmlRow{"WhiteByWhiteness", "<p style='color:hwb(120 100% 0%)'>", true},
        HiddenHtmlRow{"WhiteByLightness", "<p style='color:oklch(100% 0 0)'>", true},
        HiddenHtmlRow{"GreyByLightness", "<p style='color:lab(50% 0 0)'>", false},
        HiddenHtmlRow{"WhiteInAColourSpace", "<p style='color:color(display-p3 1 1 1)'>", true},
        HiddenHtmlRow{"NearlyWhiteByName", "<p style='color:MintCream'>", true},
        HiddenHtmlRow{"FilledWithWhite", "<p style='-webkit-text-fill-color:#fff'>", true},
        HiddenHtmlRow{"Masked", "<p style='mask-image:linear-gradient(transparent,transparent)'>", true},
        HiddenHtmlRow{"MaskedInPart", "<p style='-webkit-mask-image:linear-gradient(#000,transparent)'>",
                      false},
        HiddenHtmlRow{"CutToAPoint", "<p style='clip-path:polygon(0 0, 0 0, 0 0)'>", true},
        HiddenHtmlRow{"ScaledByItsProperty", "<p style='scale:0'>", true},
        HiddenHtmlRow{"MovedByItsProperty", "<p style='translate:-9999px'>", true},
        HiddenHtmlRow{"WhiteWithAnIcon", "<link rel=icon href=x><p style='color:#fff'>", true}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Html, WhiteLettersPartWords) {
  EXPECT_EQ(read_html("<p>one<span style='color:white'>x</span>two", "page")->text, "one two");
}

TEST(Html, LettersThatAreShownBackwardsAreMarkedAsSuch) {
  for (const char* element :
       {"<bdo dir=rtl>cba</bdo>", "<BDO DIR='RTL'>cba</BDO>",
        "<span style='unicode-bidi:bidi-override;direction:rtl'>cba</span>",
        "<span dir=rtl style='unicode-bidi: isolate-override'>cba</span>",
        "<i dir=rtl><span style='unicode-bidi:bidi-override'>cba</span></i>",
        "<style>.r{direction:rtl;unicode-bidi:bidi-override}</style><b class=r>cba</b>"})
    EXPECT_EQ(read_html("<p>An " + std::string(element) + " end", "page")->text, "An \u202ecba\u202c end")
        << element;
  for (const char* element :
       {"<bdo dir=ltr>abc</bdo>", "<bdo>abc</bdo>", "<bdi dir=rtl>abc</bdi>", "<span dir=rtl>abc</span>",
        "<span style='direction:rtl'>abc</span>", "<bdo dir=rtl hidden>x</bdo>abc"})
    EXPECT_EQ(read_html("<p>An " + std::string(element) + " end", "page")->text, "An abc end") << element;
  EXPECT_EQ(read_html("<p dir=rtl style='unicode-bidi:bidi-override'>cba<p>end", "page")->text,
            "\u202ecba\u202c\n\nend");
  EXPECT_EQ(read_html("<p><bdo dir=rtl>c<b>ba</b><bdo dir=ltr>xy</bdo>z</bdo>.", "page")->text,
            "\u202ecba\u202dxy\u202c\u202ez\u202c.");
}

TEST(Html, WhatAPageShowsBesideItsTextIsKept) {
  const auto added = [](const std::string& element) {
    const auto page = read_html("<p>seen</p>" + element, "page");
    EXPECT_EQ(page->text, "seen") << element;
    return std::string(page->added, std::min(page->added.find_first_not_of(' '), page->added.size()));
  };
  EXPECT_EQ(added("<iframe srcdoc='&lt;style>p{}&lt;/style>&lt;p>Two &lt;b>geese&lt;/b>.'></iframe>"),
            "Two geese.");
  EXPECT_EQ(added("<iframe hidden srcdoc='Two geese.'></iframe>"), "");
  EXPECT_EQ(added("<object data='data:text/html,Two geese.'></object>"), "data:text/html,Two geese.");
  EXPECT_EQ(added("<iframe src='https://example.org/a'></iframe><img src='data:image/svg+xml,a'>"), "");
  EXPECT_EQ(
      added(
          "<img src='data:image/svg+xml,%3Csvg>&lt;text>Two geese.&lt;/text>&lt;path d=\"M0\"/>&lt;/svg>'>"),
      "Two geese.");
  EXPECT_EQ(added("<img src='data:image/svg+xml;base64,PHN2Zz48dGV4dD5Ud28gZ2Vlc2UuPC90ZXh0Pjwvc3ZnPg=='>"),
            "Two geese.");
  EXPECT_EQ(added("<ul><li style='list-style-type: \"Two geese. \"'></ul>"), "Two geese. ");
  EXPECT_EQ(added("<style>li{list-style:'Two geese.' inside} ul{list-style:none url('x.png')}</style>"),
            "Two geese.");
  EXPECT_EQ(added("<style>li::marker{content:'Two geese.'}</style>"), "Two geese.");
}

TEST(Html, LabelsAndTemplatesThatBrowsersShowAreRead) {
  EXPECT_EQ(read_html("<p>seen<div><template shadowrootmode=open><p>too</template></div>", "page")->text,
            "seen\n\ntoo");
  EXPECT_EQ(read_html("<p>seen<template><p>not</template>", "page")->text, "seen");
  EXPECT_EQ(
      read_html("<p>seen <select><optgroup label='a group'><option label='a label'></select>", "page")->text,
      "seen\n\na group\n\na label");
}

TEST(Html, AQuotationHasTheMarksThatBrowsersShow) {
  EXPECT_EQ(read_html("<p>He wrote <q>the <b>geese</b></q>.", "page")->text,
            "He wrote \u201cthe geese\u201d.");
}

TEST(Html, LinesOfABlockQuotationAreSetOff) {
  EXPECT_EQ(
      read_html("<p>Own.<blockquote><p>One  two.<br>Three.</p><div>Four.</div></blockquote>Own <b>words</b>.",
                "page")
          ->text,
      "Own.\n\n    One two.\n    Three.\n\n    Four.\n\nOwn words.");
  EXPECT_EQ(read_html("<blockquote hidden>a</blockquote><p>b<p>c", "page")->text, "b\n\nc");
}

/// Pages remove the blanks between blocks so.
TEST(Html, LettersOfTheirOwnSizeAreSeenWhereTheSizeAroundIsNone) {
  const auto page = read_html(
      "<div style='font-size:0'>a<p style='font-size:16px'>seen<b style='font-size:1px'>b</b></p>c "
      "<p style='font-size:2em'>d</p></div><p>after</p>",
      "page");
  EXPECT_EQ(page->text, "seen\n\nafter");
  EXPECT_EQ(page->hidden, "a b c d");
  const auto clean = read_html("<ul style='font-size:0'> <li style='font-size:1rem'>seen</li> </ul>", "page");
  EXPECT_EQ(clean->text, "seen");
  EXPECT_EQ(clean->ways, 0);
  EXPECT_EQ(read_html("<p style='display:none'><b style='font-size:16px'>x</b></p>", "page")->text, "");
}

TEST(Html, FoldedMenusAreHiddenFromNobody) {
  std::string items;
  for (int i = 0; i < 50; ++i) items += "<li><a href=x>menu item</a></li>";
  const auto menu = read_html(
      "<p>seen</p><ul style='display:none'>" + items + "</ul><a>x<span hidden>y</span></a>", "page");
  EXPECT_EQ(menu->text, "seen\n\nx");
  EXPECT_EQ(menu->hidden, "");
  EXPECT_EQ(menu->ways, 0);
  const auto white = read_html("<p>seen</p><ul style='color:white'>" + items + "</ul>", "page");
  EXPECT_NE(white->hidden, "");
  const auto text =
      read_html("<p>seen</p><div hidden>A hidden text, which has one <a>link</a>.</div>", "page");
  EXPECT_EQ(text->hidden, "A hidden text, which has one link.");
}

/// Long beside what the tests hide.
const std::string kSeen = "<p>" + std::string(200, 's') + "</p>";

TEST(Html, AScriptShowsWhatIsBeforeItToo) {
  const std::string page = kSeen + "<div hidden>A part that unfolds.</div>";
  EXPECT_EQ(read_html(page + "<script>f()</script>", "page")->hidden, "");
  EXPECT_EQ(read_html(page + "<link rel=stylesheet href=x>", "page")->hidden, "A part that unfolds.");
}

TEST(Html, StyleSheetsThatAreFoundLeaveNoColourUnknown) {
  const auto add = [](SharedSheet& to, std::string_view address) {
    add_to(to, "");
    return address == "empty";
  };
  const std::string white = "<p>seen</p><p style='color:#fff'>unseen</p>";
  for (const std::string address : {"empty", "data:text/css,b{top:0}"})
    EXPECT_EQ(
        read_html("<link rel=stylesheet href='" + address + "'>" + white, "page", kUtf8Name, add)->hidden,
        "unseen")
        << address;
  EXPECT_EQ(read_html("<link rel=stylesheet href=lost>" + white, "page", kUtf8Name, add)->hidden, "");
}

TEST(Html, AGroundThatIsNotOpaqueIsNotTheOneUnderTheLetters) {
  for (const char* ground : {"rgba(255,255,255,0.05)", "#fff1", "#ffffff10"})
    EXPECT_EQ(
        read_html(std::string("<p style='color:#fff;background:") + ground + "'>seen</p>", "page")->hidden,
        "");
  EXPECT_EQ(read_html("<p style='color:rgba(0,0,0,0)'>x</p>", "page")->hidden, "x");
  EXPECT_EQ(read_html("<p style='color:#fff;background:rgba(255,255,255,1)'>x</p>", "page")->hidden, "x");
}

/// They wait for a script. Within visible text nothing does.
TEST(Html, HiddenBlocksOfAPageWithScriptsAreHiddenFromNobody) {
  const auto hidden = [](const std::string& part) {
    return read_html("<script>f()</script>" + kSeen + part, "page")->hidden;
  };
  EXPECT_EQ(
      hidden(
          "<div style='display:none'><p>We use cookies, and ask you to agree.</p><script>g()</script></div>"),
      "");
  EXPECT_EQ(hidden("<div><span hidden>Loading the comments of our readers</span></div>"), "");
  EXPECT_EQ(hidden("<p style='opacity:0'>faded in</p><p style='font-size:0'>sized</p>"), "");
  EXPECT_EQ(hidden("<p>seen <a href=x>more<span hidden> of what this page is about, for screen "
                   "readers</span></a></p>"),
            "");
  EXPECT_EQ(hidden("<a>seen</a><amp-lightbox hidden><p>Opens on request.</p></amp-lightbox>"), "");
  EXPECT_EQ(hidden("<p>seen <span hidden>unseen</span></p>"), "unseen");
  EXPECT_EQ(hidden("<div style='color:white'>unseen</div>"), "unseen");
  EXPECT_EQ(hidden("<div style='color:white;opacity:0'>unseen</div>"), "unseen");
  EXPECT_EQ(read_html("<p>a<span hidden>b<script>c</script><math>d</math></span></p>", "page")->hidden, "b");
  EXPECT_EQ(
      read_html("<style>a:has(.b){background:#000}</style><p style='color:white'>seen</p>", "page")->hidden,
      "");
}

TEST(Html, WhatScriptsMayShowIsReadWhereItIsLongerThanTheText) {
  const auto page = [](std::size_t seen, std::size_t unseen) {
    const std::string parts = "<p>" + std::string(seen, 's') + "</p><div hidden>" + std::string(unseen, 'u');
    return *read_html(parts + "</div><script>f()</script>", "page");
  };
  const Page little = page(200, 200), much = page(200, 201), all = page(0, 10);
  EXPECT_EQ(little.text.size(), 200U);
  EXPECT_EQ(little.script_text.characters, 200U);
  EXPECT_EQ(little.script_text.at, 200U);
  EXPECT_FALSE(little.script_text.is_read);
  EXPECT_EQ(much.text, std::string(200, 's') + "\n\n" + std::string(201, 'u'));
  EXPECT_EQ(much.script_text.characters, 201U);
  EXPECT_EQ(much.script_text.at, 200U);
  EXPECT_EQ(much.script_text.sample, std::string(kSampleBytes, 'u'));
  EXPECT_TRUE(much.script_text.is_read);
  EXPECT_EQ(all.text, std::string(10, 'u'));
  EXPECT_EQ(little.hidden + much.hidden + all.hidden, "");
}

/// However many links a page has, it is not a menu.
TEST(Html, APageThatIsHiddenUntilItIsLoadedIsRead) {
  const std::string page =
      "<style>body{visibility:hidden}</style><body><p>" + std::string(40, 's') + "</p><a>";
  EXPECT_EQ(read_html("<script>f()</script>" + page + std::string(40, 'a'), "page")->text,
            std::string(40, 's') + "\n\n" + std::string(40, 'a'));
  EXPECT_EQ(read_html(page + std::string(40, 'a'), "page")->hidden,
            std::string(40, 's') + std::string(40, 'a'));
}

/// A menu is left out whether it is hidden or not, and no script shows what has the colour of its ground.
TEST(Html, AMenuAndWhiteLettersAreNotWhatScriptsShow) {
  std::string items;
  for (int i = 0; i < 50; ++i) items += "<li><a href=x>one item</a></li>";
  const auto page =
      read_html("<p>seen</p><ul hidden>" + items + "</ul><div hidden>A part that unfolds.</div>" +
                    "<div style='color:white'>unseen</div><script>f()</script>",
                "page");
  EXPECT_EQ(page->text, "seen\n\nA part that unfolds.");
  EXPECT_EQ(page->hidden, "unseen");
}

TEST(Html, TextOfStyleSheetsIsKnown) {
  const auto added = [](const std::string& css, const std::string& body = "") {
    return read_html("<style>" + css + "</style><p>seen</p>" + body, "page")->added;
  };
  EXPECT_EQ(
      added("p::before { content: 'Two geese' } .a .b:after{content:\"crossed\\A0 the yard\";color:red}"),
      "Two geese crossed\u00A0the yard");
  EXPECT_EQ(added("@media screen { p:after { content: \"as \" attr( data-x ) } }",
                  "<a data-x='two geese crossed the yard of the old mill'>a</a><a data-x='a label'>b</a>"),
            "as  two geese crossed the yard of the old mill");
  EXPECT_EQ(added("@media print{a:after{content:'see'}} a:after{content:attr(href)} .x{content:'styled'} "
                  "i:before{content:url(\"data:image/png;base64,iVBORw0KGgo\")}",
                  "<a href=x>a</a>"),
            "");
  EXPECT_EQ(
      added("p{align-content:'a'} q:before{content:'\\201C'} i:before{content:\"\\f101\"} .content:hover{}"),
      "");
  EXPECT_EQ(added("p:after{content:'\\"), "");
  EXPECT_EQ(added("p:after{content:"), "");
  EXPECT_EQ(added("p:after{content:'it\\'s \\41 \\z'}"), "it's Az");
}

TEST_P(Html, GivesTheTextThatIsSeen) {
  const auto page = read_html(GetParam().page, "page");
  ASSERT_FALSE(page.has_error()) << page.error().message();
  EXPECT_EQ(page->text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Html,
    ::testing::Values(
        HtmlRow{"Empty", "", ""}, HtmlRow{"PlainText", "no markup, 1 < 2", "no markup, 1 < 2"},
        HtmlRow{"Paragraphs", "<p>One.\n  Two.</p><p>Three.</p>", "One. Two.\n\nThree."},
        HtmlRow{"ParagraphsThatAreNotClosed", "<p>One.<p>Two.", "One.\n\nTwo."},
        HtmlRow{"InlineElements", "<p>H<sub>2</sub>O is <b>wa</b>ter<a href=x>, </a> wet</p>",
                "H2O is water, wet"},
        HtmlRow{"LineBreak", "one<br>two<br/>three", "one\ntwo\nthree"},
        HtmlRow{"TwoLineBreaksAreABlankLine", "One.<br><br>Two.", "One.\n\nTwo."},
        HtmlRow{"ListItems", "<ul><li>one<li>two</ul>after", "one\n\ntwo\n\nafter"},
        HtmlRow{"Cells", "<table><tr><td>a<td>b<tr><td>c</table>", "a\n\nb\n\nc"},
        HtmlRow{"Preformatted", "<pre>a\n  b  c</pre>d", "a\n  b  c\n\nd"},
        HtmlRow{"ScriptAndStyle", "a<script>if (x</p>) b</script><style>p {}</style>c", "ac"},
        HtmlRow{"ScriptThatWritesItsOwnEnd", "a<script>w('<\\/script><p>b')</script>c", "ac"},
        HtmlRow{"Menus",
                "<nav><ul><li><a href=/>Home</a><li><a>News</a></ul></nav><main>Text "
                "<button>Share</button></main><aside><a>More</a> | <a>Less</a></aside><footer>"
                "2020 <a>Contact</a></footer>Some more text, so that all the menus are much the lesser part "
                "of this page, as they are of most pages",
                "Text\n\nSome more text, so that all the menus are much the lesser part of this page, as "
                "they are of most pages"},
        HtmlRow{"MenuAsMostOfAPage", "<nav><a>Home</a> <a>News</a></nav><p>Text", "Home News\n\nText"},
        HtmlRow{"TextBesideTheBody",
                "<nav>Navigation on rivers.</nav>Text<aside>A note, <a>linked</a> once.</aside>"
                "<footer><a>All of this long sentence is within a link, and nobody takes it for a "
                "menu.</a></footer>",
                "Navigation on rivers.\n\nText\n\nA note, linked once.\n\nAll of this long sentence "
                "is within a link, and nobody takes it for a menu."},
        HtmlRow{"Dialogs", "<dialog>Closed, not seen.</dialog>a<dialog open>Open.</dialog>b",
                "a\n\nOpen.\n\nb"},
        HtmlRow{"TextOfDrawings",
                "a<svg><title>t</title><desc>d</desc>lost<g><text>One <tspan>two</tspan></text>"
                "<text>three</text></g></svg><p>b",
                "a\n\nOne two\n\nthree\n\nb"},
        HtmlRow{"Formulas", "<math><mi>x</mi><mo>=</mo><mn>1</mn><annotation>x=1</annotation></math>", "x=1"},
        HtmlRow{"BaseOfReadings", "<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>は", "東京は"},
        HtmlRow{"TextAboveNothingIsRead", "<ruby> <rt>Two</rt></ruby> <ruby>.<rt>geese</rt></ruby>",
                "Two .geese"},
        HtmlRow{"LongTextAboveTheLineIsRead",
                "<ruby>a<rt>A text of more than forty letters is not a reading of a word.</rt></ruby>",
                "aA text of more than forty letters is not a reading of a word."},
        HtmlRow{"RaisedNumbersOfNotes",
                "the gate<sup>1</sup>, open.<a><sup>[2]</sup></a> 10<sup>3</sup> m<sup>2</sup> the "
                "4<sup>th</sup>, noted<sup>a</sup>, a book<span style=\"vertical-align: super\">3</span>, a "
                "page<a epub:type=\"noteref\">4</a>.",
                "the gate, open. 103 m2 the 4th, noteda, a book, a page."},
        HtmlRow{"FieldsAndButtons",
                "a<input value='b'>c<input type=Search placeholder='d e'><input type=hidden value=x><input "
                "type=checkbox value=x><input type=password placeholder=x><input type=submit value='f'>",
                "a b c d e f"},
        HtmlRow{"WhatScriptsReplace", "a<noscript>b</noscript><iframe>c</iframe><object>d</object>", "ad"},
        HtmlRow{"HeaderOfAnArticle", "<article><header><h1>Title</h1></header>Text</article>",
                "Title\n\nText"},
        HtmlRow{"HeadWithoutEnd", "<head><title>T</title><p>Text", "Text"},
        HtmlRow{"Hidden",
                "a<div hidden>b<p>c</p></div><p style='color: red; Display : none'>d</p>"
                "<p style='display:  none'>e</p>f",
                "a\n\nf"},
        HtmlRow{"RoleOfNavigation", "<div role=navigation><a>Home</a></div>Text of a page", "Text of a page"},
        HtmlRow{"FormsKeepTheirText",
                "<form>Text<select><option>1</select><textarea>t</textarea><button>A button with more "
                "than forty letters is text as any other.</button></form>",
                "Text\n\nt\n\nA button with more than forty letters is text as any other."},
        HtmlRow{"Entities", "caf&eacute; &lt;b&gt; &#1071;&#x44f; &nbsp;&mdash; &unknown; &amp;amp;",
                "café <b> Яя \u00A0— &unknown; &amp;"},
        HtmlRow{"CommentsAndInstructions", "a<!-- <p>b --><?php c ?><!DOCTYPE x>d", "ad"},
        HtmlRow{"UnknownElements", "<foo-bar>a</foo-bar><section>b</section>c", "a\n\nb\n\nc"},
        HtmlRow{"EndsThatNothingBegan", "a</p></div></b>b", "a\n\nb"},
        HtmlRow{"NestedTheWrongWay", "<b>a<i>b</b>c</i>d", "abcd"},
        HtmlRow{"Cyrillic", "<p>Съешь&nbsp;ещё</p>", "Съешь\u00A0ещё"}),
    [](const auto& row) { return row.param.name; });

TEST(HtmlPage, WithoutDeclarationIsInTheEncodingThatIsNamedOrFound) {
  // "Мороз и солнце; день чудесный! Ещё ты дремлешь" in windows-1251.
  const std::string page =
      "<p>\xCC\xEE\xF0\xEE\xE7 \xE8 \xF1\xEE\xEB\xED\xF6\xE5; \xE4\xE5\xED\xFC "
      "\xF7\xF3\xE4\xE5\xF1\xED\xFB\xE9! \xC5\xF9\xB8 \xF2\xFB \xE4\xF0\xE5\xEC\xEB\xE5\xF8\xFC</p>";
  const char* const text = "Мороз и солнце; день чудесный! Ещё ты дремлешь";
  EXPECT_EQ(read_html(page, "page", "auto")->text, text);
  EXPECT_EQ(read_html(page, "page", "windows-1251")->text, text);
  EXPECT_EQ(read_html("<meta charset=windows-1251>" + page, "page", "koi8-r")->text, text);
  for (const char* wrong : {"3dwindows-1251", "utf-8"}) {
    const std::string declared = "<meta charset=" + std::string(wrong) + ">" + page;
    EXPECT_EQ(read_html(declared, "page", "auto")->text, text) << wrong;
    EXPECT_TRUE(read_html(declared, "page").has_error()) << wrong;
  }
  EXPECT_EQ(read_html("<meta charset=unheard-of><p>\u043c\u0438\u0440", "page")->text, "\u043c\u0438\u0440");
  const Error refused = read_html(page, "page").error();
  EXPECT_EQ(refused.code, Errc::invalid_utf8);
  EXPECT_NE(refused.remedy.find("--encoding windows-1251"), std::string::npos) << refused.remedy;
}

TEST(HtmlPage, RulesOfAStyleSheetMayStandOnLinesOfTheirOwn) {
  for (const char* rules : {"\n.k { color: red }\n.h {\n  display: none;\n}\n", ".k,\n.h{display:none}",
                            "\r\n\t.h\n{display\n:\nnone}"})
    EXPECT_EQ(
        read_html("<style>" + std::string(rules) + "</style><p class=h>unseen</p><p>seen", "page")->text,
        "seen")
        << rules;
  const auto printed =
      read_html("<style>\n@media print {\n.h {display:none} }\n</style><p class=h>seen", "page");
  EXPECT_EQ(printed->text, "seen");
}

TEST(HtmlPage, ClassesArePartedByAnyWhiteSpace) {
  for (const char* space : {" ", "\n", "\t", "\r\n", "\f", " \n "}) {
    const std::string classes = std::string(space) + "one" + space + "two" + space;
    EXPECT_EQ(
        read_html("<style>.two{display:none}</style><p class='" + classes + "'>unseen</p><p>seen", "page")
            ->text,
        "seen");
  }
}

TEST(HtmlPage, ZeroByteIsNoEnd) {
  EXPECT_EQ(read_html(std::string_view("<p>a\0b</p><p>c", 14), "page")->text, "a b\n\nc");
}

TEST(HtmlPage, TitleIsTheFirstOneCollapsedAndCutToWholeCharacters) {
  EXPECT_EQ(read_html("<title>\n A  &amp; B </title><svg><title>no</title></svg>", "page")->title, "A & B");
  EXPECT_EQ(read_html("<svg><title>no</title></svg>text", "page")->title, "");
  std::string letters;
  while (letters.size() < 5000) letters += "я";
  const auto page = read_html("<title>x" + letters + "</title>", "page");
  EXPECT_EQ(page->title.size(), 4095U);
}

TEST(HtmlPage, FactsLeaveOutWhatTheTextLeavesOut) {
  const auto page = read_html(
      "<meta name=Author content=' N. N. '><nav><a href=/1>One</a> <a href=/2>Two</a><img src=logo></nav>"
      "<p>Text that is longer than its menu, with <a href=/3>a link</a>.<img src=p><img src=q width=1></p>"
      "<p hidden><a href=/4>hidden</a></p><time datetime=2024-05-17>today</time>"
      "<script type='application/ld+json'>{\"a\":\"<b>\"}</script><script>f()</script>",
      "page");
  EXPECT_EQ(page->facts.statements, (std::vector<PageFacts::Statement>{{"author", "N. N."}}));
  EXPECT_EQ(page->facts.links, std::vector<std::string>{"/3"});
  EXPECT_EQ(page->facts.times, std::vector<std::string>{"2024-05-17"});
  EXPECT_EQ(page->facts.linked_data, std::vector<std::string>{"{\"a\":\"<b>\"}"});
  EXPECT_EQ(page->facts.images, 1U);
}

TEST(HtmlPage, NestingIsBounded) {
  std::string deep;
  for (std::size_t i = 0; i < kMostNestedElements + 10; ++i) deep += "<div>";
  const auto refused = read_html(deep + "text", "page.html");
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::too_large);
  EXPECT_EQ(refused.error().what, "page.html");
  std::string wide;
  for (int i = 0; i < 100'000; ++i) wide += "<div></div><p>";
  EXPECT_EQ(read_html(wide + "text", "page")->text, "text");
}

TEST(HtmlPage, AttributesBeyondTheMostAreNotLookedAt) {
  std::string many;
  for (std::size_t i = 0; i < kMostAttributes; ++i) many += " a" + std::to_string(i) + "='x > y'";
  EXPECT_EQ(read_html("<p" + many + " hidden>One.</p><p hidden>Two.</p>Three.", "page")->text,
            "One.\n\nThree.");
  std::string words;
  for (std::size_t i = 0; i < 2 * kMostAttributes; ++i) words += "word ";
  EXPECT_EQ(read_html("<!-- <a " + words + "--><script>if (a <b) " + words + "</script>Text", "page")->text,
            "Text");
  const auto text = read_html("<p>1 < 2 " + words + "</p>", "page")->text;
  EXPECT_EQ(text.size(), std::string("1 < 2 ").size() + words.size() - 1);
}

struct TimeRow {
  const char* name;
  const char* before;    ///< of the repeated part
  const char* repeated;  ///< "#" becomes the number of the repetition
};

void PrintTo(const TimeRow& row, std::ostream* out) { *out << row.name; }

class HtmlTime : public ::testing::TestWithParam<TimeRow> {};

TEST_P(HtmlTime, GrowsAsThePage) {
  constexpr std::size_t kBytes = std::size_t{1} << 20U;
  constexpr auto kMost = std::chrono::seconds(4);  // quadratic reading takes minutes, linear reading 0.1 s
  std::string page = GetParam().before;
  const std::string repeated = GetParam().repeated;
  for (std::size_t i = 0; page.size() < kBytes; ++i) {
    const auto mark = repeated.find('#');
    page += mark == std::string::npos ? repeated : std::string(repeated).replace(mark, 1, std::to_string(i));
  }
  const auto start = test::processor_time();
  (void)read_html(page, "page");
  EXPECT_LT(test::processor_time() - start, kMost);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HtmlTime,
    ::testing::Values(
        TimeRow{"Attributes", "<p", " a#=1"}, TimeRow{"AttributesWithoutValues", "<p", " a#"},
        TimeRow{"AttributesWithoutSpaces", "<p ", "a#='x'"}, TimeRow{"Elements", "", "<p a=1>x"},
        TimeRow{"InlineElements", "", "<b></b>"}, TimeRow{"EndsThatNothingBegan", "<b><i><u><s>", "</q>"},
        TimeRow{"RulesForOneSelector", "", "<style>p{color:red;order:1}</style><p>x"},
        TimeRow{"RulesForElementsAround", "", "<style>b i p{color:red;order:1}</style><p>x"},
        TimeRow{"RulesForElementsOfATag", "<style>b:nth-of-type(9n){top:0}</style>", "<b>x</b>"},
        TimeRow{"RulesWithinRules", "<style>a{", "&&#&&&&&&{top:0;"},
        TimeRow{"Rules", "<style>", "a#,b#,p{color:red}"}, TimeRow{"Comments", "", "<!-- -->"},
        TimeRow{"OpenComments", "", "<!--"}, TimeRow{"OpenTags", "", "<a "},
        TimeRow{"OpenQuotes", "", "<a b=\""}, TimeRow{"Brackets", "", "<"}, TimeRow{"References", "", "&"},
        TimeRow{"NumericReferences", "", "&#1"}, TimeRow{"Instructions", "", "<?x "},
        TimeRow{"Doctypes", "", "<!DOCTYPE "}, TimeRow{"Scripts", "", "<script>"},
        TimeRow{"ScriptEnds", "<script>", "</"}, TimeRow{"Tables", "", "<table><td>"},
        TimeRow{"Lists", "", "<li><a>"}, TimeRow{"Titles", "", "<title>x</title>"},
        TimeRow{"Headings", "", "<h1>"}, TimeRow{"Spaces", "<p", " "}),
    [](const auto& row) { return row.param.name; });

TEST(HtmlTime, OfEndsInTheDeepestNestingGrowsAsThePage) {
  std::string page;
  for (std::size_t i = 0; i + 10 < kMostNestedElements; ++i) page += "<div>";
  while (page.size() < (std::size_t{1} << 20U)) page += "</q>";
  const auto start = test::processor_time();
  EXPECT_TRUE(read_html(page, "page").has_value());
  // The library looks for each end among all elements that are open: 1 to 5 s, and minutes if nesting had no
  // bound.
  EXPECT_LT(test::processor_time() - start, std::chrono::seconds(20));
}

struct Charset {
  const char* name;
  std::string bytes;
  const char* text;  ///< null: refused
};

void PrintTo(const Charset& row, std::ostream* out) { *out << row.name; }

class HtmlCharset : public ::testing::TestWithParam<Charset> {};

TEST_P(HtmlCharset, IsTheDeclaredOne) {
  const auto page = read_html(GetParam().bytes, "page");
  ASSERT_EQ(page.has_value(), GetParam().text != nullptr);
  if (page.has_value()) {
    EXPECT_EQ(page->text, GetParam().text);
  }
}

const std::string kHouse1251 = "<p>\xC4\xEE\xEC";  // Дом
INSTANTIATE_TEST_SUITE_P(
    Rows, HtmlCharset,
    ::testing::Values(
        Charset{"Meta", "<meta charset=windows-1251>" + kHouse1251, "Дом"},
        Charset{"MetaOfHttp",
                "<META content='text/html; charset=Windows-1251' HTTP-EQUIV=Content-Type>" + kHouse1251,
                "Дом"},
        Charset{"Koi8", "<meta charset=\"koi8-r\"><p>\xE4\xCF\xCD", "Дом"},
        Charset{"XmlDeclaration", "<?xml version='1.0' encoding='windows-1251'?>" + kHouse1251, "Дом"},
        Charset{"Latin1IsWindows1252",
                "<meta charset=iso-8859-1><p>\x93"
                "a\x94",
                "“a”"},
        Charset{"Utf8Mark", "\xEF\xBB\xBF<meta charset=windows-1251><p>Дом", "Дом"},
        Charset{"Utf16", std::string("\xFF\xFE<\0p\0>\0\x14\x04", 10), "Д"},
        Charset{"MetaInAComment", "<!-- <meta charset=koi8-r> --><p>Дом", "Дом"},
        Charset{"NoneAndUtf8", "<p>Дом", "Дом"}, Charset{"NoneAndNotUtf8", kHouse1251, nullptr},
        Charset{"Unknown", "<meta charset=klingon><p>Дом", "Дом"},
        Charset{"WrongDeclaration", "<meta charset=utf-8>" + kHouse1251, nullptr},
        Charset{"OneBrokenByteInHundred", "<meta charset=utf-8>" + std::string(100, 'a') + "\xFF",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                "aaaaaaaa\uFFFD"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace akin::extract
