#include "index/collection/text_style.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "morph/normalize/paragraph_breaks.h"

namespace akin {
namespace {

constexpr std::size_t kShortLineBytes = std::size_t{4} * kLeastColumns;
constexpr std::size_t kItemBytes = 1024;  ///< longer lines are paragraphs

/// Whether a line begins as those of lists do: with a capital letter, a digit or a mark.
bool begins_item(std::string_view line) noexcept {
  line = trimmed(line, " \t\r");
  if (line.empty()) return false;
  std::size_t at = 0;
  const auto first = static_cast<UChar32>(next_code_point(line, at));
  return u_isalpha(first) == 0 || u_isUUppercase(first) != 0;
}

/// With a capital letter, and none after a small one.
bool is_capitalized(std::string_view word) {
  bool after_small = false;
  for (std::size_t at = 0; at < word.size();) {
    const bool first = at == 0;
    const auto c = static_cast<UChar32>(next_code_point(word, at));
    const bool capital = u_isUUppercase(c) != 0;
    if (first ? !capital : capital && after_small) return false;
    after_small = u_isULowercase(c) != 0;
  }
  return true;
}

/// Whether a full stop follows, and no letter after it.
bool is_shortened(std::string_view after) {
  std::size_t at = 1;
  return after.starts_with('.') &&
         (after.size() == 1 || u_isalpha(static_cast<UChar32>(next_code_point(after, at))) == 0);
}

/// Whether the word has letters of phonetic transcription (IPA Extensions).
bool is_phonetic(std::string_view word) {
  constexpr char32_t kFirst = 0x250, kLast = 0x2af;
  bool has_one = false;
  for (std::size_t at = 0; at < word.size();) {
    const char32_t c = next_code_point(word, at);
    has_one = has_one || (c >= kFirst && c <= kLast);
  }
  return has_one;
}

bool has_digit(std::u32string_view letters) {
  return std::ranges::any_of(letters,
                             [](char32_t c) { return CharTable::instance()[c].kind() == CharKind::digit; });
}

/// Whether nothing but blanks is between two words.
bool is_only_blanks(std::string_view gap) {
  if (gap == " ") return true;
  for (std::size_t at = 0; at < gap.size();) {
    const auto c = static_cast<UChar32>(next_code_point(gap, at));
    const bool breaks_line = c == '\n' || c == '\r' || c == '\f' || c == 0x2028 || c == 0x2029;
    if (breaks_line || (u_isUWhiteSpace(c) == 0 && u_charType(c) != U_FORMAT_CHAR)) return false;
  }
  return true;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The first bytes of a text, cut between characters.
std::string_view beginning_of(std::string_view text) {
  if (text.size() <= kStyleBytes) return text;
  std::size_t end = kStyleBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

Result<TextStyle> style_of_beginnings(const std::vector<StoredDocument>& records, const Snapshot& snapshot,
                                      const Dictionary& dictionary) {
  TextStyle usual;
  std::uint64_t read = 0;
  for (const StoredDocument& record : records) {
    if (read > 0 && read + record.text_bytes > kStyleReadBytes) break;
    read += record.text_bytes;
    AKIN_TRY(const std::string text, snapshot.text(record));
    AKIN_TRY(const TextStyle style, style_of(beginning_of(text), dictionary));
    usual += style;
  }
  return usual;
}

}  // namespace

double WordCounts::unknown_share() const noexcept { return ratio(unknown, words); }

double WordCounts::unknown_running_share() const noexcept {
  constexpr std::uint64_t kPartOfText = 10;
  return ratio(unknown_running, std::max(running, words / kPartOfText));
}

WordCounts& WordCounts::operator+=(const WordCounts& other) noexcept {
  words += other.words;
  unknown += other.unknown;
  running += other.running;
  unknown_running += other.unknown_running;
  return *this;
}

WordCounts& WordCounts::operator-=(const WordCounts& part) noexcept {
  words -= part.words;
  unknown -= part.unknown;
  running -= part.running;
  unknown_running -= part.unknown_running;
  return *this;
}

double TextStyle::words_per_sentence() const noexcept { return ratio(words, sentences + short_lines); }

double TextStyle::words_per_marked_sentence() const noexcept { return ratio(marked_words, marked_sentences); }

TextStyle& TextStyle::operator+=(const TextStyle& other) noexcept {
  WordCounts::operator+=(other);
  sentences += other.sentences;
  short_lines += other.short_lines;
  marked_sentences += other.marked_sentences;
  marked_words += other.marked_words;
  return *this;
}

std::string_view StyleReader::between(TextRange before, TextRange after) const noexcept {
  if (after.begin <= before.end || after.begin > text_.size()) return {};
  return text_.substr(before.end, after.begin - before.end);
}

bool StyleReader::ends_short_line(TextRange before, TextRange after) const noexcept {
  const std::size_t in_gap = between(before, after).find('\n');
  if (in_gap == std::string_view::npos) return false;
  const std::size_t end = before.end + in_gap, least = end - std::min(end, kItemBytes);
  const std::size_t before_line = text_.substr(least, end - least).rfind('\n');
  if (before_line == std::string_view::npos && least > 0) return false;
  const std::size_t begin = before_line == std::string_view::npos ? 0 : least + before_line + 1;
  const std::string_view line = text_.substr(begin, end - begin);
  if (line.size() < kShortLineBytes && count_code_points(line) < kLeastColumns) return true;
  return begins_item(line) && begins_item(text_.substr(end + 1, after.end - end - 1));
}

void StyleReader::count_words(const Sentence& sentence) {
  std::uint64_t of_lines = style_.words;  // up to the last short line that has ended
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    const Word& word = sentence.words[i];
    if (i > 0 && style_.words > of_lines &&
        ends_short_line(sentence.classes[i - 1].bytes, sentence.classes[i].bytes)) {
      ++style_.short_lines;
      of_lines = style_.words;
    }
    if (CharTable::instance()[word.letters.front()].kind() == CharKind::digit) continue;
    const WordCounts counts = counts_of(sentence, i);
    static_cast<WordCounts&>(style_) += counts;
    add_to_part(sentence.classes[i].bytes, counts);
  }
}

/// What a word adds, and with it those before it that are running text after all.
WordCounts StyleReader::counts_of(const Sentence& sentence, std::size_t at) {
  constexpr std::size_t kMost = 3, kShort = 3;
  const Word& word = sentence.words[at];
  const TextRange bytes = sentence.classes[at].bytes;
  const bool unknown = word.lemma_class.form == WordClass::kNoForm &&
                       !dictionary_.knows({word.letters, word.key}) &&
                       !dictionary_.is_in_old_orthography({word.letters, word.key});
  WordCounts counts{.words = 1, .unknown = unknown ? 1U : 0U};
  const std::string_view written = text_.substr(bytes.begin, bytes.end - bytes.begin);
  const bool capital = is_capitalized(written);
  const bool is_short =
      word.letters.size() <= kShort && CharTable::instance()[word.letters.front()].kind() != CharKind::solo;
  const bool is_slight = capital || (is_short && unknown);
  const bool beside = at > 0 && is_only_blanks(between(sentence.classes[at - 1].bytes, bytes));
  if (!is_slight || !beside) {
    slight_ = 0;
    of_slight_ = {};
  }
  if (!beside) {
    in_row_ = 0;
    of_row_ = {};
  }
  const bool is_tag = bytes.begin > 0 && (text_[bytes.begin - 1] == '#' || text_[bytes.begin - 1] == '@');
  const bool notation = (is_short && (word.letters.size() == 1 || has_digit(word.letters))) || is_tag ||
                        (unknown && is_phonetic(written));
  const bool counts_alone = !notation && !(unknown && is_shortened(text_.substr(bytes.end)));
  const WordCounts running{
      .running = counts_alone ? 1U : 0U,
      .unknown_running = counts_alone && unknown ? 1U : 0U,
  };
  if (is_slight) {
    of_slight_ += running;
    if (++slight_ > kMost) of_row_ += std::exchange(of_slight_, {});
  } else if (!is_short) {
    of_row_ += running;
  }
  if (++in_row_ > kMost) counts += std::exchange(of_row_, {});
  return counts;
}

void StyleReader::add_to_part(TextRange bytes, const WordCounts& counts) {
  if (parts_.empty() || parts_.back().words == kPartWords) parts_.emplace_back();
  StylePart& part = parts_.back();
  part += counts;
  if (counts.unknown > 0)
    part.unknown_words.append(text_.substr(bytes.begin, bytes.end - bytes.begin)).append(" ");
}

std::vector<StylePart> StyleReader::take_parts() {
  if (parts_.size() > 1 && parts_.back().words < kPartWords / 2) {
    const StylePart rest = std::move(parts_.back());
    parts_.pop_back();
    parts_.back() += rest;
    parts_.back().unknown_words += rest.unknown_words;
  }
  return std::move(parts_);
}

void StyleReader::count_marked(const Sentence& sentence, std::uint64_t words) {
  const std::string_view gap = between(last_, sentence.classes.front().bytes);
  const bool beside = last_words_ > 0 && words > 0 && gap.find_first_of("\n\r\t\f") == std::string_view::npos;
  if (beside) {
    style_.marked_sentences += last_is_marked_ ? 1 : 2;
    style_.marked_words += words + (last_is_marked_ ? 0 : last_words_);
  }
  last_is_marked_ = beside;
  last_words_ = words;
}

void StyleReader::on_sentence(const Sentence& sentence) {
  if (sentence.words.empty()) return;
  const std::uint64_t words_before = style_.words;
  count_words(sentence);
  const std::uint64_t words = style_.words - words_before;
  if (words > 0) ++style_.sentences;
  count_marked(sentence, words);
  last_ = sentence.classes.back().bytes;
}

Result<TextStyle> style_of(std::string_view utf8, const Dictionary& dictionary) {
  StyleReader reader(utf8, dictionary);
  AKIN_CHECK(scan_text(utf8, dictionary, reader));
  return reader.style();
}

Result<TextStyle> UsualStyle::of(const Snapshot& snapshot, const Dictionary& dictionary) {
  AKIN_TRY(const auto records, snapshot.list("", kStyleDocuments));
  std::vector<std::pair<std::string, Revision>> documents;
  for (const DocumentRecord& record : records) documents.emplace_back(record.id, record.revision);
  {
    const std::lock_guard lock(mutex_);
    if (of_ == documents) return style_;
  }
  AKIN_TRY(const TextStyle style, style_of_beginnings(records, snapshot, dictionary));
  const std::lock_guard lock(mutex_);
  of_ = std::move(documents);
  style_ = style;
  return style;
}

}  // namespace akin
