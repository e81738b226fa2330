#include "server/check/text_alone.h"

#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "base/parallel.h"

namespace akin::check {

TextAlone find_in_text_alone(const CheckInput& input, const Letters& letters, const WordSequence& words,
                             std::size_t least) {
  const FeatureSequence& first = input.analyses.front().features;
  Disguise disguise;
  std::optional<Citations> citations;
  std::vector<Repeat> repeats;
  const std::array<std::function<void()>, 3> parts = {
      [&] {
        disguise = find_clear_disguise(input.text, *input.readings.front().dictionary, first.alert_counts,
                                       first.alerts);
      },
      [&] { citations.emplace(input.text, letters); }, [&] { repeats = find_repeats(words, least); }};
  for_each_index(parts.size(), [&](std::size_t part) { parts[part](); });
  return {std::move(disguise), *std::move(citations), std::move(repeats)};
}

}  // namespace akin::check
