#include "server/api/tier_options.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "morph/schemes/scheme_spec.h"
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

Result<std::vector<TierQuery>> tier_queries(const Scheme& scheme, const std::vector<TierChoice>& choices,
                                            const TierBounds& bounds) {
  std::vector<TierQuery> queries;
  const auto add = [&](std::size_t tier, std::optional<std::uint64_t> bound) -> Result<void> {
    const Scheme& own = *scheme.tiers()[tier].scheme;
    AKIN_CHECK(check_containment(own, bounds.min_containment));
    const bool verified = own.finds_passages() && bounds.keeps_texts;
    const std::uint64_t absent = verified ? bounds.verified.value_or(0) : bounds.bound;
    queries.push_back({tier, {}, bound.value_or(absent), bounds.min_containment, verified, 0.0});
    return {};
  };
  const bool all = choices.size() == 1 && choices.front().name == kAllTiers;
  if (all && !scheme.tiers().empty()) {
    for (std::size_t tier = 0; tier < scheme.tiers().size(); ++tier)
      AKIN_CHECK(add(tier, choices.front().bound));
    return queries;
  }
  for (const TierChoice& choice : choices) {
    AKIN_TRY(const std::size_t tier, find_tier(scheme, choice.name));
    AKIN_CHECK(add(tier, choice.bound));
  }
  return queries;
}

Result<std::optional<std::size_t>> tier_of(const Json& parameters, const Scheme& scheme) {
  const auto named = parameters.find("tier");
  if (named == parameters.end()) return std::optional<std::size_t>();
  AKIN_TRY(const std::size_t tier, find_tier(scheme, named->get<std::string>()));
  return std::optional(tier);
}

}  // namespace akin::api
