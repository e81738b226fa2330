// Makes words of parts: decides at every hyphen whether one word or two are meant, folds, and looks the class
// up.
#pragma once

#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/scanner.h"
#include "morph/sentence_walk.h"

namespace akin {

/// Receives parts, hands sentences to a sink. Buffers are reused from sentence to sentence.
///
/// At a hyphen the two sides are one word if the dictionary knows it as one, or does not know both sides.
/// Whether the hyphen stands in a line or before a break makes no difference, so that setting lines anew
/// changes nothing.
class WordCollector {
 public:
  WordCollector(std::string_view text, const Dictionary& dictionary, SentenceSink& sink, ScanSummary& summary)
      : text_(text), dictionary_(dictionary), sink_(sink), summary_(summary) {}

  void on_part(const WordPart& part);
  void on_sentence(TextRange range);

 private:
  /// Parts found to be one word so far, while another may follow.
  struct Held {
    bool any = false;
    std::vector<char32_t> letters;
    WordPart part;  ///< its `letters` is not used
  };

  void hold(const WordPart& part);
  [[nodiscard]] bool joins(const WordPart& part);
  void join(const WordPart& part);
  void release();
  void add(const WordPart& part, std::u32string_view letters);
  void alert(AlertKind kind, TextRange range);

  std::string_view text_;
  const Dictionary& dictionary_;
  SentenceSink& sink_;
  ScanSummary& summary_;
  WordFolder folder_;
  Held held_;
  std::vector<char32_t> joined_;
  std::vector<Word> words_;
};

}  // namespace akin
