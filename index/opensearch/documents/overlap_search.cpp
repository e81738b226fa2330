#include "index/opensearch/documents/overlap_search.h"

#include <algorithm>
#include <iterator>
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
/// Hits of a search ahead that are counted: features that more documents have may be common.
constexpr std::size_t kMostCounted = 10'000;
constexpr std::uint64_t kUncounted = std::uint64_t{1} << 48U;
/// Terms of a filter: 65,536 by default.
constexpr std::size_t kTerms = 50'000;
/// Counters of one answer.
constexpr std::size_t kCounters = 500;

/// The query's words, divided into what one search may have.
std::vector<std::string> words_of(std::span<const Feature> query) {
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

std::uint64_t total_of(const Json& answer) {
  return answer.at("hits").at("total").at("value").get<std::uint64_t>();
}

}  // namespace

View::Search OverlapSearch::Part::search(std::size_t size) const {
  Json body = {{"size", size},
               {"track_total_hits", false},
               {"query", query},
               {"sort", {{{"_score", "desc"}}, {{"number", "asc"}}}}};
  if (!after.is_null()) body["search_after"] = after;
  return {std::move(body)};
}

View::Search OverlapSearch::Part::first_search(const Json& counted_hits) const {
  View::Search first = search(kFewHits);
  first.body["docvalue_fields"] = kRecordFields;
  first.body["track_total_hits"] = counted_hits;
  return first;
}

void OverlapSearch::Found::add(Part part, const Json& hits, std::size_t size) {
  for (const Json& hit : hits)
    x[hit.at("sort").at(1).get<std::int64_t>()] +=
        static_cast<std::uint64_t>(hit.at("sort").at(0).get<double>());
  if (hits.size() < size) return;
  part.after = hits.back().at("sort");
  open.push_back(std::move(part));
}

std::vector<OverlapSearch::Part> OverlapSearch::parts_of(const SearchRequest& request, std::uint64_t least) {
  Json demands = Json::object();
  if (!request.exclude.empty()) demands["must_not"] = {{{"terms", {{"id", request.exclude}}}}};
  if (has_common(request)) {
    const std::vector<Feature> rare = rare_of(request);
    if (rare.empty()) return {};  // a document with common features alone is not found
    demands["filter"] = {having(rare)};
  }
  std::vector<Part> parts;
  const std::vector<std::string> words = words_of(request.query->hashes);
  for (const std::string& some : words) {
    Json query = demands;
    query["must"] = {
        {{"match",
          {{"features", {{"query", some}, {"minimum_should_match", words.size() == 1 ? least : 1}}}}}}};
    parts.push_back({std::move(query), nullptr});
  }
  return parts;
}

Result<void> OverlapSearch::find_all(Found& found) const {
  while (!found.open.empty()) {
    AKIN_CHECK(check_work());
    const std::size_t rest = found.open.size() - std::min(found.open.size(), kSearches);
    const auto first = found.open.begin() + static_cast<std::ptrdiff_t>(rest);
    std::vector<Part> asked(std::make_move_iterator(first), std::make_move_iterator(found.open.end()));
    found.open.resize(rest);
    std::vector<View::Search> searches;
    searches.reserve(asked.size());
    for (const Part& part : asked) searches.push_back(part.search(kHitsAtOnce));
    AKIN_TRY(const std::vector<Json> answers, view_.search_all(searches));
    for (std::size_t i = 0; i < asked.size(); ++i)
      found.add(std::move(asked[i]), hits_of(answers[i]), kHitsAtOnce);
  }
  return {};
}

Result<std::vector<Candidate>> OverlapSearch::candidates(const SearchRequest& request, std::uint64_t least,
                                                         const TakeHit& take) {
  Found found;
  if (ahead_ && !has_common(request) && ahead_->query == request.query->hashes &&
      ahead_->exclude == request.exclude) {
    found = std::move(ahead_->found);
  } else {
    found.open = parts_of(request, least);
  }
  ahead_.reset();
  std::vector<View::Search> searches;
  if (has_common(request)) {
    searches.push_back(
        {{{"size", 0}, {"track_total_hits", true}, {"query", {{"filter", {having(*request.common)}}}}}});
  }
  const std::size_t counts = searches.size();
  std::vector<Part> own, next;
  if (found.open.size() == 1 && found.open.front().after.is_null()) {
    own = std::exchange(found.open, {});
    searches.push_back(own.front().first_search(false));
  }
  if (request.next != nullptr) {
    SearchRequest later = request;
    later.query = request.next;
    later.common = nullptr;
    next = parts_of(later, 1);
    if (next.size() > kSearches) next.clear();
    for (const Part& part : next) searches.push_back(part.first_search(kMostCounted));
  }
  AKIN_TRY(const std::vector<Json> answers, view_.search_all(searches));
  if (counts != 0) with_common_ = total_of(answers.front());
  std::size_t at = counts;
  const auto add_first = [&](std::vector<Part>& parts, Found& to) -> Result<void> {
    for (Part& part : parts) {
      const Json& hits = hits_of(answers[at++]);
      for (const Json& hit : hits) AKIN_CHECK(take(hit));
      to.add(std::move(part), hits, kFewHits);
    }
    return {};
  };
  AKIN_CHECK(add_first(own, found));
  if (!next.empty()) {
    ahead_ = Ahead{request.next->hashes, request.exclude, request.exclude.size(), {}};
    for (std::size_t i = at; i < answers.size(); ++i) {
      const std::uint64_t total = total_of(answers[i]);
      ahead_->documents += total < kMostCounted ? total : kUncounted;
    }
    AKIN_CHECK(add_first(next, ahead_->found));
  }
  AKIN_CHECK(find_all(found));
  std::vector<Candidate> candidates;
  for (const auto& [number, x] : found.x) {
    if (x >= least) candidates.push_back({number, x});
  }
  return candidates;
}

Result<void> OverlapSearch::count_documents(std::span<const Feature> features) {
  std::vector<View::Search> searches;
  for (std::size_t at = 0; at < features.size(); at += kCounters) {
    const auto some = features.subspan(at, std::min(kCounters, features.size() - at));
    Json filters = Json::array();
    for (const Feature feature : some) filters.push_back({{"term", {{"features", word_of(feature)}}}});
    // The engine asks each filter about each document that the query finds.
    searches.push_back({{{"size", 0},
                         {"track_total_hits", false},
                         {"query", {{"filter", {terms_of(some)}}}},
                         {"aggs", {{"counts", {{"filters", {{"filters", std::move(filters)}}}}}}}}});
  }
  AKIN_TRY(const std::vector<Json> answers, view_.search_all(searches));
  documents_with_.clear();
  auto feature = features.begin();
  for (const Json& answer : answers) {
    for (const Json& bucket : answer.at("aggregations").at("counts").at("buckets"))
      documents_with_.emplace(*feature++, bucket.at("doc_count").get<std::uint64_t>());
  }
  return {};
}

Result<std::vector<Feature>> OverlapSearch::common(std::span<const Feature> features, std::uint64_t limit) {
  std::vector<Feature> common;
  if (static_cast<std::uint64_t>(view_.head().counters.documents) <= limit) return common;
  if (ahead_ && ahead_->documents <= limit) {
    const std::vector<Feature> ahead = features_of(count_features(ahead_->query));
    if (std::ranges::includes(ahead, features)) return common;
  }
  const auto is_counted = [&](Feature feature) { return documents_with_.contains(feature); };
  if (!std::ranges::all_of(features, is_counted)) AKIN_CHECK(count_documents(features));
  for (const Feature feature : features) {
    if (documents_with_.at(feature) > limit) common.push_back(feature);
  }
  return common;
}

}  // namespace akin::opensearch
