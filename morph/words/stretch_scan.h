// The scan of a stretch of a text as it is, and the places that its sentences have in the text as it arrived.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/normalize/arrangement.h"
#include "morph/words/scanner.h"

namespace akin {

/// Passes every sentence of checked UTF-8 to `sink`, or fewer, if this thread's work is stopped (check_work).
ScanSummary scan_stretch(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink);

/// Where a stretch begins in the text of which it is a part.
struct StretchBegin {
  std::uint32_t code_point = 0, byte = 0;
};

/// Passes the sentences of a stretch on with the places that they have in the original text.
class OriginalPlaces final : public SentenceSink {
 public:
  /// The stretch is one of the arrangement's copy, or, without an arrangement, of the original. Both
  /// references must outlive it.
  OriginalPlaces(const std::optional<Arrangement>& arrangement, StretchBegin begin, SentenceSink& sink);

  [[nodiscard]] SentenceDetail needs() const override { return sink_.needs(); }
  void on_sentence(const Sentence& sentence) override;

 private:
  struct Places {
    Arrangement::Places sentences, classes, words;
  };
  [[nodiscard]] TextRange code_points(TextRange range, Arrangement::Places Places::*of);

  std::optional<Places> places_;
  StretchBegin begin_;
  SentenceSink& sink_;
  std::vector<PlacedClass> classes_;
  std::vector<Word> words_;
};

}  // namespace akin
