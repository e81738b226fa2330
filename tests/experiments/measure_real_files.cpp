// What akin reads of real files, beside pdftotext and pandoc: refusals, the share of text that both give, the
// page that passages are found on, and time.
// Usage: measure_real_files FOLDER… [--most-html N] [--passages N]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/utf8.h"
#include "index/overlap/overlap.h"
#include "index/search/text_aligner.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/any_file.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/print_pdf.h"
#include "tests/experiments/report.h"

namespace {

using namespace akin;
using namespace akin::experiments;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Table = std::vector<std::vector<std::string>>;

constexpr std::size_t kWorst = 10;
constexpr std::uint32_t kPassage = 300;  // code points

std::string quoted(const fs::path& file) { return "'" + file.string() + "'"; }

struct Settings {
  std::vector<fs::path> folders;
  std::size_t most_html = 100, passages = 100;
  std::uintmax_t most_bytes = 5'000'000;
};

/// The files of a type below the folders, each content once.
std::vector<fs::path> files_of(const Settings& settings, const std::string& type) {
  std::map<std::string, fs::path> files;  // by content
  for (const fs::path& folder : settings.folders) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.is_symlink() || entry.path().extension() != type) continue;
      if (entry.file_size() > settings.most_bytes) continue;
      files.emplace(checked(read_whole_file(entry.path())), entry.path());
    }
  }
  std::vector<fs::path> all;
  for (const auto& [content, file] : files) all.push_back(file);
  std::ranges::sort(all);
  return all;
}

/// What two programs give of one file.
struct Compared {
  fs::path file;
  double pairs = 0, shingles = 0;  ///< the lesser share of either text's features that the other has
};

struct Type {
  std::string name, peer;
  std::size_t files = 0, refused = 0;
  std::vector<Compared> compared;
  double ours = 0, theirs = 0;  ///< seconds
};

struct Passages {
  std::size_t tried = 0, found = 0, on_page = 0;
};

class RealFiles {
 public:
  explicit RealFiles(Settings settings) : settings_(std::move(settings)) {
    DictionaryConfig config;
    config.languages = {"ru", "en", "de", "uk"};
    dictionary_ = checked(Dictionary::open(config));
  }

  void measure(const std::string& name, const std::string& end, const std::string& peer) {
    std::vector<fs::path> files = files_of(settings_, end);
    if (end == ".html" && files.size() > settings_.most_html) {
      std::vector<fs::path> some;
      for (std::size_t i = 0; i < settings_.most_html; ++i)
        some.push_back(files[i * files.size() / settings_.most_html]);
      files = std::move(some);
    }
    if (files.empty()) return;
    Type& type = types_.emplace_back();
    type.name = name;
    type.peer = peer;
    for (const fs::path& file : files) add(type, file);
  }

  /// Random passages in the middle of random pages of what pdftotext gives.
  void find_passages() {
    if (paged_.empty()) return;
    std::mt19937 random(17);
    while (passages_.tried < settings_.passages) {
      const fs::path& file = paged_[random() % paged_.size()];
      const std::string plain = output_of("pdftotext " + quoted(file) + " -");
      std::vector<std::string> pages(1);
      for (const char c : plain) c == '\f' ? void(pages.emplace_back()) : void(pages.back() += c);
      const std::size_t page = random() % pages.size();
      const auto length = static_cast<std::uint32_t>(count_code_points(pages[page]));
      if (length < 4 * kPassage) continue;
      const std::uint32_t begin = length / 2 - kPassage / 2;
      ++passages_.tried;
      find(file, slice_code_points(pages[page], begin, begin + kPassage),
           static_cast<std::uint32_t>(page + 1));
    }
  }

  [[nodiscard]] std::string report() {
    Table rows{
        {"files", "read", "refused", "compared with", "shingles, median", "least", "sentence pairs, median"}};
    std::vector<std::pair<std::string, Compared>> all;
    for (Type& type : types_) {
      std::vector<double> pairs, shingles;
      for (const Compared& one : type.compared) {
        pairs.push_back(one.pairs);
        shingles.push_back(one.shingles);
        all.emplace_back(type.peer, one);
      }
      std::ranges::sort(pairs);
      std::ranges::sort(shingles);
      const auto middle = [](const std::vector<double>& of) {
        return of.empty() ? "-" : number("%.3f", of[of.size() / 2]);
      };
      rows.push_back({type.name, grouped(type.files), grouped(type.refused), "`" + type.peer + "`",
                      middle(shingles), shingles.empty() ? "-" : number("%.3f", shingles.front()),
                      middle(pairs)});
    }
    std::ranges::stable_sort(all, {}, [](const auto& one) { return one.second.shingles; });
    if (all.size() > kWorst) all.resize(kWorst);
    Table worst{{"least alike", "compared with", "shingles", "sentence pairs"}};
    for (const auto& [peer, one] : all)
      worst.push_back({"`" + one.file.filename().string() + "`", "`" + peer + "`",
                       number("%.3f", one.shingles), number("%.3f", one.pairs)});
    std::string text = markdown(rows) + "\n" + markdown(worst);
    if (passages_.tried > 0)
      text += "\nOf " + grouped(passages_.tried) + " random passages of " + std::to_string(kPassage) +
              " characters out of PDFs, " + grouped(passages_.found) + " are found again, " +
              grouped(passages_.on_page) + " of them on their page.\n";
    return text;
  }

  [[nodiscard]] std::string times() const {
    Table rows{{"files", "number", "akin", "a file", "peer", "time of the peer", "ratio"}};
    for (const Type& type : types_) {
      rows.push_back({type.name, grouped(type.compared.size()), number("%.2f s", type.ours),
                      number("%.1f ms", 1000 * type.ours / static_cast<double>(type.compared.size())),
                      "`" + type.peer + "`", number("%.2f s", type.theirs),
                      number("%.3f", type.ours / type.theirs)});
    }
    return markdown(rows);
  }

 private:
  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  void add(Type& type, const fs::path& file) {
    ++type.files;
    const auto begin = Clock::now();
    const auto document = document_of_file(file);
    const double ours = seconds_since(begin);
    if (document.has_error()) {
      ++type.refused;
      std::fprintf(stderr, "%s\n", document.error().message().c_str());
      return;
    }
    const bool pdf = type.peer == "pdftotext -layout";
    const std::string command =
        pdf ? "pdftotext -layout " + quoted(file) + " -" : type.peer + " " + quoted(file);
    const auto peer_begin = Clock::now();
    const std::string theirs = output_of(command + " 2>/dev/null");
    type.theirs += seconds_since(peer_begin);
    type.ours += ours;
    const Compared compared{file, agreement(*pairs_, document->text, theirs),
                            agreement(*shingles_, document->text, theirs)};
    std::fprintf(stderr, "%.3f %.3f %s\n", compared.shingles, compared.pairs, file.c_str());
    type.compared.push_back(compared);
    if (pdf && document->text.size() > 10 * kPassage) paged_.push_back(file);
  }

  void find(const fs::path& file, std::string_view passage, std::uint32_t page) {
    const auto document = checked(document_of_file(file));
    const AlignedText aligned = checked(align_texts(passage, document.text, dictionary_));
    const auto longest = std::ranges::max_element(aligned.passages, {}, &Passage::words);
    constexpr double kFound = 0.8;
    if (longest == aligned.passages.end() ||
        static_cast<double>(longest->words) < kFound * static_cast<double>(aligned.words.a_words)) {
      std::fprintf(stderr, "not found: %s, page %u: %s\n", file.c_str(), page, std::string(passage).c_str());
      return;
    }
    ++passages_.found;
    // The same words may be on several pages.
    const bool right = std::ranges::any_of(aligned.passages, [&](const Passage& one) {
      const extract::Piece* piece = extract::piece_at(document, one.b.begin);
      return piece != nullptr && piece->page == page;
    });
    passages_.on_page += right ? 1 : 0;
    if (!right)
      std::fprintf(stderr, "not on page %u: %s: %s\n", page, file.c_str(), std::string(passage).c_str());
  }

  double agreement(const Scheme& scheme, std::string_view a, std::string_view b) const {
    const auto x = checked(extract_features(a, *dictionary_, scheme));
    const auto y = checked(extract_features(b, *dictionary_, scheme));
    const Overlap shared = overlap(x.hashes, y.hashes);
    return std::min(shared.containment(), shared.contained());
  }

  Settings settings_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::shared_ptr<const Scheme> pairs_ = checked(make_scheme("sentence-pairs")),
                                shingles_ = checked(make_scheme("shingles(w=5)"));
  std::vector<Type> types_;
  std::vector<fs::path> paged_;
  Passages passages_;
};

void run(const Settings& settings) {
  RealFiles files(settings);
  const std::string pandoc = "pandoc -t plain --wrap=none ";
  files.measure("PDF", ".pdf", "pdftotext -layout");
  files.measure("EPUB", ".epub", pandoc + "-f epub");
  files.measure("HTML", ".html", pandoc + "-f html");
  files.measure("DOCX", ".docx", pandoc + "-f docx");
  files.measure("ODT", ".odt", pandoc + "-f odt");
  files.find_passages();
  const std::string text = files.report(), times = files.times();
  std::printf("%s\n%s", text.c_str(), times.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("What akin reads of real files, beside pdftotext and pandoc");
  app.add_option("FOLDER", settings.folders, "Folders of files")->required()->check(CLI::ExistingDirectory);
  app.add_option("--most-html", settings.most_html, "Pages of HTML, evenly taken")->capture_default_str();
  app.add_option("--most-bytes", settings.most_bytes, "Bytes of a file at most")->capture_default_str();
  app.add_option("--passages", settings.passages, "Passages to find again")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_real_files: %s\n", error.what());
    return 2;
  }
  return 0;
}
