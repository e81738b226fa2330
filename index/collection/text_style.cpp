#include "index/collection/text_style.h"

#include "base/utf8.h"

namespace akin {
namespace {

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

double TextStyle::unknown_share() const noexcept { return ratio(unknown, words); }

double TextStyle::words_per_sentence() const noexcept { return ratio(words, sentences); }

TextStyle& TextStyle::operator+=(const TextStyle& other) noexcept {
  sentences += other.sentences;
  words += other.words;
  unknown += other.unknown;
  return *this;
}

void StyleReader::on_sentence(const Sentence& sentence) {
  ++style_.sentences;
  for (const Word& word : sentence.words) {
    if (CharTable::instance()[word.letters.front()].kind() == CharKind::digit) continue;
    ++style_.words;
    if (word.lemma_class.form == WordClass::kNoForm && !dictionary_.knows({word.letters, word.key})) {
      ++style_.unknown;
    }
  }
}

Result<TextStyle> style_of(std::string_view utf8, const Dictionary& dictionary) {
  StyleReader reader(dictionary);
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
