// A text as a sequence of words, which is what alignment compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text_range.h"
#include "dict/dictionary.h"
#include "morph/words/scanner.h"

namespace akin {

/// The words of a text in order, across the ends of sentences: two words are equal if their classes are.
/// The three have equal length, fewer than 2^32 words.
struct WordSequence {
  std::vector<std::uint64_t> classes;  ///< WordClass::hash
  std::vector<TextRange> ranges;       ///< in code points of the original text
  std::vector<TextRange> bytes;        ///< the same in its bytes
};

/// The classes of a text's words in little memory, by number. Its words and their classes must outlive it.
class NumberedWords {
 public:
  /// `classes`: all that occur, each once; `words`: for each word the index of its class there.
  NumberedWords(std::span<const std::uint64_t> classes, std::span<const std::uint32_t> words) noexcept
      : classes_(classes), words_(words) {}

  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] std::uint64_t operator[](std::size_t word) const noexcept { return classes_[words_[word]]; }
  [[nodiscard]] std::span<const std::uint64_t> classes() const noexcept { return classes_; }
  [[nodiscard]] std::span<const std::uint32_t> numbers() const noexcept { return words_; }

 private:
  std::span<const std::uint64_t> classes_;
  std::span<const std::uint32_t> words_;
};

/// A stretch of a sequence: words [begin, end), counted from 0.
struct WordRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  friend bool operator==(const WordRange&, const WordRange&) = default;
};

/// Sorts stretches and makes those one that overlap or touch.
void join_ranges(std::vector<WordRange>& ranges);

/// Reads the words of a text in a pass that others share.
class WordReader final : public SentenceSink {
 public:
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
  void on_sentence(const Sentence& sentence) override;
  /// Nothing may be read afterwards.
  [[nodiscard]] WordSequence take() noexcept { return std::move(words_); }

 private:
  WordSequence words_;
};

/// Errors as scan_text.
[[nodiscard]] Result<WordSequence> read_words(std::string_view utf8, const Dictionary& dictionary);

}  // namespace akin
