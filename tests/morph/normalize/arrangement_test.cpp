// The layout of a text as it arrives: what is undone, and what honest texts keep.
#include "morph/normalize/arrangement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "morph/normalize/paragraph_breaks.h"
#include "morph/words/scanner.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/sentences.h"

namespace akin {
namespace {

std::string arranged(std::string_view text) {
  const auto arrangement = Arrangement::of(text);
  return std::string(arrangement ? arrangement->text() : text);
}

std::string times(std::size_t count, std::string_view text) {
  std::string all;
  while (count-- > 0) all += text;
  return all;
}

/// Twelve lines of 60 columns or a little less, which end inside a sentence, with `between` after each.
std::string wrapped(std::string_view between, std::string_view number = {}) {
  std::string text;
  for (int line = 1; line <= 12; ++line) {
    if (!number.empty()) text += std::to_string(line) + std::string(number);
    text += "these words were broken into lines by a program at column 60";
    text += between;
  }
  return text;
}

TEST(Arrangement, BlankLinesAfterEveryWrappedLineBecomeLineBreaks) {
  EXPECT_EQ(arranged(wrapped("\n\n")), wrapped("\n").substr(0, wrapped("\n").size() - 1) + "\n\n");
}

TEST(Arrangement, ParagraphsOfOneLineStayApart) {
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += "This paragraph has a length of about sixty columns, as others have.\n\n";
  EXPECT_FALSE(Arrangement::of(text));
}

TEST(Arrangement, VerseIsReadAlikeWithBlankLinesAndWithout) {
  const std::string verse = "From him I should take substance and receive";
  EXPECT_EQ(arranged(times(20, verse + "\n\n")), times(19, verse + "\n") + verse + "\n\n");
  EXPECT_FALSE(Arrangement::of(times(20, verse + "\n")));
}

TEST(Arrangement, FewShortParagraphsStayApart) {
  for (const char* text :
       {"Part one\n\nChapter one\n\nOf the sea", "One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.",
        "1 apples\n\n2 pears\n\n3 plums\n\n4 figs\n\n5 nuts"})
    EXPECT_FALSE(Arrangement::of(text)) << text;
}

const std::string kFullLine = "these words were broken into lines by a program at column 60";

TEST(Arrangement, IndentedLinesAfterSentencesBeginParagraphs) {
  const std::string paragraph = "    It is indented, and\n" + kFullLine + "\nand it ends.\n";
  EXPECT_EQ(arranged(paragraph + paragraph + "    A heading\n" + paragraph),
            paragraph + "\n" + paragraph + "\n    A heading\n\n" + paragraph);
}

TEST(Arrangement, HangingIndentsAndVerseDoNotBeginParagraphs) {
  std::string hanging, verse;
  for (int i = 0; i < 20; ++i) {
    hanging += kFullLine + "\n    where these words were broken into lines by a printer, or\n    and there\n";
    verse += "From him I should take substance\n    and receive.\n";
  }
  EXPECT_FALSE(Arrangement::of(hanging));
  EXPECT_FALSE(Arrangement::of(verse));
}

TEST(Arrangement, LinesThatMostlyEndSentencesAreParagraphs) {
  const std::string paragraph =
      "A paragraph that has more columns than the line of a printer has: nearly a hundred.\n";
  EXPECT_EQ(arranged(times(3, paragraph) + "Chapter two\n" + times(3, paragraph)),
            times(3, paragraph) + "Chapter two\n\n" + times(3, paragraph));
}

TEST(Arrangement, LinesThatMostlyEndEarlyAreParagraphsWhateverTheyEndWith) {
  const std::string speech =
      "Let us go, then, where the lime trees are, and hear what they have to say about it.\n";
  const std::string names = "Anna\n(softly)\n" + speech;
  EXPECT_EQ(arranged(times(4, names)).substr(0, 100), ("Anna\n\n(softly)\n\n" + speech).substr(0, 100));
}

TEST(Arrangement, AShortLineNearLongOnesIsAParagraphAlsoWhereBlankLinesAreBetween) {
  const std::string paragraph = times(300, "a") + "\n";
  EXPECT_EQ(arranged(paragraph + paragraph + "\nVII\nA survey\n\n" + paragraph + paragraph),
            paragraph + "\n" + paragraph + "\nVII\n\nA survey\n\n" + paragraph + "\n" + paragraph);
}

TEST(Arrangement, LinesOfAWidePrinterStayTogether) {
  const std::string line =
      "A printer that has room for a hundred columns in a line breaks nearly all of its lines after\n";
  EXPECT_FALSE(Arrangement::of(times(4, line) + "these words\n" + times(4, line)));
}

TEST(Arrangement, LongLinesAreParagraphs) {
  const std::string paragraph = times(300, "a");
  EXPECT_EQ(arranged("Chapter one\n" + paragraph + "\nChapter two\nPart"),
            "Chapter one\n\n" + paragraph + "\n\nChapter two\nPart");
}

TEST(Arrangement, TwoWiderLinesDoNotMakeTheOthersParagraphs) {
  const std::string mail = times(5, kFullLine + "\n");
  const std::string address =
      "https://example.org/a-page-whose-address-is-longer-than-the-lines-of-the-mail-around-it\n";
  EXPECT_FALSE(Arrangement::of(mail + address + mail + address + mail));
}

TEST(Arrangement, LinesThatOnlyTheirMarksEndStayAsTheyAre) {
  const std::string paragraph = times(300, "a");
  for (const std::string mark : {",", ":", "!", "?»", "...", "…”", "-"})
    EXPECT_FALSE(Arrangement::of("Chapter one" + mark + "\n" + paragraph)) << mark;
}

TEST(Arrangement, LinesFarAwayDecideNothing) {
  const std::string paragraph =
      "A paragraph that has more columns than the line of a printer has: nearly a hundred.\n";
  const std::string verse = times(2 * 20, "Whose worth's unknown, although his\nheight be taken.\n");
  const std::string near = "Chapter two\n" + times(20, paragraph);
  const std::string alone = arranged(times(20, paragraph) + near);
  const std::string with_verse = arranged(verse + times(20, paragraph) + near + verse);
  EXPECT_NE(with_verse.find(alone.substr(alone.find("Chapter"), 800)), std::string::npos);
}

/// Lines of verse, prose, notes and page numbers, each of which occurs once.
std::string mixed_lines(std::size_t count) {
  constexpr std::string_view kEnds[] = {"", ",", ".", " etc.", ":", "?"};
  constexpr std::string_view kGaps[] = {"\n", "\n", "\n", "\n    ", "\n\n", "\n\n\n"};
  std::mt19937 random(3);
  std::string text;
  std::size_t columns = 40;
  for (std::size_t i = 0; i < count; ++i) {
    if (random() % 12 == 0) columns = 20 + random() % 3 * 50;
    if (random() % 40 == 0) text += "\n" + std::to_string(i % 1'000) + "\n\n";
    std::string line = "line" + std::to_string(i);
    while (line.size() + 8 < columns) line += " and" + times(random() % 6, "a");
    text += line + std::string(kEnds[random() % 6]) + std::string(kGaps[random() % 6]);
  }
  return text;
}

TEST(Arrangement, PartsOfATextAreArrangedLikeTheWholeButForTheLinesNearTheirEdges) {
  constexpr std::size_t kLines = 300, kEdge = kNearLines + 2;
  const std::string text = mixed_lines(kLines), whole = arranged(text);
  const auto begin_of = [](const std::string& in, std::size_t line) {
    return in.find("line" + std::to_string(line) + " ");
  };
  ASSERT_NE(whole, text);
  for (std::size_t first = 0; first + 2 * kEdge + 10 < kLines; first += 7) {
    const std::size_t last = std::min(first + 100, kLines - 1);
    const std::string part = arranged(
        std::string_view(text).substr(begin_of(text, first), begin_of(text, last) - begin_of(text, first)));
    const auto inside = [&](const std::string& in) {
      const std::size_t begin = begin_of(in, first + kEdge);
      return in.substr(begin, begin_of(in, last - kEdge) - begin);
    };
    EXPECT_EQ(inside(part), inside(whole)) << "from line " << first;
  }
}

TEST(Arrangement, APartThatBeginsInsideALineHasTheParagraphsOfTheWhole) {
  const std::string whole = times(6,
                                  "       The first line of a paragraph has five columns more than\n"
                                  "  the others, which have two, and the last one of them is not as\n"
                                  "  full as they are, so it is.\n");
  const std::string begin = whole.substr(0, 30);
  EXPECT_EQ(begin + arranged(whole.substr(begin.size())), arranged(whole));
}

TEST(Arrangement, MarksOfQuotationAreRemovedFromLinesBesideOthers) {
  EXPECT_EQ(arranged("He wrote:\n> One\n>> two\n>\n> three\nYes"), "He wrote:\nOne\ntwo\n\nthree\nYes");
  EXPECT_FALSE(Arrangement::of("> One\nand\n> two\n\n> three"));
}

/// The text of a page, whose last line ends inside a sentence.
std::string page_of(int number) {
  std::string lines = std::to_string(number) + "th page has lines and\n";
  for (int line = 0; line < 9; ++line) lines += "each of them goes on where the one before it ended, and\n";
  return lines + "its last one ends inside " + std::to_string(number) + " words";
}

TEST(Arrangement, PageNumbersAndRunningHeadsAreRemoved) {
  std::string text, expected;
  for (int page = 17; page < 21; ++page) {
    const std::string lines = page_of(page);
    text += (page > 17 ? "\n\n" + std::to_string(page) + "\n\nThe Head\n\n" : "") + lines;
    expected += (page > 17 ? "\n" : "") + lines;
  }
  EXPECT_EQ(arranged(text), expected);
}

TEST(Arrangement, ANumberAloneBetweenLinesOfTextIsRemovedWithoutOthers) {
  const std::string inside = "the page ends inside of this sentence, which\n", next = "goes on";
  EXPECT_EQ(arranged(inside + "\n- 343 -\n\n" + next), inside + next);
  EXPECT_EQ(arranged("Part two\n\n3\n\n" + inside), "Part two\n\n" + inside);
  EXPECT_EQ(arranged("The chapter ends.\n\n4\n\n" + inside), "The chapter ends.\n\n" + inside);
}

TEST(Arrangement, YearsAndNumbersBesideOthersStay) {
  const std::string line = "a line of a text that has more than thirty columns\n";
  for (const std::string& text : {line + "1833\n" + line, line + "12\n" + line + "14\n" + line,
                                  std::string("Total\n\n100\n\nThanks"), line + "5"})
    EXPECT_FALSE(Arrangement::of(text)) << text;
}

TEST(Arrangement, NumbersOfNotesStay) {
  std::string text;
  for (int note = 1; note < 9; ++note)
    text += "\n\n" + std::to_string(note) + "\n\nA note that ends inside " + std::to_string(note) + " words";
  EXPECT_FALSE(Arrangement::of(text));
}

TEST(Arrangement, ChapterNumbersStay) {
  std::string text;
  for (int chapter = 1; chapter < 6; ++chapter)
    text += std::to_string(chapter) + "\n\nA chapter that ends.\n\n";
  EXPECT_FALSE(Arrangement::of(text));
}

TEST(Arrangement, LineNumbersOfWrappedLinesAreRemoved) {
  EXPECT_EQ(arranged(wrapped("\n", "  ")), wrapped("\n"));
}

TEST(Arrangement, NumbersOfListsAndTablesStay) {
  std::string list, table;
  for (int i = 1; i < 14; ++i) {
    list += std::to_string(i) + "  An item of the list, which is a sentence.\n";
    table += std::to_string(1840 + i) + "    164,817\n";
  }
  EXPECT_FALSE(Arrangement::of(list));
  EXPECT_FALSE(Arrangement::of(table));
}

TEST(Arrangement, FootnoteMarksAreRemoved) {
  EXPECT_EQ(arranged("Он пошёл домой.[12] Потом"), "Он пошёл домой. Потом");
  EXPECT_EQ(arranged("домой¹ и «там»²³, [1] и [a]"), "домой и «там», [1] и [a]");
  EXPECT_EQ(arranged("word[1][2]."), "word.");
}

TEST(Arrangement, SquaresAndCubesAreNotFootnotes) {
  for (const char* text : {"5 км²", "10³", "x²", "см³", "array [12]", "²³⁵U"})
    EXPECT_FALSE(Arrangement::of(text)) << text;
}

TEST(Arrangement, LetterspacedWordsAreJoined) {
  EXPECT_EQ(arranged("это т\u2009е\u2009к\u2009с\u2009т там"), "это текст там");
  EXPECT_EQ(arranged("это т.е.к.с.т."), "это текст.");
  EXPECT_EQ(arranged("т е к с т   и   с л о в о"), "текст   и   слово");
  EXPECT_EQ(arranged("I   d o n ' t   b e g i n"), "I   don't   begin");
  const std::string book = times(20'000, "слово ");
  EXPECT_EQ(arranged(book + "т\u2009е\u2009к\u2009с\u2009т").substr(book.size()), "текст");
}

TEST(Arrangement, ShortSpacedWordsAreJoinedWhereAWordIn400IsSpacedClearly) {
  const std::string words = times(300, "другие   слова   и   ");
  const auto joined = [&](const std::string& spaced) {
    return arranged(words + spaced).substr(words.size());
  };
  EXPECT_EQ(joined("т\u2009е\u2009к\u2009с\u2009т   и\u2009х т\u2009е\u2009к\u2009с\u2009т "
                   "т\u2009о\u2009л\u2009п\u2009а"),
            "текст   их текст толпа");
  EXPECT_EQ(joined("т е к с т   и х   т о л п а,   и   к р о в ь"), "текст   их   толпа,   и   кровь");
  EXPECT_EQ(joined("т е к с т   и в дом.   А я иду   т о л п а   к р о в ь"),
            "текст   и в дом.   А я иду   толпа   кровь");
  EXPECT_EQ(joined("Ш\u00a0у\u00a0й\u00a0с\u00a0к\u00a0и\u00a0й. и\u00a0в\u00a0дом. Ц\u00a0а\u00a0р\u00a0ь. "
                   "К\u00a0н\u00a0я\u00a0з\u00a0ь. Г\u00a0о\u00a0д\u00a0у\u00a0н\u00a0о\u00a0в."),
            "Шуйский. и\u00a0в\u00a0дом. Царь. Князь. Годунов.");
  EXPECT_EQ(arranged("К\u00a0н\u00a0я\u00a0з\u00a0ь и\u00a0в\u00a0дом. Ц\u00a0а\u00a0р\u00a0ь."),
            "Князь и\u00a0в\u00a0дом. Царь.");
  const std::string few = times(600, "другие   слова   и   ");
  EXPECT_EQ(arranged(few + "т\u2009е\u2009к\u2009с\u2009т и\u2009х").substr(few.size()), "текст и\u2009х");
}

TEST(Arrangement, WordsStoredBackwardsUnderAnOverrideAreReversed) {
  EXPECT_EQ(arranged("Это \u202Eовелс\u202C, да."), "Это слево, да.");
  EXPECT_EQ(arranged("\u202Eяаротв ,dna .1 яавреП\nabc"), "Первая 1. and, вторая\nabc");
  EXPECT_EQ(arranged("сло\u202Eов"), "слово");
  EXPECT_EQ(arranged("\u202E\u0438\u0306а\u202C"), "аи\u0306") << "a letter keeps its marks";
}

TEST(Arrangement, WhatAnOverrideDoesNotReverseStaysAsItIs) {
  for (const char* text : {"\u202D123 abc\u202C", "\u202E\u05d0\u05d1\u202C", "\u202Ea \u05d0 b\u202C",
                           "\u202E12 a\u202C", "\u2067abc\u2069", "abc\u202C", "\u202E\n"})
    EXPECT_FALSE(Arrangement::of(text)) << text;
}

TEST(Arrangement, PlacesInARunStoredBackwardsCountFromItsStartAndCutNoCharacter) {
  const std::string_view text = "а \u202Eцba яа\u202C б";  // reads: а ая abц б
  const auto arrangement = Arrangement::of(text);
  ASSERT_TRUE(arrangement);
  ASSERT_EQ(arrangement->text(), "а ая abц б");
  Arrangement::Places places(*arrangement);
  EXPECT_EQ(places.original({2, 4}), (TextRange{3, 5}));
  EXPECT_EQ(places.original({5, 8}), (TextRange{6, 9}));
  EXPECT_EQ(places.original({9, 10}), (TextRange{11, 12}));
  std::string joined;
  for (std::string_view rest = arrangement->text(); !rest.empty();) {
    std::size_t at = 0;
    static_cast<void>(next_code_point(rest, at));
    joined += places.original(rest.substr(0, at));
    rest.remove_prefix(at);
  }
  EXPECT_EQ(joined, "а цba яа б");
}

TEST(Arrangement, TheDictionaryDividesSpacedWordsWithoutWiderGaps) {
  struct Words final : SentenceSink {
    std::size_t count = 0;
    void on_sentence(const Sentence& sentence) override { count += sentence.words.size(); }
  } words;
  ASSERT_TRUE(scan_text("речь и т е к с т е там", *tiny_dictionary("речь и тексте там"), words).has_value());
  EXPECT_EQ(words.count, 4U);
}

TEST(Arrangement, WordsBrokenAtMostLineEndsAreJoined) {
  EXPECT_EQ(arranged(times(10, "Хей-\nртон был с-\r\nын. ")), times(10, "Хейртон был сын. "));
  EXPECT_EQ(arranged(times(10, "sitting-ro-\nom a\n")), times(10, "sitting-room a\n"));
}

TEST(Arrangement, HyphensAtFewLineEndsAndBesideOthersThanLettersStay) {
  for (const std::string& text :
       {times(9, "Хей-\nртон "), times(10, "Хей-\nртон\nбыл\nтам\n"), times(30, "А 5-\nлетний "),
        times(30, "вот -\nчто "), times(30, "строка-\n\nдругая ")})
    EXPECT_FALSE(Arrangement::of(text)) << text;
}

TEST(Arrangement, LettersBetweenHyphensAreNotLetterspaced) {
  struct Letters final : SentenceSink {
    std::vector<std::string> words;
    void on_sentence(const Sentence& sentence) override {
      for (const Word& word : sentence.words) words.push_back(to_utf8(word.letters));
    }
  };
  const auto dictionary = tiny_dictionary("a agent leman gentleman");
  const auto words = [&](std::string_view text) {
    Letters letters;
    EXPECT_TRUE(scan_text(text, *dictionary, letters).has_value());
    return letters.words;
  };
  EXPECT_EQ(words("a g e n t l e m a n"), (std::vector<std::string>{"a", "gentleman"}));
  EXPECT_EQ(words("a-g-e-n-t-l-e-m-a-n"), (std::vector<std::string>{"agent", "leman"}));
}

TEST(Arrangement, ListsAbbreviationsAndSingleWordsAreNotLetterspaced) {
  for (const char* text : {"а б в г д е", "и я с ним", "U.S.S.R.A. is", "т. е. к. с. т."})
    EXPECT_FALSE(Arrangement::of(text)) << text;
}

TEST(Arrangement, RangesAreThoseOfTheOriginal) {
  const auto sentences = split_sentences("Домой.[12] По т.е.к.с.т.у¹ идти.");
  ASSERT_TRUE(sentences.has_value());
  EXPECT_EQ(*sentences, (std::vector<TextRange>{{0, 6}, {11, 32}}));
}

}  // namespace
}  // namespace akin
