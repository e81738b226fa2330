// Alignment of one text with stored ones: the passages that both share, word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/packed_words.h"
#include "index/passages.h"
#include "index/stored_text.h"
#include "morph/align/align.h"

namespace akin {

/// One change within a passage, in code points of the original texts; see WordChange.
struct TextChange {
  ChangeKind kind = ChangeKind::inserted;
  TextRange a, b;
};

struct AlignedText {
  /// By a.begin, then b.begin; their `words` are set, their `changes` if they are counted, and not their
  /// `features`.
  std::vector<Passage> passages;
  MatchedWords words;
  std::vector<std::vector<TextChange>> changes;  ///< those of each passage, if they are listed
};

/// What is found out about the changes within passages; listed ones are counted, too.
enum class ChangeDetail : std::uint8_t { none, counted, listed };

/// What B shares with A. Errors: as scan_text.
[[nodiscard]] Result<AlignedText> align_texts(std::string_view a, std::string_view b,
                                              std::shared_ptr<const Dictionary> dictionary,
                                              ChangeDetail detail = ChangeDetail::counted);

/// Const members may be called from any number of threads at once.
class TextAligner {
 public:
  /// `words`: those of the text that are to be aligned. Error: as AlignOptions::check.
  [[nodiscard]] static Result<std::shared_ptr<const TextAligner>> of(
      std::string_view text, WordSequence words, std::shared_ptr<const Dictionary> dictionary,
      const AlignOptions& options = {});

  TextAligner(std::string_view text, WordSequence words, std::shared_ptr<const Dictionary> dictionary,
              const AlignOptions& options)
      : text_(text), a_(std::move(words)), dictionary_(std::move(dictionary)), aligner_(a_, options) {}
  TextAligner(const TextAligner&) = delete;
  TextAligner& operator=(const TextAligner&) = delete;

  [[nodiscard]] const Dictionary& dictionary() const noexcept { return *dictionary_; }
  /// Words of the text.
  [[nodiscard]] std::size_t words() const noexcept { return a_.classes.size(); }

  /// How much of the text another one has, whose words these are, and the reverse: AlignedText::words of the
  /// two. Time: linear in that one.
  [[nodiscard]] MatchedWords match(const PackedWords& b) const;

  /// Aligns the text with another one. Time: linear in that one. Errors: as scan_text.
  [[nodiscard]] Result<AlignedText> align(std::string_view b,
                                          ChangeDetail detail = ChangeDetail::counted) const;
  /// The same, if its words were read already; of the text only what passages have is read. Errors: as
  /// StoredText::read.
  [[nodiscard]] Result<AlignedText> align(StoredText& b, const PackedWords& words,
                                          ChangeDetail detail = ChangeDetail::counted) const;

 private:
  /// Adds a passage with its changes; `b`: the text, and its words as the passage counts them.
  void add_passage(const AlignedPassage& one, const WrittenWords& b, ChangeDetail detail,
                   AlignedText& aligned) const;

  const std::string text_;
  const WordSequence a_;
  const std::shared_ptr<const Dictionary> dictionary_;
  const Aligner aligner_;
};

}  // namespace akin
