// How much of a text survives what e-mail, PDF, OCR and evasive authors do to it: the share of its sentence
// pairs that the changed copy has too. Usage: measure_arrival [--only TEXT] [--align] [--no-numbers]
// Novels in four languages, the first 150,000 characters of each; changes and seeds are the same in every
// run. --align also gives the share of words that an alignment matches, and the share of the copy's passages
// of 1,500 characters that the tier of passages finds, for rows where pairs cannot survive.
// --no-numbers leaves out the numbers of chapters. Exit 0, 77 without corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "index/overlap/overlap.h"
#include "index/search/text_aligner.h"
#include "morph/disguise/disguise.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/arrivals.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"

namespace {

using namespace akin;
using namespace akin::experiments;

constexpr std::size_t kCharacters = 150'000;
constexpr std::size_t kWorks = 4;
constexpr std::uint32_t kPassage = 1'500;  // code points

struct Language {
  std::string_view code;
  const char* folder;
};
constexpr std::array<Language, 4> kLanguages = {{{"ru", "ru-novels/eltec-rus"},
                                                 {"en", "en-novels/eltec-eng"},
                                                 {"de", "other-lang/eltec-deu"},
                                                 {"uk", "other-lang/eltec-ukr"}}};

struct Source {
  Paragraphs paragraphs;
  std::string text;
  FeatureSequence features;
};

class Measure {
 public:
  explicit Measure(bool no_numbers) {
    DictionaryConfig config;
    config.languages = {"ru", "en", "de", "uk"};
    dictionary_ = checked(Dictionary::open(config));
    scheme_ = checked(make_scheme("sentence-pairs"));
    passages_ = checked(make_scheme("winnow(shape=101011,t=10,stop=last)"));
    for (std::size_t i = 0; i < kLanguages.size(); ++i) {
      std::vector<Work> works = read_works(corpora_folder(), kLanguages[i].folder);
      for (const Work& work : works) {
        if (sources_[i].size() == kWorks) break;
        const std::string_view text = slice_code_points(work.text, 0, kCharacters);
        Source source{paragraphs_of(text), {}, {}};
        if (no_numbers) {
          std::erase_if(source.paragraphs,
                        [](const auto& one) { return std::ranges::none_of(one, is_letter); });
        }
        source.text = as_set(source.paragraphs);
        source.features = features(source.text);
        sources_[i].push_back(std::move(source));
      }
    }
  }

  struct Survived {
    double pairs = 0, aligned = 0, found = 0;
    double alerts = 0;  ///< per 1,000 words of the original
  };

  [[nodiscard]] Survived of(const Arrival& arrival, std::size_t language, bool align) const {
    std::uint64_t x = 0, all = 0, alerts = 0, words = 0, passages = 0, passages_found = 0;
    MatchedWords matched;
    std::uint32_t seed = 17;
    for (const Source& source : sources_[language]) {
      const std::string copy = arrival.apply(source.paragraphs, seed++);
      const FeatureSequence changed = features(copy);
      x += overlap(source.features.hashes, changed.hashes).x;
      all += source.features.hashes.size();
      words += source.features.words;
      alerts += changed.alert_counts.total() + find_disguise(copy).counts.total();
      if (!align) continue;
      const MatchedWords found = checked(align_texts(source.text, copy, dictionary_)).words;
      matched.a += found.a;
      matched.a_words += found.a_words;
      const FeatureSequence grams = checked(extract_features(source.text, *dictionary_, *passages_));
      for (std::uint32_t at = 0; at + kPassage <= count_code_points(copy); at += kPassage) {
        const std::string_view passage = slice_code_points(copy, at, at + kPassage);
        const FeatureSequence own = checked(extract_features(passage, *dictionary_, *passages_));
        ++passages;
        passages_found += overlap(own.hashes, grams.hashes).x > 0 ? 1 : 0;
      }
    }
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole);
    };
    return {.pairs = share(x, all),
            .aligned = matched.a_share(),
            .found = passages == 0 ? 0 : share(passages_found, passages),
            .alerts = 1000 * share(alerts, words)};
  }

 private:
  [[nodiscard]] FeatureSequence features(std::string_view text) const {
    return checked(extract_features(text, *dictionary_, *scheme_));
  }

  std::shared_ptr<const Dictionary> dictionary_;
  std::shared_ptr<const Scheme> scheme_, passages_;
  std::array<std::vector<Source>, kLanguages.size()> sources_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Share of sentence pairs that survives layout, noise and disguise");
  std::string only;
  bool align = false, no_numbers = false;
  app.add_option("--only", only, "Rows whose name contains this");
  app.add_flag("--align", align, "Also align the copies with their originals");
  app.add_flag("--no-numbers", no_numbers, "Leave out paragraphs without letters");
  CLI11_PARSE(app, argc, argv);
  if (corpora_folder().empty()) return std::puts("no corpora (AKIN_CORPORA)"), 77;
  const Measure measure(no_numbers);
  std::printf("| what | ru | en | de | uk | alerts per 1,000 words |\n|---|---:|---:|---:|---:|---:|\n");
  for (const Arrival& arrival : arrivals()) {
    if (arrival.name.find(only) == std::string_view::npos) continue;
    std::printf("| %s |", std::string(arrival.name).c_str());
    double alerts = 0;
    for (std::size_t i = 0; i < kLanguages.size(); ++i) {
      const Measure::Survived survived = measure.of(arrival, i, align);
      alerts += survived.alerts / kLanguages.size();
      std::printf(" %.3f", survived.pairs);
      if (align) std::printf(" (%.3f; %.3f)", survived.aligned, survived.found);
      std::printf(" |");
    }
    std::printf(" %.1f |\n", alerts);
    std::fflush(stdout);
  }
  return 0;
}
