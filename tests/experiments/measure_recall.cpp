// How much of an edited passage each scheme still finds in its source: recall over the share of edited
// sentences, together with what it finds wrongly and what the index costs. Usage: measure_recall [--passages
// N] [--svg FILE]
// Each scheme indexes the same Russian novels; a passage is 30 sentences of one of them, in which a share of
// the sentences (drawn again for each passage) has one word exchanged for a word of another passage. It is
// found if a search by min_containment gives its source. Novels, passages and edits are the same in every
// run. Exit 0, 77 without corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "index/collection/collection.h"
#include "index/lmdb/catalog.h"
#include "index/search/tier_search.h"
#include "lab/evaluate/line_chart.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/support/sentences.h"

namespace {

using namespace akin::experiments;

constexpr std::size_t kSentences = 30;
constexpr double kContainment = 0.3;
constexpr std::array<double, 6> kShares = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5};
constexpr std::array<std::string_view, 8> kSchemes = {"sentence-pairs",
                                                      "sentences",
                                                      "paper-2009",
                                                      "shingles(w=5)",
                                                      "shingles(w=3)",
                                                      "shingles(w=5,order=sorted)",
                                                      "shingles(w=5,sample=mod:8)",
                                                      "tiers(pairs=sentence-pairs,single=sentences,"
                                                      "words=shingles(w=5,sample=mod:8))"};

/// Sentences of a work, one after the other.
struct Passage {
  std::string work;
  std::vector<std::u32string> sentences;
};

std::vector<Passage> cut_passages(const std::vector<Work>& works, std::size_t wanted) {
  std::mt19937_64 random(2009);
  std::vector<Passage> passages;
  while (passages.size() < wanted) {
    const Work& work = works[random() % works.size()];
    const auto ranges = checked(akin::split_sentences(work.text));
    if (ranges.size() < 4 * kSentences) continue;
    const std::u32string text = akin::to_utf32(work.text);
    const std::size_t first = random() % (ranges.size() - kSentences);
    Passage passage{work.id, {}};
    for (std::size_t i = first; i < first + kSentences; ++i) {
      passage.sentences.push_back(text.substr(ranges[i].begin, ranges[i].end - ranges[i].begin));
    }
    passages.push_back(std::move(passage));
  }
  return passages;
}

std::vector<std::u32string> words_of(const std::u32string& sentence) {
  std::vector<std::u32string> words(1);
  for (const char32_t c : sentence) {
    if (c == U' ' || c == U'\n') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, std::u32string());
  return words;
}

/// The passage with one word exchanged in a share of its sentences.
std::string edited(const Passage& passage, const Passage& other, double share, std::mt19937_64& random) {
  std::vector<std::size_t> order(passage.sentences.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::shuffle(order, random);
  order.resize(static_cast<std::size_t>(std::lround(share * static_cast<double>(order.size()))));
  std::u32string text;
  for (std::size_t i = 0; i < passage.sentences.size(); ++i) {
    auto words = words_of(passage.sentences[i]);
    const auto strange = words_of(other.sentences[i]);
    // The last word carries the mark that ends the sentence.
    if (std::ranges::find(order, i) != order.end() && !words.empty() && !strange.empty()) {
      words[random() % std::max<std::size_t>(words.size() - 1, 1)] = strange.front();
    }
    for (const auto& word : words) text += word + U' ';
  }
  return akin::to_utf8(text);
}

struct Row {
  std::string scheme;
  std::array<double, kShares.size()> recall{};
  double wrong = 0;  ///< other works found for a passage, on average over all shares
  double features = 0, megabytes = 0;
};

class Study {
 public:
  Study(std::vector<Work> works, std::size_t passages)
      : works_(std::move(works)), passages_(cut_passages(works_, passages)) {
    akin::DictionaryConfig config;
    config.languages = {"ru"};
    dictionary_ = checked(akin::Dictionary::open(config));
    for (const Work& work : works_) bytes_ += work.text.size();
  }

  [[nodiscard]] Row measure(std::string_view scheme) const {
    const ScratchFolder folder;
    const auto catalog = checked(akin::open_data_folder(folder.path(), dictionary_, "ru", true));
    const auto collection = checked(catalog->create("novels", scheme));
    for (const Work& work : works_) {
      checked(collection->put({.id = work.id, .title = "", .metadata = "", .text = work.text}));
    }
    checked(collection->flush_and_merge());
    const auto snapshot = checked(collection->snapshot());
    const akin::StoreStats stats = checked(snapshot->stats());
    Row row;
    row.scheme = collection->scheme().name();
    row.features = static_cast<double>(stats.features);
    row.megabytes = static_cast<double>(stats.disk_bytes - stats.text_stored_bytes) / 1e6;
    for (std::size_t share = 0; share < kShares.size(); ++share) search(*collection, *snapshot, share, row);
    row.wrong /= static_cast<double>(kShares.size() * passages_.size());
    return row;
  }

  [[nodiscard]] std::string described() const {
    return std::to_string(passages_.size()) + " passages of " + std::to_string(kSentences) +
           " sentences out of " + std::to_string(works_.size()) + " Russian novels, " +
           std::to_string(bytes_ / 1'000'000) + " MB";
  }

 private:
  /// What one search finds; in all tiers, where the scheme has some.
  static std::vector<akin::Hit> found_for(const std::string& text, const akin::Collection& collection,
                                          const akin::Snapshot& snapshot) {
    akin::TieredRequest request;
    request.page.limit = 1'000;
    const std::size_t tiers = std::max<std::size_t>(collection.scheme().tiers().size(), 1);
    for (std::size_t tier = 0; tier < tiers; ++tier) {
      request.tiers.push_back({tier, checked(collection.analyze_in(text, tier)), 0, kContainment});
    }
    if (tiers > 1) return checked(akin::search_tiers(snapshot, collection.scheme(), request)).hits;
    request.page.query = &request.tiers.front().query;
    request.page.bound = 0;
    request.page.min_containment = kContainment;
    return checked(snapshot.search(request.page)).hits;
  }

  void search(const akin::Collection& collection, const akin::Snapshot& snapshot, std::size_t share,
              Row& row) const {
    std::mt19937_64 random(share);
    double found = 0;
    for (std::size_t i = 0; i < passages_.size(); ++i) {
      const Passage& other = passages_[(i + 1) % passages_.size()];
      const std::string query = edited(passages_[i], other, kShares[share], random);
      for (const akin::Hit& hit : found_for(query, collection, snapshot)) {
        const bool source = hit.document.id == passages_[i].work;
        found += source ? 1 : 0;
        row.wrong += source ? 0 : 1;
      }
    }
    row.recall[share] = found / static_cast<double>(passages_.size());
  }

  const std::vector<Work> works_;
  const std::vector<Passage> passages_;
  std::shared_ptr<const akin::Dictionary> dictionary_;
  std::size_t bytes_ = 0;
};

std::string number(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string table(const std::vector<Row>& rows) {
  std::string text = "| scheme |";
  std::string rule = "\n|---|";
  for (const double share : kShares) {
    text += " " + number("%.0f %%", 100 * share) + " |";
    rule += "---|";
  }
  text += " other works found | features | index, MB |" + rule + "---|---|---|\n";
  for (const Row& row : rows) {
    text += "| `" + row.scheme + "` |";
    for (const double recall : row.recall) text += " " + number("%.3f", recall) + " |";
    text += " " + number("%.3f", row.wrong) + " | " + number("%.0f", row.features) + " | " +
            number("%.1f", row.megabytes) + " |\n";
  }
  return text;
}

std::string chart(const std::vector<Row>& rows) {
  akin::evaluate::LineChart chart;
  chart.title = "Passages found in their source";
  chart.x_title = "share of sentences with one word exchanged";
  chart.y_title = "recall";
  chart.x_to = kShares.back();
  for (const Row& row : rows) {
    akin::evaluate::ChartLine& line = chart.lines.emplace_back();
    line.name = row.scheme;
    for (std::size_t i = 0; i < kShares.size(); ++i) line.points.emplace_back(kShares[i], row.recall[i]);
  }
  return akin::evaluate::svg(chart);
}

void write(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

int run(std::size_t passages, const std::string& svg) {
  if (corpora_folder().empty()) {
    std::puts("no corpora (AKIN_CORPORA)");
    return 77;
  }
  const Study study(read_works(corpora_folder(), "ru-novels"), passages);
  std::vector<Row> rows;
  for (const std::string_view scheme : kSchemes) rows.push_back(study.measure(scheme));
  const std::string text = study.described() + ", found by a containment of at least " +
                           number("%.1f", kContainment) + ":\n\n" + table(rows);
  std::fputs(text.c_str(), stdout);
  if (!svg.empty()) write(svg, chart(rows));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures what each scheme finds of passages whose sentences were edited");
  std::size_t passages = 500;
  std::string svg;
  app.add_option("--passages", passages, "Passages")
      ->check(CLI::Range(2U, 1'000'000U))
      ->capture_default_str();
  app.add_option("--svg", svg, "Figure to write");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(passages, svg);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "measure_recall: %s\n", failure.what());
    return 2;
  }
}
