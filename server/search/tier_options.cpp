#include "server/search/tier_options.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "morph/schemes/tiers.h"
#include "server/api/parameters.h"

namespace akin::api {
namespace {

Error wrong_tier(std::string_view part, std::string reason) {
  return Error{Errc::invalid_argument, "tier '" + std::string(part) + "'", std::move(reason),
               "name tiers separated by commas, each as NAME or NAME:BOUND, or give 'all'"};
}

Result<TierChoice> parse_choice(std::string_view part) {
  const std::size_t colon = part.find(':');
  TierChoice choice{std::string(part.substr(0, colon)), std::nullopt};
  if (choice.name.empty()) return wrong_tier(part, "it has no name");
  if (colon == std::string_view::npos) return choice;
  const Result<std::uint64_t> bound = read_number(part.substr(colon + 1), {0, kMaxBound});
  if (bound.has_error()) return wrong_tier(part, "its bound " + bound.error().reason.substr(3));
  choice.bound = *bound;
  return choice;
}

}  // namespace

Result<std::vector<TierChoice>> parse_tiers(std::string_view text) {
  std::vector<TierChoice> choices;
  for (const std::string_view one : split(text, ',')) {
    AKIN_TRY(TierChoice choice, parse_choice(one));
    if (std::ranges::find(choices, choice.name, &TierChoice::name) != choices.end()) {
      return wrong_tier(choice.name, "it is named twice");
    }
    if (choices.size() == kMaxTiers)
      return wrong_tier(choice.name, "it exceeds the number of tiers that a collection may have");
    choices.push_back(std::move(choice));
  }
  return choices;
}

Result<std::optional<std::size_t>> tier_of(const Json& parameters, const Scheme& scheme) {
  const auto named = parameters.find("tier");
  if (named == parameters.end()) return std::optional<std::size_t>();
  AKIN_TRY(const std::size_t tier, find_tier(scheme, named->get<std::string>()));
  return std::optional(tier);
}

}  // namespace akin::api
