// The supplements that ship: their form, and what they join and keep apart in the real dictionaries.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "base/utf8.h"
#include "dict/compile/edge_cuts.h"
#include "dict/dictionary.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/form_folder.h"
#include "dict/read/supplement.h"
#include "tests/dict/tiny_pair.h"

namespace akin {

void PrintTo(const BuiltInList& supplement, std::ostream* out) { *out << supplement.name; }

namespace {

struct Line {
  std::size_t number = 0;
  std::string lemma;
  std::vector<std::string> fields;
};

std::vector<Line> lines_of(std::string_view content) {
  std::vector<Line> lines;
  DictionaryLines reader(content);
  while (reader.next()) {
    std::istringstream in(std::string(reader.line().substr(0, reader.line().find('#'))));
    Line line{reader.number(), {}, {}};
    if (!(in >> line.lemma)) continue;
    line.lemma.pop_back();  // the colon
    for (std::string field; in >> field;) line.fields.push_back(field);
    lines.push_back(std::move(line));
  }
  return lines;
}

/// A field with its word folded; a minus sign stays.
std::string folded_field(std::string_view field) {
  FormFolder folder;
  std::string out(field.substr(0, field.front() == '-' ? 1 : 0));
  return out.append(to_utf8(folder.fold_spelling(field).letters));
}

class ShippedSupplement : public testing::TestWithParam<BuiltInList> {};

INSTANTIATE_TEST_SUITE_P(Languages, ShippedSupplement, testing::ValuesIn(built_in_supplements()),
                         [](const auto& supplement) { return std::string(supplement.param.name); });

TEST_P(ShippedSupplement, IsReadWhole) {
  const auto read = read_supplement(GetParam().content, "supplement");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->lemmas.size(), lines_of(GetParam().content).size());
}

TEST_P(ShippedSupplement, NamesNoFormTwiceUnderOneLemma) {
  for (const Line& line : lines_of(GetParam().content)) {
    std::set<std::string> seen{folded_field(line.lemma)};
    for (const std::string& field : line.fields) {
      EXPECT_TRUE(seen.insert(folded_field(field)).second) << "line " << line.number << ": " << field;
    }
  }
}

TEST_P(ShippedSupplement, HasOneLineForEachLemma) {
  std::map<std::string, std::size_t> first;
  for (const Line& line : lines_of(GetParam().content)) {
    const auto [at, is_new] = first.emplace(folded_field(line.lemma), line.number);
    EXPECT_TRUE(is_new) << line.lemma << ": lines " << at->second << " and " << line.number;
  }
}

TEST_P(ShippedSupplement, DoesNotCutWhatItJoins) {
  for (const Line& line : lines_of(GetParam().content)) {
    const std::set<std::string> fields(line.fields.begin(), line.fields.end());
    for (const std::string& field : fields)
      EXPECT_FALSE(fields.contains(std::string("-").append(field))) << line.number;
  }
}

struct SupplementRow {
  std::string_view language;
  std::string_view words;       ///< of one class
  std::string_view other_word;  ///< of another
};

void PrintTo(const SupplementRow& row, std::ostream* out) { *out << row.language << ": " << row.words; }

class JoinedWords : public testing::TestWithParam<SupplementRow> {};

std::uint64_t class_of(const Dictionary& dictionary, std::string_view word) {
  WordFolder folder;
  return dictionary.classify(folder.fold(word)).hash;
}

TEST_P(JoinedWords, HaveOneClassAndNoOther) {
  DictionaryConfig config;
  config.languages.emplace_back(GetParam().language);
  const auto dictionary = Dictionary::open(config);
  if (dictionary.has_error() && dictionary.error().code == Errc::not_found) {
    GTEST_SKIP() << dictionary.error().message();
  }
  ASSERT_TRUE(dictionary.has_value()) << dictionary.error().message();
  std::istringstream words{std::string(GetParam().words)};
  std::string first;
  words >> first;
  for (std::string word; words >> word;) {
    EXPECT_EQ(class_of(**dictionary, word), class_of(**dictionary, first)) << first << ", " << word;
  }
  EXPECT_NE(class_of(**dictionary, GetParam().other_word), class_of(**dictionary, first))
      << first << ", " << GetParam().other_word;
}

constexpr SupplementRow kRows[] = {
    {"ru", "свой свою свои своего своём", "мой"},
    {"ru", "мой моя моего моими", "твой"},
    {"ru", "деньги денег деньгам", "день"},
    {"ru", "человек человека люди людей", "лицо"},
    {"ru", "ребёнок ребенка дети детей", "дядя"},
    {"ru", "год года лет", "лето"},
    {"ru", "я меня мне мной", "мы"},
    {"ru", "он его ему ним", "они"},
    {"ru", "они их им ними", "она"},
    {"ru", "этот эта этим этих", "тот"},
    {"ru", "весь вся всего всеми", "всякий"},
    {"ru", "быть был есть будучи буду", "бывать"},
    {"ru", "ем ешь едим едят", "быть"},
    {"ru", "идти иду шёл шла иди", "ехать"},
    {"ru", "прийти приду пришёл пришли", "послать"},
    {"ru", "взять возьму взял возьмите", "брать"},
    {"ru", "хотеть хочу хотят хотел", "хотя"},
    {"ru", "два двух двумя две", "двое"},
    {"ru", "писать пишу писал пишущий писавших", "написать"},
    {"ru", "создать создал создан создавший созданного", "создавать"},
    {"ru", "находиться находится находящуюся находившийся", "найти"},
    {"ru", "открыть открытый открывшая", "открывать"},
    {"ru", "освободить освобождённый освободившие", "свобода"},
    {"ru", "хороший хорошо лучше", "плохой"},
    {"ru", "отец отца отцом", "мать"},
    {"ru", "время времени времён", "временный"},
    {"uk", "він його йому ним", "вони"},
    {"uk", "бути є був буде", "бувати"},
    {"uk", "людина люди людей", "чоловік"},
    {"uk", "могти може міг могли", "мати"},
    {"uk", "той того тієї", "та"},
    {"uk", "який яка яким", "як"},
    {"en", "be is are was were been", "I"},
    {"en", "I me", "is"},
    {"en", "a an", "as"},
    {"en", "go went gone goes", "come"},
    {"en", "take took taken taking", "talk"},
    {"en", "man men", "woman"},
    {"en", "foot feet", "feed"},
    {"en", "child children", "chill"},
    {"en", "good better best", "bed"},
    {"en", "this these", "that"},
    {"en", "stop stopped stopping", "step"},
    {"en", "don't doesn't didn't", "do"},
    {"en", "the", "thing"},
    {"en", "on", "only"},
    {"en", "it", "its"},
    {"en", "we us", "you"},
    {"de", "der die das dem des dessen", "da"},
    {"de", "ich mich mir", "mein"},
    {"de", "er ihn ihm", "sie"},
    {"de", "ist war sind gewesen sein", "seit"},
    {"de", "haben hat hatte gehabt", "hauen"},
    {"de", "gehen ging gegangen", "begehen"},
    {"de", "machen machte gemacht", "mögen"},
    {"de", "ankommen ankam angekommen anzukommen", "bekommen"},
    {"de", "gut besser besten", "böse"},
    {"de", "Haus Häuser Hauses", "Hose"},
    {"uk", "цей цього цією", "це"},
    {"en", "thing things", "the"},
    {"en", "wing wings", "we"},
    {"en", "evening evenings", "even"},
    {"it", "essere è era stato", "sei"},
    {"it", "essere è", "essa"},
    {"pl", "wysoki wyższy najwyższa", "niski"},
    {"tr", "o onu onlar", "oy"},
    {"tr", "olmak oldu olacak olmadığı olabilir", "almak"},
    {"tr", "etmek etti eden edildi ediyor", "ey"},
    {"pl", "być jest był będzie", "bywać"},
    {"pl", "on jego jej ją ich nimi one", "ja"},
    {"pl", "w we", "z"},
    {"pl", "ten tę ci", "ty"},
    {"pl", "jaki jakie jakich", "jak"},
    {"pl", "dobry lepszy najlepszym", "duży"},
    {"cs", "být jsem je není byl budu bychom", "bývat"},
    {"cs", "tento tato této těchto", "ten"},
    {"cs", "v ve", "z"},
    {"cs", "moci mohu může mohli", "muset"},
    {"fr", "avoir a ont eut", "être"},
    {"fr", "être est sont été", "se"},
    {"fr", "en", "dans"},
    {"fr", "ne n", "an"},
    {"fr", "le la les l", "lui"},
    {"fr", "un une des", "de"},
    {"fr", "son sa ses", "mon"},
    {"fr", "ce cet cette ces", "celui"},
    {"fr", "homme hommes l'homme d'hommes", "femme"},
    {"es", "ser es son fue era", "estar"},
    {"es", "el la los las", "él"},
    {"es", "este esta esto éste", "estar"},
    {"es", "uno un una unos", "unir"},
    {"es", "hacer hago hizo hecho", "haber"},
    {"es", "poder puedo pueden pudo", "podar"},
    {"it", "essere è sono era stato", "avere"},
    {"it", "il la i gli le", "lo"},
    {"it", "avere ho ha hanno aveva", "a"},
    {"it", "parlare parlo parlavano parlato", "dire"},
    {"it", "uomo uomini dell'uomo quest'uomo", "donna"},
    {"it", "quello quel quei quegli", "questo"},
    {"hu", "az azt arra arról", "ez"},
};

INSTANTIATE_TEST_SUITE_P(Rows, JoinedWords, testing::ValuesIn(kRows));

struct PlainRow {
  const char* language;
  const char* words;  ///< of the dictionary, and of one class
};
void PrintTo(const PlainRow& row, std::ostream* out) { *out << row.language << ": " << row.words; }

/// Languages whose dictionary the tests do not install.
class JoinedPlainWords : public testing::TestWithParam<PlainRow> {};

TEST_P(JoinedPlainWords, HaveOneClass) {
  test::TinyDictionaries files;
  std::string words = GetParam().words;
  std::ranges::replace(words, ' ', '\n');
  DictionaryConfig config = files.config({files.write(GetParam().language, "SET UTF-8\n", words)});
  config.use_shipped_supplements = true;
  const auto dictionary = test::TinyDictionaries::open(config);
  std::istringstream all{words};
  std::string first;
  all >> first;
  for (std::string word; all >> word;)
    EXPECT_EQ(class_of(*dictionary, word), class_of(*dictionary, first)) << word;
}

INSTANTIATE_TEST_SUITE_P(Rows, JoinedPlainWords,
                         testing::Values(PlainRow{"sk", "byť som je bol bude"},
                                         PlainRow{"sk", "on jeho jej ich nimi"},
                                         PlainRow{"ar", "كان كانت يكون تكن"}, PlainRow{"ar", "من منه مما"},
                                         PlainRow{"ar", "مدينة المدينة مدن"}));

/// A dictionary with the forms "i" and "is" of the lemma i, "thing" of the lemmas the and thing.
class EdgeCuts : public testing::Test {
 protected:
  EdgeCuts() {
    EdgeList part;
    part.lemmas = {"I", "the", "thing"};
    part.edges = {
        {key("i"), 0, 0}, {key("is"), 0, 0}, {key("the"), 1, 0}, {key("thing"), 1, 0}, {key("thing"), 2, 0}};
    sources_.emplace_back().parts.push_back(std::move(part));
  }

  static std::uint64_t key(std::string_view form) {
    WordFolder folder;
    return folder.fold(form).key;
  }

  void cut(std::string_view supplement) {
    auto read = read_supplement(supplement, "test");
    ASSERT_TRUE(read.has_value()) << read.error().message();
    supplements_.push_back(std::move(*read));
    cut_edges(sources_, supplements_);
  }

  [[nodiscard]] std::set<std::string> lemmas_of(std::string_view form) const {
    std::set<std::string> found;
    const auto collect = [&](const EdgeList& list) {
      for (const FormEdge& edge : list.edges) {
        if (edge.form == key(form)) found.insert(list.lemmas[edge.lemma]);
      }
    };
    for (const EdgeList& part : sources_.front().parts) collect(part);
    for (const EdgeList& supplement : supplements_) collect(supplement);
    return found;
  }

  using Lemmas = std::set<std::string>;
  std::vector<ExpandedSource> sources_;
  std::vector<EdgeList> supplements_;
};

TEST_F(EdgeCuts, TakeANamedFormFromItsLemmaAlone) {
  cut("the: -thing\n");
  EXPECT_EQ(lemmas_of("thing"), Lemmas{"thing"});
}

TEST_F(EdgeCuts, LeaveAFormWithoutLemmaAsItsOwn) {
  cut("i: -is\n");
  EXPECT_EQ(lemmas_of("is"), Lemmas{"is"});
}

TEST_F(EdgeCuts, DropAllFormsButTheLemmaItself) {
  cut("i: -*\n");
  EXPECT_EQ(lemmas_of("is"), Lemmas{});
  EXPECT_EQ(lemmas_of("i"), (Lemmas{"I", "i"}));
}

TEST_F(EdgeCuts, KeepWhatASupplementJoins) {
  cut("the: thing -*\n");
  EXPECT_EQ(lemmas_of("thing"), (Lemmas{"the", "thing"}));
}

TEST_F(EdgeCuts, RefuseAMinusSignWithoutAWord) {
  EXPECT_EQ(read_supplement("the: -\n", "test").error().code, Errc::bad_dictionary);
}

}  // namespace
}  // namespace akin
