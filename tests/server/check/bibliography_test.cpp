#include "server/check/bibliography.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace akin::check {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> lists(std::string_view text) {
  std::vector<std::string> found;
  for (const TextRange& range : find_bibliographies(text)) {
    found.emplace_back(slice_code_points(text, range.begin, range.end));
  }
  return found;
}

class Heading : public ::testing::TestWithParam<const char*> {};

TEST_P(Heading, BeginsAListThatGoesToTheEnd) {
  const std::string list = std::string(GetParam()) + "\n1. Ivanov I. A book.\n\n2. Another.";
  EXPECT_THAT(lists("Text.\n" + list + "\n\n"), ElementsAre(list));
}

INSTANTIATE_TEST_SUITE_P(Spellings, Heading,
                         ::testing::Values("Литература", "СПИСОК ЛИТЕРАТУРЫ",
                                           "5. Список использованных источников:", "References",
                                           "VI. Bibliography", "## Works cited", "Literaturverzeichnis",
                                           "Список використаних джерел", "Бібліографія."));

TEST(Bibliography, EndsBeforeAnAppendix) {
  EXPECT_THAT(lists("Text.\nЛитература\n1. Книга.\n\nПриложение А. Анкета\nТекст."),
              ElementsAre("Литература\n1. Книга."));
}

TEST(Bibliography, LineOfATableOfContentsIsNoHeading) {
  EXPECT_THAT(lists("Введение ... 3\nСписок литературы ... 45\nТекст."), IsEmpty());
}

TEST(Bibliography, SentenceThatNamesOneIsNoHeading) {
  EXPECT_THAT(lists("Литература XIX века богата.\nReferences to it are many."), IsEmpty());
}

}  // namespace
}  // namespace akin::check
