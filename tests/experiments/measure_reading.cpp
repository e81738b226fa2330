// What reading pages and wikitext costs, beside reading plain text and taking it apart.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "extract/html/html.h"
#include "morph/words/scanner.h"
#include "server/ingest/input.h"
#include "server/ingest/validity.h"
#include "server/ingest/wiki_markup.h"

namespace {

using namespace akin;

struct Corpus {
  std::vector<std::string> texts;
  double megabytes = 0;

  void add(std::string text) {
    megabytes += static_cast<double>(text.size()) / 1e6;
    texts.push_back(std::move(text));
  }
};

class NoSink final : public SentenceSink {
 public:
  SentenceDetail needs() const override { return SentenceDetail::sums; }
  void on_sentence(const Sentence&) override {}
};

/// Megabytes of `corpus` a second: the best of three rounds.
double speed(const Corpus& corpus, const std::function<void(const std::string&)>& read) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto begin = Clock::now();
    for (const std::string& text : corpus.texts) read(text);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return corpus.megabytes / least;
}

Corpus pages_below(const std::vector<std::filesystem::path>& folders) {
  Corpus pages;
  for (const auto& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.path().extension() != ".html") continue;
      auto bytes = ingest::read_bytes(entry.path());
      if (bytes.has_value()) pages.add(*std::move(bytes));
    }
  }
  return pages;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Cost of reading HTML and wikitext");
  std::vector<std::filesystem::path> folders;
  std::filesystem::path wiki;
  app.add_option("FOLDER", folders, "Folders with .html files")->required()->check(CLI::ExistingDirectory);
  app.add_option("--wiki", wiki, "A page of wikitext, repeated to 16 MB")->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);
  DictionaryConfig config;
  config.languages = {"ru", "en"};
  const auto dictionary = Dictionary::open(config);
  if (dictionary.has_error()) return std::fprintf(stderr, "%s\n", dictionary.error().message().c_str()), 2;

  const Corpus pages = pages_below(folders);
  Corpus texts;
  std::size_t refused = 0;
  for (const std::string& page : pages.texts) {
    auto read = extract::read_html(page, "page");
    read.has_error() ? void(++refused) : texts.add(std::move(read->text));
  }
  std::printf("%zu pages, %.1f MB; %zu refused; text %.1f MB, %.0f %%\n", pages.texts.size(), pages.megabytes,
              refused, texts.megabytes, 100 * texts.megabytes / std::max(pages.megabytes, 1e-9));
  const auto tell = [](const char* what, double mb) { std::printf("%-34s %7.1f MB/s\n", what, mb); };
  tell("HTML, of pages",
       speed(pages, [](const std::string& page) { static_cast<void>(extract::read_html(page, "page")); }));
  if (!wiki.empty()) {
    const auto page = ingest::read_text(wiki);
    if (page.has_error()) return std::fprintf(stderr, "%s\n", page.error().message().c_str()), 2;
    Corpus many;
    while (many.megabytes < 16) many.add(*page);
    tell("wikitext, of pages",
         speed(many, [](const std::string& one) { static_cast<void>(ingest::read_wiki_markup(one)); }));
  }
  tell("plain text, checked for UTF-8",
       speed(texts, [](const std::string& text) { static_cast<void>(validate_utf8(text, "text")); }));
  tell("sentences and words, hashed", speed(texts, [&](const std::string& text) {
         NoSink sink;
         static_cast<void>(scan_text(text, **dictionary, sink));
       }));
  tell("share of letters",
       speed(texts, [](const std::string& text) { static_cast<void>(ingest::share_of_letters(text)); }));
  tell("share of known words", speed(texts, [&](const std::string& text) {
         static_cast<void>(ingest::share_of_known(text, **dictionary));
       }));
  return 0;
}
