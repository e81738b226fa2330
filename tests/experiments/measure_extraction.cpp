// What akin-extract keeps of one text in several formats, and what it costs beside pdftotext.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/utf8.h"
#include "extract/extractor.h"
#include "index/overlap.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/corpora.h"

namespace {

using namespace akin;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// The least time of three rounds.
template <class Work>
double least_time(const Work& work) {
  double least = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto begin = Clock::now();
    work();
    least = std::min(least, milliseconds_since(begin));
  }
  return least;
}

struct Tools {
  std::shared_ptr<const Dictionary> dictionary;
  std::shared_ptr<const Scheme> pairs, shingles;
};

/// The lesser of the shares of either text's features that the other has.
double agreement(const Tools& tools, const Scheme& scheme, const std::string& a, const std::string& b) {
  const auto x = extract_features(a, *tools.dictionary, scheme).value();
  const auto y = extract_features(b, *tools.dictionary, scheme).value();
  const Overlap shared = overlap(x.hashes, y.hashes);
  return std::min(shared.containment(), shared.contained());
}

/// The text as a browser prints it: justified, hyphenated, with its own heads and page numbers.
std::filesystem::path print(const std::string& browser, const std::string& text,
                            const std::filesystem::path& folder) {
  std::ofstream page(folder / "page.html");
  page << "<meta charset=utf-8><title>Print</title><style>body{text-align:justify;hyphens:auto;font:11pt "
          "serif}</style>";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    std::string paragraph = text.substr(at, end - at);
    for (std::size_t mark = 0; (mark = paragraph.find_first_of("<&", mark)) != std::string::npos; mark += 4)
      paragraph.replace(mark, 1, paragraph[mark] == '<' ? "&lt;" : "&amp");
    page << "<p>" << paragraph << "</p>\n";
    at = end + 2;
  }
  page.close();
  const std::string command =
      browser + " --headless --no-sandbox --disable-gpu --print-to-pdf=" + (folder / "page.pdf").string() +
      " " + (folder / "page.html").string() + " >" + (folder / "log").string() + " 2>&1";
  if (std::system(command.c_str()) != 0) std::fprintf(stderr, "%s failed\n", command.c_str());
  return folder / "page.pdf";
}

/// Each text of `parity` in all of its formats, against expected.txt.
void measure_parity(extract::Extractor& extractor, const Tools& tools, const std::string& browser) {
  struct Row {
    double least_pairs = 1, least_shingles = 1;
    std::size_t texts = 0;
  };
  std::map<std::string, Row> rows;
  const experiments::ScratchFolder scratch;
  for (const auto& work :
       std::filesystem::directory_iterator(experiments::corpora_folder() / "formats/parity")) {
    const std::string expected = read_whole_file(work.path() / "expected.txt").value();
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(work)) {
      const std::string type = file.path().extension();
      if (type != ".txt" && type != ".html") files.push_back(file.path());
    }
    if (!browser.empty()) files.push_back(print(browser, expected, scratch.path()));
    for (const auto& file : files) {
      const auto document = extractor.read(read_whole_file(file).value(), file.string());
      if (document.has_error()) {
        std::printf("%s\n", document.error().message().c_str());
        continue;
      }
      Row& row = rows[document->type];
      ++row.texts;
      row.least_pairs = std::min(row.least_pairs, agreement(tools, *tools.pairs, document->text, expected));
      row.least_shingles =
          std::min(row.least_shingles, agreement(tools, *tools.shingles, document->text, expected));
    }
  }
  std::printf(
      "| format | texts | least share of sentence pairs | of shingles of 5 words |\n|---|---|---|---|\n");
  for (const auto& [type, row] : rows)
    std::printf("| %s | %zu | %.4f | %.4f |\n", type.c_str(), row.texts, row.least_pairs, row.least_shingles);
}

void measure_pdf(extract::Extractor& extractor, const std::vector<std::filesystem::path>& files) {
  std::printf("\n| PDF | pages | akin-extract | pdftotext | ratio |\n|---|---|---|---|---|\n");
  for (const auto& file : files) {
    const std::string bytes = read_whole_file(file).value();
    std::uint32_t pages = 0;
    const double ours = least_time([&] {
      const auto document = extractor.read(bytes, file.string());
      pages = document.has_value() ? document->pages : 0;
    });
    const std::string command = "pdftotext '" + file.string() + "' /dev/null";
    const double theirs = least_time([&] {
      if (std::system(command.c_str()) != 0) std::fprintf(stderr, "%s failed\n", command.c_str());
    });
    std::printf("| %s | %u | %.1f ms | %.1f ms | %.2f |\n", file.filename().c_str(), pages, ours, theirs,
                ours / theirs);
  }
}

void measure_small(extract::Extractor& extractor, const std::vector<std::filesystem::path>& files) {
  std::printf("\n| file | bytes | time |\n|---|---|---|\n");
  for (const auto& file : files) {
    const std::string bytes = read_whole_file(file).value();
    const double time = least_time([&] { static_cast<void>(extractor.read(bytes, file.string())); });
    std::printf("| %s | %zu | %.1f ms |\n", file.filename().c_str(), bytes.size(), time);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What akin-extract keeps, and costs");
  std::string browser;
  std::vector<std::filesystem::path> pdf, small;
  app.add_option("--browser", browser, "Chromium, which prints each text as a PDF too");
  app.add_option("--pdf", pdf, "PDFs to time beside pdftotext");
  app.add_option("--file", small, "Other files to time");
  CLI11_PARSE(app, argc, argv);
  DictionaryConfig config;
  config.languages = {"ru", "en"};
  const Tools tools{Dictionary::open(config).value(), make_scheme("sentence-pairs").value(),
                    make_scheme("shingles(w=5)").value()};
  extract::Extractor extractor(extract::ExtractorOptions{.program = AKIN_EXTRACT_PROGRAM});
  measure_parity(extractor, tools, browser);
  measure_pdf(extractor, pdf);
  measure_small(extractor, small);
  return 0;
}
