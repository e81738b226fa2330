// The sentence rule on rows of text, and what must not change its answers: letter case, the kind of quotation
// marks and dashes, white space, text farther away.
#include "morph/sentences/boundary.h"

#include <gtest/gtest.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "morph/sentences/boundary_lexicon.h"
#include "tests/support/built.h"
#include "tests/support/sentences.h"

namespace akin {
namespace {

struct BoundaryRow {
  const char* language;
  const char* marked;  ///< the text, with | where a sentence ends inside it
};

// clang-format off
const BoundaryRow kRows[] = {
    // A full stop after a usual word.
    {"ru", "Наступила зима.| Выпал снег."},
    {"uk", "Настала зима.| Випав сніг."},
    {"en", "Winter came.| Snow fell."},
    {"de", "Der Winter kam.| Schnee fiel."},
    {"hu", "Megjött a tél.| Leesett a hó."},
    {"pl", "Przyszła zima.| Spadł śnieg."},
    {"cs", "Přišla zima.| Napadl sníh."},
    // Footnote signs after the mark belong to the sentence.
    {"ru", "Наступила зима.*| Выпал снег."},
    {"en", "“Winter came.”†| Snow fell.**"},
    // Abbreviations that belong to what follows.
    {"ru", "Мы жили на ул. Садовой близ храма св. Николая."},
    {"ru", "Слово это (см. выше, напр. у Даля) происходит от лат. корня."},
    {"ru", "В романе, т. е. в первой части, т. к. второй нет, о том ни слова."},
    {"uk", "Вони жили на вул. Садовій, див. рис. 5, напр. у листах."},
    {"en", "We saw Mr. Smith and Dr. Jones at St. Mary's, i.e. in town, e.g. on Monday."},
    {"de", "Das gilt z. B. für Dr. Müller, d. h. bzw. vgl. oben ca. drei Tage."},
    {"hu", "Ezt dr. Kovács ún. kísérlete, pl. özv. Nagyné esete mutatja."},
    {"pl", "Mieszkał przy ul. Długiej, np. u św. Anny, tzn. blisko ks. proboszcza."},
    {"cs", "Bydlel u sv. Jiří, např. v tzv. starém domě, tj. v ul. Dlouhé."},
    // Abbreviations before a number, and the same letters as words.
    {"ru", "Смотри рис. 5 и табл. 2 на стр. 17 в гл. IV."},
    {"en", "See fig. 5 and vol. 2, no. 17, p. 4."},
    {"en", "He said no.| She said yes."},
    {"de", "Siehe Abb. 5 in Bd. 2, Nr. 17."},
    {"pl", "Zob. rys. 5, str. 17 i nr 2, ok. 10 osób."},
    // Abbreviations that may end a sentence: the word after them decides.
    {"ru", "Книга вышла впервые в 1990 г.| Однако успеха она не имела."},
    {"ru", "Он родился в 1950 г. близ Тулы."},
    {"ru", "В 1990 г. он уехал."},
    {"ru", "Купили хлеб, соль, спички и т. д.| Вечером вернулись домой."},
    {"ru", "Там росли дубы, клены и т. п. и всякий кустарник."},
    {"ru", "Он вложил в дело 5 млн. рублей и 30 тыс. долларов."},
    {"uk", "Книга вийшла друком у 1990 р.| Проте успіху не мала."},
    {"uk", "Купили хліб, сіль, сірники і т. д.| Увечері повернулися додому."},
    {"en", "They sold apples, pears, etc.| Then they went home."},
    {"en", "They sold apples, pears, etc. and went home."},
    {"en", "He works for Acme Inc.| The company is large."},
    {"en", "He works for Acme Inc. in Boston."},
    {"en", "We met at 5 p.m.| The sun was low."},
    {"de", "Sie verkauften Äpfel, Birnen usw.| Dann gingen sie heim."},
    {"de", "Sie verkauften Äpfel usw. und gingen heim."},
    {"hu", "Almát, körtét stb.| Azután hazamentek."},
    {"hu", "A cég, a Magyar Bank Rt. tegnap közölte."},
    {"pl", "Kupili jabłka, gruszki itd.| Potem wrócili do domu."},
    {"cs", "Koupili jablka, hrušky atd.| Potom šli domů."},
    // Units take no full stop of their own.
    {"ru", "Длина дороги 35 км.| Мост недалеко."},
    {"uk", "Держава виділила на це 87,2 млрд грн.| Загалом цього вистачить."},
    {"uk", "Вони заплатили 5 млн грн. Іванову за хату."},
    {"en", "The road is 35 km.| Bridges are few."},
    {"pl", "Trwało to 23 lat.| Siarka została."},
    // Initials.
    {"ru", "Стихи А. С. Пушкина читал В.И. Качалов."},
    {"uk", "Твори Т. Г. Шевченка читав І. Франко."},
    {"en", "The books of J. R. R. Tolkien and C.S. Lewis."},
    {"de", "Die Werke von J. S. Bach und E. T. A. Hoffmann."},
    {"hu", "J. S. Bach művei."},
    {"ru", "Это сделал я.| Никто не видел."},
    // Decimals, dates, ordinals, numbers of lists, versions, addresses.
    {"en", "It costs 3.50 now and 1.000 later.| Nobody buys."},
    {"ru", "Это было 12.05.1998 и 3.14 раза."},
    {"de", "Am 3. Oktober 1990 und im 19. Jahrhundert, beim 5. Versuch."},
    {"de", "Er kam im Jahr 1990.| Niemand war da."},
    {"hu", "Az 1998. január 5-én, a 2000. évi és az 5. kerületi lap."},
    {"hu", "Ez volt a XIX. század második fele."},
    {"cs", "Bylo to 5. května v 19. století."},
    {"pl", "Przyszedł 5. maja."},
    {"ru", "Это случилось в 1812.| Москва горела."},
    {"en", "They came in 1812.| Moscow burned."},
    {"ru", "1. Купить хлеба."},
    {"en", "II. The second part."},
    {"en", "a) bread b) salt."},
    {"en", "Version 2.0.1 is at www.example.org and me@mail.example.com today."},
    // Ellipses.
    {"ru", "Он ушел...| Больше его не видели."},
    {"en", "He left...| Nobody saw him again."},
    {"en", "He left . . .| Nobody saw him again."},
    {"en", "The text (...) goes on."},
    // Several marks.
    {"ru", "Что это?!| Не знаю!!!| Вот так."},
    {"en", "What?!| Really!!!| Fine."},
    // Direct speech.
    {"ru", "«Куда?» — спросил он."},
    {"ru", "— Куда ты? — тихо спросил он. |— Домой."},
    {"ru", "— Стой! — закричала она и побежала."},
    {"ru", "Что делать?| Думаю, надо ждать."},
    {"uk", "«Куди?» — спитав він."},
    {"uk", "— Стій! — крикнула вона й побігла."},
    {"en", "“Where to?” he said."},
    {"en", "“Where to?” asked the old man."},
    {"en", "“Where to?”| The old man slept."},
    {"de", "„Wohin?“ fragte er."},
    {"de", "„Wohin?“| Der Alte schlief."},
    {"hu", "– Hová? – kérdezte az öreg."},
    {"hu", "A „Ki az úr?” című darab."},
    {"pl", "— Dokąd? — zapytał stary."},
    {"cs", "„Kam?“ ptal se starý."},
    {"en", "“I am going.”| The old man slept."},
    {"ru", "«Я иду».| Старик спал."},
    {"ru", "— Да, — сказал он. |— Пойдем."},
    // Brackets.
    {"ru", "Он пришел (поздно!) и лег."},
    {"en", "He came (late?) and slept."},
    {"en", "He slept.| (It was late!)| Nobody came."},
    {"en", "He slept (it was late).| Nobody came."},
    {"en", "It is true (!) and known."},
    // Marks that cannot begin a sentence.
    {"en", "Yahoo!, they said; why?, they asked."},
    {"en", "They said yes. :)| Nobody laughed."},
    // Other scripts.
    {"el", "Ήρθε ο χειμώνας.| Έπεσε χιόνι."},
    {"hi", "सर्दी आई।| बर्फ गिरी।"},
    {"ja", "冬が来た。|雪が降った。"},
};
// clang-format on

std::u32string fold(const std::u32string& text) {
  const auto* const code_points = reinterpret_cast<const UChar32*>(text.data());
  icu::UnicodeString folded =
      icu::UnicodeString::fromUTF32(code_points, static_cast<std::int32_t>(text.size()));
  folded.foldCase();
  std::string utf8;
  return to_utf32(folded.toUTF8String(utf8));
}

/// The text of a row, folded, and the boundaries inside it. Blanks around a boundary belong to neither side.
struct Expected {
  std::u32string block;
  std::vector<std::size_t> ends;
};

Expected expected_of(const BoundaryRow& row) {
  Expected expected;
  for (const char32_t c : fold(to_utf32(row.marked))) {
    if (c == U'|') {
      std::size_t end = expected.block.size();
      while (end > 0 && expected.block[end - 1] == U' ') --end;
      expected.ends.push_back(end);
    } else {
      expected.block += c;
    }
  }
  return expected;
}

std::vector<std::size_t> ends_of(std::u32string_view block) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!is_terminator(block[i])) continue;
    const auto end = sentence_end(block, i);
    if (end && *end < block.size()) ends.push_back(*end);
  }
  return ends;
}

/// The letters and digits of each sentence, folded: the rest when case, marks and white space do not count.
std::vector<std::string> words_of_sentences(const std::string& utf8) {
  std::vector<std::string> sentences;
  const auto ranges = split_sentences(utf8);
  EXPECT_TRUE(ranges.has_value());
  for (const TextRange& range : *ranges) {
    const std::u32string sentence = fold(to_utf32(slice_code_points(utf8, range.begin, range.end)));
    std::string words;
    for (const char32_t c : sentence)
      if (u_isalnum(static_cast<UChar32>(c)) != 0) append_utf8(words, c);
    sentences.push_back(words);
  }
  return sentences;
}

std::string text_of(const BoundaryRow& row) {
  std::string text = row.marked;
  std::erase(text, '|');
  return text;
}

std::string replaced(std::string text, const std::vector<std::string>& from, const std::string& to) {
  for (const std::string& old : from)
    for (std::size_t i = text.find(old); i != std::string::npos; i = text.find(old, i + to.size()))
      text.replace(i, old.size(), to);
  return text;
}

TEST(BoundaryRows, SplitsWhereMarked) {
  for (const BoundaryRow& row : kRows) {
    SCOPED_TRACE(std::string(row.language) + ": " + row.marked);
    const Expected expected = expected_of(row);
    EXPECT_EQ(ends_of(expected.block), expected.ends);
  }
}

std::string upper_case(const std::string& text) {
  std::string upper;
  return icu::UnicodeString::fromUTF8(text).toUpper(icu::Locale::getRoot()).toUTF8String(upper);
}

std::string lower_case(const std::string& text) {
  std::string lower;
  return icu::UnicodeString::fromUTF8(text).toLower(icu::Locale::getRoot()).toUTF8String(lower);
}

TEST(BoundaryRows, SplitsAlikeInUpperAndLowerCase) {
  for (const BoundaryRow& row : kRows) {
    SCOPED_TRACE(std::string(row.language) + ": " + row.marked);
    const std::string text = text_of(row);
    EXPECT_EQ(words_of_sentences(upper_case(text)), words_of_sentences(text));
    EXPECT_EQ(words_of_sentences(lower_case(text)), words_of_sentences(text));
  }
}

TEST(BoundaryRows, SplitsAlikeWithAnyQuotationMarks) {
  for (const BoundaryRow& row : kRows) {
    SCOPED_TRACE(std::string(row.language) + ": " + row.marked);
    const std::vector<std::string> quotes = {"«", "»", "„", "“", "”"};
    const std::string text = text_of(row);
    for (const char* other : {"\"", "«", "»", "„", "“", "”", "‘", "’", "''"})
      EXPECT_EQ(words_of_sentences(replaced(text, quotes, other)), words_of_sentences(text)) << other;
  }
}

TEST(BoundaryRows, SplitsAlikeWithAnyDashes) {
  for (const BoundaryRow& row : kRows) {
    SCOPED_TRACE(std::string(row.language) + ": " + row.marked);
    const std::string text = text_of(row);
    for (const char* other : {"—", "–", "-", "--", "―"})
      EXPECT_EQ(words_of_sentences(replaced(text, {"—", "–"}, other)), words_of_sentences(text)) << other;
  }
}

TEST(BoundaryRows, SplitsAlikeWithAnyWhiteSpace) {
  for (const BoundaryRow& row : kRows) {
    SCOPED_TRACE(std::string(row.language) + ": " + row.marked);
    const std::string text = text_of(row);
    for (const char* other : {"  ", "\n", "\r\n", "\t", "\u00a0", "\u2009", " \n   "})
      EXPECT_EQ(words_of_sentences(replaced(text, {" "}, other)), words_of_sentences(text)) << other;
  }
}

TEST(BoundaryRows, SplitsAlikeInsideALongerParagraph) {
  for (const BoundaryRow& row : kRows) {
    SCOPED_TRACE(std::string(row.language) + ": " + row.marked);
    const Expected expected = expected_of(row);
    for (const std::u32string before :
         {U"там стоял старый дом. ", U"really?! ", U"(siehe oben.) ", U"mondta. "}) {
      const std::u32string block = before + expected.block + U" nobody lived there.";
      std::vector<std::size_t> inside;
      for (const std::size_t end : ends_of(block))
        if (end > before.size() && end < before.size() + expected.block.size())
          inside.push_back(end - before.size());
      EXPECT_EQ(inside, expected.ends) << to_utf8(before);
    }
  }
}

std::u32string all_rows() {
  std::u32string text;
  for (const BoundaryRow& row : kRows) text += expected_of(row).block + U' ';
  return text;
}

TEST(SentenceEnd, IgnoresWhatStandsFartherThanTheWindow) {
  const std::u32string text = all_rows();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_terminator(text[at])) continue;
    const std::size_t from = at > kBoundaryWindow ? at - kBoundaryWindow : 0;
    const auto sight = text.substr(from, at - from + kBoundaryWindow);
    const auto whole = sentence_end(text, at);
    for (const std::u32string other : {U"", U"dr. ", U"?! — (", U"5"}) {
      const bool first = from == 0, last = at + kBoundaryWindow >= text.size();
      const std::u32string block = (first ? U"" : other) + sight + (last ? U"" : other);
      const std::size_t shift = first ? 0 : other.size();
      const auto end = sentence_end(block, at - from + shift);
      ASSERT_EQ(end ? *end + from - shift : 0, whole.value_or(0))
          << "at " << at << " beside " << to_utf8(other);
    }
  }
}

TEST(SentenceEnd, AnswersAtTheFirstMarkOfARunOnly) {
  EXPECT_EQ(sentence_end(U"was?! ja", 3), 5U);
  EXPECT_EQ(sentence_end(U"was?! ja", 4), std::nullopt);
}

TEST(SentenceEnd, DoesNotEndBeforeAnyWord) {
  EXPECT_EQ(sentence_end(U"...и тогда он ушел.", 0), std::nullopt);
}

TEST(SentenceEnd, TakesClosingMarksAlong) { EXPECT_EQ(sentence_end(U"(er kam.\") nie", 7), 10U); }

TEST(SentenceEnd, EndsAtTheEndOfTheParagraph) {
  EXPECT_EQ(sentence_end(U"usw.", 3), 4U);
  EXPECT_EQ(sentence_end(U"dr.", 2), 3U);
}

TEST(SentenceEnd, StaysInsideAnyBlock) {
  const std::u32string marks = U".!?…\"»)( -—x1 я:\n";
  std::uint32_t state = 1;
  for (int round = 0; round < 20000; ++round) {
    std::u32string block;
    for (std::uint32_t length = 1 + state % 12; block.size() < length;) {
      state = state * 1664525U + 1013904223U;
      block += marks[(state >> 16) % marks.size()];
    }
    for (std::size_t at = 0; at < block.size(); ++at) {
      if (!is_terminator(block[at])) continue;
      const auto end = sentence_end(block, at);
      if (end) {
        ASSERT_GT(*end, at);
        ASSERT_LE(*end, block.size());
      }
    }
  }
}

/// The sentences of a treebank as one paragraph; empty without corpora.
std::string joined_treebank(const char* name) {
  const char* given = std::getenv("AKIN_CORPORA");
  std::ifstream in(
      (given != nullptr ? std::string(given) : (test::source_folder() / "build/corpora/corpora").string()) +
      "/ud/" + name);
  constexpr std::string_view kText = "# text = ";
  std::string text, line;
  while (std::getline(in, line))
    if (line.starts_with(kText)) text.append(line, kText.size()).append(" ");
  return text;
}

class BoundaryTreebank : public testing::TestWithParam<const char*> {};

TEST_P(BoundaryTreebank, SplitsAlikeInUpperAndLowerCase) {
  const std::string text = joined_treebank(GetParam());
  if (text.empty()) GTEST_SKIP() << "no corpora: set AKIN_CORPORA";
  const std::vector<std::string> sentences = words_of_sentences(text);
  EXPECT_EQ(words_of_sentences(upper_case(text)), sentences);
  EXPECT_EQ(words_of_sentences(lower_case(text)), sentences);
}

INSTANTIATE_TEST_SUITE_P(Ud, BoundaryTreebank,
                         testing::Values("ru_gsd-ud-dev.conllu", "ru_taiga-ud-dev.conllu",
                                         "uk_iu-ud-dev.conllu", "de_gsd-ud-dev.conllu",
                                         "hu_szeged-ud-dev.conllu", "en_ewt-ud-dev.conllu"));

TEST(BoundaryLexicon, KnowsAbbreviationsWithAndWithoutHyphens) {
  const BoundaryLexicon& lexicon = BoundaryLexicon::instance();
  EXPECT_NE(lexicon.uses(U"г-н") & kLeads, 0);
  EXPECT_NE(lexicon.uses(U"гн") & kLeads, 0);
  EXPECT_NE(lexicon.uses(U"т.д") & kOftenEnds, 0);
  EXPECT_EQ(lexicon.uses(U"снег"), kNoUse);
}

TEST(BoundaryLexicon, KnowsWordsUnderAccentsAndDigits) {
  const BoundaryLexicon& lexicon = BoundaryLexicon::instance();
  EXPECT_EQ(lexicon.uses(U"mŕ"), lexicon.uses(U"mr"));
  EXPECT_EQ(lexicon.uses(U"t\u0301.d\u030a"), lexicon.uses(U"t.d"));
  EXPECT_NE(lexicon.uses(U"mŕ") & kLeads, 0);
  EXPECT_EQ(lexicon.uses(U"r3plied"), lexicon.uses(U"replied"));
}

TEST(BoundaryLexicon, KnowsBeginningsAndEndings) {
  const BoundaryLexicon& lexicon = BoundaryLexicon::instance();
  EXPECT_TRUE(lexicon.begins(U"jahrhunderts", kAfterOrdinal));
  EXPECT_FALSE(lexicon.begins(U"jahr", kAfterOrdinal));
  EXPECT_TRUE(lexicon.ends(U"побежала", kAuthorAfterDash));
  EXPECT_FALSE(lexicon.ends(U"ла", kAuthorAfterDash));
}

}  // namespace
}  // namespace akin
