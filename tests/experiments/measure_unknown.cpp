// Whether forms of one lemma meet that no dictionary has: by Snowball's stem, and by the endings that the
// dictionary teaches. Usage: measure_unknown [--parts N] [--worst N] [FILE.conllu…]
//
// Of a treebank's words few are unknown, so most are made so: a dictionary is compiled from all entries but
// those of one part in N (chosen by the entry's spelling), for each part in turn, and the figures of all
// parts are summed. Counted are pairs of different forms, each distinct form once. Exit 0, 77 without
// treebanks, 2 when something fails.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "base/files.h"
#include "dict/dictionary.h"
#include "dict/fold/fold.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/pair_finder.h"
#include "dict/table/content_hash.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/report.h"
#include "tests/experiments/treebank.h"

namespace {

using namespace akin::experiments;
namespace fs = std::filesystem;

struct Settings {
  std::vector<fs::path> files;
  std::size_t parts = 4;
  std::size_t worst = 0;
};

/// By which a word that no dictionary has is named.
enum Method : std::size_t { kSnowball, kEndings, kMethods };

struct Counts {
  std::uint64_t words = 0;  ///< distinct unknown forms with their lemmas
  std::uint64_t one_lemma = 0;
  std::array<std::uint64_t, kMethods> met{};         ///< pairs of one lemma that get one name
  std::array<std::uint64_t, kMethods> merged{};      ///< pairs of two lemmas that do
  std::array<std::uint64_t, kMethods> with_known{};  ///< unknown and known word of two lemmas that do
};

std::shared_ptr<const akin::Dictionary> open(const fs::path& pair, bool use_endings, const fs::path& cache) {
  akin::DictionaryConfig config;
  config.languages = {pair.string()};
  config.use_endings = use_endings;
  config.cache = cache;
  auto opened = akin::Dictionary::open(config);
  if (opened.has_error()) throw std::runtime_error(opened.error().message());
  return *opened;
}

akin::DictionaryPair find_pair_of(const fs::path& treebank) {
  auto found = akin::find_pair(treebank.filename().string().substr(0, 2), akin::default_search_path());
  if (found.has_error()) throw std::runtime_error(found.error().message());
  return found->files;
}

/// Writes the pair without the entries of one part; the path of its .aff.
fs::path write_without(const akin::DictionaryPair& pair, std::size_t part, std::size_t parts,
                       const fs::path& folder) {
  fs::create_directories(folder);
  const fs::path aff = folder / pair.aff.filename();
  fs::copy_file(pair.aff, aff, fs::copy_options::overwrite_existing);
  auto content = akin::read_whole_file(pair.dic);
  if (content.has_error()) throw std::runtime_error(content.error().message());
  std::ofstream out(folder / pair.dic.filename(), std::ios::binary);
  akin::DictionaryLines lines(*content);
  while (lines.next()) {
    const std::string_view word = lines.line().substr(0, lines.line().find_first_of("/\t "));
    if (lines.number() > 1 && akin::content_hash(word).low % parts == part) continue;
    out << lines.line() << '\n';
  }
  return aff;
}

/// Adds what the words do that the dictionary lacks; `dictionaries` are without endings and with them.
void add_counts(const Treebank& treebank,
                const std::array<std::shared_ptr<const akin::Dictionary>, 2>& dictionaries, std::size_t worst,
                Counts& sum) {
  Treebank unknown, all;
  std::array<std::vector<std::uint64_t>, kMethods> names, all_names;
  std::vector<std::uint64_t> known_names;
  Treebank known;
  akin::WordFolder folder;
  const auto count_once = [](Treebank& to, FormWithLemma word) {
    word.count = 1;
    to.words.push_back(std::move(word));
    ++to.tokens;
  };
  for (const FormWithLemma& word : treebank.words) {
    const akin::FoldedWord folded = folder.fold(word.form);
    const bool digits =
        std::any_of(word.form.begin(), word.form.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits || folded.letters.size() < 3) continue;
    const std::array<std::uint64_t, kMethods> hashes{dictionaries[0]->classify(folded).hash,
                                                     dictionaries[1]->classify(folded).hash};
    const bool is_known = dictionaries[1]->knows(folded);
    count_once(all, word);
    count_once(is_known ? known : unknown, word);
    if (is_known) known_names.push_back(hashes[kEndings]);
    for (std::size_t m = 0; m < kMethods; ++m) {
      all_names[m].push_back(is_known ? hashes[kEndings] : hashes[m]);
      if (!is_known) names[m].push_back(hashes[m]);
    }
  }
  sum.words += unknown.words.size();
  const std::uint64_t known_merged = count_pairs(known, known_names).other_forms.two_lemmas_one_class;
  for (std::size_t m = 0; m < kMethods; ++m) {
    const PairCounts pairs = count_pairs(unknown, names[m]).other_forms;
    const PairCounts all_pairs = count_pairs(all, all_names[m]).other_forms;
    if (m == 0) sum.one_lemma += pairs.one_lemma;
    sum.met[m] += pairs.one_lemma_one_class;
    sum.merged[m] += pairs.two_lemmas_one_class;
    sum.with_known[m] += all_pairs.two_lemmas_one_class - known_merged - pairs.two_lemmas_one_class;
  }
  const auto print = [&](const char* title, const std::vector<Disagreement>& list) {
    std::printf("  %s\n", title);
    for (std::size_t i = 0; i < std::min(worst, list.size()); ++i) {
      std::printf("    %s: %s\n", list[i].what.c_str(), list[i].detail.c_str());
    }
  };
  if (worst > 0) {
    print("one lemma under several names:", split_lemmas(unknown, names[kEndings]));
    print("several lemmas under one name:", mixed_classes(unknown, names[kEndings]));
  }
}

using Table = std::vector<std::vector<std::string>>;

const std::vector<std::string> kHeading{
    "treebank, words",          "distinct", "pairs of one lemma",         "met: Snowball", "met: akin",
    "two lemmas met: Snowball", "akin",     "met a known word: Snowball", "akin"};

std::vector<std::string> row(const std::string& what, const Counts& counts) {
  return {what,
          grouped(counts.words),
          grouped(counts.one_lemma),
          percent(counts.met[kSnowball], counts.one_lemma),
          percent(counts.met[kEndings], counts.one_lemma),
          grouped(counts.merged[kSnowball]),
          grouped(counts.merged[kEndings]),
          grouped(counts.with_known[kSnowball]),
          grouped(counts.with_known[kEndings])};
}

void measure(const Settings& settings, const fs::path& file, const fs::path& scratch, Table& table) {
  const Treebank treebank = read_treebank(file);
  const akin::DictionaryPair pair = find_pair_of(file);
  Counts as_it_is;
  add_counts(treebank, {open(pair.aff, false, {}), open(pair.aff, true, {})}, settings.worst, as_it_is);
  table.push_back(row(treebank.name + ", unknown", as_it_is));
  if (settings.parts == 0) return;
  Counts made;
  for (std::size_t part = 0; part < settings.parts; ++part) {
    const fs::path aff = write_without(pair, part, settings.parts, scratch / std::to_string(part));
    add_counts(treebank, {open(aff, false, scratch), open(aff, true, scratch)}, settings.worst, made);
  }
  table.push_back(row(treebank.name + ", made unknown", made));
}

int run(const Settings& settings) {
  if (settings.files.empty()) {
    std::puts("no treebanks (AKIN_CORPORA)");
    return 77;
  }
  const ScratchFolder scratch;
  Table table{kHeading};
  for (const fs::path& file : settings.files) {
    std::fprintf(stderr, "%s\n", file.filename().c_str());
    measure(settings, file, scratch.path(), table);
  }
  const std::string text = markdown(table);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Unknown words of treebanks: whether the forms of one lemma meet"};
  app.add_option("--parts", settings.parts,
                 "leave out one part in N of the dictionary, each in turn; 0: none")
      ->capture_default_str();
  app.add_option("--worst", settings.worst, "list the N worst disagreements of each kind");
  app.add_option("files", settings.files, "treebanks in CoNLL-U; default those of the corpora");
  CLI11_PARSE(app, argc, argv);
  if (settings.files.empty()) settings.files = treebanks_of_corpora();
  try {
    return run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_unknown: %s\n", error.what());
    return 2;
  }
}
