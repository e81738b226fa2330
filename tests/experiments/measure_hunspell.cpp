// How compiled tables agree with Hunspell's own stem(), and what joining languages costs.
//
//     measure_hunspell [--lang ru,en,de,uk] [--every K] [--text FILE…]   agreement, each dictionary alone
//     measure_hunspell --classes [--lang …] [--supplements]               classes and chance collisions
//
// Agreement: over every K-th expanded spelling of a dictionary, and over the distinct words of running text,
// weighted by their frequency. Text is that of the corpora in the dictionary's language unless files are
// given. Supplements are left out: they are meant to differ from Hunspell.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "base/files.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "dict/dictionary.h"
#include "dict/read/dictionary_forms.h"
#include "dict/read/form_folder.h"
#include "morph/words/scanner.h"
#include "tests/dict/read/hunspell_oracle.h"
#include "tests/experiments/corpora.h"

namespace {

using namespace akin;
namespace fs = std::filesystem;
using akin::test::Agreement;
using akin::test::AgreementCounts;
using akin::test::HunspellOracle;

std::shared_ptr<const Dictionary> open(const std::vector<std::string>& languages, bool supplements) {
  DictionaryConfig config;
  config.languages = languages;
  config.use_shipped_supplements = supplements;
  auto opened = Dictionary::open(config);
  if (!opened) throw std::runtime_error(opened.error().message());
  return *opened;
}

/// The words of texts as they are written, with their counts.
class WordCounter : public SentenceSink {
 public:
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) ++counts_[std::string(word.source)];
  }
  [[nodiscard]] const std::unordered_map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  std::unordered_map<std::string, std::uint64_t> counts_;
};

std::string read_file(const fs::path& path) {
  auto content = read_whole_file(path);
  if (!content) throw std::runtime_error(content.error().message());
  return std::move(*content);
}

/// Novels of the corpora by language.
std::vector<std::string> corpus_texts(const std::string& language) {
  static const std::map<std::string, std::string> kFolders{{"ru", "ru-novels"},
                                                           {"en", "en-novels"},
                                                           {"de", "other-lang/eltec-deu"},
                                                           {"uk", "other-lang/eltec-ukr"},
                                                           {"pl", "other-lang/eltec-pol"},
                                                           {"cs", "other-lang/eltec-cze"},
                                                           {"hu", "other-lang/eltec-hun"}};
  std::vector<std::string> texts;
  const fs::path root = experiments::corpora_folder();
  const auto folder = kFolders.find(language.substr(0, 2));
  if (root.empty() || folder == kFolders.end()) return texts;
  for (experiments::Work& work : experiments::read_works(root, folder->second))
    texts.push_back(std::move(work.text));
  return texts;
}

WordCounter count_words(const std::vector<std::string>& texts, const Dictionary& dictionary) {
  WordCounter counter;
  for (const std::string& text : texts) {
    const auto scanned = scan_text(text, dictionary, counter);
    if (!scanned) throw std::runtime_error(scanned.error().message());
  }
  return counter;
}

void print(const char* title, const AgreementCounts& classifications) {
  std::printf("  %s: %" PRIu64 ", disagreement %.4f %%\n", title, classifications.total(),
              100.0 * classifications.disagreement());
  for (const Agreement classification :
       {Agreement::shared_lemma, Agreement::same_class, Agreement::no_stem, Agreement::rejected,
        Agreement::other_class, Agreement::at_run_time, Agreement::compound, Agreement::only_hunspell,
        Agreement::unknown_to_both}) {
    if (classifications.count(classification) == 0) continue;
    std::printf(
        "    %-46s %10" PRIu64 "  %s\n", std::string(describe(classification)).c_str(),
        classifications.count(classification),
        classification == Agreement::shared_lemma ? "" : classifications.examples(classification).c_str());
  }
}

/// Judges every `every`-th spelling of a dictionary.
class SpellingJudge : public FormSink {
 public:
  SpellingJudge(const Dictionary& dictionary, HunspellOracle& oracle, std::uint64_t every,
                AgreementCounts& out)
      : dictionary_(dictionary), oracle_(oracle), every_(every), out_(out) {}

  void begin_entry() { seen_.clear(); }
  void on_form(std::u32string_view form, std::string_view) override {
    if (!folder_.fold_form(form) || !seen_.insert(std::u32string(form)).second || count_++ % every_ != 0)
      return;
    out_.add(compare(dictionary_, oracle_, form), form, 1);
  }

 private:
  const Dictionary& dictionary_;
  HunspellOracle& oracle_;
  std::uint64_t every_, count_ = 0;
  AgreementCounts& out_;
  FormFolder folder_;
  std::unordered_set<std::u32string> seen_;
};

void measure_agreement(const std::string& language, std::uint64_t every,
                       const std::vector<std::string>& texts) {
  const auto dictionary = open({language}, false);
  const DictionarySource& source = dictionary->stats().sources.front();
  std::printf("%s: %" PRIu64 " lemmas, %" PRIu64 " forms%s, %" PRIu64 " entries cut\n", language.c_str(),
              source.lemmas, source.forms, source.compounds ? ", builds compounds" : "", source.cut_entries);
  const DictionaryPair files{source.aff, source.dic};
  HunspellOracle oracle(files);
  const std::string aff = read_file(files.aff);
  const std::string dic = read_file(files.dic);
  auto forms = DictionaryForms::read(files, aff, dic);
  if (!forms) throw std::runtime_error(forms.error().message());

  AgreementCounts spellings;
  SpellingJudge spelling_judge(*dictionary, oracle, every, spellings);
  Expander expander(forms->affixes());
  const ExpansionDepth depth = source.cut_entries > 0 ? ExpansionDepth::roots : ExpansionDepth::full;
  for (std::size_t i = 0; i < forms->words().entries.size(); ++i) {
    spelling_judge.begin_entry();
    forms->expand(i, depth, expander, spelling_judge);
  }
  print("expanded spellings", spellings);

  AgreementCounts running;
  const WordCounter words = count_words(texts.empty() ? corpus_texts(language) : texts, *dictionary);
  for (const auto& [word, count] : words.counts()) {
    running.add(compare(*dictionary, oracle, to_utf32(word)), to_utf32(word), count);
  }
  print("running words", running);
  std::fflush(stdout);
}

/// Counts running words by their class, by the paper's rule (the sum over the lemma set) and by spelling.
class CollisionCounter : public SentenceSink {
 public:
  explicit CollisionCounter(const Dictionary& dictionary) : dictionary_(dictionary) {}

  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      ++total_;
      ++by_class_[word.lemma_class.hash];
      class_of_[word.key] = word.lemma_class.hash;
      std::uint64_t sum = word.lemma_class.hash;
      if (word.lemma_class.form != WordClass::kNoForm) {
        sum = 0;
        for (const std::uint32_t id : dictionary_.lemma_ids(word.lemma_class.form)) sum += mix64(id);
      }
      ++by_sum_[sum];
      ++by_spelling_[word.key];
    }
  }
  [[nodiscard]] double by_class() const { return chance(by_class_); }
  [[nodiscard]] double by_sum() const { return chance(by_sum_); }
  [[nodiscard]] double by_spelling() const { return chance(by_spelling_); }
  [[nodiscard]] std::uint64_t words() const { return total_; }

  /// Class of every spelling met, and how often the spelling was.
  using Counts = std::unordered_map<std::uint64_t, std::uint64_t>;
  [[nodiscard]] const Counts& class_of() const { return class_of_; }
  [[nodiscard]] const Counts& spellings() const { return by_spelling_; }

 private:
  [[nodiscard]] double chance(const Counts& counts) const {
    double sum = 0;
    for (const auto& [hash, count] : counts) {
      const double share = static_cast<double>(count) / static_cast<double>(total_);
      sum += share * share;
    }
    return sum;
  }
  const Dictionary& dictionary_;
  std::uint64_t total_ = 0;
  Counts by_class_, by_sum_, by_spelling_, class_of_;
};

/// Prints the classes that joining languages made larger, those first that add most to the chance.
void print_merged(const CollisionCounter& alone, const CollisionCounter& joined, const Dictionary& dictionary,
                  const std::vector<std::string>& texts) {
  // Class of the joined table → classes of the language alone → running words.
  std::unordered_map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> parts;
  for (const auto& [key, count] : joined.spellings()) {
    const auto before = alone.class_of().find(key);
    if (before != alone.class_of().end()) parts[joined.class_of().at(key)][before->second] += count;
  }
  std::vector<std::pair<double, std::uint64_t>> gains;
  for (const auto& [merged, classes] : parts) {
    double sum = 0;
    double squares = 0;
    for (const auto& [part, count] : classes) {
      const double share = static_cast<double>(count) / static_cast<double>(joined.words());
      sum += share;
      squares += share * share;
    }
    if (classes.size() > 1) gains.emplace_back(sum * sum - squares, merged);
  }
  std::sort(gains.rbegin(), gains.rend());
  if (gains.size() > 8) gains.resize(8);
  const WordCounter words = count_words(texts, dictionary);
  WordFolder folder;
  for (const auto& [gain, merged] : gains) {
    std::vector<std::pair<std::uint64_t, std::string>> frequent;
    for (const auto& [word, count] : words.counts()) {
      const FoldedWord folded = folder.fold(word);
      if (dictionary.classify(folded).hash == merged) frequent.emplace_back(count, to_utf8(folded.letters));
    }
    std::sort(frequent.rbegin(), frequent.rend());
    if (frequent.size() > 8) frequent.resize(8);
    std::printf("    +%.6f:", gain);
    for (const auto& [count, word] : frequent) std::printf(" %s %" PRIu64, word.c_str(), count);
    std::printf("\n");
  }
}

/// The other rule that would be a function of the sentence alone: each language keeps its own classes, and a
/// word hashes by the sum over the languages that know it.
void print_kept_apart(const Dictionary& own, const std::vector<std::shared_ptr<const Dictionary>>& all,
                      const std::vector<std::string>& texts) {
  std::unordered_map<std::uint64_t, std::uint64_t> by_sum;
  std::unordered_map<std::uint64_t, std::uint64_t> by_class;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> by_both;
  std::uint64_t total = 0;
  WordFolder folder;
  const WordCounter words = count_words(texts, own);
  for (const auto& [word, count] : words.counts()) {
    const FoldedWord folded = folder.fold(word);
    std::uint64_t sum = 0;
    bool known = false;
    for (const auto& dictionary : all) {
      const WordClass found = dictionary->classify(folded);
      if (found.form == WordClass::kNoForm) continue;
      known = true;
      sum += found.hash;
    }
    const std::uint64_t own_class = own.classify(folded).hash;
    if (!known) sum = own_class;
    total += count;
    by_sum[sum] += count;
    by_class[own_class] += count;
    by_both[{own_class, sum}] += count;
  }
  const auto squares = [](const auto& counts) {
    double out = 0;
    for (const auto& [key, count] : counts) out += static_cast<double>(count) * static_cast<double>(count);
    return out;
  };
  const auto pairs = static_cast<double>(total) * static_cast<double>(total);
  std::printf("    kept apart and summed: chance %.6f; of the pairs of one class alone, %.2f %% stay equal\n",
              squares(by_sum) / pairs, 100.0 * squares(by_both) / squares(by_class));
}

void measure_classes(const std::vector<std::string>& languages, bool supplements) {
  std::map<std::string, std::vector<std::string>> texts;
  std::map<std::string, std::unique_ptr<CollisionCounter>> alone;
  std::vector<std::shared_ptr<const Dictionary>> opened;
  const auto report = [&](const std::vector<std::string>& configured) {
    opened.push_back(open(configured, supplements));
    const DictionaryStats& stats = opened.back()->stats();
    std::string name;
    for (const std::string& language : configured) name.append(name.empty() ? "" : "+").append(language);
    std::printf("%s: %" PRIu64 " lemmas, %" PRIu64 " forms, %" PRIu64 " classes; largest %s with %" PRIu64
                " forms\n",
                name.c_str(), stats.lemmas, stats.forms, stats.classes, stats.largest_class.c_str(),
                stats.largest_class_forms);
  };
  const auto count = [&](const std::string& language) {
    auto counter = std::make_unique<CollisionCounter>(*opened.back());
    for (const std::string& text : texts[language]) {
      const auto scanned = scan_text(text, *opened.back(), *counter);
      if (!scanned) throw std::runtime_error(scanned.error().message());
    }
    std::printf("  %s text, %" PRIu64
                " words: chance that two are equal: class %.6f, lemma-set sum %.6f, spelling %.6f\n",
                language.c_str(), counter->words(), counter->by_class(), counter->by_sum(),
                counter->by_spelling());
    return counter;
  };
  for (const std::string& language : languages) {
    texts[language] = corpus_texts(language);
    report({language});
    alone[language] = count(language);
  }
  report(languages);
  for (const std::string& language : languages) {
    const auto joined = count(language);
    print_merged(*alone[language], *joined, *opened.back(), texts[language]);
    const auto own =
        static_cast<std::size_t>(std::find(languages.begin(), languages.end(), language) - languages.begin());
    print_kept_apart(*opened[own], {opened.begin(), opened.end() - 1}, texts[language]);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares compiled dictionaries with Hunspell");
  std::vector<std::string> languages{"ru", "en", "de", "uk"};
  std::vector<std::string> files;
  std::uint64_t every = 1;
  bool classes = false;
  app.add_option("--lang", languages, "Language codes")->delimiter(',');
  app.add_option("--every", every, "Judge every K-th spelling only")->check(CLI::PositiveNumber);
  app.add_option("--text", files, "Texts instead of the corpora")->check(CLI::ExistingFile);
  bool supplements = false;
  app.add_flag("--classes", classes, "What joining languages costs");
  app.add_flag("--supplements", supplements, "With the supplements that ship (for --classes)");
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<std::string> texts;
    for (const std::string& file : files) texts.push_back(read_file(file));
    if (classes) {
      measure_classes(languages, supplements);
    } else {
      for (const std::string& language : languages) measure_agreement(language, every, texts);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_hunspell: %s\n", error.what());
    return 2;
  }
  return 0;
}
