// A checked text as the dictionaries of the searched collections read it: each collection is aligned by its
// own.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/search/text_aligner.h"
#include "morph/align/align.h"
#include "server/check/engine.h"
#include "server/check/letters.h"

namespace akin::check {

/// Views die with the input.
class TextReadings {
 public:
  /// Reads the text by the input's dictionary and by those of the aligned collections. Errors: as read_words.
  [[nodiscard]] static Result<TextReadings> of(const CheckInput& input);

  /// As the input's dictionary reads it.
  [[nodiscard]] const WordSequence& words() const noexcept { return all_.front().words; }

  /// Prepares `whole`. Error: as TextAligner::of.
  [[nodiscard]] Result<void> prepare_whole();
  /// Prepares `compared`, of what `rest` leaves of the letters; returns how many words that is. Error: as
  /// TextAligner::of.
  [[nodiscard]] Result<std::size_t> prepare_compared(const Letters& letters, const Letters& rest,
                                                     const AlignOptions& options, TextSeeds seeds);

  /// Aligns all words of the text with texts of the collection.
  [[nodiscard]] const TextAligner& whole(const SearchedCollection& collection) const {
    return *reading_of(collection).whole;
  }
  /// Aligns the compared words with them; null if it was not prepared.
  [[nodiscard]] const TextAligner* compared(const SearchedCollection& collection) const {
    return reading_of(collection).compared.get();
  }
  /// What each dictionary finds of a text in the whole text. Errors: as TextAligner::align.
  [[nodiscard]] Result<std::vector<AlignedText>> align_whole(std::string_view other) const;

 private:
  struct Reading {
    std::shared_ptr<const Dictionary> dictionary;
    WordSequence words;
    std::shared_ptr<const TextAligner> whole = {}, compared = {};
  };

  explicit TextReadings(std::string_view text) : text_(text) {}
  [[nodiscard]] Result<void> add(const std::shared_ptr<const Dictionary>& dictionary);
  [[nodiscard]] const Reading& reading_of(const SearchedCollection& collection) const;

  std::string_view text_;
  std::vector<Reading> all_;
};

}  // namespace akin::check
