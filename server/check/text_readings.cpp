#include "server/check/text_readings.h"

#include <algorithm>
#include <utility>

namespace akin::check {

TextReadings::TextReadings(const CheckInput& input) : text_(input.text) {
  for (const Reading& one : input.readings) all_.push_back({one});
}

const TextReadings::Aligned& TextReadings::reading_of(const SearchedCollection& collection) const {
  const auto found = std::ranges::find_if(all_, [&](const Aligned& one) {
    return one.reading.dictionary->fingerprint() == collection.dictionary->fingerprint();
  });
  return found == all_.end() ? all_.front() : *found;
}

Result<void> TextReadings::prepare_whole() {
  for (Aligned& one : all_) {
    AKIN_TRY(one.whole, TextAligner::of(text_, one.reading.words, one.reading.dictionary));
  }
  return {};
}

Result<std::size_t> TextReadings::prepare_compared(const Letters& letters, const Letters& rest,
                                                   const AlignOptions& options, TextSeeds seeds) {
  for (Aligned& one : all_) {
    WordSequence words = compared_words(one.reading.words, letters, rest);
    AKIN_TRY(one.compared, TextAligner::of(text_, std::move(words), one.reading.dictionary, options, seeds));
  }
  return all_.front().compared->words();
}

Result<std::vector<AlignedText>> TextReadings::align_whole(std::string_view other) const {
  std::vector<AlignedText> found;
  for (const Aligned& one : all_) {
    AKIN_TRY(AlignedText aligned, one.whole->align(other, ChangeDetail::none));
    found.push_back(std::move(aligned));
  }
  return found;
}

}  // namespace akin::check
