// Scripts for which no Hunspell dictionary is installed: folding, words and sentences alone must find a
// passage whose sentences were put in another order. The sentences are from the Universal Declaration of
// Human Rights.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "index/overlap/overlap.h"
#include "morph/schemes/scheme.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/sentences.h"

namespace akin {
namespace {

struct Script {
  const char* name;
  std::vector<std::string> sentences;
  const char* between = " ";            ///< sentences
  std::vector<std::string> words = {};  ///< the first ones of the first sentence, if no space separates them
};

void PrintTo(const Script& script, std::ostream* out) { *out << script.name; }

class Scripts : public testing::TestWithParam<Script> {
 protected:
  static std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text.append(sentence).append(GetParam().between);
    return text;
  }
  static std::vector<Feature> hashes(const std::string& text) {
    static const auto dictionary = tiny_dictionary("word");
    static const auto scheme = *make_scheme("sentences");
    const auto features = extract_features(text, *dictionary, *scheme);
    return features->hashes;
  }
};

TEST_P(Scripts, EndSentencesAtTheirMarks) {
  const auto ranges = split_sentences(joined(GetParam().sentences));
  ASSERT_TRUE(ranges);
  EXPECT_EQ(ranges->size(), GetParam().sentences.size());
}

TEST_P(Scripts, FindAPassageWhoseSentencesAreReordered) {
  std::vector<std::string> reordered = GetParam().sentences;
  std::reverse(reordered.begin(), reordered.end());
  const auto a = hashes(joined(GetParam().sentences));
  EXPECT_EQ(overlap(a, hashes(joined(reordered))).x, a.size());
}

TEST_P(Scripts, KeepASentenceWhoseWordsAreReordered) {
  const std::string& sentence = GetParam().sentences.front();
  std::vector<std::string> words = GetParam().words;
  if (words.empty()) {
    const std::size_t space = sentence.find(' ') + 1;
    words = {sentence.substr(0, space), sentence.substr(space, sentence.find(' ', space) + 1 - space)};
  }
  ASSERT_TRUE(sentence.starts_with(words[0] + words[1]));
  const std::string moved = words[1] + words[0] + sentence.substr(words[0].size() + words[1].size());
  EXPECT_EQ(hashes(moved), hashes(sentence)) << moved;
}

TEST_P(Scripts, TellSentencesApart) {
  const auto a = hashes(joined(GetParam().sentences));
  EXPECT_EQ(std::set<Feature>(a.begin(), a.end()).size(), GetParam().sentences.size());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Scripts,
    testing::Values(Script{"Arabic",
                           {"لكل فرد الحق في الحياة والحرية وسلامة شخصه.",
                            "لا يجوز القبض على أي إنسان أو حجزه أو نفيه تعسفاً.",
                            "لكل إنسان أينما وجد الحق في أن يعترف بشخصيته القانونية."}},
                    Script{"Hebrew",
                           {"כל אדם יש לו הזכות לחיים, לחרות ולבטחון אישי.",
                            "לא ייאסר אדם, לא ייעצר ולא יוגלה באופן שרירותי.",
                            "כל אדם זכאי להיות מוכר בכל מקום כאישיות בפני החוק."}},
                    Script{"Georgian",
                           {"ყოველ ადამიანს აქვს სიცოცხლის, თავისუფლებისა და პირადი ხელშეუხებლობის უფლება.",
                            "არავის დაპატიმრება, დაჭერა ან გაძევება არ შეიძლება თვითნებურად.",
                            "ყოველ ადამიანს აქვს უფლება დატოვოს ყოველი ქვეყანა."}},
                    Script{"Armenian",
                           {"Յուրաքանչյուր ոք ունի ապրելու, ազատության ու անձի անձեռնմխելիության իրավունք։",
                            "Այս իրավունքները պատկանում են ձեզ։", "Սրանք ձեր իրավունքներն են։"}},
                    Script{"Chinese",
                           {"人人有权享有生命、自由和人身安全。", "人人在任何地方有权被承认在法律前的人格。",
                            "任何人不得加以任意逮捕、拘禁或放逐。"},
                           "",
                           {"人人", "有权"}},
                    Script{"Japanese",
                           {"すべての人は、生命、自由及び身体の安全に対する権利を有する。",
                            "何人も、奴隷にされ、又は苦役に服することはない。",
                            "何人も、ほしいままに逮捕、拘禁、又は追放されることはない。"},
                           "",
                           {"すべての", "人は、"}},
                    Script{"Thai",
                           {"คนทุกคนมีสิทธิในการดำรงชีวิต เสรีภาพ และความมั่นคงแห่งตัวตน",
                            "ทุกคนมีสิทธิที่จะได้รับการยอมรับนับถือว่า เป็นบุคคลตามกฏหมายทุกแห่งหน",
                            "บุคคลใดจะถูกจับกุม กักขัง หรือเนรเทศไปต่างถิ่นโดยพลการไม่ได้"},
                           "\n\n",
                           {"คน", "ทุกคน"}},
                    Script{"Khmer",
                           {"បុគ្គលម្នាក់ៗ មានសិទ្ធិរស់រានមានជីវិត សេរីភាព និងសន្ដិសុខផ្ទាល់ខ្លួន។",
                            "ជនគ្រប់រូប មានសិទ្ធិឱ្យគេទទួលស្គាល់បុគ្គលិកលក្ខណៈគតិយុត្ដរបស់ខ្លួន នៅគ្រប់ទីកន្លែង។"},
                           "",
                           {"បុគ្គល", "ម្នាក់ៗ "}},
                    Script{"Burmese",
                           {"လူတိုင်း၌ အသက်ရှင်ရန်လွတ်လပ်မှုခွင့်နှင့် လုံခြုံစိတ်ချခွင့် ရှိသည်။",
                            "လူတိုင်းတွင် မိမိ၏နိုင်ငံ နယ်နိမိတ် အတွင်း၌ လွတ်လပ်စွာ သွားလာ ရွှေ့ပြောင်း နိုင်ခွင့်၊ နေထိုင်ခွင့်ရှိသည်။"},
                           "",
                           {"လူတိုင်း၌ ", "အသက်"}},
                    Script{"Tibetan",
                           {"གནས་ལུགས་འདི་ལྟར་ལ་སོང་ད་ཆ་ཚོགས་ཆེན་ནས་ཁྱབ་བསྒྲགས་བྱ་རྒྱུར།",
                            "རྒྱལ་ཁབ་ཁག་གི་དབར་མཛའ་མཐུན་གྱི་འབྲེལ་བ་ཡར་རྒྱས་གོང་འཕེལ་གཏོང་རྒྱུར་འབད་བརྩོན་ཆེ་བསྐྱེད་དགོས་པ་དེ་ནི་ཧ་ཅང་"
                            "གལ་གནད་ཆེ་བ་ཞིག་ཡིན།"},
                           "",
                           {"གནས་ལུགས་", "འདི་ལྟར་"}}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace akin
