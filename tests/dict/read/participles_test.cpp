// Participles that a Russian dictionary lists as adjectives, joined to their verbs.
#include <gtest/gtest.h>

#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

/// Endings of the four forms that participles are spelt from.
constexpr std::string_view kVerbs =
    "SET UTF-8\n"
    "SFX V Y 4\nSFX V ть ю ать\nSFX V ть ет ать\nSFX V ть ют ать\nSFX V ть ла ать\n"
    "SFX I Y 4\nSFX I оить ою оить\nSFX I оить оим оить\nSFX I оить оят оить\nSFX I ить ила ить\n"
    "SFX R Y 2\nSFX R ться ются аться\nSFX R ться лась аться\n"
    "SFX A Y 1\nSFX A ый ого ый\n";

struct ParticipleRow {
  const char* words;  // of the dictionary
  const char* verb;
  const char* participle;
};

void PrintTo(const ParticipleRow& row, std::ostream* out) { *out << row.verb << ", " << row.participle; }

class RussianParticiples : public testing::TestWithParam<ParticipleRow> {
 protected:
  [[nodiscard]] std::shared_ptr<const Dictionary> open(const std::string& language) {
    return TinyDictionaries::open(files_.config({files_.write(language, kVerbs, GetParam().words)}));
  }
  TinyDictionaries files_;
};

TEST_P(RussianParticiples, HaveTheClassOfTheirVerb) {
  const auto dictionary = open("ru");
  EXPECT_EQ(hash_of(*dictionary, GetParam().participle), hash_of(*dictionary, GetParam().verb));
}

TEST_P(RussianParticiples, AreWordsOfTheirOwnInOtherLanguages) {
  const auto dictionary = open("xx");
  EXPECT_NE(hash_of(*dictionary, GetParam().participle), hash_of(*dictionary, GetParam().verb));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RussianParticiples,
    testing::Values(ParticipleRow{"читать/V\nчитающий\n", "читать", "читающий"},
                    ParticipleRow{"читать/V\nчитавший\n", "читала", "читавший"},
                    ParticipleRow{"читать/V\nчитанный/A\n", "читать", "читанного"},
                    ParticipleRow{"строить/I\nстроящий\n", "строить", "строящий"},
                    ParticipleRow{"построить/I\nпостроенный/A\n", "построить", "построенного"},
                    ParticipleRow{"строить/I\nстроимый\n", "строить", "строимый"},
                    ParticipleRow{"купаться/R\nкупающийся\n", "купаться", "купающийся"},
                    ParticipleRow{"купаться/R\nкупавшийся\n", "купаться", "купавшийся"},
                    ParticipleRow{"создавать/V\nсоздаваемый\n", "создавать", "создаваемый"}));

TEST(RussianParticiplesThatNoEntryHas, AreNotAdded) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kVerbs, "читать/V\n")}));
  EXPECT_FALSE(knows(*dictionary, "читавший"));
}

TEST(RussianParticiplesThatNoEntryHas, DoNotMakeANounAVerb) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kVerbs, "пила\nпивший\n")}));
  EXPECT_NE(hash_of(*dictionary, "пила"), hash_of(*dictionary, "пивший"));
}

}  // namespace
}  // namespace akin::test
