#include "server/check/text_readings.h"

#include <algorithm>
#include <utility>

namespace akin::check {

Result<TextReadings> TextReadings::of(const CheckInput& input) {
  TextReadings readings(input.text);
  AKIN_CHECK(readings.add(input.dictionary));
  for (const SearchedCollection& collection : input.collections)
    if (collection.aligned) AKIN_CHECK(readings.add(collection.dictionary));
  return readings;
}

Result<void> TextReadings::add(const std::shared_ptr<const Dictionary>& dictionary) {
  const auto same = [&](const Reading& one) {
    return one.dictionary->fingerprint() == dictionary->fingerprint();
  };
  if (std::ranges::any_of(all_, same)) return {};
  AKIN_TRY(WordSequence words, read_words(text_, *dictionary));
  all_.push_back({dictionary, std::move(words)});
  return {};
}

const TextReadings::Reading& TextReadings::reading_of(const SearchedCollection& collection) const {
  const auto found = std::ranges::find_if(all_, [&](const Reading& one) {
    return one.dictionary->fingerprint() == collection.dictionary->fingerprint();
  });
  return found == all_.end() ? all_.front() : *found;
}

Result<void> TextReadings::prepare_whole() {
  for (Reading& one : all_) {
    AKIN_TRY(one.whole, TextAligner::of(text_, one.words, one.dictionary));
  }
  return {};
}

Result<std::size_t> TextReadings::prepare_compared(const Letters& letters, const Letters& rest,
                                                   const AlignOptions& options, TextSeeds seeds) {
  for (Reading& one : all_) {
    WordSequence words = compared_words(one.words, letters, rest);
    AKIN_TRY(one.compared, TextAligner::of(text_, std::move(words), one.dictionary, options, seeds));
  }
  return all_.front().compared->words();
}

Result<std::vector<AlignedText>> TextReadings::align_whole(std::string_view other) const {
  std::vector<AlignedText> found;
  for (const Reading& one : all_) {
    AKIN_TRY(AlignedText aligned, one.whole->align(other, ChangeDetail::none));
    found.push_back(std::move(aligned));
  }
  return found;
}

}  // namespace akin::check
