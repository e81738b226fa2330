// From texts to features on one core in several languages, file by file: the first pass, in which every word
// is new to the process, later passes, and short texts. Processor time.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dict/dictionary.h"
#include "morph/schemes/scheme.h"
#include "tests/bench/bench.h"
#include "tests/bench/plain_pass.h"
#include "tests/bench/process.h"
#include "tests/experiments/corpora.h"

namespace akin::bench {

namespace {

struct Kind {
  std::string name;
  std::vector<std::string> folders;  ///< of the corpora
  std::vector<std::string> languages;
};

std::vector<Kind> kinds() {
  return {{"Russian novels", {"ru-novels/eltec-rus", "ru-novels/ruslit"}, {"ru", "en"}},
          {"English novels", {"en-novels"}, {"ru", "en"}},
          {"German novels", {"other-lang/eltec-deu"}, {"ru", "en", "de", "uk"}},
          {"novels in seven languages",
           {"ru-novels/eltec-rus", "en-novels/eltec-eng", "other-lang/eltec-cze", "other-lang/eltec-deu",
            "other-lang/eltec-hun", "other-lang/eltec-pol", "other-lang/eltec-ukr"},
           {"ru", "en"}}};
}

using Texts = std::vector<std::string>;

/// About `bytes` of the folders' works, the same share of each folder.
Texts read_texts(const Session& session, const std::vector<std::string>& folders, std::size_t bytes) {
  if (session.corpora.empty()) throw Skipped("no corpora (AKIN_CORPORA)");
  Texts texts;
  for (const std::string& folder : folders) {
    std::size_t left = bytes / folders.size();
    for (auto& work : experiments::read_works(session.corpora, folder)) {
      if (left == 0) break;
      left -= std::min(left, work.text.size());
      texts.push_back(std::move(work.text));
    }
  }
  return texts;
}

double bytes_of(const Texts& texts) {
  double bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<double>(text.size());
  return bytes;
}

std::shared_ptr<const Dictionary> open_dictionary(const std::vector<std::string>& languages) {
  DictionaryConfig config;
  config.languages = languages;
  return need(Dictionary::open(config));
}

double extract_seconds(const Texts& texts, const Dictionary& dictionary, const Scheme& scheme) {
  const double start = thread_seconds();
  std::size_t features = 0;
  for (const std::string& text : texts)
    features += need(extract_features(text, dictionary, scheme)).hashes.size();
  if (features == 0) throw std::runtime_error("the texts have no features");
  return thread_seconds() - start;
}

double plain_seconds(const Texts& texts) {
  const double start = thread_seconds();
  std::size_t letters = 0;
  for (const std::string& text : texts) letters += count_letters(text);
  if (letters == 0) throw std::runtime_error("the texts have no letters");
  return thread_seconds() - start;
}

void report_kind(Session& session, const Kind& kind) {
  constexpr std::size_t kBytes = 20'000'000;
  const Texts texts = read_texts(session, kind.folders, kBytes);
  const double megabytes = bytes_of(texts) / 1e6;
  stay_on_one_core();
  const auto dictionary = open_dictionary(kind.languages);
  const auto pairs = need(make_scheme(kComparisonScheme));
  const auto whole = need(make_scheme(kDefaultScheme));
  const double first = extract_seconds(texts, *dictionary, *pairs);
  constexpr int kRounds = 5;
  double again = first, all = 1e9, plain = plain_seconds(texts);
  for (int round = 0; round < kRounds; ++round) {
    again = std::min(again, extract_seconds(texts, *dictionary, *pairs));
    all = std::min(all, extract_seconds(texts, *dictionary, *whole));
    plain = std::min(plain, plain_seconds(texts));
  }
  std::string languages;
  for (const std::string& one : kind.languages) languages += (languages.empty() ? "" : ",") + one;
  session.add({kind.name + ": first pass",
               megabytes / first,
               "MB/s",
               {},
               Better::higher,
               format("%.1f MB in %zu texts, dictionaries %s", megabytes, texts.size(), languages.c_str())});
  session.add({kind.name + ": later passes",
               megabytes / again,
               "MB/s",
               {},
               Better::higher,
               format("%.2f of a plain pass, %.0f MB/s", plain / again, megabytes / plain)});
  session.add({kind.name + ": later passes, default scheme",
               megabytes / all,
               "MB/s",
               {},
               Better::higher,
               "sentence pairs and the seeds of passages"});
}

/// Pieces of so many bytes or a few more, from all over the texts.
Texts pieces_of(const Texts& texts, std::size_t bytes) {
  constexpr std::size_t kPieces = 1000;
  Texts pieces;
  for (const std::string& text : texts) {
    const auto end_of_character = [&](std::size_t at) {
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
      return at;
    };
    for (std::size_t at = 0; at + bytes <= text.size() && pieces.size() < kPieces;) {
      const std::size_t end = end_of_character(at + bytes);
      pieces.push_back(text.substr(at, end - at));
      at = end_of_character(std::min(text.size(), end + 20 * bytes));
    }
  }
  return pieces;
}

void report_short_texts(Session& session) {
  const Texts texts = read_texts(session, {"ru-novels/ruslit"}, 40'000'000);
  stay_on_one_core();
  const auto dictionary = open_dictionary({"ru", "en"});
  const auto scheme = need(make_scheme(kComparisonScheme));
  for (const auto& [bytes, goal] :
       {std::pair(500U, 8.0), std::pair(1000U, 12.0), std::pair(10'000U, 100.0)}) {
    const Texts pieces = pieces_of(texts, bytes);
    (void)extract_seconds(pieces, *dictionary, *scheme);
    double least = 1e9;
    for (int round = 0; round < 7; ++round)
      least = std::min(least, extract_seconds(pieces, *dictionary, *scheme));
    const auto count = static_cast<double>(pieces.size());
    session.add({format("a text of %u bytes to features", bytes), least / count * 1e6, "us", goal,
                 Better::lower, format("%zu pieces of Russian novels, words seen before", pieces.size())});
  }
}

void measure_texts(Session& session) {
  for (const Kind& kind : kinds()) isolated(session, [&](Session& inner) { report_kind(inner, kind); });
  isolated(session, report_short_texts);
}

}  // namespace

std::vector<Measurement> text_measurements() {
  return {{"texts", "texts in several languages to features, first and later passes, and short texts",
           measure_texts}};
}

}  // namespace akin::bench
