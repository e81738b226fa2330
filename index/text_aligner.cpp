#include "index/text_aligner.h"

#include <algorithm>
#include <utility>

namespace akin {
namespace {

TextRange range_of(WordRange words, const WordRange& passage, const std::vector<TextRange>& ranges) {
  if (words.size() > 0) return {ranges[words.begin].begin, ranges[words.end - 1].end};
  const std::uint32_t place =
      words.begin > passage.begin ? ranges[words.begin - 1].end : ranges[words.begin].begin;
  return {place, place};
}

/// Counts the words of B from the one at `first`.
void count_from(std::uint32_t first, AlignedPassage& passage) {
  passage.b_words = {passage.b_words.begin - first, passage.b_words.end - first};
  for (Fragment& fragment : passage.fragments) fragment.b -= first;
}

/// Reads as much of a text as has all of these words, and counts their bytes from there. Words need not be
/// written in their order.
Result<std::string_view> read_around(WordSequence& words, StoredText& text) {
  TextRange around = words.bytes.front();
  for (const TextRange& bytes : words.bytes) {
    if (bytes.begin > bytes.end) return text.no_such_words();
    around = {std::min(around.begin, bytes.begin), std::max(around.end, bytes.end)};
  }
  AKIN_TRY(const std::string_view read, text.read(around.begin, around.end));
  for (TextRange& bytes : words.bytes) bytes = {bytes.begin - around.begin, bytes.end - around.begin};
  return read;
}

ChangeCounts counts_of(const std::vector<WordChange>& changes) {
  ChangeCounts counts{};
  for (const WordChange& one : changes) {
    counts[static_cast<std::size_t>(one.kind)] +=
        std::max(one.a.size(), one.kind == ChangeKind::inserted ? one.b.size() : 0U);
  }
  return counts;
}

}  // namespace

Result<std::shared_ptr<const TextAligner>> TextAligner::of(std::string_view text, WordSequence words,
                                                           std::shared_ptr<const Dictionary> dictionary,
                                                           const AlignOptions& options) {
  AKIN_CHECK(options.check());
  return std::shared_ptr<const TextAligner>(
      std::make_shared<TextAligner>(text, std::move(words), std::move(dictionary), options));
}

Result<AlignedText> align_texts(std::string_view a, std::string_view b,
                                std::shared_ptr<const Dictionary> dictionary, ChangeDetail detail) {
  AKIN_TRY(WordSequence words, read_words(a, *dictionary));
  AKIN_TRY(const auto aligner, TextAligner::of(a, std::move(words), std::move(dictionary)));
  return aligner->align(b, detail);
}

MatchedWords TextAligner::match(const PackedWords& b) const {
  const Alignment found = aligner_.align(b.numbered());
  return {found.a_matched, found.b_matched, words(), b.numbered().size()};
}

void TextAligner::add_passage(const AlignedPassage& one, const WrittenWords& b, ChangeDetail detail,
                              AlignedText& aligned) const {
  Passage& passage = aligned.passages.emplace_back(
      Passage{.a = one.a, .b = one.b, .features = 0, .words = one.a_matched, .changes = {}});
  if (detail == ChangeDetail::none) return;
  const std::vector<WordChange> changes = find_changes(one, {text_, a_}, b, *dictionary_);
  passage.changes = counts_of(changes);
  if (detail == ChangeDetail::counted) return;
  std::vector<TextChange>& list = aligned.changes.emplace_back();
  for (const WordChange& change : changes) {
    list.push_back({change.kind, range_of(change.a, one.a_words, a_.ranges),
                    range_of(change.b, one.b_words, b.words.ranges)});
  }
}

Result<AlignedText> TextAligner::align(std::string_view b, ChangeDetail detail) const {
  AKIN_TRY(const WordSequence words, read_words(b, *dictionary_));
  const Alignment found = aligner_.align(words);
  AlignedText aligned;
  aligned.words = {found.a_matched, found.b_matched, this->words(), words.classes.size()};
  for (const AlignedPassage& one : found.passages) add_passage(one, {b, words}, detail, aligned);
  return aligned;
}

Result<AlignedText> TextAligner::align(StoredText& b, const PackedWords& words, ChangeDetail detail) const {
  Alignment found = aligner_.align(words.numbered());
  AlignedText aligned;
  aligned.words = {found.a_matched, found.b_matched, this->words(), words.numbered().size()};
  for (AlignedPassage& one : found.passages) {
    WordSequence stretch = words.unpacked(one.b_words);
    one.b = {stretch.ranges.front().begin, stretch.ranges.back().end};
    count_from(one.b_words.begin, one);
    AKIN_TRY(const std::string_view text, read_around(stretch, b));
    add_passage(one, {text, stretch}, detail, aligned);
  }
  return aligned;
}

}  // namespace akin
