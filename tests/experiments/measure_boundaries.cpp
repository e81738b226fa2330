// Sentence boundaries against Universal Dependencies treebanks. Usage: measure_boundaries [FILE.conllu…]
// [--failures N]
//
// The sentences of a file (its "# text" lines) are joined by single spaces and split again by
// split_sentences. A boundary is the end of a sentence, as an offset in code points, except that of the last
// one. Printed are gold, predicted and correct boundaries, precision, recall and F1; then F1 and recall
// without the gold boundaries that no rule for marks can find: after a sentence without a word or without a
// final mark (headlines, verse). With --failures, N examples of each kind of failure.
//
// Exit 0, or 2 when the measurement could not be made.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "base/utf8.h"
#include "morph/sentences/boundary.h"
#include "morph/sentences/neighbourhood.h"
#include "tests/experiments/corpora.h"
#include "tests/support/sentences.h"

namespace {

namespace fs = std::filesystem;

constexpr char32_t kVariationSelector = 0xfe0f;  ///< makes the character before it an emoji

using Boundaries = std::set<std::size_t>;

/// The sentences of a treebank as one text.
struct Treebank {
  std::string name;
  std::string utf8;
  std::u32string text;
  Boundaries gold;
  Boundaries markless;  ///< gold boundaries after a sentence without a word or without a final mark
};

bool is_word_character(char32_t c) { return akin::is_boundary_word(c); }

bool is_trailing(char32_t c) {
  return akin::is_boundary_space(c) || akin::is_quote(c) || akin::is_closing_bracket(c) || akin::is_emoji(c);
}

/// One past the last character that is neither white space, quotation mark, closing bracket nor smiley.
std::size_t without_trailing(const std::u32string& text, std::size_t end) {
  while (end > 0) {
    const akin::Neighbourhood whole(text);
    std::size_t smiley = end;
    for (std::size_t length = 1; length <= 4 && length <= end; ++length)
      if (whole.smiley_end(end - length) == end) smiley = end - length;
    if (smiley < end) {
      end = smiley;
    } else if (is_trailing(text[end - 1])) {
      --end;
    } else {
      break;
    }
  }
  return end;
}

bool has_final_mark(const std::u32string& sentence) {
  const std::size_t end = without_trailing(sentence, sentence.size());
  return end > 0 && (akin::is_terminator(sentence[end - 1]) || sentence[end - 1] == U'…');
}

Treebank read_treebank(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  Treebank bank;
  bank.name = file.stem().string();
  constexpr std::string_view kText = "# text = ";
  std::string line;
  while (std::getline(in, line)) {
    if (!line.starts_with(kText)) continue;
    const std::u32string sentence = akin::to_utf32(std::string_view(line).substr(kText.size()));
    if (!bank.text.empty()) bank.text += U' ';
    bank.text += sentence;
    bank.gold.insert(bank.text.size());
    if (std::ranges::none_of(sentence, is_word_character) || !has_final_mark(sentence))
      bank.markless.insert(bank.text.size());
  }
  if (bank.gold.empty()) throw std::runtime_error("no '# text' lines in " + file.string());
  bank.gold.erase(bank.text.size());
  bank.markless.erase(bank.text.size());
  bank.utf8 = akin::to_utf8(bank.text);
  return bank;
}

Boundaries predict(const Treebank& bank) {
  const auto sentences = akin::split_sentences(bank.utf8);
  if (sentences.has_error()) throw std::runtime_error(sentences.error().message());
  Boundaries ends;
  for (const akin::TextRange& range : *sentences) {
    std::size_t end = range.end;
    while (end < bank.text.size() && bank.text[end] == kVariationSelector) ++end;  // invisible, in no range
    ends.insert(end);
  }
  ends.erase(bank.text.size());
  return ends;
}

std::size_t common(const Boundaries& a, const Boundaries& b) {
  return static_cast<std::size_t>(std::ranges::count_if(a, [&](std::size_t x) { return b.contains(x); }));
}

struct Score {
  std::size_t gold = 0, predicted = 0, correct = 0;
  [[nodiscard]] double precision() const { return ratio(correct, predicted); }
  [[nodiscard]] double recall() const { return ratio(correct, gold); }
  [[nodiscard]] double f1() const { return ratio(2 * correct, gold + predicted); }

 private:
  static double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// The text before a boundary and after it: the heading under which a failure is listed.
std::string kind_of(const Treebank& bank, std::size_t boundary) {
  const std::u32string& text = bank.text;
  const akin::Neighbourhood whole(text);
  const std::size_t mark_end = without_trailing(text, boundary);
  std::size_t mark = mark_end;
  while (mark > 0 && (akin::is_terminator(text[mark - 1]) || text[mark - 1] == U'…')) --mark;
  if (mark == mark_end) return "no mark";
  const std::u32string run = text.substr(mark, mark_end - mark);
  std::string kind;
  if (run == U".") {
    const std::size_t end = whole.skip_space_back(mark);
    const std::u32string_view word = whole.slice(whole.word_begin(end), end);
    if (word.empty()) {
      kind = "full stop after a mark";
    } else if (std::ranges::all_of(word, akin::is_boundary_digit)) {
      kind = "full stop after a number";
    } else if (word.size() == 1) {
      kind = "full stop after a letter";
    } else {
      kind = word.size() <= 4 ? "full stop after a short word" : "full stop after a long word";
    }
  } else {
    kind = run.find_first_of(U"!?") == std::u32string::npos ? "ellipsis" : "! or ?";
  }
  const std::size_t next = whole.skip_space(boundary);
  return whole.dash_at(next) ? kind + ", then a dash" : kind;
}

void print_failures(const Treebank& bank, const Boundaries& predicted, std::size_t examples) {
  std::map<std::string, std::vector<std::size_t>> kinds;
  for (const std::size_t end : bank.gold)
    if (!predicted.contains(end)) kinds["missed: " + kind_of(bank, end)].push_back(end);
  for (const std::size_t end : predicted)
    if (!bank.gold.contains(end)) kinds["wrong: " + kind_of(bank, end)].push_back(end);
  constexpr std::size_t kBefore = 50, kAfter = 30;
  for (const auto& [kind, ends] : kinds) {
    std::printf("  %s: %zu\n", kind.c_str(), ends.size());
    for (std::size_t i = 0; i < std::min(examples, ends.size()); ++i) {
      const std::size_t end = ends[i];
      const std::size_t from = end > kBefore ? end - kBefore : 0;
      std::printf("    %s | %s\n",
                  akin::to_utf8(std::u32string_view(bank.text).substr(from, end - from)).c_str(),
                  akin::to_utf8(std::u32string_view(bank.text).substr(end, kAfter)).c_str());
    }
  }
}

void measure(const fs::path& file, std::size_t examples) {
  const Treebank bank = read_treebank(file);
  const Boundaries predicted = predict(bank);
  const Score all{bank.gold.size(), predicted.size(), common(predicted, bank.gold)};
  const std::size_t found_markless = common(predicted, bank.markless);
  const Score marked{all.gold - bank.markless.size(), all.predicted - found_markless,
                     all.correct - found_markless};
  std::printf("%-32s %6zu %6zu %6zu  %.4f  %.4f  %.4f | %6zu  %.4f  %.4f\n", bank.name.c_str(), all.gold,
              all.predicted, all.correct, all.precision(), all.recall(), all.f1(), marked.gold,
              marked.recall(), marked.f1());
  if (examples > 0) print_failures(bank, predicted, examples);
}

std::vector<fs::path> treebanks_of_corpora() {
  const fs::path corpora = akin::experiments::corpora_folder();
  if (corpora.empty()) throw std::runtime_error("no corpora: set AKIN_CORPORA or name .conllu files");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(corpora / "ud"))
    if (entry.path().extension() == ".conllu") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures sentence splitting against Universal Dependencies treebanks");
  std::vector<fs::path> files;
  std::size_t examples = 0;
  app.add_option("files", files, "CoNLL-U files; default: all of the corpora's ud folder");
  app.add_option("--failures", examples, "Examples to print for each kind of failure");
  CLI11_PARSE(app, argc, argv);
  try {
    if (files.empty()) files = treebanks_of_corpora();
    std::printf("%-32s %6s %6s %6s  %-6s  %-6s  %-6s | %s\n", "", "gold", "pred.", "corr.", "prec.", "recall",
                "F1", "with final mark: gold, recall, F1");
    for (const fs::path& file : files) measure(file, examples);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_boundaries: %s\n", error.what());
    return 2;
  }
  return 0;
}
