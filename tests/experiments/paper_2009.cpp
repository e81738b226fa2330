// The two experiments of Veretennikov 2009, on the corpora at hand. Usage: paper_2009
// table|editions|fragments [--help]
//
//   table      five files with "The Brothers Karamazov" (two editions, three fragments) among the other
//   novels: who is
//              found by whom, as in the paper's table
//   editions   works in two or three editions: does each edition find the others, and nothing else
//   fragments  every novel and N fragments of each at pseudo-random places: condition 1, every fragment finds
//   its source;
//              condition 2, it finds another source only where the sources share text
//
// Exit 0 when what the paper claims holds, 1 when not, 2 when the experiment could not be made, 77 without
// corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "base/utf8.h"
#include "dict/dictionary.h"
#include "index/collection/catalog.h"
#include "index/lmdb/catalog.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/fragments.h"

namespace {

using akin::experiments::checked;
using akin::experiments::Work;

constexpr int kSkipped = 77;  ///< exit code that ctest takes for a skipped test

struct Settings {
  std::string languages = "ru,en";
  std::string scheme = std::string(akin::kDefaultScheme);
  double threshold = 0.5;           ///< least containment X/|A| of the row document in the column document
  std::string works = "ru-novels";  ///< folder of the corpora that fragments are cut from
  unsigned fragments = 20;
  akin::experiments::FragmentSizes sizes;
  unsigned seed = 2009;
};

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A collection in a scratch folder that holds the works given to it.
class Library {
 public:
  explicit Library(const Settings& settings) : settings_(settings) {
    akin::DictionaryConfig config;
    for (std::string_view rest = settings.languages; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      config.languages.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    auto dictionary = checked(akin::Dictionary::open(config));
    catalog_ = checked(akin::open_data_folder(folder_.path(), dictionary, settings.languages, true));
    collection_ = checked(catalog_->create("experiment", settings.scheme));
  }

  void add(const std::vector<Work>& works) {
    constexpr std::size_t kBatchBytes = 16U << 20U;
    const Stopwatch watch;
    std::size_t total = 0, batch_bytes = 0;
    std::vector<akin::SourceDocument> batch;
    for (std::size_t i = 0; i < works.size(); ++i) {
      batch.push_back({works[i].id, works[i].id, "", works[i].text});
      batch_bytes += works[i].text.size();
      if (batch_bytes < kBatchBytes && i + 1 < works.size()) continue;
      checked(collection_->put_all(batch));
      total += batch_bytes;
      batch_bytes = 0;
      batch.clear();
    }
    std::printf("indexed %zu documents, %.1f MB, in %.1f s\n", works.size(), static_cast<double>(total) / 1e6,
                watch.seconds());
  }

  /// The other documents that contain at least the threshold's share of `work`, best first.
  [[nodiscard]] std::vector<akin::Hit> find(const Work& work) const {
    const akin::FeatureSequence features = checked(collection_->analyze(work.text));
    akin::SearchRequest request;
    request.query = &features;
    request.bound = 0;
    request.min_containment = settings_.threshold;
    request.limit = 1000;
    request.exclude = {work.id};
    const auto snapshot = checked(collection_->snapshot());
    akin::SearchResult result = checked(snapshot->search(request));
    if (result.total != result.hits.size()) throw std::runtime_error("more than 1000 hits for " + work.id);
    return std::move(result.hits);
  }

  [[nodiscard]] akin::Overlap compare(const std::string& a, const std::string& b) const {
    const auto snapshot = checked(collection_->snapshot());
    return akin::overlap(checked(snapshot->features(a)).hashes, checked(snapshot->features(b)).hashes);
  }

 private:
  Settings settings_;
  akin::experiments::ScratchFolder folder_;
  std::shared_ptr<akin::Catalog> catalog_;
  std::shared_ptr<akin::Collection> collection_;
};

std::filesystem::path need_corpora() {
  auto root = akin::experiments::corpora_folder();
  if (root.empty()) {
    std::fprintf(stderr, "paper_2009: no corpora: set AKIN_CORPORA to their folder\n");
    std::exit(kSkipped);
  }
  return root;
}

int table(const Settings& settings) {
  const auto root = need_corpora();
  const std::vector<Work> five = akin::experiments::read_works(root, "ru-pairs/karamazov-5");
  std::vector<Work> novels = akin::experiments::read_works(root, "ru-novels");
  Library library(settings);
  library.add(five);
  library.add(novels);

  // The paper's table: row i lists the columns that document i is similar to.
  const std::vector<std::set<std::size_t>> paper = {{1}, {0}, {0, 1}, {0, 1, 4}, {0, 1}};
  if (five.size() != paper.size()) throw std::runtime_error("karamazov-5 does not hold five files");
  std::printf("\nThreshold: containment X/|row| >= %.2f\n      ", settings.threshold);
  for (std::size_t column = 1; column <= five.size(); ++column) std::printf("%8zu", column);
  std::printf("   also found among %zu novels\n", novels.size());
  bool same = true;
  for (std::size_t row = 0; row < five.size(); ++row) {
    std::map<std::string, akin::Hit> found;
    for (akin::Hit& hit : library.find(five[row])) {
      std::string id = hit.document.id;
      found.emplace(std::move(id), std::move(hit));
    }
    std::printf("%4zu  ", row + 1);
    for (std::size_t column = 0; column < five.size(); ++column) {
      const auto hit = found.find(five[column].id);
      same = same && (hit != found.end()) == paper[row].contains(column);
      const double share = row == column ? 1.0 : library.compare(five[row].id, five[column].id).containment();
      std::printf("%6.3f %c", share, row == column ? '.' : hit != found.end() ? '+' : ' ');
      if (hit != found.end()) found.erase(hit);
    }
    for (const auto& [id, hit] : found) {
      std::printf("   %s (%.3f)", id.c_str(), hit.overlap.containment());
      same = same && id.find("Карамазовы") != std::string::npos;
    }
    std::printf("\n");
  }
  for (std::size_t i = 0; i < five.size(); ++i) std::printf("%zu = %s\n", i + 1, five[i].id.c_str());
  std::printf("%s\n", same ? "The pluses are the paper's; beyond them only the same novel was found."
                           : "The pluses differ from the paper's, or another work was found.");
  return same ? 0 : 1;
}

int editions(const Settings& settings) {
  const auto root = need_corpora();
  const std::vector<Work> works = akin::experiments::read_works(root, "ru-pairs/editions");
  Library library(settings);
  library.add(works);
  std::map<std::pair<std::string, std::string>, double> found;
  for (const Work& work : works)
    for (const akin::Hit& hit : library.find(work))
      found[{work.id, hit.document.id}] = hit.overlap.containment();

  std::printf("\nThreshold: containment X/|row| >= %.2f\n%-28s %-28s %-28s %9s %9s\n", settings.threshold,
              "work", "a", "b", "X/|a|", "X/|b|");
  std::size_t missed = 0, pairs = 0;
  std::set<std::pair<std::string, std::string>> expected;
  for (const auto& row : akin::experiments::read_table(root / "ru-pairs/editions/pairs.tsv")) {
    const std::string folder = "ru-pairs/editions/" + row.at(0) + "/";
    const std::string a = folder + row.at(1), b = folder + row.at(2);
    const akin::Overlap both = library.compare(a, b);
    expected.insert({a, b});
    expected.insert({b, a});
    const bool hit = found.contains({a, b}) && found.contains({b, a});
    pairs += 1;
    missed += hit ? 0 : 1;
    std::printf("%-28s %-28s %-28s %9.3f %9.3f%s\n", row.at(0).c_str(), row.at(1).c_str(), row.at(2).c_str(),
                both.containment(), both.contained(), hit ? "" : "  MISSED");
  }
  std::size_t foreign = 0;
  for (const auto& [pair, share] : found) {
    if (expected.contains(pair)) continue;
    foreign += 1;
    std::printf("foreign: %s in %s (%.3f)\n", pair.first.c_str(), pair.second.c_str(), share);
  }
  std::printf("%zu pairs of editions, %zu found both ways, %zu missed, %zu foreign\n", pairs, pairs - missed,
              missed, foreign);
  return missed == 0 && foreign == 0 ? 0 : 1;
}

/// The shares of fragments in their sources: how many are in each band, from the smallest to the largest.
void print_distribution(std::vector<double> shares) {
  if (shares.empty()) return;
  std::ranges::sort(shares);
  const auto from = [&](double share) {
    return static_cast<std::size_t>(shares.end() - std::ranges::lower_bound(shares, share));
  };
  std::printf(
      "Containment in the source: least %.3f, median %.4f; %zu from 0.99 on, %zu from 0.97, %zu from 0.9, "
      "%zu "
      "from 0.5\n",
      shares.front(), shares[shares.size() / 2], from(0.99), from(0.97), from(0.9), from(0.5));
}

int fragments(const Settings& settings) {
  const auto root = need_corpora();
  const std::vector<Work> novels = akin::experiments::read_works(root, settings.works);
  std::mt19937_64 random(settings.seed);
  std::vector<Work> pieces;
  std::map<std::string, std::string> source_of;
  std::size_t short_works = 0;
  for (const Work& novel : novels) {
    if (novel.text.size() < settings.sizes.shortest) {
      short_works += 1;
      continue;
    }
    for (unsigned i = 0; i < settings.fragments; ++i) {
      pieces.push_back({novel.id + "#" + std::to_string(i + 1),
                        std::string(akin::experiments::cut_fragment(novel.text, settings.sizes, random))});
      source_of[pieces.back().id] = novel.id;
    }
  }
  std::printf("%zu novels, %zu too short to cut (under %zu bytes), %zu fragments, seed %u\n", novels.size(),
              short_works, settings.sizes.shortest, pieces.size(), settings.seed);
  Library library(settings);
  library.add(novels);
  library.add(pieces);

  const Stopwatch watch;
  std::size_t with_source = 0;
  std::map<std::pair<std::string, std::string>, std::size_t>
      shared;  // source, other source → fragments that found it
  std::vector<double> shares;
  for (const Work& piece : pieces) {
    const std::string& source = source_of.at(piece.id);
    bool found_source = false;
    std::set<std::string> others;
    for (const akin::Hit& hit : library.find(piece)) {
      const auto fragment = source_of.find(hit.document.id);
      const std::string& hit_source = fragment == source_of.end() ? hit.document.id : fragment->second;
      if (hit.document.id == source) {
        found_source = true;
        shares.push_back(hit.overlap.containment());
      } else if (hit_source != source) {
        others.insert(hit_source);
      }
    }
    with_source += found_source ? 1 : 0;
    if (!found_source) {
      std::printf("MISSED: %s does not find its source\n", piece.id.c_str());
      shares.push_back(library.compare(piece.id, source).containment());
    }
    for (const std::string& other : others) shared[{source, other}] += 1;
  }
  std::printf("\nThreshold: containment X/|fragment| >= %.2f; %zu searches in %.1f s\n", settings.threshold,
              pieces.size(), watch.seconds());
  std::printf("Condition 1: %zu of %zu fragments find their source\n", with_source, pieces.size());
  print_distribution(shares);
  std::size_t unexplained = 0;
  std::printf("Condition 2: other sources found by fragments: %zu pairs\n", shared.size());
  for (const auto& [pair, count] : shared) {
    const akin::Overlap whole = library.compare(pair.first, pair.second);
    // One fragment's worth of shared sentence pairs: chance would have to repeat whole passages.
    const bool explained = whole.x >= 20;
    unexplained += explained ? 0 : 1;
    std::printf("  %s | %s: %zu fragments, the sources share %llu features of %llu and %llu%s\n",
                pair.first.c_str(), pair.second.c_str(), count, static_cast<unsigned long long>(whole.x),
                static_cast<unsigned long long>(whole.a_features),
                static_cast<unsigned long long>(whole.b_features), explained ? "" : "  UNEXPLAINED");
  }
  std::printf("%zu pairs whose sources do not share text\n", unexplained);
  return with_source == pieces.size() && unexplained == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{
      "The experiments of Veretennikov 2009 on the corpora (AKIN_CORPORA, or build/corpora/corpora)"};
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("--lang", settings.languages, "Dictionaries")->capture_default_str();
    command->add_option("--scheme", settings.scheme, "Scheme")->capture_default_str();
    command->add_option("--threshold", settings.threshold, "Least containment X/|row|")
        ->capture_default_str();
    return command;
  };
  CLI::App* table_command = add("table", "The Brothers Karamazov in five files: who finds whom");
  CLI::App* editions_command = add("editions", "Works in several editions find one another and nothing else");
  CLI::App* fragments_command = add("fragments", "Fragments find their sources and no others");
  fragments_command->add_option("--works", settings.works, "Folder of the corpora with the works")
      ->capture_default_str();
  fragments_command->add_option("--fragments", settings.fragments, "Fragments of each novel")
      ->capture_default_str();
  fragments_command->add_option("--seed", settings.seed, "Seed of the places and sizes")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (table_command->parsed()) return table(settings);
    if (editions_command->parsed()) return editions(settings);
    return fragments(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "paper_2009: %s\n", error.what());
    return 2;
  }
}
