// How well the lemma classes agree with the lemmas of Universal Dependencies treebanks, without and with
// supplements. Usage: measure_lemmas [--lang L[,L…]] [--supplement FILE] [--worst N] [FILE.conllu…]
//
// Over all pairs of running words of a treebank: recall is the share of pairs with one lemma that get one
// class, false the share of pairs with two lemmas that do. The headline counts pairs of words with different
// spellings only, since words spelt alike get one class from any dictionary; the figures over all pairs stand
// beside it. The share of false pairs by homographs is given apart: the treebank gives one spelling both
// lemmas, and no table that joins the forms of a lemma can separate them. Chance is the share of all pairs of
// running words that get one class.
//
// Without files: all treebanks of the corpora, each with the dictionary of its language, the first two
// letters of its name. Exit 0, 2 when nothing could be measured.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>

#include "dict/dictionary.h"
#include "dict/fold/fold.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/treebank.h"

namespace {

using namespace akin::experiments;
namespace fs = std::filesystem;

struct Settings {
  std::vector<std::string> languages;
  std::vector<fs::path> supplements;
  std::vector<fs::path> files;
  std::size_t worst = 0;
};

std::shared_ptr<const akin::Dictionary> open(const Settings& settings, const fs::path& file,
                                             bool supplements) {
  akin::DictionaryConfig config;
  config.languages = settings.languages;
  if (config.languages.empty()) config.languages.push_back(file.filename().string().substr(0, 2));
  config.use_shipped_supplements = supplements;
  if (supplements) config.supplements = settings.supplements;
  auto opened = akin::Dictionary::open(config);
  if (opened.has_error()) throw std::runtime_error(opened.error().message());
  return *opened;
}

std::vector<std::uint64_t> classes_of(const Treebank& treebank, const akin::Dictionary& dictionary) {
  akin::WordFolder folder;
  std::vector<std::uint64_t> classes;
  classes.reserve(treebank.words.size());
  for (const FormWithLemma& word : treebank.words) {
    classes.push_back(dictionary.classify(folder.fold(word.form)).hash);
  }
  return classes;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void print_row(const char* what, const Treebank& treebank, const std::vector<std::uint64_t>& classes,
               const akin::DictionaryStats& stats) {
  const Agreement agreement = count_pairs(treebank, classes);
  const PairCounts& other = agreement.other_forms;
  const PairCounts& all = agreement.all;
  std::printf("  %-8s %8.4f %10.6f %10.6f %10.4f %10.6f %10.6f %9" PRIu64 " %8" PRIu64 " (%s)\n", what,
              share(other.one_lemma_one_class, other.one_lemma),
              share(other.two_lemmas_one_class, other.two_lemmas),
              share(pairs_by_homographs(treebank, classes), other.two_lemmas),
              share(all.one_lemma_one_class, all.one_lemma), share(all.two_lemmas_one_class, all.two_lemmas),
              share(all.one_lemma_one_class + all.two_lemmas_one_class, all.one_lemma + all.two_lemmas),
              stats.classes, stats.largest_class_forms, stats.largest_class.c_str());
}

void print_worst(const char* title, const std::vector<Disagreement>& list, std::size_t count) {
  std::printf("  %s\n", title);
  for (std::size_t i = 0; i < std::min(count, list.size()); ++i) {
    std::printf("  %10" PRIu64 "  %s: %s\n", list[i].pairs, list[i].what.c_str(), list[i].detail.c_str());
  }
}

void measure(const Settings& settings, const fs::path& file) {
  const Treebank treebank = read_treebank(file);
  const auto before = open(settings, file, false);
  const auto after = open(settings, file, true);
  const std::vector<std::uint64_t> classes = classes_of(treebank, *after);
  std::printf("%s: %" PRIu64 " words, %" PRIu64 " left out (split otherwise by the text rules)\n",
              treebank.name.c_str(), treebank.tokens, treebank.skipped);
  std::printf("  %-8s %8s %10s %10s %10s %10s %10s %9s %s\n", "", "recall", "false", "homographs", "rec. all",
              "false all", "chance", "classes", "largest class, forms");
  print_row("without", treebank, classes_of(treebank, *before), before->stats());
  print_row("with", treebank, classes, after->stats());
  if (settings.worst > 0) {
    print_worst("one lemma in several classes, by pairs of words:", split_lemmas(treebank, classes),
                settings.worst);
    print_worst("several lemmas in one class, by pairs of words:", mixed_classes(treebank, classes),
                settings.worst);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Agreement of lemma classes with treebanks"};
  app.add_option("--lang", settings.languages, "dictionaries, instead of the treebank's language")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--supplement", settings.supplements, "supplement file beside those that ship; repeatable")
      ->allow_extra_args(false);
  app.add_option("--worst", settings.worst, "list the N worst disagreements of each kind");
  app.add_option("files", settings.files, "treebanks in CoNLL-U");
  CLI11_PARSE(app, argc, argv);

  if (settings.files.empty()) settings.files = treebanks_of_corpora();
  if (settings.files.empty()) {
    std::fputs("no treebanks: set AKIN_CORPORA, or name files\n", stderr);
    return 2;
  }
  try {
    for (const fs::path& file : settings.files) measure(settings, file);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
