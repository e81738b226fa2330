// What is left of a text's sentence pairs when it is set in another way, and whether a part of a text has the
// pairs that the whole has of it. Usage: measure_settings settings|fragments [--hold] [--list]
//
//   settings   the share of the pairs of a text (a paragraph a line, blank lines between) that it has in each
//              setting
//   fragments  parts of works as they are, and of works in each setting, against the whole. A part of n
//              sentences that is cut inside sentences keeps n - 3 pairs: its first and last pair change, and
//              the last sentence alone
//
// --list: name each part that keeps less than .97, by its bytes in the work.
// --hold: exit 1 if a figure is worse than docs/evaluation.md promises. Exit 77 without corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "index/overlap/overlap.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/fragments.h"
#include "tests/experiments/settings.h"

namespace {

using namespace akin;
using namespace akin::experiments;

constexpr std::size_t kWorks = 6;  // of a language, in every setting
constexpr std::size_t kCharacters = 300'000;
constexpr std::size_t kEdges = 3;  // features that a cut inside sentences changes
constexpr double kLeastInside = 0.97;
constexpr std::size_t kMostBelow = 100;  // one part of so many may have less in a setting

constexpr std::array<const char*, 5> kFolders = {"ru-novels/ruslit/prose", "ru-novels/eltec-rus",
                                                 "en-novels/eltec-eng", "other-lang/eltec-deu",
                                                 "other-lang/eltec-ukr"};

class Features {
 public:
  Features() {
    DictionaryConfig config;
    config.languages = {"ru", "en", "de", "uk"};
    dictionary_ = checked(Dictionary::open(config));
    scheme_ = checked(make_scheme("sentence-pairs"));
  }
  [[nodiscard]] FeatureSequence of(std::string_view text) const {
    return checked(extract_features(text, *dictionary_, *scheme_));
  }

 private:
  std::shared_ptr<const Dictionary> dictionary_;
  std::shared_ptr<const Scheme> scheme_;
};

/// Works of one folder, spread over it; the first kCharacters of each.
std::vector<Paragraphs> sample(const char* folder) {
  std::vector<Work> works = read_works(corpora_folder(), folder);
  std::erase_if(works, [](const Work& work) { return work.text.size() < 60'000; });
  std::vector<Paragraphs> sampled;
  const std::size_t step = std::max<std::size_t>(1, works.size() / kWorks);
  for (std::size_t i = 0; i < works.size() && sampled.size() < kWorks; i += step)
    sampled.push_back(paragraphs_of_work(slice_code_points(works[i].text, 0, kCharacters)));
  return sampled;
}

bool measure_in_settings(const Features& features) {
  std::printf(
      "| setting | ru | ru, ELTeC | en | de | uk | least of a work |\n|---|---:|---:|---:|---:|---:|---:|\n");
  std::array<std::vector<Paragraphs>, kFolders.size()> works;
  std::ranges::transform(kFolders, works.begin(), sample);
  bool held = true;
  for (const Setting& setting : settings()) {
    std::printf("| %s |", std::string(setting.name).c_str());
    double least = 1;
    for (const auto& language : works) {
      std::uint64_t x = 0, all = 0;
      for (const Paragraphs& work : language) {
        const FeatureSequence plain = features.of(as_set(work));
        const Overlap shared = overlap(plain.hashes, features.of(setting.set(work)).hashes);
        x += shared.x;
        all += shared.a_features;
        least = std::min(least, shared.containment());
      }
      const double share = static_cast<double>(x) / static_cast<double>(all);
      held = held && share >= setting.least;
      std::printf(" %.4f |", share);
    }
    std::printf(" %.4f |\n", least);
    std::fflush(stdout);
  }
  return held;
}

/// The share of a part's pairs that the whole has, of those that a cut inside sentences can leave.
double inside(const Overlap& shared) {
  return static_cast<double>(std::min<std::uint64_t>(shared.x + kEdges, shared.a_features)) /
         static_cast<double>(shared.a_features);
}

/// What parts of texts have in common with the whole.
struct Parts {
  std::size_t count = 0, missed = 0, below = 0;
  double least = 1, least_inside = 1, sum = 0;

  void add(const Overlap& shared) {
    const double share = inside(shared);
    ++count;
    missed += shared.containment() < 0.5 ? 1 : 0;
    below += share < kLeastInside ? 1 : 0;
    least = std::min(least, shared.containment());
    least_inside = std::min(least_inside, share);
    sum += share;
  }
  [[nodiscard]] bool held() const { return missed == 0 && below * kMostBelow <= count; }
  void print(std::string_view name) const {
    std::printf("| %s | %zu | %zu | %.3f | %.3f | %.4f | %zu |\n", std::string(name).c_str(), count, missed,
                least, least_inside, sum / static_cast<double>(count), below);
    std::fflush(stdout);
  }
};

bool measure_fragments(const Features& features, unsigned fragments, bool list) {
  std::printf(
      "| works | fragments | miss (< .5) | least X/\\|F\\| | least (X+3)/\\|F\\| | mean of these | below .97 "
      "|\n"
      "|---|---:|---:|---:|---:|---:|---:|\n");
  std::mt19937_64 random(2009);
  bool held = true;
  const auto cut = [&](const std::string& name, const std::string& text, Parts& parts) {
    const FragmentSizes sizes;
    if (text.size() < sizes.shortest) return;
    const FeatureSequence whole = features.of(text);
    for (unsigned i = 0; i < fragments; ++i) {
      const std::string_view part = cut_fragment(text, sizes, random);
      const Overlap shared = overlap(features.of(part).hashes, whole.hashes);
      parts.add(shared);
      if (list && inside(shared) < kLeastInside)
        std::printf("%s: %zu bytes from %zu: %.3f of %zu\n", name.c_str(), part.size(),
                    static_cast<std::size_t>(part.data() - text.data()), inside(shared),
                    static_cast<std::size_t>(shared.a_features));
    }
  };
  for (const char* folder : {"ru-novels", "en-novels", "other-lang/eltec-deu", "other-lang/eltec-ukr",
                             "other-lang/eltec-hun", "other-lang/eltec-pol", "other-lang/eltec-cze"}) {
    Parts parts;
    for (const Work& work : read_works(corpora_folder(), folder)) cut(work.id, work.text, parts);
    parts.print(folder);
    held = held && parts.held() && parts.below == 0;
  }
  std::vector<Paragraphs> works;
  for (const char* folder : kFolders) std::ranges::move(sample(folder), std::back_inserter(works));
  for (const Setting& setting : settings()) {
    Parts parts;
    for (std::size_t i = 0; i < works.size(); ++i)
      cut("work " + std::to_string(i), setting.set(works[i]), parts);
    parts.print(setting.name);
    held = held && parts.held();
  }
  return held;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sentence pairs of a text in other settings, and of its parts");
  app.require_subcommand(1);
  bool hold = false;
  bool list = false;
  unsigned fragments = 20;
  CLI::App* in_settings = app.add_subcommand("settings", "A text set in other ways");
  CLI::App* parts = app.add_subcommand("fragments", "Parts of texts");
  parts->add_option("--fragments", fragments, "Fragments of each work")->capture_default_str();
  parts->add_flag("--list", list, "Name the parts below .97");
  for (CLI::App* command : {in_settings, parts})
    command->add_flag("--hold", hold, "Fail where docs promise more");
  CLI11_PARSE(app, argc, argv);
  if (corpora_folder().empty()) return std::puts("no corpora (AKIN_CORPORA)"), 77;
  const Features features;
  const bool held =
      in_settings->parsed() ? measure_in_settings(features) : measure_fragments(features, fragments, list);
  return held || !hold ? 0 : 1;
}
