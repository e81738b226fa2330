// How improbable it is that a text shares a passage with a document by chance or convention.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "morph/align/word_sequence.h"
#include "morph/align/word_weights.h"

namespace akin {

/// A passage's bits: the sum, over its matched words, of -log2 of the word's frequency in the text, times the
/// word's share of a whole word (WordWeights::share); a word that more than kFewDocuments of the documents
/// found match counts only their share of it, for a publisher's notice is improbable as words go, and is in
/// many books. docs/definitions.md has the measure.
class PassageBits {
 public:
  static constexpr double kFewDocuments = 4;
  /// The matched words of each passage of one document, ascending, without overlaps.
  using Passages = std::vector<std::vector<WordRange>>;

  /// `classes`: those of the text's words. `weights`: theirs.
  explicit PassageBits(std::span<const std::uint64_t> classes, const WordWeights& weights);

  /// A document that was found. All must be added before anything is asked.
  void add(const Passages& passages);

  /// Of the passage that has most; 0 if there is none.
  [[nodiscard]] double most(const Passages& passages);
  /// As most(), by the words alone that `counts` holds for, each of them whole.
  [[nodiscard]] double most_of(const Passages& passages,
                               const std::function<bool(std::size_t word)>& counts) const;
  /// The words of all passages, each once; a word that many documents match counts their share of it.
  [[nodiscard]] double rare_words(const Passages& passages);

  /// The words of all passages, each once.
  [[nodiscard]] static std::vector<WordRange> joined(const Passages& passages);

 private:
  void sum_up();

  std::vector<double> own_;            ///< of each word
  std::vector<double> bits_;           ///< of all words before it, weighted
  std::vector<double> words_;          ///< the same of words that count 1 each
  std::vector<std::int32_t> matched_;  ///< by how many documents more than the word before
  bool summed_ = false;
};

}  // namespace akin
