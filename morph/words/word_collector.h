// Makes words from parts: decides at every hyphen whether one word or two are meant, and completes the
// folding.
#pragma once

#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/words/scanner.h"
#include "morph/words/window.h"

namespace akin {

/// A word without its class.
struct FoundWord {
  FoldedWord folded;
  TextRange range;
  std::uint32_t byte_begin = 0, byte_end = 0;
};

/// Decides about the parts that hyphens join. Buffers are reused.
///
/// At a hyphen the two sides are one word if the dictionary knows them as one, or does not know both sides. A
/// hyphen within a line and one before a line break are treated alike, so reflowing a text changes nothing.
/// Five single letters or more in a row are letterspaced words (spaced_letters.h): segment_letters divides
/// them.
class WordCollector {
 public:
  /// The references must outlive it. It adds alerts and the number of words to the summary.
  WordCollector(const Dictionary& dictionary, ScanSummary& summary)
      : dictionary_(dictionary), summary_(summary) {}

  /// Takes a part that is, or may be, joined with a neighbour, or is not plain; passes the words that this
  /// decides to take(const FoundWord&). Their letters die when `take` returns.
  template <class Take>
  void add(const Piece& part, std::u32string_view letters, Take take) {
    if (chain_.empty() && !part.before_hyphen) {
      take(settled(part, letters));
      return;
    }
    if (!continues(part, letters)) release(take);
    append(part, letters);
    if (!part.before_hyphen) release(take);
  }

  /// Decides about the waiting parts.
  template <class Take>
  void release(Take take) {
    if (chain_.empty()) return;
    divide();
    for (std::size_t i = 0; i < chain_.size(); i = word_end_[i]) {
      take(settled(merged(i, word_end_[i]), letters_of(i, word_end_[i])));
    }
    chain_.clear();
    begins_.clear();
    chain_letters_.clear();
  }

 private:
  /// A chain of more parts is decided in sections.
  static constexpr std::size_t kMaxParts = 16;

  [[nodiscard]] bool continues(const Piece& part, std::u32string_view letters) const;
  [[nodiscard]] bool has_room_for(const Piece& part) const;
  /// Whether all parts that wait are one character each, after soft hyphens, as find_spaced_letters has them.
  [[nodiscard]] bool waits_for_letters() const noexcept;
  void append(const Piece& part, std::u32string_view letters);
  /// Cuts the chain into words: fills word_end_ for each part that begins one.
  void divide();
  /// Parts [from, to) of the chain as one.
  [[nodiscard]] Piece merged(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::u32string_view letters_of(std::size_t from, std::size_t to) const;
  [[nodiscard]] bool known(std::size_t from, std::size_t to);
  /// The word with look-alikes exchanged; raises alerts.
  [[nodiscard]] FoundWord settled(const Piece& part, std::u32string_view letters);
  void alert(AlertKind kind, TextRange range);

  const Dictionary& dictionary_;
  ScanSummary& summary_;
  WordFolder folder_;
  std::vector<Piece> chain_;         ///< parts that hyphens join
  std::vector<std::size_t> begins_;  ///< where each begins in chain_letters_
  std::vector<char32_t> chain_letters_;
  std::vector<std::size_t> word_end_;
};

}  // namespace akin
