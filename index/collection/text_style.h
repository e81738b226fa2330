// What a text's words and sentences are like on the whole, and what is usual in a collection.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/store/store.h"
#include "morph/words/scanner.h"

namespace akin {

struct WordCounts {
  std::uint64_t words = 0;    ///< those that begin with a letter
  std::uint64_t unknown = 0;  ///< of them those that no dictionary has, in today's orthography or the old one
  /// Of both, the words of running text, of which lists, names, abbreviations and notation have hardly any.
  /// Left out are up to three words between marks or lines, known words of up to three letters, unknown ones
  /// before a full stop, letters alone and with numbers ("e4"), transcription, names after # and @, and,
  /// unless more than three stand side by side, capitalized and unknown short ones.
  std::uint64_t running = 0, unknown_running = 0;

  [[nodiscard]] double unknown_share() const noexcept;  ///< in [0,1]; 0 of no words
  /// Of running text, in [0,1]; smaller if that is less than a tenth of all words.
  [[nodiscard]] double unknown_running_share() const noexcept;
  WordCounts& operator+=(const WordCounts& other) noexcept;
  WordCounts& operator-=(const WordCounts& part) noexcept;
};

struct TextStyle : WordCounts {
  std::uint64_t sentences = 0;  ///< that have words
  /// Ends of short lines within sentences, and of lines that begin as the next does, with a capital letter, a
  /// digit or a mark: lists, rows and verses without marks have them, print has not.
  std::uint64_t short_lines = 0;
  /// Sentences that stand in one line with another, and their words: what marks alone divide. A cell of a
  /// table, an entry of a list and a heading stand for themselves.
  std::uint64_t marked_sentences = 0, marked_words = 0;

  /// Between marks or ends of short lines; 0 of no sentences.
  [[nodiscard]] double words_per_sentence() const noexcept;
  [[nodiscard]] double words_per_marked_sentence() const noexcept;  ///< 0 of none
  TextStyle& operator+=(const TextStyle& other) noexcept;
};

/// Consecutive words of a text.
struct StylePart : WordCounts {
  std::string unknown_words = {};  ///< as written, with blanks between
};
/// The words of each part but the last, which has from half as many to one and a half times as many; of a
/// shorter text all.
inline constexpr std::uint64_t kPartWords = 60;

/// Reads the style of a text in a pass that others share. Views the dictionary and the text.
class StyleReader final : public SentenceSink {
 public:
  StyleReader(std::string_view utf8, const Dictionary& dictionary) noexcept
      : text_(utf8), dictionary_(dictionary) {}
  void on_sentence(const Sentence& sentence) override;
  [[nodiscard]] const TextStyle& style() const noexcept { return style_; }
  /// To be called after the pass.
  [[nodiscard]] std::vector<StylePart> take_parts();

 private:
  void count_words(const Sentence& sentence);
  [[nodiscard]] WordCounts counts_of(const Sentence& sentence, std::size_t word);
  void add_to_part(TextRange bytes, const WordCounts& counts);
  void count_marked(const Sentence& sentence, std::uint64_t words);
  [[nodiscard]] std::string_view between(TextRange before, TextRange after) const noexcept;
  [[nodiscard]] bool ends_short_line(TextRange before, TextRange after) const noexcept;

  std::string_view text_;
  const Dictionary& dictionary_;
  TextStyle style_;
  TextRange last_;                ///< the bytes of the last word of the sentence before
  std::uint64_t last_words_ = 0;  ///< of that sentence
  bool last_is_marked_ = false;   ///< whether it is in marked_sentences
  std::size_t slight_ = 0;        ///< short or capitalized words in a row, up to the last one
  WordCounts of_slight_;          ///< what they count if more follow
  std::size_t in_row_ = 0;        ///< words in a row without marks between them, up to the last one
  WordCounts of_row_;             ///< what they count if more follow
  std::vector<StylePart> parts_;
};

/// Time: one pass over the text. Errors: as scan_text.
[[nodiscard]] Result<TextStyle> style_of(std::string_view utf8, const Dictionary& dictionary);

/// A collection's usual style is that of the beginnings of its first documents, in the order of their ids.
inline constexpr std::size_t kStyleDocuments = 32;
inline constexpr std::size_t kStyleBytes = std::size_t{16} << 10;  ///< of each document's text
/// No further text is read once so many bytes of texts have been.
inline constexpr std::uint64_t kStyleReadBytes = std::uint64_t{4} << 20;

/// The usual style of one collection, which is computed again only after one of the documents that it is
/// taken from changed. Thread-safe.
class UsualStyle {
 public:
  /// Errors: as Snapshot::list and Snapshot::text.
  [[nodiscard]] Result<TextStyle> of(const Snapshot& snapshot, const Dictionary& dictionary);

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::string, Revision>> of_;  ///< the documents that `style_` is taken from
  TextStyle style_;
};

}  // namespace akin
