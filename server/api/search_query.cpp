#include "server/api/search_query.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "index/common_features.h"
#include "morph/align/word_sequence.h"
#include "morph/schemes/tiers.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

constexpr std::uint64_t kSearchBound = 3;

/// Fills in what `read` returns for each tier, or for the collection's own features.
template <class Read>
Result<void> fill_in(SearchQuery& query, const Read& read) {
  for (TierQuery& tier : query.tiers) {
    AKIN_TRY(tier.query, read(tier.tier));
  }
  if (query.tiers.empty()) {
    AKIN_TRY(query.features, read(0));
  }
  return {};
}

Result<void> read_text(SearchQuery& query, const Collection& collection, std::string_view text) {
  AKIN_TRY(WordSequence words, read_words(text, collection.dictionary()));
  AKIN_TRY(query.aligner, TextAligner::of(text, std::move(words), collection.shared_dictionary()));
  return {};
}

}  // namespace

Result<Evidence> parse_evidence(std::string_view text) {
  if (text == "true") return Evidence::automatic;
  if (text == "false") return Evidence::none;
  if (text == "features") return Evidence::features;
  if (text == "aligned") return Evidence::aligned;
  return Error{Errc::invalid_argument, "query parameter 'evidence'", json::in_quotes(text) + " is not known",
               "give 'true', 'false', 'features' or 'aligned'"};
}

bool SearchQuery::needs_aligner() const { return aligns || std::ranges::any_of(tiers, &TierQuery::verified); }

std::uint64_t SearchQuery::all_left_out() const {
  return std::reduce(left_out.begin(), left_out.end(), std::uint64_t{0});
}

void SearchQuery::describe(SearchRequest& request) const {
  request.query = &reported();
  request.bound = bound;
  request.min_containment = min_containment;
}

Result<SearchQuery> plan_query(const Scheme& scheme, bool keeps_texts, const SearchChoices& choices) {
  SearchQuery query;
  const bool reuse =
      choices.tiers.empty() && !choices.bound && !choices.min_containment && !choices.best_only;
  query.bound = choices.bound.value_or(choices.best_only ? 0 : kSearchBound);
  query.min_containment = choices.min_containment.value_or(0.0);
  query.common_limit = choices.common_limit;
  if (reuse && finds_reuse(scheme)) {
    query.tiers = reuse_tiers(scheme, keeps_texts);
  } else if (!choices.tiers.empty()) {
    AKIN_TRY(query.tiers, tier_queries(scheme, choices.tiers,
                                       {query.bound, query.min_containment, choices.bound, keeps_texts}));
  }
  const bool verified = std::ranges::any_of(query.tiers, &TierQuery::verified);
  query.aligns =
      choices.evidence == Evidence::aligned || (choices.evidence == Evidence::automatic && verified);
  if (query.aligns && !keeps_texts) {
    return Error{Errc::unsupported, "evidence", "the collection keeps no texts, which alignment reads",
                 "ask for evidence=features"};
  }
  return query;
}

Result<void> analyze_query(SearchQuery& query, const Collection& collection, std::string_view text) {
  if (query.needs_aligner()) AKIN_CHECK(read_text(query, collection, text));
  if (query.tiers.size() < 2) {
    return fill_in(query, [&](std::size_t tier) { return collection.analyze_in(text, tier); });
  }
  AKIN_TRY(const FeatureSequence all, collection.analyze_tiers(text));
  return fill_in(query, [&](std::size_t tier) -> Result<FeatureSequence> {
    return part_in_tier(all, all.tier_sizes, tier);
  });
}

Result<void> read_query(SearchQuery& query, const Collection& collection, const Snapshot& snapshot,
                        std::string_view id) {
  if (query.needs_aligner()) {
    AKIN_TRY(const std::string text, snapshot.text(id));
    AKIN_CHECK(read_text(query, collection, text));
  }
  return fill_in(query, [&](std::size_t tier) { return snapshot.features_in(id, tier); });
}

Result<void> leave_common_out(SearchQuery& query, const Snapshot& snapshot) {
  if (!query.common_limit) return {};
  const CommonFeatures common(snapshot, *query.common_limit);
  for (TierQuery& tier : query.tiers) {
    AKIN_TRY(const std::uint64_t left_out, common.leave_out(tier.query));
    query.left_out.push_back(left_out);
  }
  if (!query.tiers.empty()) return {};
  AKIN_TRY(const std::uint64_t left_out, common.leave_out(query.features));
  query.left_out.push_back(left_out);
  return {};
}

Result<void> leave_common_out(std::span<Hit> hits, const SearchQuery& query, const Snapshot& snapshot) {
  if (!query.common_limit) return {};
  const CommonFeatures common(snapshot, *query.common_limit);
  for (Hit& hit : hits) AKIN_CHECK(common.leave_out(hit, 0));
  return {};
}

std::string nothing_found_hint(const SearchQuery& query, const SearchResult& result) {
  if (result.total > 0 || !result.counted) return "";
  const FeatureSequence& features = query.reported();
  if (features.hashes.empty() && query.all_left_out() > 0) {
    return "more than " + std::to_string(*query.common_limit) +
           " documents have each feature of the text, so all were left out: use a higher limit, or none";
  }
  if (features.hashes.empty()) return "the text has no words, so it shares none";
  if (query.tiers.empty()) {
    const std::size_t size = features.hashes.size();
    if (size <= query.bound && query.all_left_out() > 0) {
      return "only " + std::to_string(size) + " of the text's features " + (size == 1 ? "is" : "are") +
             " in no more than " + std::to_string(*query.common_limit) +
             " documents: use a lower bound, or a higher limit";
    }
    if (size <= query.bound) {
      return "a text of " + std::to_string(size) + (size == 1 ? " feature" : " features") +
             " cannot share more than " + std::to_string(query.bound) + ": use a lower bound";
    }
    if (query.bound == 0) return "";
    return "no document shares more than " + std::to_string(query.bound) +
           " features: a lower bound, or the search for the best, finds those that share less";
  }
  const auto least_words = static_cast<std::size_t>(AlignOptions().run);
  const bool finds_passages = std::ranges::any_of(query.tiers, &TierQuery::verified);
  if (finds_passages && query.aligner->words() < least_words) {
    return "passages have at least " + std::to_string(least_words) + " words, the text has " +
           std::to_string(query.aligner->words()) + ": a bound of 0 finds what shares a feature";
  }
  return "";
}

void add_common(Json& object, const SearchQuery& query, const Scheme& scheme) {
  if (!query.common_limit) return;
  Json common;
  common["limit"] = *query.common_limit;
  common["features"] = query.all_left_out();
  for (std::size_t i = 0; i < query.tiers.size(); ++i)
    common["tiers"][scheme.tiers()[query.tiers[i].tier].name] = query.left_out[i];
  object["common"] = std::move(common);
}

void add_hint(Json& object, const SearchQuery& query, const SearchResult& result) {
  const std::string hint = nothing_found_hint(query, result);
  if (!hint.empty()) object["hint"] = hint;
}

Result<SearchResult> find_similar(const Snapshot& snapshot, const Scheme& scheme, const SearchQuery& query,
                                  SearchRequest page) {
  query.describe(page);
  if (!query.tiers.empty()) {
    return search_tiers(snapshot, scheme,
                        {.tiers = query.tiers,
                         .page = std::move(page),
                         .aligner = query.aligner.get(),
                         .aligns = query.aligns});
  }
  const bool aligns = page.evidence && query.aligns;
  if (aligns) page.evidence = false;
  AKIN_TRY(SearchResult result, snapshot.search(page));
  if (aligns) {
    for (Hit& hit : result.hits) AKIN_CHECK(align_hit(snapshot, *query.aligner, hit));
  }
  return result;
}

}  // namespace akin::api
