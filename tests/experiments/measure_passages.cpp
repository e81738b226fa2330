// What alignment finds of passages that others have labelled. Usage: measure_passages [--seed K] [--ordered]
// [--places N] [--gap N] [--density PERCENT] [--run T] [--show N] [PART…]
//
// Prints PAN's measures of the verbatim passages of PAN 2013, the classes of Clough and Stevenson's short
// answers, the obfuscations of ParaPlag's essays, editions of one work, and pairs of unrelated novels, in
// which every passage that is found is wrong unless a reader calls it a quotation. Exit 0, 77 without
// corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/utf8.h"
#include "extract/html/html.h"
#include "lab/evaluate/passage_measures.h"
#include "morph/align/align.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/report.h"

namespace {

using namespace akin::experiments;
using akin::evaluate::measure_passages;
using akin::evaluate::PassageMeasures;
using akin::evaluate::Reuse;
namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Text {
  std::string utf8;
  akin::WordSequence words;
};

class Experiment {
 public:
  Experiment(fs::path corpora, const akin::AlignOptions& options, std::size_t show)
      : corpora_(std::move(corpora)), options_(options), show_(show) {
    akin::DictionaryConfig config;
    config.languages = {"en", "ru"};
    dictionary_ = checked(akin::Dictionary::open(config));
  }

  void pan() {
    const fs::path folder = corpora_ / "en-pairs/pan13-no-obfuscation";
    std::vector<Reuse> known;
    std::set<std::pair<std::string, std::string>> pairs;
    for (const auto& row : read_table(folder / "cases.tsv")) {
      known.push_back({row[0], row[1], range(row[2], row[3]), range(row[4], row[5])});
      pairs.emplace(row[0], row[1]);
    }
    std::vector<Reuse> found;
    std::size_t pairs_found = 0;
    for (const auto& [document, source] : pairs) {
      const Text& a = text(folder / "susp" / document);
      const Text& b = text(folder / "src" / source);
      const akin::Alignment alignment = align(a, b);
      pairs_found += alignment.passages.empty() ? 0 : 1;
      for (const auto& passage : alignment.passages) {
        found.push_back({document, source, passage.a, passage.b});
        const double precision = measure_passages(known, {found.back()}).precision;
        if (show_ > 0 && precision < 0.9) {
          std::printf("%.2f %s %s\n  %s\n  %s\n", precision, document.c_str(), source.c_str(),
                      cut(a.utf8, passage.a).c_str(), cut(b.utf8, passage.b).c_str());
        }
      }
    }
    const PassageMeasures m = measure_passages(known, found);
    std::printf(
        "\nPAN 2013, verbatim passages:\n\n%s",
        markdown({{"recall", "precision", "granularity", "plagdet", "passages found", "pairs found"},
                  {number("%.4f", m.recall), number("%.4f", m.precision), number("%.4f", m.granularity),
                   number("%.4f", m.plagdet), of(m.known_found, m.known), of(pairs_found, pairs.size())}})
            .c_str());
    texts_.clear();
  }

  void clough_stevenson() {
    const fs::path folder = corpora_ / "en-pairs/clough-stevenson";
    std::map<std::string, std::vector<double>> shares;
    for (const auto& row : read_table(folder / "pairs.tsv")) {
      const Text& a = text(folder / row[0]);
      shares[row[2]].push_back(share(align(a, text(folder / row[1])), a));
    }
    std::vector<std::vector<std::string>> table = {{"class", "found", "least share", "median share", "most"}};
    for (const char* name : {"cut", "light", "heavy", "non"}) {
      std::vector<double>& of_class = shares[name];
      std::ranges::sort(of_class);
      const auto found =
          static_cast<std::size_t>(std::ranges::count_if(of_class, [](double s) { return s > 0; }));
      table.push_back({name, of(found, of_class.size()), number("%.2f", of_class.front()),
                       number("%.2f", of_class[of_class.size() / 2]), number("%.2f", of_class.back())});
    }
    std::printf("\nClough and Stevenson, short answers:\n\n%s", markdown(table).c_str());
  }

  void paraplag() {
    for (const auto& entry : fs::directory_iterator(corpora_ / "ru-pairs/paraplag-samples")) {
      if (entry.is_directory()) paraplag_essay(entry.path());
    }
  }

  void editions() {
    const fs::path folder = corpora_ / "ru-pairs/editions";
    std::size_t found = 0, pairs = 0;
    double least = 1;
    for (const auto& row : read_table(folder / "pairs.tsv")) {
      const Text& a = text(folder / row[0] / row[1]);
      const double shared = share(align(a, text(folder / row[0] / row[2])), a);
      ++pairs;
      found += shared >= 0.5 ? 1 : 0;
      least = std::min(least, shared);
      texts_.clear();
    }
    std::printf("\nEditions of one work, share of words matched at least half: %s; least share %.2f\n",
                of(found, pairs).c_str(), least);
  }

  /// Words of B a second, for an A of ten pages, for one as long as B, and for texts of one word.
  void speed() {
    const std::vector<Work> works = some_works("ru-novels");
    std::vector<Text> novels;
    novels.reserve(works.size());
    for (const Work& work : works) novels.push_back(made(work.text));
    akin::WordSequence page = novels.front().words;
    page.classes.resize(std::min<std::size_t>(page.classes.size(), 3'000));
    page.ranges.resize(page.classes.size());
    std::printf(
        "\nMillion words of B a second: A of %zu words %.1f; A as long as B %.1f; texts of 10^7 equal words "
        "%.1f\n",
        page.classes.size(), words_a_second(page, novels) / 1e6,
        words_a_second(novels.back().words, novels) / 1e6, equal_words_a_second() / 1e6);
  }

  void unrelated() {
    struct Found {
      unsigned words;
      std::string a, b, text, source;
    };
    std::vector<Found> found;
    std::size_t pairs = 0;
    for (const char* folder : {"en-novels", "ru-novels"}) {
      const std::vector<Work> works = some_works(folder);
      std::vector<Text> texts;
      texts.reserve(works.size());
      for (const Work& work : works) texts.push_back(made(work.text));
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const akin::Aligner aligner(texts[i].words, options_);
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
          if (author(works[i].id) == author(works[j].id)) continue;
          ++pairs;
          for (const auto& passage : aligner.align(texts[j].words).passages) {
            found.push_back({std::min(passage.a_matched, passage.b_matched), works[i].id, works[j].id,
                             cut(texts[i].utf8, passage.a), cut(texts[j].utf8, passage.b)});
          }
        }
      }
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &Found::words);
    std::printf("\nPairs of unrelated novels: %zu, passages found: %zu\n", pairs, found.size());
    for (std::size_t i = 0; i < std::min(found.size(), show_); ++i) {
      std::printf("%u words, %s and %s\n  %s\n  %s\n", found[i].words, found[i].a.c_str(), found[i].b.c_str(),
                  found[i].text.c_str(), found[i].source.c_str());
    }
  }

 private:
  [[nodiscard]] double words_a_second(const akin::WordSequence& a, const std::vector<Text>& texts) const {
    const akin::Aligner aligner(a, options_);
    std::size_t words = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const Text& b : texts) {
      (void)aligner.align(b.words);
      words += b.words.classes.size();
    }
    return static_cast<double>(words) / seconds_since(begin);
  }
  [[nodiscard]] double equal_words_a_second() const {
    akin::WordSequence words;
    words.classes.assign(10'000'000, 7);
    words.ranges.resize(words.classes.size());
    const auto begin = std::chrono::steady_clock::now();
    (void)akin::Aligner(words, options_).align(words);
    return static_cast<double>(words.classes.size()) / seconds_since(begin);
  }
  static double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  static std::string of(std::size_t part, std::size_t whole) {
    return std::to_string(part) + " of " + std::to_string(whole);
  }
  static akin::TextRange range(const std::string& begin, const std::string& length) {
    const auto first = static_cast<std::uint32_t>(std::stoul(begin));
    return {first, first + static_cast<std::uint32_t>(std::stoul(length))};
  }
  static double share(const akin::Alignment& alignment, const Text& a) {
    return static_cast<double>(alignment.a_matched) / static_cast<double>(a.words.classes.size());
  }
  static std::string cut(const std::string& utf8, akin::TextRange range) {
    std::string text(akin::slice_code_points(utf8, range.begin, range.end));
    std::ranges::replace(text, '\n', ' ');
    return text;
  }
  /// The author in a path like "en-novels/eltec/ENG18400_Author_Title.txt" is not always named; two works of
  /// one file name's first word count as one author's.
  static std::string author(const std::string& id) {
    const std::string name = id.substr(id.rfind('/') + 1);
    return name.substr(0, name.find_first_of("_.-"));
  }

  Text made(std::string utf8) const {
    Text text{std::move(utf8), {}};
    text.words = checked(akin::read_words(text.utf8, *dictionary_));
    return text;
  }
  const Text& text(const fs::path& file) {
    auto& slot = texts_[file];
    if (!slot) slot = std::make_unique<Text>(made(read(file)));
    return *slot;
  }
  [[nodiscard]] akin::Alignment align(const Text& a, const Text& b) const {
    return akin::Aligner(a.words, options_).align(b.words);
  }

  /// Every fourth work, to keep the pairs few.
  [[nodiscard]] std::vector<Work> some_works(const char* folder) const {
    const std::vector<Work> all = read_works(corpora_, folder);
    std::vector<Work> some;
    for (std::size_t i = 0; i < all.size(); i += 4) some.push_back(all[i]);
    return some;
  }

  void paraplag_essay(const fs::path& folder) {
    const Text essay = made(read(folder / "essay.txt"));
    const std::u32string letters = akin::to_utf32(essay.utf8);
    const akin::Aligner aligner(essay.words, options_);
    std::map<std::string, std::vector<akin::TextRange>> marked;  // by source
    std::size_t sources = 0;
    for (const auto& entry : fs::directory_iterator(folder / "sources")) {
      const std::string name = entry.path().filename();
      const Text source = made(checked(akin::extract::read_html(read(entry.path()), name)).text);
      ++sources;
      for (const auto& passage : aligner.align(source.words).passages) marked[name].push_back(passage.a);
    }
    std::map<std::string, std::pair<std::size_t, std::size_t>> by_code;  // half covered, all
    std::size_t own = 0, own_marked = 0, from = 0;
    for (const auto& row : read_table(folder / "fragments.tsv")) {
      const std::u32string sentence = akin::to_utf32(row[3]);
      const std::size_t at = letters.find(sentence, from);
      if (at == std::u32string::npos) throw std::runtime_error("the essay lacks: " + row[3]);
      from = at + sentence.size();
      const akin::TextRange place{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(from)};
      std::vector<akin::TextRange> all;
      for (const auto& [source, ranges] : marked) {
        if (row[1].empty() || source == row[1]) all.insert(all.end(), ranges.begin(), ranges.end());
      }
      const double covered = covered_share(place, all);
      if (row[1].empty()) {
        ++own;
        own_marked += covered > 0 ? 1 : 0;
        continue;
      }
      if (show_ > 0)
        std::printf("%.2f %s\n  %s\n  %s\n", covered, row[2].c_str(), row[3].c_str(), row[4].c_str());
      for (const std::string& code : codes(row[2])) {
        auto& [half, of_code] = by_code[code];
        half += covered >= 0.5 ? 1 : 0;
        ++of_code;
      }
    }
    std::vector<std::vector<std::string>> table = {{"obfuscation", "half covered"}};
    for (const auto& [code, counts] : by_code) table.push_back({code, of(counts.first, counts.second)});
    std::printf("\nParaPlag, essay %s: sources found %s, own sentences marked %s\n\n%s",
                folder.filename().c_str(), of(marked.size(), sources).c_str(), of(own_marked, own).c_str(),
                markdown(table).c_str());
  }

  static double covered_share(akin::TextRange place, const std::vector<akin::TextRange>& ranges) {
    std::vector<bool> covered(place.end - place.begin);
    for (const akin::TextRange& range : ranges) {
      for (auto i = std::max(range.begin, place.begin); i < std::min(range.end, place.end); ++i) {
        covered[i - place.begin] = true;
      }
    }
    return static_cast<double>(std::ranges::count(covered, true)) / static_cast<double>(covered.size());
  }

  /// The codes of a cell, in which some С are Cyrillic, and the rows of the table that sum up.
  static std::vector<std::string> codes(const std::string& cell) {
    std::vector<std::string> codes(1);
    for (const char32_t c : akin::to_utf32(cell)) {
      if (c == U',') {
        codes.emplace_back();
      } else if (c != U' ') {
        codes.back() += c == U'С' ? 'C' : static_cast<char>(c);
      }
    }
    if (std::ranges::find(codes, "HPR") == codes.end()) codes.emplace_back("all without HPR");
    codes.emplace_back("all");
    return codes;
  }

  const fs::path corpora_;
  const akin::AlignOptions options_;
  const std::size_t show_;
  std::shared_ptr<const akin::Dictionary> dictionary_;
  std::map<fs::path, std::unique_ptr<Text>> texts_;
};

int run(const akin::AlignOptions& options, std::size_t show, const std::set<std::string>& parts) {
  if (corpora_folder().empty()) {
    std::puts("no corpora (AKIN_CORPORA)");
    return 77;
  }
  if (const auto checked = options.check(); checked.has_error()) {
    throw std::runtime_error(checked.error().message());
  }
  Experiment experiment(corpora_folder(), options, show);
  const auto wanted = [&](const char* part) { return parts.empty() || parts.contains(part); };
  if (wanted("pan")) experiment.pan();
  if (wanted("answers")) experiment.clough_stevenson();
  if (wanted("paraplag")) experiment.paraplag();
  if (wanted("editions")) experiment.editions();
  if (wanted("unrelated")) experiment.unrelated();
  if (wanted("speed")) experiment.speed();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures what alignment finds of labelled passages");
  akin::AlignOptions options;
  std::size_t show = 0;
  std::set<std::string> parts;
  app.add_option("part", parts, "pan, answers, paraplag, editions, unrelated, speed; all without")
      ->check(CLI::IsMember({"pan", "answers", "paraplag", "editions", "unrelated", "speed"}));
  app.add_option("--seed", options.seed, "Words of a gram")->capture_default_str();
  app.add_flag("--ordered", options.ordered, "Grams keep the order of words");
  app.add_option("--places", options.places, "Places of a gram in B that begin fragments")
      ->capture_default_str();
  app.add_option("--gap", options.gap, "Words between neighbours")->capture_default_str();
  app.add_option("--density", options.density, "Least share of matched words, %")->capture_default_str();
  app.add_option("--run", options.run, "Fewest matched words of a passage")->capture_default_str();
  app.add_option("--show", show, "Wrong passages to print")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options, show, parts);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "measure_passages: %s\n", failure.what());
    return 2;
  }
}
