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
  /// A chain of more parts is decided piece by piece.
  static constexpr std::size_t kMaxParts = 16;

  void append(const WordPart& part);
  /// Decides the chain and adds its words.
  void release();
  /// Parts [from, to) of the chain as one.
  [[nodiscard]] WordPart merged(std::size_t from, std::size_t to) const;
  [[nodiscard]] bool known(std::size_t from, std::size_t to);
  void add(const WordPart& part);
  void alert(AlertKind kind, TextRange range);

  std::string_view text_;
  const Dictionary& dictionary_;
  SentenceSink& sink_;
  ScanSummary& summary_;
  WordFolder folder_;
  std::vector<WordPart> chain_;      ///< parts that hyphens join; their `letters` is not used
  std::vector<std::size_t> begins_;  ///< where each part begins in chain_letters_
  std::vector<char32_t> chain_letters_;
  // The sentence so far: words without their classes, and the letters of all of them.
  std::vector<Word> words_;
  std::vector<char32_t> letters_;
  std::vector<FoldedWord> folded_;
  std::vector<WordClass> classes_;
};

}  // namespace akin
