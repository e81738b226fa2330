// Which words of texts that nobody disguised akin reads as other letters than are written: look-alikes of
// another script, digits for letters, accents that few languages have. Usage: measure_honest_words [--list N]
// [--keep FILE] [--against FILE]. FILE has the class of every word, so that two
// versions of akin can be compared word by word. Exit 0, 77 without corpora.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/ask/respelling.h"
#include "morph/words/scanner.h"
#include "server/ingest/input.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/report.h"

namespace {

using namespace akin;
using namespace akin::experiments;
using Table = std::vector<std::vector<std::string>>;

struct Corpus {
  const char* name;
  std::vector<const char*> places;  ///< folders or files below the corpora
};

const std::vector<Corpus>& corpora() {
  static const std::vector<Corpus> all = {
      {"Russian novels", {"ru-novels", "ru-pairs/editions", "ru-pairs/karamazov-5"}},
      {"English novels", {"en-novels"}},
      {"German novels", {"other-lang/eltec-deu"}},
      {"Ukrainian novels", {"other-lang/eltec-ukr"}},
      {"Czech novels", {"other-lang/eltec-cze"}},
      {"Hungarian novels", {"other-lang/eltec-hun"}},
      {"Polish novels", {"other-lang/eltec-pol"}},
      {"Russian news", {"news/ru_background.tsv", "news/ru_same_event_pairs.tsv", "ru-pairs/paraphraser"}},
      {"English news", {"news/en_background.tsv", "news/en_same_event_pairs.tsv"}},
      {"manuals",
       {"en-pairs/debian-install-guide", "ru-pairs/debian-install-guide", "other-lang/debian-install-guide",
        "formats/debian-docs"}},
      {"declarations in 388 languages", {"other-lang/udhr2"}},
  };
  return all;
}

constexpr std::array<const char*, 4> kKinds = {"look-alikes", "digits", "accents", "all look-alikes"};

/// How a word is read otherwise than it is written.
struct Reading {
  std::size_t kind = 0;  ///< of kKinds
  std::string letters;
};

/// The letters of a word before those of another script are exchanged.
std::u32string written_letters(std::string_view source) {
  std::u32string letters;
  FoldedReader reader;
  FoldedChar c;
  reader.reset(source);
  while (reader.next(c)) {
    if (c.kind == CharKind::letter || c.kind == CharKind::digit || c.kind == CharKind::solo ||
        c.kind == CharKind::mark)
      letters += c.letter;
  }
  return letters;
}

std::optional<Reading> reading_of(const Word& word, const Dictionary& dictionary) {
  const std::u32string written = written_letters(word.source);
  std::u32string own(word.letters);
  std::erase(own, U'\'');
  if (mixes_scripts(scripts_of(written)) && scripts_of(written) != scripts_of(own))
    return Reading{0, to_utf8(word.letters)};
  if (dictionary.has_form(word.key)) return std::nullopt;
  const auto is_read_as = [&](std::u32string_view letters) {
    return dictionary.hash({letters, spelling_key(letters)}) == word.lemma_class.hash;
  };
  const bool digits = std::ranges::any_of(own, [](char32_t c) { return c >= U'0' && c <= U'9'; });
  for (const std::u32string& letters : undisguised(word.letters)) {
    if (is_read_as(letters)) return Reading{digits ? 1U : 2U, to_utf8(letters)};
  }
  const std::u32string other = in_other_script(word.letters);
  if (other.empty() || !dictionary.has_form(spelling_key(other)) || !is_read_as(other)) return std::nullopt;
  return Reading{3, to_utf8(other)};
}

/// A word as it is written, and its class.
struct WrittenWord {
  std::uint64_t hash = 0;
  std::string name;  ///< of the class
  std::uint64_t count = 0;
  std::optional<Reading> reading;
};

std::string in_one_line(std::string_view source) {
  std::string line(source);
  for (char& c : line) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return line;
}

class WordCounter final : public SentenceSink {
 public:
  explicit WordCounter(const Dictionary& dictionary) : dictionary_(dictionary) {}

  void begin(const char* corpus) {
    corpus_ = corpus;
    total_ = 0;
    read_ = {};
  }
  void on_sentence(const Sentence& sentence) override {
    total_ += sentence.words.size();
    for (const Word& word : sentence.words) {
      WrittenWord& known = words_[in_one_line(word.source)];
      if (known.count++ == 0) {
        known.hash = word.lemma_class.hash;
        known.name = dictionary_.class_name({word.letters, word.key});
        known.reading = reading_of(word, dictionary_);
      }
      if (!known.reading) continue;
      ++read_.at(known.reading->kind);
      ++corpora_[&known][corpus_];
    }
  }
  [[nodiscard]] std::vector<std::string> row() const {
    std::vector<std::string> row = {corpus_, grouped(total_)};
    for (const std::uint64_t count : read_) row.push_back(grouped(count));
    return row;
  }
  [[nodiscard]] const auto& words() const noexcept { return words_; }
  [[nodiscard]] const auto& corpora_of(const WrittenWord& word) const { return corpora_.at(&word); }

 private:
  const Dictionary& dictionary_;
  std::string corpus_;
  std::uint64_t total_ = 0;
  std::array<std::uint64_t, kKinds.size()> read_{};
  std::unordered_map<std::string, WrittenWord> words_;  ///< their addresses stay
  std::unordered_map<const WrittenWord*, std::map<std::string, std::uint64_t>> corpora_;
};

std::vector<std::filesystem::path> files_of(const Corpus& corpus) {
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::filesystem::path& file) {
    const auto ending = file.extension();
    const bool is_text = ending == ".txt" || ending == ".tsv" || ending == ".html";
    if (is_text && file.filename() != "SOURCE.txt") files.push_back(file);
  };
  for (const char* place : corpus.places) {
    const std::filesystem::path path = corpora_folder() / place;
    if (std::filesystem::is_regular_file(path)) {
      add(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.is_regular_file()) add(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void list_most_frequent(const WordCounter& counter, std::size_t most) {
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    std::vector<std::pair<std::string_view, const WrittenWord*>> read;
    for (const auto& [source, word] : counter.words())
      if (word.reading && word.reading->kind == kind) read.emplace_back(source, &word);
    std::ranges::sort(read, [](const auto& a, const auto& b) {
      return std::pair(b.second->count, a.first) < std::pair(a.second->count, b.first);
    });
    std::printf("\n%s: %zu words\n", kKinds.at(kind), read.size());
    for (std::size_t i = 0; i < std::min(most, read.size()); ++i) {
      const auto& [source, word] = read[i];
      std::string where;
      for (const auto& [corpus, count] : counter.corpora_of(*word)) where += ", " + corpus;
      std::printf("%6llu  %.*s -> %s (%s)%s\n", static_cast<unsigned long long>(word->count),
                  static_cast<int>(source.size()), source.data(), word->reading->letters.c_str(),
                  word->name.c_str(), where.c_str());
    }
  }
}

void keep(const WordCounter& counter, const std::filesystem::path& file) {
  std::ofstream out(file);
  for (const auto& [source, word] : counter.words())
    out << word.hash << '\t' << word.name << '\t' << source << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string());
}

/// Prints the words that have another class than in the file.
void compare(const WordCounter& counter, const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::uint64_t changed = 0, occurrences = 0;
  std::vector<std::pair<std::uint64_t, std::string>> lines;
  for (std::string hash, name, source;
       std::getline(in, hash, '\t') && std::getline(in, name, '\t') && std::getline(in, source);) {
    const auto found = counter.words().find(source);
    if (found == counter.words().end() || std::to_string(found->second.hash) == hash) continue;
    ++changed;
    occurrences += found->second.count;
    lines.emplace_back(found->second.count, source + ": " + name + " -> " + found->second.name);
  }
  std::ranges::sort(lines, std::ranges::greater());
  std::printf("\n%llu words changed, which occur %llu times\n", static_cast<unsigned long long>(changed),
              static_cast<unsigned long long>(occurrences));
  for (const auto& [count, line] : lines)
    std::printf("%6llu  %s\n", static_cast<unsigned long long>(count), line.c_str());
}

struct Settings {
  std::size_t list = 0;
  std::filesystem::path kept, against;
};

int run(const Settings& settings) {
  if (corpora_folder().empty()) return std::puts("no corpora (AKIN_CORPORA)"), 77;
  DictionaryConfig config;
  config.languages = {"ru", "en", "de", "uk"};
  const auto dictionary = Dictionary::open(config);
  if (dictionary.has_error()) throw std::runtime_error(dictionary.error().message());
  WordCounter counter(**dictionary);
  Table rows{{"texts", "words"}};
  rows.front().insert(rows.front().end(), kKinds.begin(), kKinds.end());
  for (const Corpus& corpus : corpora()) {
    counter.begin(corpus.name);
    for (const auto& file : files_of(corpus)) {
      const auto text = ingest::read_text(file);
      if (text.has_error()) continue;
      const auto scanned = scan_text(*text, **dictionary, counter);
      if (scanned.has_error()) throw std::runtime_error(scanned.error().message());
    }
    rows.push_back(counter.row());
    std::fprintf(stderr, "%s\n", corpus.name);
  }
  const std::string table = markdown(rows);
  std::fputs(table.c_str(), stdout);
  if (!settings.kept.empty()) keep(counter, settings.kept);
  if (settings.list > 0) list_most_frequent(counter, settings.list);
  if (!settings.against.empty()) compare(counter, settings.against);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Words of honest texts that are read as other letters than are written");
  app.add_option("--list", settings.list, "List the most frequent N of each kind");
  app.add_option("--keep", settings.kept, "File to write the class of every word into");
  app.add_option("--against", settings.against, "File with the classes that another version gives");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_honest_words: %s\n", error.what());
    return 2;
  }
}
