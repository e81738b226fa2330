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

[[nodiscard]] bool has_common(const SearchRequest& request) {
  return request.common != nullptr && !request.common->empty();
}

/// The query's features that are not common.
std::vector<Feature> rare_of(const SearchRequest& request) {
  std::vector<Feature> rare;
  for (const FeatureCount& one : count_features(request.query->hashes)) {
    if (!std::ranges::binary_search(*request.common, one.feature)) rare.push_back(one.feature);
  }
  return rare;
}

/// What the request demands of documents besides X.
Json demands_of(const SearchRequest& request) {
  Json query = Json::object();
  if (!request.exclude.empty()) query["must_not"] = {{{"terms", {{"id", request.exclude}}}}};
  if (has_common(request)) query["filter"] = {having(rare_of(request))};
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
    std::vector<View::Search> searches;
    const std::size_t end = std::min(parts.size(), at + kSearches);
    for (std::size_t i = at; i < end; ++i) searches.push_back({parts[i].body(kHitsAtOnce)});
    AKIN_TRY(const std::vector<Json> answers, view.search_all(searches));
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

/// Searches that count the documents with each of the features, the last one also those with any.
std::vector<View::Search> counting(std::span<const Feature> features, bool everything) {
  std::vector<View::Search> searches;
  for (std::size_t at = 0; at < features.size(); at += kCounters) {
    Json filters = Json::array();
    for (const Feature feature : features.subspan(at, std::min(kCounters, features.size() - at)))
      filters.push_back({{"term", {{"features", word_of(feature)}}}});
    if (at + kCounters >= features.size()) filters.push_back({{"exists", {{"field", "number"}}}});
    searches.push_back({{{"size", 0},
                         {"track_total_hits", false},
                         {"aggs", {{"counts", {{"filters", {{"filters", std::move(filters)}}}}}}}},
                        everything});
  }
  return searches;
}

/// What they have counted.
FeatureDocuments counted(std::span<const Feature> features, std::span<const Json> answers) {
  FeatureDocuments counted;
  std::size_t at = 0;
  for (const Json& answer : answers) {
    for (const Json& bucket : answer.at("aggregations").at("counts").at("buckets")) {
      const auto documents = bucket.at("doc_count").get<std::uint64_t>();
      if (at < features.size()) {
        counted.of.emplace(features[at++], documents);
      } else {
        counted.all = documents;
      }
    }
  }
  return counted;
}

Result<FeatureDocuments> count_documents(const View& view, std::span<const Feature> features,
                                         bool everything) {
  AKIN_TRY(const std::vector<Json> answers, view.search_all(counting(features, everything)));
  return counted(features, answers);
}

}  // namespace

Result<Candidates> find_candidates(const View& view, const SearchRequest& request, std::uint64_t least,
                                   std::span<const Feature> next, const TakeHit& take) {
  std::vector<PartSearch> parts;
  // A document with common features alone is not found.
  if (!has_common(request) || !rare_of(request).empty()) {
    const std::vector<std::string> words = parts_of(request.query->hashes);
    for (const std::string& part : words) {
      Json query = demands_of(request);
      query["must"] = {
          {{"match",
            {{"features", {{"query", part}, {"minimum_should_match", words.size() == 1 ? least : 1}}}}}}};
      parts.push_back({std::move(query), nullptr});
    }
  }
  std::vector<View::Search> searches = counting(next, true);
  const std::size_t counts = searches.size();
  if (has_common(request)) {
    searches.push_back(
        {{{"size", 0}, {"track_total_hits", true}, {"query", {{"filter", {having(*request.common)}}}}}});
  }
  if (parts.size() == 1) {
    searches.push_back({parts.front().body(kFewHits)});
    searches.back().body["docvalue_fields"] = kRecordFields;
  }
  AKIN_TRY(const std::vector<Json> answers, view.search_all(searches));
  Candidates candidates;
  candidates.next = counted(next, std::span(answers).first(counts));
  if (has_common(request))
    candidates.with_common = answers[counts].at("hits").at("total").at("value").get<std::uint64_t>();
  Sums sums;
  if (parts.size() == 1) {
    const Json& hits = hits_of(answers.back());
    for (const Json& hit : hits) AKIN_CHECK(take(hit));
    if (!add_scores(parts.front(), hits, kFewHits, sums)) parts.clear();
  }
  AKIN_CHECK(add_all(view, std::move(parts), sums));
  candidates.found = at_least(sums, least);
  return candidates;
}

Result<std::vector<Feature>> find_common(const View& view, std::span<const Feature> features,
                                         std::uint64_t limit, FeatureDocuments known) {
  const auto documents = static_cast<std::uint64_t>(view.head().counters.documents);
  if (documents <= limit) return std::vector<Feature>();
  const auto is_known = [&](Feature feature) { return known.of.contains(feature); };
  if (!std::ranges::all_of(features, is_known)) {
    AKIN_TRY(known, count_documents(view, features, true));
  }
  // Only the counts of features that documents which do not exist may have brought over the limit are asked
  // for exactly.
  const std::uint64_t others = known.all - std::min(known.all, documents);
  std::vector<Feature> open;
  for (const Feature feature : features) {
    const std::uint64_t count = known.of.at(feature);
    if (count > limit && count <= limit + others) open.push_back(feature);
  }
  AKIN_TRY(const FeatureDocuments exact, count_documents(view, open, false));
  std::vector<Feature> common;
  for (const Feature feature : features) {
    const auto counted_exactly = exact.of.find(feature);
    const std::uint64_t count =
        counted_exactly == exact.of.end() ? known.of.at(feature) : counted_exactly->second;
    if (count > limit) common.push_back(feature);
  }
  return common;
}

}  // namespace akin::opensearch
