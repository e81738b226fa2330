// How much of a text remains the same in another format: the corpora's `formats/parity`, eleven works in
// seven languages, each as files of all formats, and as a PDF if there is a browser to print it; the first
// pages of the Russian and English ones then also one by one, and as pictures (poppler-utils). Usage:
// measure_parity [--browser chromium]. Exit 0, 77 without corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "index/overlap/overlap.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/any_file.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/print_pdf.h"
#include "tests/experiments/report.h"

namespace {

using namespace akin;
using namespace akin::experiments;
namespace fs = std::filesystem;
using Table = std::vector<std::vector<std::string>>;

/// The formats that are compared with one another, by the ends of their files' names.
struct FormatFile {
  const char* name;
  const char* end;
};
constexpr std::array<FormatFile, 8> kFormats = {{{"text", ".utf8-bom.txt"},
                                                 {"HTML", ".utf8.html"},
                                                 {"DOCX", ".docx"},
                                                 {"ODT", ".odt"},
                                                 {"RTF", ".rtf"},
                                                 {"FB2", ".fb2"},
                                                 {"EPUB", ".epub"},
                                                 {"PDF", ".pdf"}}};

class Parity {
 public:
  explicit Parity(std::string browser) : browser_(std::move(browser)) {
    DictionaryConfig config;
    config.languages = {"ru", "en", "de", "uk"};
    dictionary_ = checked(Dictionary::open(config));
    for (auto& row : least_) row.fill(1);
  }

  void add_work(const fs::path& folder) {
    ++works_;
    std::array<FeatureSequence, kFormats.size()> features;
    std::array<bool, kFormats.size()> known{};
    const ScratchFolder scratch;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    if (!browser_.empty()) {
      const std::string text = checked(read_whole_file(folder / "expected.txt"));
      files.push_back(print_pdf(browser_, text, scratch.path()));
      const std::string language = folder.filename().string().substr(0, 3);
      if (language == "ru." || language == "en.") add_pages(files.back(), text);
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      const std::string name = file.filename().string();
      const auto format =
          std::ranges::find_if(kFormats, [&](const FormatFile& one) { return name.ends_with(one.end); });
      if (format == kFormats.end()) {
        if (!name.starts_with("expected")) add_encoding(folder, file);
        continue;
      }
      const auto at = static_cast<std::size_t>(format - kFormats.begin());
      features[at] = features_of(checked(document_of_file(file)).text);
      known[at] = true;
    }
    for (std::size_t a = 0; a < kFormats.size(); ++a) {
      for (std::size_t b = 0; b < kFormats.size(); ++b) {
        if (!known[a] || !known[b]) continue;
        compared_[a] = true;
        least_[a][b] = std::min(least_[a][b], overlap(features[a].hashes, features[b].hashes).containment());
      }
    }
  }

  [[nodiscard]] std::string report() const {
    Table rows{{"of, in"}};
    for (const FormatFile& format : kFormats) rows.front().emplace_back(format.name);
    for (std::size_t a = 0; a < kFormats.size(); ++a) {
      auto& row = rows.emplace_back(1, kFormats[a].name);
      for (std::size_t b = 0; b < kFormats.size(); ++b)
        row.push_back(a == b || !compared_[a] || !compared_[b] ? "" : number("%.4f", least_[a][b]));
    }
    return std::to_string(works_) +
           " works. The least share of one file's sentence pairs that another file of the same work "
           "has:\n\n" +
           markdown(rows) + "\n" + std::to_string(encoded_) +
           " files of plain text and HTML in other encodings, against the text with the characters that the "
           "encoding has: least share " +
           number("%.4f", least_encoded_) + ", " + std::to_string(refused_) + " refused" +
           (differ_.empty() ? "" : "; under 0.98: " + differ_) + ".\n" + recognized();
  }

 private:
  /// Of the sentence pairs of pages, how many are those of the work.
  struct PagesRead {
    std::size_t pages = 0;
    std::uint64_t features = 0, right = 0;

    void add(const FeatureSequence& page, const FeatureSequence& work) {
      ++pages;
      features += page.hashes.size();
      right += overlap(page.hashes, work.hashes).x;
    }
    [[nodiscard]] std::string share() const {
      return number("%.3f", static_cast<double>(right) / static_cast<double>(features));
    }
  };

  /// The first pages of a printed work, each as a file of its own and as a picture, against the work.
  void add_pages(const fs::path& pdf, const std::string& text) {
    const fs::path pages = pdf.parent_path() / "pages";
    fs::create_directory(pages);
    const std::string from = "'" + pdf.string() + "' '" + (pages / "page").string();
    static_cast<void>(output_of("pdfseparate -f 1 -l 3 " + from + "-%d.pdf'"));
    static_cast<void>(output_of("pdftoppm -png -gray -r 200 -f 1 -l 3 " + from + "'"));
    const FeatureSequence work = features_of(text);
    for (const auto& page : fs::directory_iterator(pages)) {
      PagesRead& kind = page.path().extension() == ".pdf" ? separate_ : pictures_;
      kind.add(features_of(checked(document_of_file(page.path())).text), work);
    }
  }

  [[nodiscard]] std::string recognized() const {
    if (pictures_.pages == 0) return {};
    return "\n" + std::to_string(pictures_.pages) +
           " pages of the Russian and English works, printed, drawn at 200 dots per inch and recognized: " +
           pictures_.share() + " of their " + std::to_string(pictures_.features) +
           " sentence pairs are those of the work; of the same pages with their letters, " +
           separate_.share() + " of " + std::to_string(separate_.features) + ".\n";
  }

  /// A file in a legacy encoding: "work.cp866.txt" against "expected.cp866.txt".
  void add_encoding(const fs::path& folder, const fs::path& file) {
    std::string encoding = file.stem().extension().string();
    if (encoding == ".nometa") encoding = file.stem().stem().extension().string();
    fs::path expected = folder / ("expected" + encoding + ".txt");
    if (!fs::exists(expected)) expected = folder / "expected.txt";
    ++encoded_;
    const auto document = document_of_file(file);
    if (document.has_error()) {
      ++refused_;
      std::fprintf(stderr, "%s\n", document.error().message().c_str());
      return;
    }
    const Overlap shared =
        overlap(features_of(checked(read_whole_file(expected))).hashes, features_of(document->text).hashes);
    const double share = std::min(shared.containment(), shared.contained());
    constexpr double kSame = 0.98;
    if (share < kSame)
      differ_ += (differ_.empty() ? "`" : ", `") + file.filename().string() + "` " + number("%.3f", share);
    least_encoded_ = std::min(least_encoded_, share);
  }

  [[nodiscard]] FeatureSequence features_of(std::string_view text) const {
    return checked(extract_features(text, *dictionary_, *scheme_));
  }

  std::string browser_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::shared_ptr<const Scheme> scheme_ = checked(make_scheme("sentence-pairs"));
  std::array<std::array<double, kFormats.size()>, kFormats.size()> least_{};
  std::array<bool, kFormats.size()> compared_{};
  std::size_t works_ = 0, encoded_ = 0, refused_ = 0;
  double least_encoded_ = 1;
  PagesRead separate_;  ///< pages, each cut out of its PDF
  PagesRead pictures_;  ///< the same, drawn and recognized
  std::string differ_;  ///< files whose text is another
};

int run(const std::string& browser) {
  if (corpora_folder().empty()) return std::puts("no corpora (AKIN_CORPORA)"), 77;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(corpora_folder() / "formats/parity"))
    folders.push_back(entry.path());
  std::ranges::sort(folders);
  Parity parity(browser);
  for (const fs::path& folder : folders) {
    std::fprintf(stderr, "%s\n", folder.filename().c_str());
    parity.add_work(folder);
  }
  const std::string text = parity.report();
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("How much of a text remains the same in another format");
  std::string browser;
  app.add_option("--browser", browser, "Chromium, which prints each work as a PDF too");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(browser);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_parity: %s\n", error.what());
    return 2;
  }
}
