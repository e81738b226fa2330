// Compounds split by akin's own table of parts, compared with Hunspell's answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/utf8.h"
#include "dict/ask/compounds/compound_splitter.h"
#include "dict/ask/compounds/part_finder.h"
#include "dict/compile/compiler.h"
#include "dict/read/dictionary_forms.h"
#include "dict/read/pair_finder.h"
#include "dict/stem/hunspell_stemmer.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

/// A dictionary with its parts, and Hunspell.
class SplitDictionary {
 public:
  SplitDictionary(std::string aff, std::string dic)
      : hunspell_([aff, dic] {
          return std::optional(HunspellContent{aff, dic});
        }) {
    SourceContent source{"de", {"x.aff", "x.dic"}, std::move(aff), std::move(dic), {}};
    source.digest = digest_of(source);
    CompilerInput input;
    input.sources.push_back(source);
    input.by_place.push_back(source.digest);
    auto image = compile_table(input, fingerprint_of(input));
    if (!image) throw std::runtime_error(image.error().message());
    table_.emplace(std::move(*WordClassTable::keep(std::move(*image))));
    parts_ = find_parts(*DictionaryForms::read(source.names, source.aff, source.dic), *table_);
    splitter_.emplace(parts_);
  }

  [[nodiscard]] const CompoundParts& parts() const { return parts_; }
  [[nodiscard]] bool table_has(std::u32string_view folded) const {
    return table_->find(spelling_key(folded)) != WordClassTable::kNoRow;
  }
  [[nodiscard]] std::optional<HunspellAnswer> own(std::u32string_view folded) const {
    return splitter_->answer(folded);
  }
  [[nodiscard]] HunspellAnswer hunspells(std::u32string_view folded) const { return hunspell_.ask(folded); }

 private:
  HunspellStemmer hunspell_;
  std::optional<WordClassTable> table_;
  CompoundParts parts_;
  std::optional<CompoundSplitter> splitter_;
};

/// All that decides the name of a word: last parts do so only without stems.
std::string describe(const HunspellAnswer& answer) {
  const std::set<std::string> stems(answer.stems.begin(), answer.stems.end());
  std::string text = answer.accepted ? "accepted" : "rejected";
  for (const std::string& stem : stems) text += " st:" + stem;
  if (!stems.empty()) return text;
  std::set<std::string> parts;
  for (const auto& part : answer.last_parts) parts.insert(part.form + "=" + part.stem);
  for (const std::string& part : parts) text += " pa:" + part;
  return text;
}

/// The same numbers everywhere.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned operator()() { return static_cast<unsigned>(engine_()); }

 private:
  std::mt19937 engine_;
};

/// Counts of words about which the dictionary was asked.
struct Asked {
  int own = 0, accepted = 0, hunspell = 0;
};

/// Compares the answers about a folded word that the table lacks.
void expect_agreement(const SplitDictionary& dictionary, std::u32string_view folded, Asked& asked) {
  if (dictionary.table_has(folded)) return;
  const auto own = dictionary.own(folded);
  if (!own) {
    ++asked.hunspell;
    return;
  }
  ++asked.own;
  asked.accepted += own->accepted ? 1 : 0;
  EXPECT_EQ(describe(*own), describe(dictionary.hunspells(folded))) << to_utf8(folded);
}

/// The options of de_DE, with rules like its: j, g and k make parts, m and U are prefixes, c both.
std::string german_aff(int least_letters, bool sharp_s) {
  return std::string(
             "SET UTF-8\nCOMPOUNDBEGIN x\nCOMPOUNDMIDDLE y\nCOMPOUNDEND z\nFORBIDDENWORD d\n"
             "COMPOUNDPERMITFLAG c\nONLYINCOMPOUND o\nNEEDAFFIX h\nKEEPCASE w\nCIRCUMFIX f\n") +
         (sharp_s ? "CHECKSHARPS\n" : "") + "COMPOUNDMIN " + std::to_string(least_letters) +
         "\nBREAK 2\nBREAK -\nBREAK .\n"
         "SFX S Y 1\nSFX S 0 s .\nSFX N Y 1\nSFX N a b [^b]a\nSFX B N 1\nSFX B 0 a/xc a\n"
         "SFX j Y 3\nSFX j 0 0/xoc .\nSFX j 0 -/zocf .\nSFX j 0 -/cz .\n"
         "SFX g Y 2\nSFX g 0 ab/xyoc [^b]\nSFX g b ab/xyoc b\n"
         "SFX e Y 2\nSFX e 0 0/yoc .\nSFX e 0 -/zc .\n"
         "SFX t Y 1\nSFX t 0 t/f .\nPFX u Y 1\nPFX u 0 ge/f .\n"
         "PFX k Y 2\nPFX k 0 -/coxf .\nPFX k 0 0/coy .\nPFX m Y 1\nPFX m a -A/co a\n"
         "PFX U Y 1\nPFX U 0 b .\nPFX V N 1\nPFX V 0 a/c .\n";
}

std::string random_word(Random& random, std::string_view letters, std::size_t most) {
  std::u32string word;
  const std::u32string choice = to_utf32(letters);
  const std::size_t size = 1 + random() % most;
  for (std::size_t i = 0; i < size; ++i) word += choice[random() % choice.size()];
  return to_utf8(word);
}

/// Entries of few letters in mixed case with random flags.
std::string random_dic(Random& random) {
  std::string dic = "1\n";
  constexpr std::string_view kFlags[] = {"zo",  "zo", "hij", "hke", "jzo", "S",  "SN",  "zoS", "zoN",
                                         "ozm", "d",  "dj",  "hij", "hke", "wj", "g",   "hg",  "o",
                                         "oS",  "ut", "Vzo", "U",   "US",  "B",  "zoS", "hke", "hij"};
  for (unsigned left = 4 + random() % 14; left > 0; --left) {
    const bool capital = random() % 2 == 0;
    dic += random_word(random, capital ? "AB" : "ab", 1) + random_word(random, "aabbs", 3);
    if (random() % 12 == 0) dic += "ß";
    if (random() % 12 == 0) dic += random() % 2 == 0 ? "AB" : "'a";
    dic += random() % 80 == 0 ? "/z" : "/";  // of their compounds, only Hunspell knows
    for (unsigned flags = 1 + random() % 2; flags > 0; --flags) dic += kFlags[random() % std::size(kFlags)];
    dic += "\n";
  }
  return dic;
}

std::vector<std::string> words_of(const std::string& dic) {
  std::vector<std::string> words;
  std::istringstream lines(dic);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) words.push_back(line.substr(0, line.find('/')));
  return words;
}

TEST(CompoundSplitter, AnswersAsHunspellWithRandomDictionaries) {
  Random random(7);
  Asked asked;
  int complete = 0;
  for (int round = 0; round < 120 && !HasFailure(); ++round) {
    const std::string dic = random_dic(random);
    const SplitDictionary dictionary(german_aff(1 + round % 3, round % 2 == 0), dic);
    complete += dictionary.parts().complete() ? 1 : 0;
    const std::vector<std::string> roots = words_of(dic);
    WordFolder folder;
    for (int i = 0; i < 300 && !HasFailure(); ++i) {
      std::string word = i % 4 == 0 ? random_word(random, i % 8 == 0 ? "abs'" : "aabbss", 9) : "";
      for (int part = 0; part < i % 4; ++part) word += roots[random() % roots.size()];
      constexpr std::string_view kEnds[] = {"", "", "s", "b", "ab", "t"};
      word += kEnds[random() % std::size(kEnds)];
      expect_agreement(dictionary, folder.fold(word).letters, asked);
    }
    if (HasFailure()) ADD_FAILURE() << dic;
  }
  EXPECT_GT(complete, 60);
  EXPECT_GT(asked.own, 20'000);
  EXPECT_GT(asked.accepted, 800);
}

constexpr std::string_view kGermanDic =
    "1\nLicht/hij\nlicht/ozmS\nblick/ozmS\nRück/hij\nrück/hke\nblicks/hke\nFluß/m\nfluß/ozm\nEU/hij\nlED/"
    "ozm\n"
    "Blicklicht/dS\nUhr/dhij\n";

TEST(CompoundSplitter, SplitsTheCompoundsOfDeDe) {
  const SplitDictionary dictionary(german_aff(2, true), std::string(kGermanDic));
  ASSERT_TRUE(dictionary.parts().complete());
  const std::pair<std::u32string_view, std::string_view> rows[] = {
      {U"lichtblick", "accepted pa:blick=blick"},
      {U"lichtblicks", "accepted"},  // an affixed last part has no analysis
      {U"rückblickslicht", "accepted pa:licht=licht"},
      {U"rückfluss", "accepted"},   // ß is not tried in an analysis
      {U"blicklicht", "rejected"},  // small first parts do not exist
      {U"lichtled", "rejected"},
      {U"eulicht", "rejected"},                    // only EULICHT would be; Eu ends the search
      {U"uhrlicht", "rejected"},                   // a forbidden first part
      {U"rück", "accepted st:rück"},               // a middle part
      {U"blicklichts", "accepted st:Blicklicht"},  // analysed though forbidden
      {U"lichtbläck", "rejected"},
      {U"лампаlicht", "rejected"}};
  for (const auto& [word, expected] : rows) {
    const auto own = dictionary.own(word);
    ASSERT_TRUE(own) << to_utf8(word);
    EXPECT_EQ(describe(*own), expected) << to_utf8(word);
    EXPECT_EQ(describe(dictionary.hunspells(word)), expected) << to_utf8(word);
  }
}

TEST(CompoundSplitter, GivesASpellingInTitleCaseOneHiddenEntry) {
  for (const std::string_view entries : {"bbsAB/zoS\nbbsAB/hkewj\n", "bbsAB/hke\nBbsab/h\n"}) {
    const SplitDictionary dictionary(german_aff(2, true), "1\n" + std::string(entries));
    const auto own = dictionary.own(U"bbsab");
    ASSERT_TRUE(own) << entries;
    EXPECT_EQ(describe(*own), "rejected") << entries;
    EXPECT_EQ(describe(dictionary.hunspells(U"bbsab")), "rejected") << entries;
  }
}

TEST(CompoundSplitter, LeavesOtherOptionsToHunspell) {
  for (const std::string_view option :
       {"COMPOUNDFLAG q", "COMPOUNDRULE 1\nCOMPOUNDRULE ab*", "CHECKCOMPOUNDDUP", "CHECKCOMPOUNDREP",
        "CHECKCOMPOUNDPATTERN 1\nCHECKCOMPOUNDPATTERN a b", "SIMPLIFIEDTRIPLE", "COMPOUNDWORDMAX 2",
        "COMPOUNDFORBIDFLAG q", "FORCEUCASE q", "LANG hu_HU", "LANG tr_TR", "ICONV 1\nICONV a b",
        "COMPOUNDBEGIN q", "SFX Q Y 1\nSFX Q 0 b/S .", "PFX Q Y 1\nPFX Q 0 b/S .", "FULLSTRIP"}) {
    const SplitDictionary dictionary(german_aff(2, true) + std::string(option) + "\n",
                                     std::string(kGermanDic));
    EXPECT_FALSE(dictionary.parts().complete()) << option;
    EXPECT_FALSE(dictionary.own(U"lichtblick")) << option;
  }
  for (const std::string_view entry : {"licht blick", "licht/zo\tpa:licht", "licht/zo ds:x"}) {
    const SplitDictionary other(german_aff(2, true), std::string(kGermanDic) + std::string(entry) + "\n");
    EXPECT_FALSE(other.parts().complete()) << entry;
  }
}

TEST(CompoundSplitter, AsksHunspellAboutCharactersOfItsOwn) {
  const SplitDictionary dictionary(german_aff(2, true), std::string(kGermanDic) + "ǆ/zo\n");
  EXPECT_FALSE(dictionary.own(U"lichtǆ"));
  EXPECT_FALSE(dictionary.own(U"licht-blick"));
  EXPECT_TRUE(dictionary.own(U"lichtж"));
}

TEST(CompoundSplitter, AnswersAsHunspellAboutInstalledGerman) {
  const auto pair = find_pair("de", default_search_path());
  if (!pair) GTEST_SKIP() << "no German dictionary";
  const SplitDictionary dictionary(*read_whole_file(pair->files.aff), *read_whole_file(pair->files.dic));
  if (!dictionary.parts().complete()) GTEST_SKIP() << "its options are left to Hunspell";
  const auto forms = DictionaryForms::read(pair->files, *read_whole_file(pair->files.aff),
                                           *read_whole_file(pair->files.dic));
  const auto& entries = forms->words().entries;
  Random random(3);
  WordFolder folder;
  Asked asked;
  constexpr std::string_view kEnds[] = {"", "", "s", "en", "e", "er", "innen"};
  for (int i = 0; i < 4000; ++i) {
    std::string word;
    for (unsigned parts = 1 + random() % 3; parts > 0; --parts)
      word += to_utf8(entries[random() % entries.size()].word);
    word += kEnds[random() % std::size(kEnds)];
    expect_agreement(dictionary, folder.fold(word).letters, asked);
  }
  EXPECT_LT(asked.hunspell, 40);
  EXPECT_GT(asked.accepted, 20);
}

TEST(CompoundParts, AreTheSameAfterUnpacking) {
  const SplitDictionary dictionary(german_aff(2, true), std::string(kGermanDic));
  const Digest name{1, 2};
  const std::string bytes = dictionary.parts().pack(name);
  const auto parts = CompoundParts::unpack(bytes, name);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->pack(name), bytes);
  EXPECT_EQ(parts->size(), dictionary.parts().size());
  EXPECT_EQ(describe(*CompoundSplitter(*parts).answer(U"rückblickslicht")), "accepted pa:licht=licht");
  EXPECT_FALSE(CompoundParts::unpack(bytes, Digest{1, 3}));
}

TEST(CompoundParts, DamageIsNoticed) {
  const SplitDictionary dictionary(german_aff(2, true), "1\nLicht/hij\nlicht/ozm\nLichts/d\n");
  const Digest name{1, 2};
  const std::string bytes = dictionary.parts().pack(name);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(CompoundParts::unpack(std::string_view(bytes).substr(0, size), name)) << size;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_FALSE(CompoundParts::unpack(damaged, name)) << at;
  }
}

/// The one file of parts in the cache.
std::filesystem::path parts_file(const TinyDictionaries& files) {
  for (const auto& entry : std::filesystem::directory_iterator(files.cache()))
    if (entry.path().extension() == ".parts") return entry.path();
  return {};
}

TEST(CompoundParts, AreKeptInTheCache) {
  TinyDictionaries files;
  const auto pair = files.write("de", german_aff(2, true), std::string(kGermanDic).substr(2));
  const std::uint64_t hash = hash_of(*TinyDictionaries::open(files.config({pair})), "Lichtblick");
  const std::filesystem::path file = parts_file(files);
  ASSERT_FALSE(file.empty());
  const std::string bytes = *read_whole_file(file);
  for (const std::string& content : {bytes, std::string("damaged"), bytes.substr(0, 90), std::string()}) {
    std::ofstream(file, std::ios::binary) << content;
    const auto dictionary = TinyDictionaries::open(files.config({pair}));
    EXPECT_EQ(hash_of(*dictionary, "Lichtblick"), hash);
    EXPECT_TRUE(knows(*dictionary, "Lichtblick"));
    EXPECT_EQ(*read_whole_file(file), bytes);
  }
}

}  // namespace
}  // namespace akin::test
