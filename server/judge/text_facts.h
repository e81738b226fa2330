// What the judge needs from one pass over a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "morph/words/scanner.h"
#include "server/judge/number_reader.h"
#include "server/judge/trigrams.h"

namespace akin::judge {

/// Words, sentences, paragraphs, names and numbers of a text, unweighted, in text order.
struct TextFacts {
  struct SentenceFacts {
    std::uint64_t hash = 0;     ///< SH
    std::size_t words_end = 0;  ///< its words are those of `words` up to here
    bool ends_paragraph = false;
  };
  std::vector<std::uint64_t> words;  ///< class hashes
  std::vector<SentenceFacts> sentences;
  std::vector<std::uint64_t> names;    ///< class hashes
  std::vector<std::uint64_t> figures;  ///< class hashes of the words that begin with a digit
  NumberFacts numbers;
  /// A hash of each two that follow one another in a sentence, and of their place in it.
  std::vector<std::uint64_t> number_pairs;

  void clear();
};

/// Gathers facts. A name is a capitalized word that does not begin its sentence; a sentence in which most
/// words are capitalized (a headline, or all capitals) has none.
class FactSink final : public SentenceSink {
 public:
  /// All must outlive it.
  FactSink(NumberReader& reader, TrigramCounter& trigrams, TextFacts& facts)
      : reader_(reader), trigrams_(trigrams), facts_(facts) {}

  /// Call before each text; drops the facts of the previous one.
  void begin(std::string_view text);
  void on_sentence(const Sentence& sentence) override;
  /// Call after the last sentence.
  void finish();

 private:
  void add_names(const Sentence& sentence);

  NumberReader& reader_;
  TrigramCounter& trigrams_;
  TextFacts& facts_;
  std::string_view text_;
  std::size_t last_end_ = 0;  ///< end of the last sentence's last word, in bytes
};

/// Replaces `facts` with those of the text, and adds its trigrams. Errors: as scan_text.
[[nodiscard]] Result<void> gather_facts(std::string_view text, const Dictionary& dictionary,
                                        NumberReader& reader, TrigramCounter& trigrams, TextFacts& facts);

}  // namespace akin::judge
