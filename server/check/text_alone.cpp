#include "server/check/text_alone.h"

#include <array>

#include "base/parallel.h"

namespace akin::check {

TextAlone find_in_text_alone(const CheckInput& input, std::size_t least, const std::function<void()>& work) {
  const FeatureSequence& first = input.analyses.front().features;
  const Reading& reading = input.readings.front();
  TextAlone found;
  const std::array<std::function<void()>, 3> parts = {
      work,
      [&] {
        found.disguise =
            find_clear_disguise(input.text, *reading.dictionary, first.alert_counts, first.alerts);
      },
      [&] { found.repeats = find_repeats(reading.words, least); }};
  for_each_index(parts.size(), [&](std::size_t part) { parts[part](); });
  return found;
}

}  // namespace akin::check
