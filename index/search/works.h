// Which stretches of a text only few works have, however many editions of them are stored.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dict/dictionary.h"
#include "index/search/text_aligner.h"
#include "index/store/store.h"
#include "morph/align/gram_sample.h"
#include "morph/align/word_sequence.h"

namespace akin {

/// What more works have is common text (docs/definitions.md), unless the passage has kCommonBits, each word
/// divided among the documents that match it: about a hundred words of prose in eighteen documents.
inline constexpr unsigned kFewWorks = 4;
inline constexpr double kCommonBits = 200;
/// Words that count for kReuseRareBits are in so many works at most.
inline constexpr unsigned kRareWorks = 2;

/// Counts the works that match the words of a text that somebody asks about. A stored document is of the same
/// work as another that matches one of these words if they share kSameWork of the grams of one of them
/// (GramSample). Only the first works of a word are known: a document that matches no other words than those
/// of more is not read.
class Works {
 public:
  static constexpr double kSameWork = 0.25;

  /// Of the text of `aligner`. `most`: how many works of a word are known, at most kFewWorks. Views both.
  Works(const Snapshot& snapshot, const TextAligner& aligner, unsigned most);

  /// Asks about these words. All must be named before a document is added.
  void ask(std::span<const WordRange> words);

  /// A document that matches these words: ascending ranges without overlaps. The order of documents decides
  /// nothing but which works of a word are its first. Errors: as WordCache::words.
  [[nodiscard]] Result<void> add(const StoredDocument& document, std::span<const WordRange> matched);

  /// Whether at most `few` of the works that were added match this word, which was asked about; `few`: at
  /// most those that are known of a word.
  [[nodiscard]] bool are_few(std::size_t word, unsigned few) const { return of_[word].count <= few; }

 private:
  /// The works of a word: their numbers, in the order in which they came.
  struct OfWord {
    std::array<std::uint32_t, kFewWorks> works{};
    std::uint8_t count = kFewWorks + 1;  ///< more than are known, or nobody asks
    [[nodiscard]] std::span<const std::uint32_t> known() const;
  };

  /// The work of the document among those of its words, or a new one.
  [[nodiscard]] Result<std::uint32_t> work_of(const StoredDocument& document,
                                              std::span<const WordRange> matched);

  const Snapshot& snapshot_;
  const Dictionary& dictionary_;
  const unsigned most_;
  std::vector<OfWord> of_;  ///< by word
  /// By work: the grams of the first of its documents.
  std::vector<std::shared_ptr<const GramSample>> firsts_;
};

}  // namespace akin
