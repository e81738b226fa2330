#include "server/judge/text_facts.h"

#include <unicode/uchar.h>

#include "base/hash.h"
#include "base/utf8.h"

namespace akin::judge {

namespace {

constexpr std::string_view kParagraphSeparator = "\xe2\x80\xa9";  // U+2029

/// Whether a paragraph ends between two sentences, by the text between their words.
bool parts_paragraphs(std::string_view between) {
  std::size_t breaks = 0;
  for (const char c : between) {
    if (c == '\n') {
      if (++breaks == 2) return true;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      breaks = 0;
    }
  }
  return between.find(kParagraphSeparator) != std::string_view::npos;
}

bool begins_with_digit(std::string_view word) {
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

bool begins_with_capital(std::string_view word) {
  const auto first = static_cast<unsigned char>(word.front());
  if (first < 0x80) return first >= 'A' && first <= 'Z';
  std::size_t at = 0;
  return u_isUUppercase(static_cast<UChar32>(next_code_point(word, at))) != 0;
}

}  // namespace

void TextFacts::clear() {
  words.clear();
  sentences.clear();
  names.clear();
  figures.clear();
  numbers.sequence.clear();
  number_pairs.clear();
  numbers.dates.clear();
  numbers.quantities.clear();
}

void FactSink::begin(std::string_view text) {
  facts_.clear();
  text_ = text;
  last_end_ = 0;
}

void FactSink::on_sentence(const Sentence& sentence) {
  const auto offset = [&](const Word& word) {
    return static_cast<std::size_t>(word.source.data() - text_.data());
  };
  const std::size_t begin = offset(sentence.words.front());
  if (!facts_.sentences.empty() && begin > last_end_) {
    facts_.sentences.back().ends_paragraph = parts_paragraphs(text_.substr(last_end_, begin - last_end_));
  }
  last_end_ = offset(sentence.words.back()) + sentence.words.back().source.size();
  for (const Word& word : sentence.words) {
    facts_.words.push_back(word.lemma_class.hash);
    if (begins_with_digit(word.source)) facts_.figures.push_back(word.lemma_class.hash);
  }
  trigrams_.add(sentence.words);
  facts_.sentences.push_back({sentence.hash, facts_.words.size(), false});
  add_names(sentence);
  std::vector<std::uint64_t>& numbers = facts_.numbers.sequence;
  const std::size_t before = numbers.size();
  reader_.read(text_, sentence.words, facts_.numbers);
  for (std::size_t i = before + 1; i < numbers.size(); ++i)
    facts_.number_pairs.push_back(mix64(mix64(numbers[i - 1]) + numbers[i]) + (i - before));
}

void FactSink::add_names(const Sentence& sentence) {
  const std::size_t before = facts_.names.size();
  for (const Word& word : sentence.words.subspan(1)) {
    if (!word.source.empty() && begins_with_capital(word.source)) {
      facts_.names.push_back(word.lemma_class.hash);
    }
  }
  const std::size_t found = facts_.names.size() - before;
  if (found > 2 && found * 4 > sentence.words.size() * 3) facts_.names.resize(before);
}

void FactSink::finish() {
  if (!facts_.sentences.empty()) facts_.sentences.back().ends_paragraph = true;
}

Result<void> gather_facts(std::string_view text, const Dictionary& dictionary, NumberReader& reader,
                          TrigramCounter& trigrams, TextFacts& facts) {
  FactSink sink(reader, trigrams, facts);
  sink.begin(text);
  AKIN_CHECK(scan_text(text, dictionary, sink));
  sink.finish();
  return {};
}

}  // namespace akin::judge
