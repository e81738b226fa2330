// Alignment of one text with stored ones: the passages that both share, word by word.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/passages.h"
#include "morph/align/align.h"

namespace akin {

struct AlignedText {
  /// By a.begin, then b.begin; their `words` are set, and not their `features`.
  std::vector<Passage> passages;
  MatchedWords words;
};

/// What B shares with A. Errors: as scan_text.
[[nodiscard]] Result<AlignedText> align_texts(std::string_view a, std::string_view b,
                                              std::shared_ptr<const Dictionary> dictionary);

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

  /// Words of the text.
  [[nodiscard]] std::size_t words() const noexcept { return a_.classes.size(); }

  /// Aligns the text with another one. Time: linear in that one. Errors: as scan_text.
  [[nodiscard]] Result<AlignedText> align(std::string_view b) const;

 private:
  const WordSequence a_;
  const std::shared_ptr<const Dictionary> dictionary_;
  const Aligner aligner_;
};

}  // namespace akin
