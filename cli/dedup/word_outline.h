// What is remembered of a text's words to bound how many of them another text has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cli/dedup/shared_sentences.h"

namespace akin::dedup {

/// The grams and the sentences of a text: twelve bytes a word.
///
/// A word that lies in a fragment of an alignment, or in an equal sentence, has a *key* that both texts have:
/// a sentence, or a gram that is at most two words away. For a fragment is made of such grams, and of equal
/// words on either side of them, of which three are such a gram (docs/alignment.md).
class WordOutline {
 public:
  struct Key {
    std::uint32_t key = 0;
    WordRange words;  ///< that have it
  };

  explicit WordOutline(const SentencedWords& text);

  /// Words of the text.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Ascending.
  [[nodiscard]] std::span<const Key> keys() const noexcept { return keys_; }
  /// The words of which `other` has a key: at least as many as alignment and equal sentences find.
  [[nodiscard]] std::size_t at_most_in(const WordOutline& other) const;
  /// The memory that it takes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  std::size_t size_ = 0;
  std::vector<Key> keys_;
};

}  // namespace akin::dedup
