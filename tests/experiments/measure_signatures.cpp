// How well samples and signatures of shingles estimate the resemblance of two texts, and for which share of
// similar texts supershingles and megashingles find candidates, compared with their formulas. Usage:
// measure_signatures [--texts N]
// Texts are passages of Russian and English novels, of 4,000 characters, as long as those of "Method of
// shingles"; a copy has each of its words exchanged with some probability for a word of another passage. The
// resemblance is that of the sets of 5-word shingles of lemmas. Passages and changes are the same in every
// run. Exit 0, 77 without corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "index/overlap/overlap.h"
#include "morph/schemes/scheme.h"
#include "morph/signatures/signature_math.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"

namespace {

using namespace akin::experiments;

constexpr std::size_t kPassage = 4'000;  // characters
constexpr std::array<double, 8> kChanged = {0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12};
constexpr std::size_t kBands = 10;  // of resemblance, a tenth each

using SchemePointer = std::shared_ptr<const akin::Scheme>;

/// A signature whose candidate_rules are counted beside their probability.
struct Nominator {
  std::string name;
  SchemePointer scheme;
  double (*probability)(double, akin::Grouping) noexcept;
  akin::Grouping grouping;
  std::array<double, kBands> found{}, expected{};
};

/// A sample or signature whose overlap estimates the resemblance.
struct Estimator {
  std::string name;
  SchemePointer scheme;
  bool signature = false;  ///< the share of equal minima, not the resemblance of samples
  std::array<double, kBands> error{}, square{};
};

std::string spelt(std::string_view kind, akin::Grouping grouping, std::string_view minima) {
  return std::string(kind) + "(groups=" + std::to_string(grouping.groups) +
         ",size=" + std::to_string(grouping.size) + ",minima=" + std::string(minima) +
         ",of=shingles(count=set))";
}

class Study {
 public:
  explicit Study(std::shared_ptr<const akin::Dictionary> dictionary) : dictionary_(std::move(dictionary)) {
    for (const std::string_view minima : {"functions", "bins"}) {
      for (const akin::Grouping grouping : {akin::Grouping{6, 14}, akin::Grouping{14, 6}}) {
        const std::string size = std::to_string(grouping.groups) + "x" + std::to_string(grouping.size);
        nominators_.push_back({"super " + size + " " + std::string(minima),
                               checked(akin::make_scheme(spelt("supershingles", grouping, minima))),
                               akin::supershingle_probability, grouping});
      }
      nominators_.push_back({"mega 6x14 " + std::string(minima),
                             checked(akin::make_scheme(spelt("megashingles", {6, 14}, minima))),
                             akin::megashingle_probability,
                             {6, 14}});
      estimators_.push_back({"minhash 84 " + std::string(minima),
                             checked(akin::make_scheme("minhash(k=84,minima=" + std::string(minima) +
                                                       ",of=shingles(count=set))")),
                             true});
    }
    for (const char* sample : {"mod:25", "mod:5", "min:160"}) {
      estimators_.push_back(
          {sample, checked(akin::make_scheme("shingles(count=set,sample=" + std::string(sample) + ")"))});
    }
  }

  void take(const std::string& text, const std::string& copy) {
    const akin::FeatureSequence a = features(text, *judge_), b = features(copy, *judge_);
    const double resemblance = akin::overlap(a.hashes, b.hashes).resemblance();
    const auto band = std::min(static_cast<std::size_t>(resemblance * kBands), kBands - 1);
    ++pairs_[band];
    for (Nominator& one : nominators_) {
      const auto shared = akin::overlap(one.scheme->signature(a).hashes, one.scheme->signature(b).hashes);
      one.found[band] += shared.x > 0 ? 1 : 0;
      one.expected[band] += one.probability(resemblance, one.grouping);
    }
    for (Estimator& one : estimators_) {
      const akin::Overlap shared =
          one.signature
              ? akin::overlap(one.scheme->signature(a).hashes, one.scheme->signature(b).hashes)
              : akin::overlap(features(text, *one.scheme).hashes, features(copy, *one.scheme).hashes);
      const double off = (one.signature ? shared.containment() : shared.resemblance()) - resemblance;
      one.error[band] += off;
      one.square[band] += off * off;
    }
  }

  void print() const {
    std::printf("Share of pairs nominated, and what the formula expects of their resemblances\n%-26s",
                "resemblance");
    print_head();
    for (const Nominator& one : nominators_) {
      std::printf("%-26s", one.name.c_str());
      for_bands([&](std::size_t band) { std::printf(" %7.3f", one.found[band] / pairs_[band]); });
      std::printf("\n%-26s", "  expected");
      for_bands([&](std::size_t band) { std::printf(" %7.3f", one.expected[band] / pairs_[band]); });
      std::printf("\n");
    }
    std::printf("\nResemblance as estimated less as it is: mean, and root of the mean square\n%-26s",
                "resemblance");
    print_head();
    for (const Estimator& one : estimators_) {
      std::printf("%-26s", one.name.c_str());
      for_bands([&](std::size_t band) { std::printf(" %+7.3f", one.error[band] / pairs_[band]); });
      std::printf("\n%-26s", "");
      for_bands([&](std::size_t band) { std::printf(" %7.3f", std::sqrt(one.square[band] / pairs_[band])); });
      std::printf("\n");
    }
  }

 private:
  akin::FeatureSequence features(const std::string& text, const akin::Scheme& scheme) const {
    return checked(akin::extract_features(text, *dictionary_, scheme));
  }

  template <class Do>
  void for_bands(Do act) const {
    for (std::size_t band = 0; band < kBands; ++band) {
      if (pairs_[band] >= 30) act(band);
    }
  }

  void print_head() const {
    for_bands([](std::size_t band) {
      const auto low = static_cast<double>(band) / kBands;
      std::printf(" %3.1f-%3.1f", low, low + 1.0 / kBands);
    });
    std::printf("\n%-26s", "pairs");
    for_bands([&](std::size_t band) { std::printf(" %7.0f", pairs_[band]); });
    std::printf("\n");
  }

  std::shared_ptr<const akin::Dictionary> dictionary_;
  SchemePointer judge_ = checked(akin::make_scheme("shingles(count=set)"));
  std::vector<Nominator> nominators_;
  std::vector<Estimator> estimators_;
  std::array<double, kBands> pairs_{};
};

std::vector<std::string> passages(std::size_t wanted) {
  std::vector<Work> works;
  for (const char* folder : {"ru-novels", "en-novels"}) {
    for (Work& work : read_works(corpora_folder(), folder)) works.push_back(std::move(work));
  }
  std::mt19937_64 random(2017);
  std::vector<std::string> chosen;
  while (chosen.size() < wanted) {
    const std::u32string text = akin::to_utf32(works[random() % works.size()].text);
    if (text.size() < 2 * kPassage) continue;
    chosen.push_back(akin::to_utf8(text.substr(random() % (text.size() - kPassage), kPassage)));
  }
  return chosen;
}

std::vector<std::string_view> words_of(const std::string& text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \n\r\t", at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n\r\t", begin), text.size());
    words.push_back(std::string_view(text).substr(begin, end - begin));
    at = end;
  }
  return words;
}

std::string changed(const std::string& text, const std::string& other, double share,
                    std::mt19937_64& random) {
  const auto strange = words_of(other);
  std::string copy;
  for (const std::string_view word : words_of(text)) {
    const bool exchanged = static_cast<double>(random() >> 11U) * 0x1p-53 < share;
    copy += exchanged ? strange[random() % strange.size()] : word;
    copy += ' ';
  }
  return copy;
}

int run(std::size_t texts) {
  if (corpora_folder().empty()) {
    std::puts("no corpora (AKIN_CORPORA)");
    return 77;
  }
  akin::DictionaryConfig config;
  config.languages = {"ru", "en"};
  Study study(checked(akin::Dictionary::open(config)));
  const std::vector<std::string> all = passages(texts);
  std::mt19937_64 random(84);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const double share : kChanged) {
      study.take(all[i], changed(all[i], all[(i + 1) % all.size()], share, random));
    }
  }
  std::printf("%zu passages, %zu copies of each\n\n", all.size(), kChanged.size());
  study.print();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures samples and signatures of shingles on changed passages of novels");
  std::size_t texts = 1'000;
  app.add_option("--texts", texts, "Passages")->check(CLI::Range(2U, 1'000'000U))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(texts);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "measure_signatures: %s\n", failure.what());
    return 2;
  }
}
