// Alignment of one text with stored ones: the passages that both share, word by word.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/passages.h"
#include "morph/align/align.h"

namespace akin {

/// How many of the words of two texts lie in a passage that they share.
struct MatchedWords {
  std::uint64_t a = 0, b = 0;              ///< matched words of A and of B, each counted once
  std::uint64_t a_words = 0, b_words = 0;  ///< all words

  [[nodiscard]] double a_share() const noexcept { return share(a, a_words); }  ///< in [0,1]; 0 of no words
  [[nodiscard]] double b_share() const noexcept { return share(b, b_words); }

 private:
  static double share(std::uint64_t part, std::uint64_t whole) noexcept {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct AlignedText {
  std::vector<Passage>
      passages;  ///< by a.begin, then b.begin; their `words` are set, and not their `features`
  MatchedWords words;
};

/// Const members may be called from any number of threads at once.
class TextAligner {
 public:
  /// Error: as AlignOptions::check.
  [[nodiscard]] static Result<std::shared_ptr<const TextAligner>> of(
      WordSequence a, std::shared_ptr<const Dictionary> dictionary, const AlignOptions& options = {});

  TextAligner(WordSequence a, std::shared_ptr<const Dictionary> dictionary, const AlignOptions& options)
      : a_(std::move(a)), dictionary_(std::move(dictionary)), aligner_(a_, options) {}
  TextAligner(const TextAligner&) = delete;
  TextAligner& operator=(const TextAligner&) = delete;

  /// Aligns the text with another one. Time: linear in that one. Errors: as scan_text.
  [[nodiscard]] Result<AlignedText> align(std::string_view b) const;

 private:
  const WordSequence a_;
  const std::shared_ptr<const Dictionary> dictionary_;
  const Aligner aligner_;
};

}  // namespace akin
