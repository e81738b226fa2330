#include "server/check/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "tests/support/built.h"

namespace akin::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> references_of(std::string_view text) {
  std::vector<std::string> found;
  for (const Reference& one : find_references(text))
    found.emplace_back(slice_code_points(text, one.range.begin, one.range.end));
  return found;
}

Citation citation_of(std::string_view text, TextRange passage) {
  std::vector<Source> sources(1);
  sources[0].passages.push_back({.a = passage, .b = {}});
  note_citations({text, Letters(text)}, sources);
  return sources[0].citations.at(0);
}

TEST(References, AreFoundByTheirForm) {
  EXPECT_THAT(
      references_of("A [12], B [3, p. 45], C (Smith, 2019: 5), D (vgl. Müller 2010), Smith (2019), E.³"),
      ElementsAre("[12]", "[3, p. 45]", "(Smith, 2019: 5)", "(vgl. Müller 2010)", "(2019)", "³"));
  EXPECT_THAT(references_of("Так, см. Иванов 2019, с. 5. Там же."),
              ElementsAre("см. Иванов 2019, с. 5. Там же."));
  EXPECT_THAT(references_of("Ibid. (там же, с. 7)"), ElementsAre("Ibid.", "(там же, с. 7)"));
}

TEST(References, OtherBracketsAndNumbersAreNone) {
  EXPECT_THAT(references_of("[sic] […] [a+b] (1799–1837) (born in 1799) (see below) 20 m² 10² In 1812 a"),
              IsEmpty());
}

TEST(References, AreAPageAndAPlaceInAWork) {
  EXPECT_THAT(references_of("A (p. 196), B (с. 12–14), C (Il. xxiii. 288), D (Мф. 5:3)."),
              ElementsAre("(p. 196)", "(с. 12–14)", "(Il. xxiii. 288)", "(Мф. 5:3)"));
  EXPECT_THAT(references_of("(see p. 277 and Fig. 443) (Fig. 26, p. 45) (page) (p. x) (12:30) (Vol. two)"),
              IsEmpty());
}

/// The range of the only word with the letter in a text of ASCII.
TextRange range_of(std::string_view text, char letter) {
  const auto begin = static_cast<std::uint32_t>(text.find(letter));
  return {begin, static_cast<std::uint32_t>(text.rfind(letter)) + 1};
}

TEST(References, ANoteBelongsToItsSentence) {
  const std::vector<std::pair<std::string, bool>> texts = {
      {"Zzzz zzz.[12] It rained.", true},
      {"\"Zzzz zzz,\" said J. Smith.[12] It rained.", true},
      {"As Prof. Smith [12] says, zzzz zzz.", true},
      {"Zzzz zzz. It rained.[12]", false},
      {"It rained.[12] Zzzz zzz.", false},
      {"It rained.\n[12] \"Zzzz zzz.\"", false},
      {"It rained, zzzz zzz (Smith 2019).", true},
      {"Zzzz zzz. Smith (2019) has it.", true},
  };
  for (const auto& [text, is] : texts) {
    const char letter = text.find('Z') == std::string::npos ? 'z' : 'Z';
    TextRange passage = range_of(text, letter);
    passage.end = range_of(text, 'z').end;
    EXPECT_EQ(citation_of(text, passage).referenced, is) << text;
  }
}

TEST(References, AreNearThePassageInItsParagraph) {
  const std::string passage(50, 'a'), far(160, 'b');
  EXPECT_TRUE(citation_of(passage + " [1]", {0, 50}).referenced);
  EXPECT_TRUE(citation_of("[1] " + passage, {4, 54}).referenced);
  EXPECT_FALSE(citation_of(passage + far + " [1]", {0, 50}).referenced);
  EXPECT_FALSE(citation_of(passage + "\n\n[1]", {0, 50}).referenced);
  EXPECT_FALSE(citation_of("[1]\n\n" + passage, {5, 55}).referenced);
  EXPECT_FALSE(citation_of(passage + far + "[1]" + far, {0, 373}).referenced) << "of the source itself";
}

/// One line of tests/data/references/passages.txt.
struct Labelled {
  std::string text;
  TextRange passage;
  Citation citation;
};

Labelled labelled_of(std::string_view line) {
  const auto fields = split(line, '|');
  const std::string_view text = fields.at(3);
  const std::size_t begin = text.find('{'), end = text.find('}');
  Labelled labelled;
  labelled.text = std::string(text.substr(0, begin)) + std::string(text.substr(begin + 1, end - begin - 1)) +
                  std::string(text.substr(end + 1));
  labelled.passage.begin = static_cast<std::uint32_t>(count_code_points(text.substr(0, begin)));
  labelled.passage.end = static_cast<std::uint32_t>(count_code_points(text.substr(0, end)) - 1);
  labelled.citation = {fields[1] == "quoted", fields[2] == "reference"};
  return labelled;
}

/// How the rule agrees with a file of labelled passages; the lines that it gets wrong go to the output.
struct Agreement {
  int passages = 0, referenced = 0, right = 0, wrong = 0;
};

Agreement agreement_with(const char* name, bool quotations) {
  std::ifstream file(test::source_folder() / "tests/data/references" / name);
  Agreement all;
  for (std::string line; std::getline(file, line);) {
    const Labelled labelled = labelled_of(line);
    const Citation citation = citation_of(labelled.text, labelled.passage);
    if (quotations) {
      EXPECT_EQ(citation.quoted, labelled.citation.quoted) << line;
    }
    ++all.passages;
    all.referenced += labelled.citation.referenced ? 1 : 0;
    all.right += citation.referenced && labelled.citation.referenced ? 1 : 0;
    all.wrong += citation.referenced && !labelled.citation.referenced ? 1 : 0;
    if (citation.referenced != labelled.citation.referenced) std::cout << "wrong: " << line << "\n";
  }
  std::cout << name << ": " << all.right << " of " << all.referenced << " references found, " << all.wrong
            << " of " << all.passages - all.referenced << " others wrong\n";
  return all;
}

TEST(References, AgreeWithTheLabelledPassages) {
  const Agreement written = agreement_with("passages.txt", true);
  EXPECT_EQ(written.referenced, 50);
  EXPECT_GE(written.right, 48);
  EXPECT_LE(written.wrong, 1);
}

/// Passages of printed books, whose paragraphs are cut: an ASCII quotation mark may lack its partner.
TEST(References, AgreeWithPassagesOfTheCorpora) {
  const Agreement printed = agreement_with("corpora.txt", false);
  EXPECT_EQ(printed.passages, 81);
  EXPECT_EQ(printed.referenced, 31);
  EXPECT_GE(printed.right, 28);
  EXPECT_LE(printed.wrong, 1);
}

}  // namespace
}  // namespace akin::check
