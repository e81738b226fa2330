#include "index/text_aligner.h"

#include <utility>

namespace akin {

Result<std::shared_ptr<const TextAligner>> TextAligner::of(WordSequence a,
                                                           std::shared_ptr<const Dictionary> dictionary,
                                                           const AlignOptions& options) {
  AKIN_CHECK(options.check());
  return std::shared_ptr<const TextAligner>(
      std::make_shared<TextAligner>(std::move(a), std::move(dictionary), options));
}

Result<AlignedText> align_texts(std::string_view a, std::string_view b,
                                std::shared_ptr<const Dictionary> dictionary) {
  AKIN_TRY(WordSequence words, read_words(a, *dictionary));
  AKIN_TRY(const auto aligner, TextAligner::of(std::move(words), std::move(dictionary)));
  return aligner->align(b);
}

Result<AlignedText> TextAligner::align(std::string_view b) const {
  AKIN_TRY(const WordSequence words, read_words(b, *dictionary_));
  const Alignment found = aligner_.align(words);
  AlignedText aligned;
  aligned.words = {found.a_matched, found.b_matched, this->words(), words.classes.size()};
  aligned.passages.reserve(found.passages.size());
  for (const AlignedPassage& one : found.passages) {
    aligned.passages.push_back({.a = one.a, .b = one.b, .features = 0, .words = one.a_matched});
  }
  return aligned;
}

}  // namespace akin
