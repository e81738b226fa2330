#include "index/opensearch/documents/overlap_search.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/waiting.h"
#include "index/codec/feature_counts.h"

namespace akin::opensearch {
namespace {

/// Clauses of one search: the engine's limit is 1,024 by default, and filters count, too.
constexpr std::size_t kClauses = 1'000;
/// Searches sent together.
constexpr std::size_t kSearches = 16;
/// Hits of a first answer, which come with their records: most answers have no more.
constexpr std::size_t kFewHits = 100;
/// Terms of a filter: 65,536 by default.
constexpr std::size_t kTerms = 50'000;
/// Counters of one answer.
constexpr std::size_t kCounters = 500;

/// The query's words, divided into what one search may have.
std::vector<std::string> parts_of(std::span<const Feature> query) {
  std::vector<std::string> parts;
  std::size_t words = kClauses;
  for (const FeatureCount& one : count_features(query)) {
    for (std::uint64_t occurrence = 1; occurrence <= one.count; ++occurrence) {
      if (words++ == kClauses) {
        parts.emplace_back();
        words = 1;
      }
      add_word(parts.back(), one.feature, occurrence);
    }
  }
  return parts;
}

std::string word_of(Feature feature) {
  std::string word;
  add_word(word, feature, 1);
  word.pop_back();  // the blank
  return word;
}

Json terms_of(std::span<const Feature> features) {
  Json terms = Json::array();
  for (const Feature feature : features) terms.push_back(word_of(feature));
  return {{"terms", {{"features", std::move(terms)}}}};
}

/// That a document has one of the features: any number of them.
Json having(std::span<const Feature> features) {
  Json any = Json::array();
  for (std::size_t at = 0; at < features.size(); at += kTerms)
    any.push_back(terms_of(features.subspan(at, std::min(kTerms, features.size() - at))));
  return {{"bool", {{"should", std::move(any)}}}};
}

/// What the request demands of documents besides X.
Json demands_of(const SearchRequest& request) {
  Json query = Json::object();
  if (!request.exclude.empty()) query["must_not"] = {{{"terms", {{"id", request.exclude}}}}};
  if (request.common == nullptr || request.common->empty()) return query;
  std::vector<Feature> rare;
  for (const FeatureCount& one : count_features(request.query->hashes)) {
    if (!std::ranges::binary_search(*request.common, one.feature)) rare.push_back(one.feature);
  }
  query["filter"] = {having(rare)};
  return query;
}

/// A search for a part of the query, best first.
struct PartSearch {
  Json query;
  Json after;  ///< the sort values of the last hit; null at first

  [[nodiscard]] Json body(std::size_t size) const {
    Json body = {{"size", size},
                 {"track_total_hits", false},
                 {"query", query},
                 {"sort", {{{"_score", "desc"}}, {{"number", "asc"}}}}};
    if (!after.is_null()) body["search_after"] = after;
    return body;
  }
};

using Sums = std::unordered_map<std::int64_t, std::uint64_t>;

/// Adds the scores of an answer; whether there may be more hits.
bool add_scores(PartSearch& part, const Json& hits, std::size_t size, Sums& sums) {
  for (const Json& hit : hits)
    sums[hit.at("sort").at(1).get<std::int64_t>()] +=
        static_cast<std::uint64_t>(hit.at("sort").at(0).get<double>());
  if (hits.size() < size) return false;
  part.after = hits.back().at("sort");
  return true;
}

/// Adds up the scores of all parts.
Result<void> add_all(const View& view, std::vector<PartSearch> parts, Sums& sums) {
  for (std::size_t at = 0; at < parts.size();) {
    AKIN_CHECK(check_work());
    std::vector<Json> bodies;
    const std::size_t end = std::min(parts.size(), at + kSearches);
    for (std::size_t i = at; i < end; ++i) bodies.push_back(parts[i].body(kHitsAtOnce));
    AKIN_TRY(const std::vector<Json> answers, view.search_all(std::move(bodies)));
    std::vector<PartSearch> unfinished;
    for (std::size_t i = at; i < end; ++i) {
      if (add_scores(parts[i], hits_of(answers[i - at]), kHitsAtOnce, sums))
        unfinished.push_back(std::move(parts[i]));
    }
    at = end - unfinished.size();
    std::ranges::move(unfinished, parts.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return {};
}

std::vector<Candidate> at_least(const Sums& sums, std::uint64_t least) {
  std::vector<Candidate> found;
  for (const auto& [number, x] : sums) {
    if (x >= least) found.push_back({number, x});
  }
  return found;
}

/// The features that more than `limit` documents have, by what `search` counts.
Result<std::vector<Feature>> counted_above(const View& view, std::span<const Feature> features,
                                           std::uint64_t limit, Result<Json> (View::*search)(Json) const) {
  std::vector<Feature> found;
  for (std::size_t at = 0; at < features.size(); at += kCounters) {
    const auto some = features.subspan(at, std::min(kCounters, features.size() - at));
    Json filters = Json::array();
    for (const Feature feature : some) filters.push_back({{"term", {{"features", word_of(feature)}}}});
    AKIN_TRY(const Json answer,
             (view.*search)({{"size", 0},
                             {"track_total_hits", false},
                             {"aggs", {{"counts", {{"filters", {{"filters", std::move(filters)}}}}}}}}));
    const Json& buckets = answer.at("aggregations").at("counts").at("buckets");
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (buckets.at(i).at("doc_count").get<std::uint64_t>() > limit) found.push_back(some[i]);
    }
  }
  return found;
}

}  // namespace

Result<std::vector<Candidate>> find_candidates(const View& view, const SearchRequest& request,
                                               std::uint64_t least, const TakeHit& take) {
  const std::vector<std::string> words = parts_of(request.query->hashes);
  const Json demands = demands_of(request);
  std::vector<PartSearch> parts;
  for (const std::string& part : words) {
    Json query = demands;
    query["must"] = {
        {{"match",
          {{"features", {{"query", part}, {"minimum_should_match", words.size() == 1 ? least : 1}}}}}}};
    parts.push_back({std::move(query), nullptr});
  }
  Sums sums;
  if (parts.size() == 1) {
    Json first = parts.front().body(kFewHits);
    first["docvalue_fields"] = kRecordFields;
    AKIN_TRY(const Json answer, view.search(std::move(first)));
    for (const Json& hit : hits_of(answer)) AKIN_CHECK(take(hit));
    if (!add_scores(parts.front(), hits_of(answer), kFewHits, sums)) return at_least(sums, least);
  }
  AKIN_CHECK(add_all(view, std::move(parts), sums));
  return at_least(sums, least);
}

Result<std::uint64_t> count_having(const View& view, const std::vector<Feature>& features) {
  AKIN_TRY(
      const Json answer,
      view.search({{"size", 0}, {"track_total_hits", true}, {"query", {{"filter", {having(features)}}}}}));
  return answer.at("hits").at("total").at("value").get<std::uint64_t>();
}

Result<std::vector<Feature>> find_common(const View& view, std::span<const Feature> features,
                                         std::uint64_t limit) {
  if (static_cast<std::uint64_t>(view.head().counters.documents) <= limit) return std::vector<Feature>();
  // The engine knows how many documents have a word, unless they are filtered: few features need the exact
  // count.
  AKIN_TRY(const std::vector<Feature> likely, counted_above(view, features, limit, &View::search_everything));
  return counted_above(view, likely, limit, &View::search);
}

}  // namespace akin::opensearch
