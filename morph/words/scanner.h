// One pass over a text: bytes → sentences of words. Text rules: docs/text-rules.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text_range.h"
#include "dict/dictionary.h"
#include "morph/normalize/alert.h"

namespace akin {

/// A word of a sentence. `letters` die when the callback returns, `source` with the scanned text.
struct Word {
  TextRange range;              ///< in the original text; spans the break of a word that was split over lines
  std::string_view source;      ///< the original bytes of that range
  std::u32string_view letters;  ///< folded
  std::uint64_t key = 0;        ///< spelling_key of the folded letters
  WordClass lemma_class;
};

/// What most schemes use of a word.
struct PlacedClass {
  std::uint64_t hash = 0;  ///< WordClass::hash
  TextRange range;         ///< as Word::range
  TextRange bytes;         ///< the same in bytes of the scanned text
};

/// A sentence with at least one word.
struct Sentence {
  TextRange range;         ///< from its first to its last character, without white space at the ends
  std::uint64_t hash = 0;  ///< SH: sum of the words' class hashes modulo 2^64; word order does not matter
  std::span<const PlacedClass> classes;  ///< of its words in order; empty if the sink needs sums only
  std::span<const Word> words;           ///< empty unless the sink needs words
};

/// What a sink uses of a sentence, besides its range and hash. Less comes faster.
enum class SentenceDetail : std::uint8_t {
  sums,     ///< nothing
  classes,  ///< Sentence::classes
  words     ///< Sentence::classes and Sentence::words
};

/// Receives the sentences of a text in order. The views that it receives live until it returns.
class SentenceSink {
 public:
  virtual ~SentenceSink() = default;
  [[nodiscard]] virtual SentenceDetail needs() const { return SentenceDetail::words; }
  virtual void on_sentence(const Sentence& sentence) = 0;
};

/// Passes sentences to others, in the order in which they were added. Views them.
class AllSinks final : public SentenceSink {
 public:
  void add(SentenceSink& sink) { sinks_.push_back(&sink); }
  /// The only one that was added, or this.
  [[nodiscard]] SentenceSink& one() noexcept { return sinks_.size() == 1 ? *sinks_.front() : *this; }
  [[nodiscard]] SentenceDetail needs() const override {
    SentenceDetail most = SentenceDetail::sums;
    for (const SentenceSink* sink : sinks_) most = std::max(most, sink->needs());
    return most;
  }
  void on_sentence(const Sentence& sentence) override {
    for (SentenceSink* sink : sinks_) sink->on_sentence(sentence);
  }

 private:
  std::vector<SentenceSink*> sinks_;
};

struct ScanSummary {
  std::uint64_t code_points = 0;
  std::uint64_t sentences = 0;
  std::uint64_t words = 0;
  AlertCounts alert_counts;
  std::vector<Alert> alerts;  ///< the first kMaxAlerts
};

/// Longest word, in folded characters, and longest sentence, in words: longer ones are cut, so that memory
/// stays bounded for any text.
inline constexpr std::size_t kMaxWordLetters = 1000;
inline constexpr std::size_t kMaxSentenceWords = 16384;

/// Longest text, in bytes: offsets are 32 bits wide.
inline constexpr std::size_t kMaxTextBytes = 0xffffffffU;

/// Scans `utf8` once and passes every sentence to `sink`. Errors: invalid_utf8 (with the byte offset),
/// too_large, busy (check_work).
[[nodiscard]] Result<ScanSummary> scan_text(std::string_view utf8, const Dictionary& dictionary,
                                            SentenceSink& sink);

}  // namespace akin
