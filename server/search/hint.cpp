// Why a search found nothing.
#include <algorithm>
#include <string>

#include "server/search/search_plan.h"

namespace akin::api {

namespace {

std::string at_most(std::uint64_t limit) {
  return " that at most " + std::to_string(limit) + (limit == 1 ? " document has" : " documents have");
}

/// Why a search has no features to look for; empty if it has some.
std::string no_features_hint(const SearchPlan& plan) {
  const bool some =
      plan.tiers.empty()
          ? !plan.features.hashes.empty()
          : !std::ranges::all_of(plan.tiers, [](const TierQuery& tier) { return tier.query.hashes.empty(); });
  if (some) return "";
  if (plan.all_left_out() > 0) {
    return "more than " + std::to_string(*plan.common_limit) +
           " documents have each feature of the text, so all were left out: use a higher limit, or none";
  }
  if (plan.reported().words == 0) return "the text has no words, so it shares none";
  return "the scheme makes no feature of the text: it is too short for a sample, or has stop words only";
}

/// Why the collection's own features found nothing.
std::string features_hint(const SearchPlan& plan) {
  const std::size_t size = plan.features.hashes.size();
  if (size <= plan.bound && plan.all_left_out() > 0) {
    return "only " + std::to_string(size) + " of the text's features " + (size == 1 ? "is" : "are") +
           " in no more than " + std::to_string(*plan.common_limit) +
           " documents: use a lower bound, or a higher limit";
  }
  if (size <= plan.bound) {
    return "a text of " + std::to_string(size) + (size == 1 ? " feature" : " features") +
           " cannot share more than " + std::to_string(plan.bound) + ": use a lower bound";
  }
  const bool share = plan.min_containment > 0;
  if (plan.bound == 0 && !share) return "";
  std::string hint = plan.generates_candidates ? "no candidate" : "no document";
  if (plan.filtered) hint += " that the filter accepts";
  hint += " shares ";
  if (plan.bound > 0) hint += "more than " + std::to_string(plan.bound) + " features";
  if (plan.bound > 0 && plan.common_limit) hint += at_most(*plan.common_limit);
  if (plan.bound > 0 && share) hint += " and ";
  if (share) hint += "at least " + Json(plan.min_containment).dump() + " of all features";
  if (share && plan.common_limit) hint += at_most(*plan.common_limit);
  if (!share) return hint + ": a lower bound, or the search for the best, finds those that share less";
  return hint + ": a lower share" + (plan.bound > 0 ? " or bound" : "") + " finds those that share less";
}

std::string short_runs_hint(const SearchPlan& plan) {
  return "exact runs of " + std::to_string(plan.min_words) + " to " + std::to_string(plan.sure_words - 1) +
         " words may be missed in a collection ";
}

}  // namespace

std::string not_found_hint(const SearchPlan& plan, const SearchResult& result) {
  if (result.by_seeds_alone) return short_runs_hint(plan) + "so large: the preset quotations finds them";
  const auto reads_all_words = [](const TierQuery& tier) { return tier.run > 0; };
  if (result.total > 0 || !result.counted || std::ranges::any_of(plan.tiers, reads_all_words)) return "";
  if (std::string hint = no_features_hint(plan); !hint.empty()) return hint;
  if (plan.tiers.empty()) return features_hint(plan);
  if (plan.sure_words == 0) return "";
  const std::string least = std::to_string(plan.min_words);
  const std::size_t words = plan.aligner->words();
  if (words < plan.min_words)
    return "passages have at least " + least + " words, the text has " + std::to_string(words);
  if (plan.min_words >= plan.sure_words) return "";
  return short_runs_hint(plan) + "of this scheme, for a text so long";
}

}  // namespace akin::api
