// The seven edits of Veretennikov 2009 on novels in four languages: the share of its pairs of sentences that
// a text keeps. Usage: measure_edits. Four works of each language, the first 150,000 characters of each;
// choices are the same in every run. docs/definitions.md has the table. Exit 0, 77 without corpora, treebanks
// or thesauri.
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "index/overlap/overlap.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/checked.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/text_changes.h"

namespace {

using namespace akin;
using namespace akin::experiments;

constexpr std::size_t kCharacters = 150'000;
constexpr std::size_t kWorks = 4;
constexpr std::array<std::pair<const char*, const char*>, 4> kLanguages = {{{"ru", "ru-novels/eltec-rus"},
                                                                            {"en", "en-novels/eltec-eng"},
                                                                            {"de", "other-lang/eltec-deu"},
                                                                            {"uk", "other-lang/eltec-ukr"}}};

/// A part of a text, in code points, and what takes its place.
struct Change {
  TextRange range;
  std::u32string text;
};

std::string changed(const std::u32string& text, const std::vector<Change>& changes) {
  std::u32string out;
  std::size_t copied = 0;
  for (const Change& change : changes) {
    out.append(text, copied, change.range.begin - copied);
    out += change.text;
    copied = change.range.end;
  }
  out.append(text, copied);
  return to_utf8(out);
}

struct PlainWord {
  TextRange range;
  std::string folded;
  std::uint64_t hash = 0;
  bool known = false;  ///< whether a dictionary has it
};

struct PlainSentence {
  TextRange range;
  std::vector<PlainWord> words;
};

/// A text with its sentences, as akin reads it.
struct Source : SentenceSink {
  explicit Source(std::string_view utf8, const Dictionary& dictionary) : text(to_utf32(utf8)) {
    if (const auto scanned = scan_text(utf8, dictionary, *this); scanned.has_error())
      throw std::runtime_error(scanned.error().message());
  }
  void on_sentence(const Sentence& sentence) override {
    PlainSentence& own = sentences.emplace_back();
    own.range = sentence.range;
    for (const Word& word : sentence.words)
      own.words.push_back({word.range, to_utf8(word.letters), word.lemma_class.hash,
                           word.lemma_class.form != WordClass::kNoForm});
  }
  [[nodiscard]] std::u32string part(TextRange range) const {
    return text.substr(range.begin, range.end - range.begin);
  }

  std::u32string text;
  std::vector<PlainSentence> sentences;
};

using Edit = std::function<std::string(const Source&, Random&)>;

/// Replaces a share of the words by what `other` gives for one; words for which it gives nothing stay, and do
/// not count in the share.
template <class Other>
Edit replacing(double share, Other other) {
  return [=](const Source& source, Random& random) {
    std::vector<Change> changes;
    for (const PlainSentence& sentence : source.sentences) {
      for (const PlainWord& word : sentence.words) {
        const std::string text = other(word, random);
        if (!text.empty() && chance(random, share)) changes.push_back({word.range, to_utf32(text)});
      }
    }
    return changed(source.text, changes);
  };
}

std::string without_twenty_sentences(const Source& source, Random& random) {
  const auto& all = source.sentences;
  const std::size_t first = 1 + random() % (all.size() - 22);
  return changed(source.text, {{{all[first].range.begin, all[first + 20].range.begin}, {}}});
}

/// Exchanges a tenth of the sentences with their neighbours. White space stays where it is.
std::string with_moved_sentences(const Source& source, Random& random) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i + 1 < source.sentences.size(); ++i) {
    if (!chance(random, 0.1)) continue;
    const TextRange a = source.sentences[i].range, b = source.sentences[i + 1].range;
    changes.push_back({a, source.part(b)});
    changes.push_back({b, source.part(a)});
    ++i;
  }
  return changed(source.text, changes);
}

std::string without_words(const Source& source, Random& random) {
  std::vector<Change> changes;
  for (const PlainSentence& sentence : source.sentences)
    for (const PlainWord& word : sentence.words)
      if (chance(random, 0.01)) changes.push_back({word.range, {}});
  return changed(source.text, changes);
}

/// Straight quotation marks, other dashes, е for ё, two blanks between words.
std::string with_other_characters(const Source& source, Random& /*random*/) {
  const std::map<char32_t, std::u32string> others = {
      {U'ё', U"е"},  {U'Ё', U"Е"}, {U'«', U"\""}, {U'»', U"\""}, {U'„', U"\""}, {U'“', U"\""},
      {U'”', U"\""}, {U'—', U"–"}, {U'–', U"--"}, {U'’', U"'"},  {U' ', U"  "}};
  std::u32string out;
  for (const char32_t c : source.text) {
    const auto other = others.find(c);
    out += other == others.end() ? std::u32string(1, c) : other->second;
  }
  return to_utf8(out);
}

std::string in_capitals(const Source& source, Random& /*random*/) {
  std::u32string out;
  for (const char32_t c : source.text)
    out += c == U'ß' ? c : static_cast<char32_t>(u_toupper(static_cast<UChar32>(c)));
  return to_utf8(out);
}

/// Permutes words of each sentence; marks stay where they are. `careful`: only words between two blanks that
/// begin with a small letter, so that neither marks nor capitals come beside other words; and no words of a
/// sentence with one of the marks ! ? … inside, behind which the words decide whether a sentence begins.
Edit permuted(bool careful) {
  return [=](const Source& source, Random& random) {
    const auto is_blank_at = [&](std::size_t at) {
      return at < source.text.size() && source.text[at] == U' ';
    };
    std::vector<Change> changes;
    for (const PlainSentence& sentence : source.sentences) {
      if (sentence.words.empty()) continue;
      const TextRange inside{sentence.range.begin, sentence.words.back().range.end};
      if (careful && source.part(inside).find_first_of(U"!?…") != std::u32string::npos) continue;
      std::vector<TextRange> places;
      for (const PlainWord& word : sentence.words) {
        const bool between =
            word.range.begin > 0 && is_blank_at(word.range.begin - 1) && is_blank_at(word.range.end);
        const bool small = u_islower(static_cast<UChar32>(source.text[word.range.begin])) != 0;
        if (!careful || (between && small)) places.push_back(word.range);
      }
      std::vector<TextRange> order = places;
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
      for (std::size_t i = 0; i < places.size(); ++i) changes.push_back({places[i], source.part(order[i])});
    }
    return changed(source.text, changes);
  };
}

/// Words of the texts by the class that joins their synonyms.
class Synonyms {
 public:
  Synonyms(const std::vector<Source>& sources, const Dictionary& dictionary) : dictionary_(&dictionary) {
    for (const Source& source : sources)
      for (const PlainSentence& sentence : source.sentences)
        for (const PlainWord& word : sentence.words)
          words_[dictionary.synonym_hash(word.hash)][word.hash] = word.folded;
  }
  [[nodiscard]] std::string other(std::uint64_t hash, Random& random) const {
    const auto& group = words_.at(dictionary_->synonym_hash(hash));
    if (group.size() < 2) return "";
    const auto chosen = std::next(group.begin(), static_cast<std::ptrdiff_t>(random() % group.size()));
    return chosen->first == hash ? "" : chosen->second;
  }

 private:
  const Dictionary* dictionary_;
  std::map<std::uint64_t, std::map<std::uint64_t, std::string>> words_;
};

struct Row {
  const char* name;
  Edit edit;
  const char* scheme = "sentence-pairs";
  bool of_rest = false;  ///< the share of the changed text's pairs that the text has, and not the reverse
};

std::vector<Row> rows(const Synonyms& synonyms) {
  const auto synonym = [&](const PlainWord& word, Random& random) {
    return synonyms.other(word.hash, random);
  };
  return {
      {"1 | 20 sentences in a row deleted: of the rest", without_twenty_sentences, "sentence-pairs", true},
      {"2 | a tenth of the sentences exchanged with the next", with_moved_sentences},
      {"3 | 1 % of the words deleted", without_words},
      {"4 | straight quotation marks, other dashes, е for ё, two blanks between words",
       with_other_characters},
      {"4 | capitals throughout", in_capitals},
      {"6 | all words of a sentence permuted", permuted(false)},
      {"6 | the same, of sentences without ! ? … inside, words between two blanks without capitals",
       permuted(true)},
      {"7 | 5 % of the words that have a synonym replaced by it", replacing(0.05, synonym)},
      {"7 | the same, by the scheme `synonyms(of=sentence-pairs)`", replacing(0.05, synonym),
       "synonyms(of=sentence-pairs)"}};
}

using Shares = std::vector<std::pair<std::string, double>>;  // of the rows

Shares measure(const char* folder, const Dictionary& dictionary) {
  std::vector<Source> sources;
  for (const Work& work : read_works(corpora_folder(), folder)) {
    if (sources.size() == kWorks) break;
    sources.emplace_back(as_set(paragraphs_of(slice_code_points(work.text, 0, kCharacters))), dictionary);
  }
  if (sources.empty()) return {};
  const Synonyms synonyms(sources, dictionary);
  Shares shares;
  for (const Row& row : rows(synonyms)) {
    const auto scheme = checked(make_scheme(row.scheme));
    std::uint64_t x = 0, all = 0;
    Random random(2009);
    for (const Source& source : sources) {
      const auto features = [&](std::string_view text) {
        return checked(extract_features(text, dictionary, *scheme));
      };
      const Overlap shared =
          overlap(features(to_utf8(source.text)).hashes, features(row.edit(source, random)).hashes);
      x += shared.x;
      all += row.of_rest ? shared.b_features : shared.a_features;
    }
    shares.emplace_back(row.name, static_cast<double>(x) / static_cast<double>(all));
  }
  return shares;
}

}  // namespace

int main() {
  if (corpora_folder().empty()) return std::puts("no corpora (AKIN_CORPORA)"), 77;
  try {
    DictionaryConfig config;
    for (const auto& [language, folder] : kLanguages) config.languages.emplace_back(language);
    config.synonyms = config.languages;
    const auto dictionary = checked(Dictionary::open(config));
    std::vector<Shares> columns;
    for (const auto& [language, folder] : kLanguages) {
      columns.push_back(measure(folder, *dictionary));
      if (columns.back().empty()) return std::puts("no works of a language"), 77;
    }
    std::puts("| # | what is done | ru | en | de | uk |\n|---|---|---:|---:|---:|---:|");
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
      std::printf("| %s |", columns.front()[row].first.c_str());
      for (const Shares& column : columns) std::printf(" %.4f |", column[row].second);
      std::puts("");
    }
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "measure_edits: %s\n", failure.what());
    return 2;
  }
}
