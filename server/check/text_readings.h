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
  explicit TextReadings(const CheckInput& input);

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
  struct Aligned {
    const Reading& reading;
    std::shared_ptr<const TextAligner> whole = {}, compared = {};
  };
  [[nodiscard]] const Aligned& reading_of(const SearchedCollection& collection) const;

  std::string_view text_;
  std::vector<Aligned> all_;
};

}  // namespace akin::check
