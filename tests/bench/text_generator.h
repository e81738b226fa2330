// Large collections of text made on the fly: documents put together from sentences of real books, with known
// near-duplicates among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"

namespace akin::bench {

/// Whole sentences of real texts, one after another in memory.
class SentencePool {
 public:
  /// Adds the sentences of a text that have at least five words, end with a full stop, an exclamation mark, a
  /// question mark or an ellipsis, and take at most 1,000 bytes: put one after another, they stay sentences,
  /// and phrases that everybody writes ("Yes.") do not link documents. Throws if the text is not UTF-8.
  void add(std::string_view text, const Dictionary& dictionary);

  [[nodiscard]] std::size_t size() const noexcept { return pieces_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return text_.size(); }
  /// Requires number < size(). The view lives until the next `add`.
  [[nodiscard]] std::string_view operator[](std::size_t number) const noexcept {
    return {text_.data() + pieces_[number].begin, pieces_[number].length};
  }
  /// Hints that these will be read soon.
  void expect(std::size_t number) const noexcept { __builtin_prefetch(&pieces_[number]); }
  void expect_text(std::size_t number) const noexcept {
    const char* begin = text_.data() + pieces_[number].begin;
    __builtin_prefetch(begin);
    __builtin_prefetch(begin + 64);
    __builtin_prefetch(begin + 128);
  }

 private:
  friend class PoolSink;
  struct Piece {
    std::uint32_t begin = 0, length = 0;
  };
  std::string text_;
  std::vector<Piece> pieces_;
};

/// Document n is a function of the pool, the seed and n:
/// - sentences drawn independently and evenly from the pool, a blank line after every eighth, until a size
///   drawn evenly from half to one and a half of the mean is reached;
/// - but every hundredth document (n = 99, 199 …) is a near-duplicate: the sentences of a former document
///   that is none itself, each replaced by another with a chance of one in ten. About 0.9 x 0.9 of the
///   sentence pairs survive, so that it and its source contain 81 % of each other, and two near-duplicates of
///   one source 66 %.
/// Two documents that are not related share a sentence pair only if the same two sentences were drawn next to
/// each other in both: with a pool of 10^6 sentences and 1,550 to a document that happens in two of 10^6
/// pairs of documents, and X > 3 in none. Const members may be called by any number of threads.
class TextGenerator {
 public:
  static constexpr std::uint64_t kCopyEvery = 100;
  static constexpr std::uint64_t kReplaceOneIn = 10;
  static constexpr std::size_t kMeanBytes = 215'000;

  /// Views the pool, which must hold a sentence.
  TextGenerator(const SentencePool& pool, std::uint64_t seed, std::size_t mean_bytes = kMeanBytes)
      : pool_(pool), seed_(seed), mean_bytes_(mean_bytes) {}

  /// Replaces `out` by document `number`.
  void make(std::uint64_t number, std::string& out) const;

  /// The document that this one is a near-duplicate of.
  [[nodiscard]] std::optional<std::uint64_t> source(std::uint64_t number) const;

  /// "s000000042"
  [[nodiscard]] static std::string id(std::uint64_t number);
  [[nodiscard]] static std::uint64_t number_of(std::string_view id);

 private:
  const SentencePool& pool_;
  std::uint64_t seed_;
  std::size_t mean_bytes_;
};

}  // namespace akin::bench
