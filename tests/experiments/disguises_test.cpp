// The generator of disguises: what it makes is what it says.
#include "tests/experiments/spellings.h"

#include <gtest/gtest.h>

#include "tests/experiments/disguised_files.h"

namespace akin::experiments {
namespace {

const Paragraphs kText = {U"Ещё вечер, йод у оврага, так-то, и \"fine\" staff's offer: he stöhnt. Она ушла.",
                          U"Another paragraph of the text ends here, at last."};

TEST(Spellings, ChangeTheTextAtTheFullDoseAndRepeatably) {
  EXPECT_GE(spellings().size(), 20U);
  for (const Spelling& kind : spellings()) {
    const std::string changed = kind.at(1)(kText, 3);
    EXPECT_NE(changed, as_set(kText)) << kind.name;
    EXPECT_EQ(changed, kind.at(1)(kText, 3)) << kind.name;
  }
}

TEST(Spellings, ChangeNothingElse) {
  EXPECT_EQ(with_look_alikes(1, kAllLetters)({U"сор"}, 1), "cop\n\n");
  EXPECT_EQ(letterspaced(1, U" ", U"   ")({U"ab cd"}, 1), "a b   c d\n\n");
  EXPECT_EQ(with_digits(1, true)({U"сокол"}, 1), "с0к0л\n\n");
}

TEST(DisguisedFiles, AreTheSameForTheSameSeed) {
  for (const DisguisedFile& kind : disguised_files()) {
    const std::string bytes = kind.bytes(kText, 0.5, 3);
    if (!kind.name.starts_with("EPUB") && !kind.name.starts_with("DOCX") && !kind.name.starts_with("ODT")) {
      EXPECT_EQ(bytes, kind.bytes(kText, 0.5, 3)) << kind.name;
    }
    EXPECT_FALSE(bytes.empty()) << kind.name;
  }
}

}  // namespace
}  // namespace akin::experiments
