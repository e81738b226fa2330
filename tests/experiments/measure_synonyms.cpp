// What joining synonyms gains and costs. Usage: measure_synonyms [--synonyms LANG|FILE]…
//
// Gain: the works of ru-pairs/w2v-substitution, most of whose words were replaced by words of like meaning
// (of works with equally many lines, lines with equally many words are compared word by word), and the
// headlines of ru-pairs/paraphraser. Cost: the chance that two running words count as one, the groups that
// add most to it, headlines that are no paraphrases, and news articles on different events. Exit 0, 77
// without corpora or thesauri, 2 when something fails.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <unordered_map>

#include "base/files.h"
#include "dict/read/dictionary_lines.h"
#include "index/overlap/overlap.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/report.h"

namespace {

using namespace akin;
using namespace akin::experiments;
namespace fs = std::filesystem;

using Row = std::vector<std::string>;
using Table = std::vector<Row>;

constexpr std::array<double, 3> kResemblances = {0.3, 0.4, 0.5};
constexpr std::size_t kCostliest = 4;  ///< groups listed of a language

std::string arrow(const std::string& before, const std::string& after) { return before + " → " + after; }

/// Words of a text with their hashes, synonyms apart and joined.
struct FoundWords : SentenceSink {
  explicit FoundWords(const Dictionary& of) : dictionary(of) {}
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      apart.push_back(word.lemma_class.hash);
      joined.push_back(dictionary.synonym_hash(word.lemma_class.hash));
      spellings.emplace_back(word.source);
    }
  }
  const Dictionary& dictionary;
  std::vector<std::uint64_t> apart, joined;
  std::vector<std::string> spellings;
};

FoundWords words_of(std::string_view text, const Dictionary& dictionary) {
  FoundWords words(dictionary);
  checked(scan_text(text, dictionary, words));
  return words;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Overlap compare(std::string_view a, std::string_view b, const Dictionary& dictionary,
                std::string_view scheme) {
  const auto made = checked(make_scheme(scheme));
  return overlap(checked(extract_features(a, dictionary, *made)).hashes,
                 checked(extract_features(b, dictionary, *made)).hashes);
}

/// Resemblance of two texts as sets of hashes.
double resemblance(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  const auto as_set = [](const std::vector<std::uint64_t>& hashes) {
    std::vector<Feature> set;
    set.reserve(hashes.size());
    for (const std::uint64_t hash : hashes) set.push_back(Feature{hash});
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return set;
  };
  return overlap(as_set(a), as_set(b)).resemblance();
}

/// Counts over a work and its substituted copy.
struct Substitution {
  std::uint64_t replaced = 0, met = 0;  ///< words, and those whose replacement counts as the same word
  std::uint64_t sentences = 0;
  std::array<std::uint64_t, 2> shared{};  ///< sentences, synonyms apart and joined
};

void add_words(const std::string& original, const std::string& substituted, const Dictionary& dictionary,
               Substitution& sum) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  if (lines(original) != lines(substituted)) return;
  DictionaryLines a(original), b(substituted);
  while (a.next() && b.next()) {
    const FoundWords before = words_of(a.line(), dictionary);
    const FoundWords after = words_of(b.line(), dictionary);
    if (before.apart.size() != after.apart.size()) continue;
    for (std::size_t i = 0; i < before.apart.size(); ++i) {
      if (before.apart[i] == after.apart[i]) continue;
      ++sum.replaced;
      if (before.joined[i] == after.joined[i]) ++sum.met;
    }
  }
}

Row row(const std::string& work, const Substitution& found) {
  return {work,
          found.replaced == 0 ? "not aligned" : grouped(found.replaced),
          percent(found.met, found.replaced),
          grouped(found.sentences),
          grouped(found.shared[0]),
          grouped(found.shared[1])};
}

std::string measure_substitution(const Dictionary& dictionary) {
  const fs::path folder = corpora_folder() / "ru-pairs/w2v-substitution";
  std::vector<fs::path> originals;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().string().ends_with(".original.txt")) originals.push_back(entry.path());
  }
  std::sort(originals.begin(), originals.end());
  Table table{{"work", "words replaced", "count as one", "sentences", "shared, apart", "joined"}};
  Substitution all;
  for (const fs::path& path : originals) {
    const std::string work = path.filename().string().substr(0, path.filename().string().find('.'));
    const std::string original = checked(read_whole_file(path));
    const std::string substituted = checked(read_whole_file(folder / (work + ".substituted.txt")));
    Substitution found;
    add_words(original, substituted, dictionary, found);
    const Overlap apart = compare(original, substituted, dictionary, "sentences");
    const Overlap joined = compare(original, substituted, dictionary, "synonyms(of=sentences)");
    found.sentences = apart.a_features;
    found.shared = {apart.x, joined.x};
    table.push_back(row(work, found));
    all.replaced += found.replaced;
    all.met += found.met;
    all.sentences += found.sentences;
    for (std::size_t i = 0; i < 2; ++i) all.shared[i] += found.shared[i];
  }
  table.push_back(row("all", all));
  return markdown(table);
}

/// Two texts with what people said of them.
struct LabelledPair {
  std::string label, a, b;
};

std::vector<LabelledPair> read_pairs(const fs::path& file, std::array<std::size_t, 3> columns) {
  std::vector<LabelledPair> pairs;
  for (const auto& line : read_table(corpora_folder() / file)) {
    if (line.size() > *std::max_element(columns.begin(), columns.end())) {
      pairs.push_back({line[columns[0]], line[columns[1]], line[columns[2]]});
    }
  }
  return pairs;
}

/// Share of pairs of a positive and a negative in which the positive is more alike; equal ones count half
/// (the area under the ROC curve; Hanley and McNeil 1982).
double area(const std::vector<double>& positive, std::vector<double> negative) {
  std::sort(negative.begin(), negative.end());
  double sum = 0;
  for (const double p : positive) {
    const auto range = std::equal_range(negative.begin(), negative.end(), p);
    sum += double(range.first - negative.begin()) + 0.5 * double(range.second - range.first);
  }
  return positive.empty() || negative.empty() ? 0 : sum / double(positive.size()) / double(negative.size());
}

struct LabelledSet {
  std::string title;
  std::vector<LabelledPair> pairs;
  std::string positive, negative;
};

/// Rows of a table whose heading is kPairsHeading: one for each label, with the area in the first.
void measure_pairs(const LabelledSet& set, const Dictionary& dictionary, Table& table) {
  std::map<std::string, std::array<std::vector<double>, 2>> values;  // by label; synonyms apart and joined
  for (const LabelledPair& pair : set.pairs) {
    const FoundWords a = words_of(pair.a, dictionary);
    const FoundWords b = words_of(pair.b, dictionary);
    values[pair.label][0].push_back(resemblance(a.apart, b.apart));
    values[pair.label][1].push_back(resemblance(a.joined, b.joined));
  }
  std::string areas = arrow(number("%.4f", area(values[set.positive][0], values[set.negative][0])),
                            number("%.4f", area(values[set.positive][1], values[set.negative][1])));
  for (const std::string& label : {set.positive, set.negative}) {
    const auto& [apart, joined] = values[label];
    Row cells{set.title + ", " + label, grouped(apart.size())};
    for (const double least : kResemblances) {
      const auto over = [least](const std::vector<double>& all) {
        return grouped(static_cast<std::uint64_t>(
            std::count_if(all.begin(), all.end(), [least](double value) { return value >= least; })));
      };
      cells.push_back(arrow(over(apart), over(joined)));
    }
    cells.push_back(std::exchange(areas, ""));
    table.push_back(std::move(cells));
  }
}

/// A joined group with what it adds to the chance that two running words count as one.
struct Cost {
  double added = 0;
  std::string words;  ///< the classes that occur, by a spelling of each, with their counts
};

struct Chance {
  std::uint64_t words = 0;
  double apart = 0, joined = 0;
  std::vector<Cost> costliest;
};

Chance measure_chance(const std::string& folder, const Dictionary& dictionary) {
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> parts;  // group → class → count
  std::unordered_map<std::uint64_t, std::string> spelling;
  Chance chance;
  for (const Work& work : read_works(corpora_folder(), folder)) {
    const FoundWords words = words_of(work.text, dictionary);
    chance.words += words.apart.size();
    for (std::size_t i = 0; i < words.apart.size(); ++i) {
      ++parts[words.joined[i]][words.apart[i]];
      spelling.try_emplace(words.apart[i], words.spellings[i]);
    }
  }
  for (const auto& [group, classes] : parts) {
    std::uint64_t whole = 0;
    double squares = 0;
    std::string described;
    for (const auto& [part, count] : classes) {
      whole += count;
      squares += share(count, chance.words) * share(count, chance.words);
      described += (described.empty() ? "" : ", ") + spelling[part] + " " + grouped(count);
    }
    const double together = share(whole, chance.words) * share(whole, chance.words);
    chance.apart += squares;
    chance.joined += together;
    if (classes.size() > 1) chance.costliest.push_back({together - squares, described});
  }
  std::sort(chance.costliest.begin(), chance.costliest.end(),
            [](const Cost& a, const Cost& b) { return a.added > b.added; });
  if (chance.costliest.size() > kCostliest) chance.costliest.resize(kCostliest);
  return chance;
}

struct Language {
  std::string code, texts;
};
const std::vector<Language> kLanguages{{"ru", "ru-novels/eltec-rus"},
                                       {"en", "en-novels/gutenberg"},
                                       {"de", "other-lang/eltec-deu"},
                                       {"uk", "other-lang/eltec-ukr"}};

/// Nothing where the language has no thesaurus here.
std::shared_ptr<const Dictionary> open(const std::string& language, std::vector<std::string> synonyms) {
  DictionaryConfig config;
  config.languages = {language};
  config.synonyms = std::move(synonyms);
  if (config.synonyms.empty()) config.synonyms = {language};
  auto opened = Dictionary::open(config);
  if (opened.has_error() && opened.error().code == Errc::not_found) {
    std::fprintf(stderr, "left out: %s\n", opened.error().message().c_str());
    return nullptr;
  }
  return checked(std::move(opened));
}

std::string measure_chances(const std::vector<std::string>& synonyms) {
  Table table{{"dictionary and thesaurus", "classes joined", "into", "largest", "running words",
               "chance apart", "joined", "more"}};
  std::string costliest;
  for (const Language& language : kLanguages) {
    const auto dictionary = open(language.code, synonyms);
    if (dictionary == nullptr) continue;
    const Chance chance = measure_chance(language.texts, *dictionary);
    const SynonymStats& stats = dictionary->stats().synonyms;
    table.push_back({language.code, grouped(stats.classes), grouped(stats.groups), grouped(stats.largest),
                     grouped(chance.words), number("%.6f", chance.apart), number("%.6f", chance.joined),
                     number("%.1f %%", 100 * (chance.joined / chance.apart - 1))});
    for (const Cost& cost : chance.costliest) {
      costliest += "- " + language.code + ", +" + number("%.6f", cost.added) + ": " + cost.words + "\n";
    }
  }
  if (table.size() == 1) return {};
  return markdown(table) + "\nThe groups that add most:\n\n" + costliest;
}

std::string measure_sets(const Dictionary& russian, const std::vector<std::string>& synonyms) {
  Table table{{"pairs", "number"}};
  for (const double least : kResemblances)
    table[0].push_back("resemblance " + number("%.1f", least) + " or more");
  table[0].emplace_back("area under the curve");
  measure_pairs({"ru-pairs/paraphraser", read_pairs("ru-pairs/paraphraser/train.tsv", {1, 2, 3}), "1", "-1"},
                russian, table);
  measure_pairs({"news, Russian", read_pairs("news/ru_same_event_pairs.tsv", {0, 2, 4}), "OK", "BAD"},
                russian, table);
  if (const auto english = open("en", synonyms)) {
    measure_pairs({"news, English", read_pairs("news/en_same_event_pairs.tsv", {0, 2, 4}), "OK", "BAD"},
                  *english, table);
  }
  return markdown(table);
}

int run(const std::vector<std::string>& synonyms) {
  if (corpora_folder().empty()) {
    std::puts("no corpora (AKIN_CORPORA)");
    return 77;
  }
  const auto russian = open("ru", synonyms);
  if (russian == nullptr) return 77;
  const std::string text = measure_chances(synonyms) + "\nru-pairs/w2v-substitution:\n\n" +
                           measure_substitution(*russian) + "\nSets of words, synonyms apart → joined:\n\n" +
                           measure_sets(*russian, synonyms);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What joining synonyms gains and costs");
  std::vector<std::string> synonyms;
  app.add_option("--synonyms", synonyms, "instead of each language's own thesaurus");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(synonyms);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_synonyms: %s\n", error.what());
    return 2;
  }
}
