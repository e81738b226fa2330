#include "index/opensearch/documents/overlap_search.h"

#include <algorithm>
#include <functional>
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
constexpr std::size_t kFewHits = 400;
/// Hits of a search ahead that are counted: features that more documents have may be common.
constexpr std::size_t kMostCounted = 10'000;
/// Terms of a filter: 65,536 by default.
constexpr std::size_t kTerms = 50'000;
/// Counters of one answer.
constexpr std::size_t kCounters = 500;

/// The query's words, divided into what one search may have.
std::vector<std::string> words_of(std::span<const Feature> query) {
  std::vector<std::string> parts;
  std::size_t words = 0;
  for (const FeatureCount& one : count_features(query)) {
    for (std::uint64_t occurrence = 1; occurrence <= one.count; ++occurrence) {
      if (words++ % kClauses == 0) parts.emplace_back();
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

std::vector<std::span<const Feature>> parts_of(std::span<const Feature> features, std::size_t size) {
  std::vector<std::span<const Feature>> parts;
  for (; !features.empty(); features = features.subspan(parts.back().size()))
    parts.push_back(features.first(std::min(size, features.size())));
  return parts;
}

/// That a document has one of the features: any number of them.
Json having(std::span<const Feature> features) {
  Json any = Json::array();
  for (const auto some : parts_of(features, kTerms)) any.push_back(terms_of(some));
  return {{"bool", {{"should", std::move(any)}}}};
}

/// That a document has one of the features that `least` documents of its shard have, deleted ones included.
/// No more features than kCounters.
Json having_frequent(std::span<const Feature> features, std::uint64_t least) {
  std::string words;
  for (const Feature feature : features) add_word(words, feature, 1);
  return {{"more_like_this",
           {{"fields", {"features"}},
            {"like", std::move(words)},
            {"min_term_freq", 1},
            {"min_doc_freq", least},
            {"max_query_terms", kCounters},
            {"minimum_should_match", 1}}}};
}

/// The query's features that are not common.
std::vector<Feature> rare_of(std::span<const Feature> query, std::span<const Feature> common) {
  std::vector<Feature> rare;
  for (const FeatureCount& one : count_features(query)) {
    if (!std::ranges::binary_search(common, one.feature)) rare.push_back(one.feature);
  }
  return rare;
}

/// How many documents fulfil a filter.
View::Search counting(Json filter) {
  return {{{"size", 0}, {"track_total_hits", true}, {"query", {{"filter", {std::move(filter)}}}}}};
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

void OverlapSearch::Asked::add(Part part, const Json& hits, std::size_t size) {
  for (const Json& hit : hits)
    x[hit.at("sort").at(1).get<std::int64_t>()] +=
        static_cast<std::uint64_t>(hit.at("sort").at(0).get<double>());
  if (hits.size() < size) return;
  part.after = hits.back().at("sort");
  open.push_back(std::move(part));
}

bool OverlapSearch::Asked::is_as_wide_as(const Asked& other) const {
  return query == other.query && common == other.common && exclude == other.exclude && least <= other.least;
}

std::vector<OverlapSearch::Part> OverlapSearch::Asked::parts() const {
  Json demands = Json::object();
  if (!exclude.empty()) demands["must_not"] = {{{"terms", {{"id", exclude}}}}};
  if (!common.empty()) {
    const std::vector<Feature> rare = rare_of(query, common);
    if (rare.empty()) return {};  // a document with common features alone is not found
    demands["filter"] = {having(rare)};
  }
  std::vector<Part> parts;
  const std::vector<std::string> words = words_of(query);
  for (const std::string& some : words) {
    Json part = demands;
    const Json match = {{"query", some}, {"minimum_should_match", words.size() == 1 ? least : 1}};
    part["must"] = {{{"match", {{"features", match}}}}};
    parts.push_back({std::move(part), words.size() == 1, nullptr});
  }
  return parts;
}

Result<void> OverlapSearch::find_all(Asked& asked) const {
  while (!asked.open.empty()) {
    AKIN_CHECK(check_work());
    const auto first = asked.open.end() - static_cast<std::ptrdiff_t>(std::min(kSearches, asked.open.size()));
    std::vector<Part> now(std::make_move_iterator(first), std::make_move_iterator(asked.open.end()));
    asked.open.erase(first, asked.open.end());
    std::vector<View::Search> searches;
    searches.reserve(now.size());
    for (const Part& part : now) searches.push_back(part.search(kHitsAtOnce));
    AKIN_TRY(const std::vector<Json> answers, view_.search_all(searches));
    for (std::size_t i = 0; i < now.size(); ++i)
      asked.add(std::move(now[i]), hits_of(answers[i]), kHitsAtOnce);
  }
  return {};
}

Result<void> OverlapSearch::ask(const Expected& expected) {
  documents_.forget_if_many();
  const SearchRequest& request = expected.request;
  std::vector<Asked> now;
  now.reserve(2);
  std::vector<View::Search> searches;
  std::vector<std::function<Result<void>(const Json& answer)>> takers;
  const auto add = [&](Asked question) {
    const auto before = std::ranges::find_if(asked_, [&](auto& one) { return one.is_as_wide_as(question); });
    if (before != asked_.end()) return now.push_back(std::move(*before));
    Asked& one = now.emplace_back(std::move(question));
    if (!one.common.empty()) {
      searches.push_back(counting(having(one.common)));
      takers.emplace_back([&one](const Json& answer) -> Result<void> {
        one.with_common = total_of(answer);
        return {};
      });
    }
    std::vector<Part> parts = one.parts();
    one.documents = parts.size() > kSearches ? kUncounted : one.exclude.size();
    if (parts.size() > kSearches) return one.open.swap(parts);
    for (Part& part : parts) {
      searches.push_back(part.search(kFewHits));
      searches.back().body["docvalue_fields"] = kRecordFields;
      if (one.least == 1) searches.back().body["track_total_hits"] = kMostCounted;
      takers.emplace_back([this, &one, part = std::move(part)](const Json& answer) -> Result<void> {
        for (const Json& hit : hits_of(answer)) AKIN_CHECK(documents_.take(hit));
        one.add(part, hits_of(answer), kFewHits);
        one.documents += total_of(answer);
        return {};
      });
    }
  };
  const std::vector<Feature> none;
  add({request.query->hashes, request.common != nullptr ? *request.common : none, request.exclude,
       expected.least});
  if (request.next != nullptr) add({request.next->hashes, none, request.exclude, 1});
  AKIN_TRY(const std::vector<Json> answers, view_.search_all(searches));
  for (std::size_t i = 0; i < answers.size(); ++i) AKIN_CHECK(takers[i](answers[i]));
  asked_ = std::move(now);
  return {};
}

Result<std::vector<Candidate>> OverlapSearch::candidates(const Expected& wanted) {
  AKIN_CHECK(ask(wanted));
  Asked asked = std::move(asked_.front());
  asked_.erase(asked_.begin());
  with_common_ = asked.with_common;
  // As far as the engine knows X.
  std::erase_if(asked.open, [&](const Part& part) {
    return part.is_whole && !part.after.is_null() &&
           part.after.at(0).get<double>() < static_cast<double>(wanted.least);
  });
  for (Part& part : asked.open) {
    if (part.is_whole) part.query["must"][0]["match"]["features"]["minimum_should_match"] = wanted.least;
  }
  AKIN_CHECK(find_all(asked));
  std::vector<Candidate> candidates;
  for (const auto& [number, x] : asked.x) {
    if (x >= wanted.least) candidates.push_back({number, x});
  }
  return candidates;
}

Result<std::vector<std::uint64_t>> OverlapSearch::count_documents(std::span<const Feature> features,
                                                                  std::uint64_t least) const {
  std::vector<View::Search> searches;
  for (const auto some : parts_of(features, kCounters)) {
    Json filters = Json::array();
    for (const Feature feature : some) filters.push_back({{"term", {{"features", word_of(feature)}}}});
    // The engine asks each filter about each document that the query finds.
    searches.push_back(counting(having_frequent(some, least)));
    searches.back().body.update({{"track_total_hits", false},
                                 {"aggs", {{"counts", {{"filters", {{"filters", std::move(filters)}}}}}}}});
  }
  AKIN_TRY(const std::vector<Json> answers, view_.search_all(searches));
  std::vector<std::uint64_t> counts;
  for (const Json& answer : answers) {
    for (const Json& bucket : answer.at("aggregations").at("counts").at("buckets"))
      counts.push_back(bucket.at("doc_count"));
  }
  return counts;
}

bool OverlapSearch::is_none_in(std::span<const Feature> features, std::uint64_t limit) const {
  return std::ranges::any_of(asked_, [&](const Asked& one) {
    return one.least == 1 && one.common.empty() && one.documents <= limit &&
           std::ranges::includes(features_of(count_features(one.query)), features);
  });
}

Result<std::vector<Feature>> OverlapSearch::common(std::span<const Feature> features, std::uint64_t limit) {
  std::optional<Expected> expected = std::exchange(expected_, std::nullopt);
  if (static_cast<std::uint64_t>(view_.state().counters.documents) <= limit || is_none_in(features, limit))
    return std::vector<Feature>();
  if (expected) {
    expected->least = 1;
    AKIN_CHECK(ask(*expected));
    if (is_none_in(features, limit)) return std::vector<Feature>();
  }
  std::vector<Feature> common;
  AKIN_TRY(const auto counts, count_documents(features, view_.shards() == 1 ? limit + 1 : 1));
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (counts[i] > limit) common.push_back(features[i]);
  }
  return common;
}

}  // namespace akin::opensearch
