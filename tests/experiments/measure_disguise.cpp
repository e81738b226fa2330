// What disguise leaves of a text's features, and whether it is named: every kind of
// tests/experiments/spellings.h and disguised_files.h at three doses, over 50 works in four languages; then
// the alerts of honest documents. Usage: measure_disguise [--only TEXT] [--honest|--attacks] [--list].
// Exit 0, 77 without corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "index/overlap/overlap.h"
#include "index/search/text_aligner.h"
#include "morph/disguise/disguise.h"
#include "morph/schemes/scheme.h"
#include "server/check/letters.h"
#include "server/check/quotations.h"
#include "server/check/verdict.h"
#include "tests/experiments/any_file.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/disguised_files.h"
#include "tests/experiments/report.h"
#include "tests/experiments/spellings.h"

namespace {

using namespace akin;
using namespace akin::experiments;
using Table = std::vector<std::vector<std::string>>;

constexpr std::array kDoses = {0.05, 0.25, 1.0};
constexpr std::uint32_t kBegin = 3'000, kCharacters = 6'000;  // of each work, without its title page
constexpr std::uint32_t kHonestCharacters = 50'000;           // at most, of each honest document

/// What a check by the default policy finds disguised in a document.
class Examination {
 public:
  Examination(std::string_view text, std::vector<extract::FileAlert> alerts, const Dictionary& dictionary,
              const TextStyle* usual) {
    const auto scheme = checked(make_scheme("sentences"));
    const FeatureSequence scanned = checked(extract_features(text, dictionary, *scheme));
    Disguise disguise = find_clear_disguise(text, dictionary, scanned.alert_counts, scanned.alerts);
    alerts_ = std::move(disguise.alerts);
    outcome_.alert_counts = disguise.counts;
    outcome_.words = scanned.words;
    outcome_.features.push_back(
        {.scheme = scheme->name(), .total = scanned.hashes.size(), .compared = scanned.hashes.size()});
    outcome_.aligned_words = scanned.words;
    outcome_.file_alerts = std::move(alerts);
    if (usual != nullptr) {
      auto& state = outcome_.index.emplace_back();
      state.styles = {checked(style_of(text, dictionary)), *usual};
    }
    const check::Letters letters(text);
    outcome_.letters = {letters.count(), letters.count(), 0,
                        letters.count_union(check::find_quotations(text))};
    decide_verdict(outcome_, check::Policy(), {});
    using Kind = check::Reason::Kind;
    std::erase_if(outcome_.reasons, [&](const check::Reason& reason) {
      return reason.kind != Kind::alerts && reason.kind != Kind::disguise &&
             reason.kind != Kind::unknown_words && reason.kind != Kind::quotations &&
             reason.kind != Kind::sentence_length && (reason.kind != Kind::too_short || usual == nullptr);
    });
  }

  [[nodiscard]] bool reviewed() const noexcept { return !outcome_.reasons.empty(); }
  [[nodiscard]] bool has_alert() const noexcept {
    return outcome_.alert_counts.total() > 0 || !outcome_.file_alerts.empty();
  }
  /// Whether something is reported that is not of `original`.
  [[nodiscard]] bool names_more_than(const Examination& original) const {
    const auto more = [&](AlertKind kind) {
      return outcome_.alert_counts[kind] > original.outcome_.alert_counts[kind];
    };
    return std::ranges::any_of(kAlertKinds, more) ||
           outcome_.file_alerts.size() > original.outcome_.file_alerts.size() ||
           outcome_.reasons.size() > original.outcome_.reasons.size();
  }
  /// "mixed_script 3 of 1,200 words: "cлoвo", …; hidden_text 3.0 %": every alert, with samples.
  [[nodiscard]] std::string alerts(std::string_view text) const {
    std::string all;
    for (const AlertKind kind : kAlertKinds) {
      if (outcome_.alert_counts[kind] == 0) continue;
      all += all.empty() ? "" : "; ";
      all += std::string(alert_name(kind)) + " " + grouped(outcome_.alert_counts[kind]) + " of " +
             grouped(outcome_.words) + " words:";
      std::size_t samples = 0;
      for (const Alert& alert : alerts_) {
        if (alert.kind != kind || ++samples > kSamples) continue;
        all += " '" + std::string(slice_code_points(text, alert.range.begin, alert.range.end)) + "'";
      }
    }
    for (const extract::FileAlert& alert : outcome_.file_alerts) {
      all += all.empty() ? "" : "; ";
      all += std::string(extract::kFileAlertNames[static_cast<std::size_t>(alert.kind)]) +
             number(" %.1f %%", 100 * alert.share);
    }
    return all;
  }
  /// "mixed_script 12.5 per 1,000 words; hidden_text 3.0 %"
  [[nodiscard]] std::string reasons() const {
    std::string all;
    for (const check::Reason& reason : outcome_.reasons) {
      all += all.empty() ? "" : "; ";
      if (reason.kind == check::Reason::Kind::alerts)
        all += std::string(alert_name(reason.alert)) + number(" %.1f per 1,000 words", reason.value);
      else if (reason.kind == check::Reason::Kind::quotations)
        all += number("quotations %.1f %%", 100 * reason.value);
      else
        all += std::string(extract::kFileAlertNames[static_cast<std::size_t>(reason.file_alert)]) +
               number(" %.1f %%", 100 * reason.value);
    }
    return all;
  }

 private:
  static constexpr std::size_t kSamples = 12;
  check::Outcome outcome_;
  std::vector<Alert> alerts_;
};

struct Language {
  std::string_view code;
  const char* folder;
  std::size_t works;
};
constexpr std::array<Language, 4> kLanguages = {{{"ru", "ru-novels", 13},
                                                 {"en", "en-novels/eltec-eng", 13},
                                                 {"de", "other-lang/eltec-deu", 12},
                                                 {"uk", "other-lang/eltec-ukr", 12}}};

/// An undisguised text.
struct Original {
  Paragraphs paragraphs;
  std::string text;
  FeatureSequence features;
  TextStyle style;
  std::size_t language = 0;
  std::unique_ptr<Examination> examination;
};

/// Of all texts that a kind changed at one dose.
struct Kept {
  std::uint64_t texts = 0, x = 0, features = 0, named = 0, reviewed = 0;
  MatchedWords words;
};

class Attacks {
 public:
  Attacks(std::shared_ptr<const Dictionary> dictionary, std::string only)
      : dictionary_(std::move(dictionary)), only_(std::move(only)) {
    for (std::size_t i = 0; i < kLanguages.size(); ++i) add_language(i);
    for (Original& original : originals_)
      original.examination = std::make_unique<Examination>(original.text, std::vector<extract::FileAlert>(),
                                                           *dictionary_, &usual_[original.language]);
  }

  [[nodiscard]] std::size_t texts() const noexcept { return originals_.size(); }

  [[nodiscard]] Table other_spellings() const {
    Table rows{heading("another spelling of the same text")};
    for (const Spelling& kind : spellings()) {
      add_row(rows, kind.name, [&](const Original& original, double dose, std::uint32_t seed) {
        extract::Document document;
        document.text = kind.at(dose)(original.paragraphs, seed);
        return document;
      });
    }
    return rows;
  }

  [[nodiscard]] Table files() const {
    Table rows{heading("file")};
    for (const DisguisedFile& kind : disguised_files()) {
      add_row(rows, kind.name, [&](const Original& original, double dose, std::uint32_t seed) {
        const bool html = kind.name.starts_with("HTML");
        return checked(document_of_bytes(kind.bytes(original.paragraphs, dose, seed),
                                         html ? "disguised.html" : "disguised", extract::Sampling::on));
      });
    }
    return rows;
  }

 private:
  static std::vector<std::string> heading(const char* what) {
    return {what, "X kept", "words aligned", "named", "reviewed"};
  }

  void add_language(std::size_t language) {
    std::size_t works = 0;
    for (const Work& work : read_works(corpora_folder(), kLanguages[language].folder)) {
      if (works == kLanguages[language].works) break;
      if (count_code_points(work.text) < kBegin + kCharacters) continue;
      ++works;
      Original original;
      original.language = language;
      original.paragraphs = paragraphs_of(slice_code_points(work.text, kBegin, kBegin + kCharacters));
      original.text = as_set(original.paragraphs);
      original.features = features(original.text);
      original.style = checked(style_of(original.text, *dictionary_));
      usual_[language] += original.style;
      originals_.push_back(std::move(original));
    }
    if (works < kLanguages[language].works) throw std::runtime_error("the corpora lack works");
  }

  /// `disguise(original, dose, seed)` gives the document that is read.
  template <class Read>
  void add_row(Table& rows, std::string_view name, Read disguise) const {
    if (name.find(only_) == std::string_view::npos) return;
    std::vector<std::string> row = {std::string(name), "", "", "", ""};
    for (const double dose : kDoses) {
      Kept kept;
      std::uint32_t seed = 17;
      for (const Original& original : originals_) {
        const extract::Document document = disguise(original, dose, seed++);
        if (document.text != original.text || !document.alerts.empty()) add(kept, original, document);
      }
      const auto cell = [&](std::size_t column, std::string text) {
        row[column] += (row[column].empty() ? "" : " / ") + text;
      };
      const auto share = [&](std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? "-" : number("%.3f", static_cast<double>(part) / static_cast<double>(whole));
      };
      cell(1, share(kept.x, kept.features));
      cell(2, share(kept.words.a, kept.words.a_words));
      cell(3, share(kept.named, kept.texts));
      cell(4, share(kept.reviewed, kept.texts));
    }
    std::fprintf(stderr, "%s\n", row.front().c_str());
    rows.push_back(std::move(row));
  }

  void add(Kept& kept, const Original& original, const extract::Document& document) const {
    ++kept.texts;
    kept.x += overlap(original.features.hashes, features(document.text).hashes).x;
    kept.features += original.features.hashes.size();
    const MatchedWords words = checked(align_texts(original.text, document.text, dictionary_)).words;
    kept.words.a += words.a;
    kept.words.a_words += words.a_words;
    const Examination examination(document.text, document.alerts, *dictionary_, &usual_[original.language]);
    kept.named += examination.names_more_than(*original.examination) ? 1 : 0;
    kept.reviewed += examination.reviewed() ? 1 : 0;
  }

  [[nodiscard]] FeatureSequence features(std::string_view text) const {
    return checked(extract_features(text, *dictionary_, *scheme_));
  }

  std::shared_ptr<const Dictionary> dictionary_;
  std::string only_;
  std::shared_ptr<const Scheme> scheme_ = checked(make_scheme("sentence-pairs"));
  std::array<TextStyle, kLanguages.size()> usual_;
  std::vector<Original> originals_;
};

/// Folders of documents that nobody disguised, as the default policy judges them.
std::string honest_documents(const Dictionary& dictionary, bool list) {
  constexpr std::array kFolders = {"formats/tika",
                                   "formats/pandoc-tests",
                                   "formats/unrtf-tests",
                                   "formats/fbreader-minihelp",
                                   "formats/antiword",
                                   "formats/encodings-real",
                                   "formats/debian-docs",
                                   "other-lang/udhr2",
                                   "other-lang/genesis",
                                   "en-pairs/genesis",
                                   "ru-novels",
                                   "en-novels",
                                   "other-lang/eltec-cze",
                                   "other-lang/eltec-deu",
                                   "other-lang/eltec-hun",
                                   "other-lang/eltec-pol",
                                   "other-lang/eltec-ukr"};
  Table rows{{"documents", "read", "refused", "with an alert", "reviewed"}};
  Table reviewed{{"reviewed", "reasons"}};
  std::array<std::uint64_t, 4> all{};
  for (const char* folder : kFolders) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpora_folder() / folder))
      if (entry.is_regular_file() && entry.path().filename() != "SOURCE.txt") files.push_back(entry.path());
    std::ranges::sort(files);
    std::array<std::uint64_t, 4> counts{};
    for (const auto& file : files) {
      auto document = document_of_file(file, extract::Sampling::on);
      if (document.has_error()) {
        ++counts[1];
        continue;
      }
      const std::string_view text = slice_code_points(document->text, 0, kHonestCharacters);
      const Examination examination(text, std::move(document->alerts), dictionary, nullptr);
      ++counts[0];
      counts[2] += examination.has_alert() ? 1 : 0;
      counts[3] += examination.reviewed() ? 1 : 0;
      const std::string name = file.lexically_relative(corpora_folder()).generic_string();
      if (examination.reviewed()) reviewed.push_back({"`" + name + "`", examination.reasons()});
      if (list && (examination.has_alert() || examination.reviewed()))
        std::fprintf(stderr, "%s: %s\n", name.c_str(), examination.alerts(text).c_str());
    }
    std::vector<std::string> row = {folder};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      row.push_back(grouped(counts[i]));
      all[i] += counts[i];
    }
    rows.push_back(std::move(row));
  }
  rows.push_back({"all", grouped(all[0]), grouped(all[1]), grouped(all[2]), grouped(all[3])});
  return markdown(rows) + "\n" + markdown(reviewed);
}

struct Settings {
  std::string only;
  bool honest = true, attacks = true, list = false;
};

int run(const Settings& settings) {
  if (corpora_folder().empty()) return std::puts("no corpora (AKIN_CORPORA)"), 77;
  DictionaryConfig config;
  config.languages = {"ru", "en", "de", "uk"};
  const auto dictionary = checked(Dictionary::open(config));
  std::string text;
  if (settings.attacks) {
    const Attacks attacks(dictionary, settings.only);
    text += std::to_string(attacks.texts()) + " texts of " + grouped(kCharacters) +
            " characters; doses 5 % / 25 % / 100 %.\n\n" + markdown(attacks.other_spellings()) + "\n" +
            markdown(attacks.files());
  }
  if (settings.honest)
    text += (text.empty() ? "" : "\nHonest documents, by their corpus:\n\n") +
            honest_documents(*dictionary, settings.list);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bool honest = false, attacks = false;
  CLI::App app("What disguise leaves of a text, and whether it is named");
  app.add_option("--only", settings.only, "Kinds whose name contains this");
  app.add_flag("--honest", honest, "Only the honest documents");
  app.add_flag("--attacks", attacks, "Only the attacks");
  app.add_flag("--list", settings.list, "Write each honest document with an alert to the standard error");
  CLI11_PARSE(app, argc, argv);
  settings.honest = !attacks || honest;
  settings.attacks = !honest || attacks;
  try {
    return run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_disguise: %s\n", error.what());
    return 2;
  }
}
