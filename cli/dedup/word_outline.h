// What is remembered of a text's words to bound how many of them another text has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cli/dedup/shared_sentences.h"
#include "morph/align/hash_filter.h"

namespace akin::dedup {

/// The grams, the sentences and the words of a text: 18 bytes a word, or six if its words are forgotten.
///
/// A word that lies in a fragment of an alignment, or in an equal sentence, has a *key* that both texts have:
/// a sentence, or a gram that is at most two words away. For a fragment is made of such grams, and of equal
/// words on either side of them, of which three are such a gram (docs/alignment.md).
class WordOutline {
 public:
  explicit WordOutline(const SentencedWords& text);

  /// Words of the text.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Ascending.
  [[nodiscard]] std::span<const std::uint32_t> keys() const noexcept { return keys_; }
  /// The words that have each key, in the order of keys(). Requires that they are not forgotten.
  [[nodiscard]] std::span<const WordRange> words() const noexcept { return words_; }
  /// Keeps the keys alone: only `size` and `keys` can still be called, and `at_most_in` of other outlines.
  void forget_words() noexcept {
    words_ = std::vector<WordRange>();  // an assigned {} would keep the memory
    classes_ = std::vector<std::uint32_t>();
  }
  /// The words that `other` may have, and of which it has a key: at least as many as alignment and equal
  /// sentences find.
  [[nodiscard]] std::size_t at_most_in(const WordOutline& other) const;
  /// The memory that it takes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  std::size_t size_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<WordRange> words_;
  std::vector<std::uint32_t> classes_;  ///< of each word, a hash
  HashFilter filter_;                   ///< of these hashes
};

}  // namespace akin::dedup
