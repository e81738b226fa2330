// How many alerts of each kind honest texts raise, and what finding them costs: the figures of
// docs/text-rules.md and the defaults of review_alerts (docs/checks.md).

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "morph/disguise/disguise.h"
#include "morph/words/scanner.h"
#include "server/ingest/input.h"

namespace {

using namespace akin;

/// The check ignores fewer alerts of a kind in a text.
constexpr std::uint64_t kMinAlerts = 3;

class NoWords final : public SentenceSink {
 public:
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::sums; }
  void on_sentence(const Sentence&) override {}
};

struct Most {
  double rate = 0;
  std::string name;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Alerts per 1,000 words of the texts in folders");
  std::vector<std::filesystem::path> folders;
  app.add_option("FOLDER", folders, "Folders of .txt, .tsv and .html files")
      ->required()
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  DictionaryConfig config;
  config.languages = {"ru", "en"};
  const auto dictionary = Dictionary::open(config);
  if (dictionary.has_error()) return std::fprintf(stderr, "%s\n", dictionary.error().message().c_str()), 2;

  AlertCounts counts;
  std::array<Most, kAlertKinds.size()> most;
  std::uint64_t words = 0, texts = 0;
  double scanning = 0, finding = 0;
  for (const auto& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".txt" && extension != ".tsv" && extension != ".html") continue;
      if (!entry.is_regular_file() || entry.path().filename() == "SOURCE.txt") continue;
      const auto text = ingest::read_text(entry.path().string());
      if (text.has_error()) continue;
      NoWords sink;
      const auto start = std::chrono::steady_clock::now();
      const auto summary = scan_text(*text, **dictionary, sink);
      if (summary.has_error()) continue;
      scanning += seconds_since(start);
      const auto scanned = std::chrono::steady_clock::now();
      const Disguise disguise = find_disguise(*text, summary->alert_counts, summary->alerts);
      finding += seconds_since(scanned);
      ++texts;
      words += summary->words;
      for (const AlertKind kind : kAlertKinds) {
        const std::uint64_t count = disguise.counts[kind];
        counts[kind] += count;
        const double rate = 1000.0 * static_cast<double>(count) /
                            static_cast<double>(std::max<std::uint64_t>(summary->words, 1));
        Most& highest = most.at(static_cast<std::size_t>(kind));
        if (count >= kMinAlerts && rate > highest.rate) highest = {rate, entry.path().string()};
      }
    }
  }
  std::printf("%llu texts, %llu words; finding takes %.0f %% of the time of scanning\n",
              static_cast<unsigned long long>(texts), static_cast<unsigned long long>(words),
              100 * finding / std::max(scanning, 1e-9));
  std::printf("%-16s %8s %10s %10s\n", "kind", "alerts", "per 1,000", "most");
  for (const AlertKind kind : kAlertKinds) {
    const Most& highest = most.at(static_cast<std::size_t>(kind));
    std::printf(
        "%-16s %8llu %10.4f %10.4f  %s\n", std::string(alert_name(kind)).c_str(),
        static_cast<unsigned long long>(counts[kind]),
        1000.0 * static_cast<double>(counts[kind]) / static_cast<double>(std::max<std::uint64_t>(words, 1)),
        highest.rate, highest.name.c_str());
  }
  return 0;
}
