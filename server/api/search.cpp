#include "server/api/search.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/sliced_text.h"
#include "index/passages.h"
#include "index/shared_features.h"
#include "server/api/file_object.h"
#include "server/api/handlers.h"
#include "server/api/objects.h"
#include "server/api/search_query.h"
#include "server/ingest/places.h"

namespace akin::api {

namespace {

/// A collection as one search sees it.
struct Searched {
  const Collection& collection;
  const Snapshot& snapshot;
};

// Below, `keep_texts`: whether all of the searched collections keep texts.

/// A query, and the text of a stored document if the answer shows passages of it.
struct Query {
  SearchQuery analysed;
  std::string stored_text = {};

  /// The text that the answer shows passages of; empty if it shows none.
  [[nodiscard]] std::string_view shown_text(const SearchSubject& subject,
                                            const SearchOptions& options) const {
    return subject.text && options.passage_text ? *subject.text : std::string_view(stored_text);
  }
};

Result<Query> query_of_text(const Collection& collection, bool keep_texts, std::string_view text,
                            const SearchOptions& options) {
  AKIN_TRY(SearchQuery query, plan_query(collection.scheme(), keep_texts, options.choices));
  AKIN_CHECK(analyze_query(query, collection, text));
  return Query{std::move(query)};
}

Result<Query> query_of_document(const Searched& searched, bool keep_texts, const std::string& id,
                                const SearchOptions& options) {
  const auto& [collection, snapshot] = searched;
  AKIN_TRY(SearchQuery query, plan_query(collection.scheme(), keep_texts, options.choices));
  AKIN_TRY(const auto record, snapshot.find(id));
  if (!record) return no_document(collection, id);
  AKIN_CHECK(read_query(query, collection, snapshot, id));
  if (!options.passage_text) return Query{std::move(query)};
  AKIN_TRY(std::string text, snapshot.text(id));
  return Query{std::move(query), std::move(text)};
}

/// The text of each passage, on both sides.
Result<void> add_passage_texts(Json& result, const Hit& hit, const SlicedText& query,
                               const Snapshot& snapshot) {
  AKIN_TRY(const std::string text, snapshot.text(hit.document.id));
  const SlicedText document(text);
  for (std::size_t i = 0; i < hit.passages.size(); ++i) {
    Json& passage = result["passages"][i];
    passage["a_text"] = query.slice(hit.passages[i].a);
    passage["b_text"] = document.slice(hit.passages[i].b);
  }
  return {};
}

void add_record(Json& result, const DocumentRecord& record) {
  const Json whole = document_object(record);
  for (const auto& [name, value] : whole.items()) {
    if (!result.contains(name)) result[name] = value;
  }
}

Result<Json> result_object(const Hit& hit, const SearchOptions& options, const SlicedText& query,
                           const Searched& searched) {
  const auto& [collection, snapshot] = searched;
  if (options.verbosity == Verbosity::ids) {
    Json result;
    result["id"] = hit.document.id;
    result["x"] = hit.overlap.x;
    if (!hit.tiers.empty()) result["tier"] = collection.scheme().tiers()[first_that_found(hit).tier].name;
    return result;
  }
  Json result = hit_object(hit, options.request.evidence);
  add_tiers(result, hit, collection.scheme());
  if (options.verbosity == Verbosity::full) add_record(result, hit.document);
  if (options.passage_text) AKIN_CHECK(add_passage_texts(result, hit, query, snapshot));
  return result;
}

/// One collection's part in a search over several.
struct Part {
  std::shared_ptr<Collection> collection;
  std::unique_ptr<Snapshot> snapshot;
  std::shared_ptr<const Query> query;  ///< shared by parts whose features are equal for equal texts
  SearchResult found;
};

struct Place {
  const Part* part = nullptr;
  const Hit* hit = nullptr;
};

/// The index of the first tier that found a hit among the requested tiers; 0 without tiers.
std::size_t tier_place(const Hit& hit) {
  return hit.tiers.empty() ? 0 : static_cast<std::size_t>(&first_that_found(hit) - hit.tiers.data());
}

/// The order of a single collection's results, then by collection and id.
bool comes_before(const Place& left, const Place& right) {
  if (tier_place(*left.hit) != tier_place(*right.hit)) return tier_place(*left.hit) < tier_place(*right.hit);
  const Overlap& l = left.hit->overlap;
  const Overlap& r = right.hit->overlap;
  if (l.x != r.x) return l.x > r.x;
  if (l.b_features != r.b_features) return l.b_features < r.b_features;
  if (left.part != right.part) return left.part->collection->name() < right.part->collection->name();
  return left.hit->document.id < right.hit->document.id;
}

/// The best `offset + limit` hits of each part, merged, without the first `offset`.
std::vector<Place> merged(const std::vector<Part>& parts, const SearchRequest& request) {
  std::vector<Place> places;
  for (const Part& part : parts) {
    for (const Hit& hit : part.found.hits) places.push_back({&part, &hit});
  }
  std::ranges::sort(places, comes_before);
  places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(
                                                    std::min<std::uint64_t>(request.offset, places.size())));
  if (places.size() > request.limit) places.resize(request.limit);
  return places;
}

Result<std::vector<Part>> open_parts(const Collections& collections) {
  std::vector<Part> parts;
  for (const auto& collection : collections) {
    if (collection->scheme().name() != collections.front()->scheme().name()) {
      return Error{
          Errc::mismatch,
          "collections " + in_quotes(collections.front()->name()) + " and " + in_quotes(collection->name()),
          "their schemes differ, so their features cannot be compared", "search them one by one"};
    }
    AKIN_TRY(auto snapshot, collection->snapshot());
    parts.push_back({collection, std::move(snapshot), nullptr, {}});
  }
  return parts;
}

/// The part that has the stored document whose text is searched for.
Result<const Part*> part_of_document(const std::vector<Part>& parts, const SearchSubject& subject) {
  for (const Part& part : parts) {
    if (part.collection->name() == subject.collection) return &part;
  }
  return Error{Errc::invalid_argument, "field 'collection'", "is not one of the searched collections",
               "name one of them, or give the text"};
}

/// Gives each part the query as its collection analyses it. A stored document's features are read from its
/// own collection; a collection that was built with other dictionaries analyses the document's text.
Result<void> add_queries(std::vector<Part>& parts, const SearchSubject& subject,
                         const SearchOptions& options) {
  const bool keep_texts =
      std::ranges::all_of(parts, [](const Part& part) { return part.collection->keeps_texts(); });
  std::map<std::string_view, std::shared_ptr<const Query>> queries;  // by Collection::fingerprint
  const Part* document = nullptr;
  if (!subject.text) {
    AKIN_TRY(document, part_of_document(parts, subject));
    AKIN_TRY(Query query, query_of_document({*document->collection, *document->snapshot}, keep_texts,
                                            subject.id, options));
    queries.emplace(document->collection->fingerprint(), std::make_shared<const Query>(std::move(query)));
  }
  for (Part& part : parts) {
    std::shared_ptr<const Query>& query = queries[part.collection->fingerprint()];
    if (query == nullptr) {
      std::string stored;
      if (document != nullptr) {
        AKIN_TRY(stored, document->snapshot->text(subject.id));
      }
      AKIN_TRY(Query made,
               query_of_text(*part.collection, keep_texts, subject.text ? *subject.text : stored, options));
      query = std::make_shared<const Query>(std::move(made));
    }
    part.query = query;
  }
  return {};
}

/// Leaves the features that many documents of a part have out of its query.
Result<void> leave_common_out(std::vector<Part>& parts) {
  for (Part& part : parts) {
    if (!part.query->analysed.common_limit) continue;
    Query own = *part.query;
    AKIN_CHECK(leave_common_out(own.analysed, *part.snapshot));
    part.query = std::make_shared<const Query>(std::move(own));
  }
  return {};
}

/// Adds to "common" how many features were left out in each part.
void add_common_of(Json& object, const std::vector<Part>& parts) {
  if (!object.contains("common")) return;
  for (const Part& part : parts)
    object["common"]["collections"][part.collection->name()] = part.query->analysed.all_left_out();
}

/// The text that is searched for, if passages show it.
Result<std::string> shown_text(const std::vector<Part>& parts, const SearchSubject& subject,
                               const SearchOptions& options) {
  if (!options.passage_text) return std::string();
  if (subject.text) return std::string(*subject.text);
  AKIN_TRY(const Part* part, part_of_document(parts, subject));
  return part->snapshot->text(subject.id);
}

/// Adds the pages and parts of the query to the passages, if it is a stored document.
Result<void> add_query_places(Json& results, const SearchSubject& subject, const Snapshot& snapshot) {
  if (subject.text || results.empty() || !results.front().contains("passages")) return {};
  AKIN_TRY(const auto record, snapshot.find(subject.id));
  if (record) api::add_query_places(results, ingest::decode_places(record->places));
  return {};
}

Result<void> check_texts(const SearchOptions& options, const Collection& collection) {
  if (!options.passage_text || collection.keeps_texts()) return {};
  return Error{Errc::unsupported, "collection " + in_quotes(collection.name()),
               "it keeps no texts, so passages have none", "leave 'passage_text' out"};
}

}  // namespace

Result<Json> search_in(const Collection& collection, const SearchOptions& options,
                       const SearchSubject& subject) {
  AKIN_CHECK(check_texts(options, collection));
  SearchRequest request = options.request;
  // A text is analysed before the snapshot is opened, because an open snapshot prevents the reuse of pages.
  Query query;
  std::unique_ptr<Snapshot> snapshot;
  if (subject.text) {
    AKIN_TRY(query, query_of_text(collection, collection.keeps_texts(), *subject.text, options));
  }
  AKIN_TRY(snapshot, collection.snapshot());
  if (!subject.text) {
    AKIN_TRY(query,
             query_of_document({collection, *snapshot}, collection.keeps_texts(), subject.id, options));
    request.exclude = {subject.id};
  }
  AKIN_CHECK(leave_common_out(query.analysed, *snapshot));
  AKIN_TRY(SearchResult found, find_similar(*snapshot, collection.scheme(), query.analysed, request));
  if (options.verbosity != Verbosity::ids)
    AKIN_CHECK(leave_common_out(found.hits, query.analysed, *snapshot));
  const SlicedText text(query.shown_text(subject, options));
  Json results = Json::array();
  for (const Hit& hit : found.hits) {
    AKIN_TRY(Json result, result_object(hit, options, text, {collection, *snapshot}));
    add_same_file(result, subject.file_sha256, hit.document);
    results.push_back(std::move(result));
  }
  AKIN_CHECK(add_query_places(results, subject, *snapshot));
  query.analysed.describe(request);
  Json object = search_head(request, found, collection.scheme(), query.analysed.tiers);
  add_common(object, query.analysed, collection.scheme());
  add_hint(object, query.analysed, found);
  object["results"] = std::move(results);
  return object;
}

Result<Json> search_across(const Collections& collections, const SearchOptions& options,
                           const SearchSubject& subject) {
  AKIN_TRY(std::vector<Part> parts, open_parts(collections));
  AKIN_CHECK(add_queries(parts, subject, options));
  AKIN_CHECK(leave_common_out(parts));
  // What is reported about the query is as in the document's own collection, or in the first one.
  const auto own =
      std::ranges::find(parts, subject.collection, [](const Part& part) { return part.collection->name(); });
  const SearchQuery& query = (own == parts.end() ? parts.front() : *own).query->analysed;
  const Scheme& scheme = collections.front()->scheme();
  SearchRequest request = options.request;
  SearchResult sums;
  sums.tier_totals.resize(query.tiers.size(), 0);
  Json totals = Json::object();
  for (Part& part : parts) {
    AKIN_CHECK(check_texts(options, *part.collection));
    SearchRequest page = request;
    page.offset = 0;
    page.limit = request.limit + request.offset;
    page.evidence = false;
    if (part.collection->name() == subject.collection) page.exclude = {subject.id};
    AKIN_TRY(part.found, find_similar(*part.snapshot, part.collection->scheme(), part.query->analysed, page));
    sums.total += part.found.total;
    sums.counted = sums.counted && part.found.counted;
    sums.candidates += part.found.candidates;
    sums.alignable += part.found.alignable;
    sums.aligned += part.found.aligned;
    for (std::size_t i = 0; i < part.found.tier_totals.size(); ++i)
      sums.tier_totals[i] += part.found.tier_totals[i];
    totals[part.collection->name()] = part.found.counted ? Json(part.found.total) : Json(nullptr);
  }
  AKIN_TRY(const std::string shown, shown_text(parts, subject, options));
  const SlicedText text(shown);
  Json results = Json::array();
  for (const Place& place : merged(parts, request)) {
    Hit hit = *place.hit;
    const Snapshot& snapshot = *place.part->snapshot;
    const SearchQuery& asked = place.part->query->analysed;
    if (request.evidence && asked.aligns) {
      AKIN_CHECK(align_hit(snapshot, *asked.aligner, hit));
    } else if (request.evidence) {
      const std::size_t at = tier_place(hit);
      const bool in_tiers = !asked.tiers.empty();
      const FeatureSequence& features = in_tiers ? asked.tiers[at].query : asked.features;
      AKIN_TRY(const FeatureSequence stored,
               features_beside(snapshot, hit.document.id, in_tiers ? asked.tiers[at].tier : 0, features));
      hit.passages = shared_passages(features, stored);
    }
    if (options.verbosity != Verbosity::ids) AKIN_CHECK(leave_common_out({&hit, 1}, asked, snapshot));
    AKIN_TRY(Json found, result_object(hit, options, text, {*place.part->collection, snapshot}));
    add_same_file(found, subject.file_sha256, hit.document);
    Json result;
    result["collection"] = place.part->collection->name();
    result.update(found);
    results.push_back(std::move(result));
  }
  if (!subject.text) {
    AKIN_TRY(const Part* part, part_of_document(parts, subject));
    AKIN_CHECK(add_query_places(results, subject, *part->snapshot));
  }
  query.describe(request);
  Json object = search_head(request, sums, scheme, query.tiers);
  add_common(object, query, scheme);
  add_common_of(object, parts);
  add_hint(object, query, sums);
  object["collections"] = std::move(totals);
  object["results"] = std::move(results);
  return object;
}

}  // namespace akin::api
