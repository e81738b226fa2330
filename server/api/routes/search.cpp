#include "server/api/routes/search.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/parallel.h"
#include "base/sliced_text.h"
#include "index/overlap/passages.h"
#include "server/api/handlers.h"
#include "server/api/write/file_object.h"
#include "server/api/write/objects.h"
#include "server/ingest/places.h"
#include "server/search/search_plan.h"

namespace akin::api {

namespace {

/// A collection as one search sees it.
struct Searched {
  const Collection& collection;
  const Snapshot& snapshot;
};

// Below, `keep_texts`: whether all of the searched collections keep texts.

Result<SearchPlan> plan_of_text(const Collection& collection, bool keep_texts, std::string_view text,
                                const Question& question) {
  AKIN_TRY(SearchPlan plan, plan_query(collection.scheme(), keep_texts, question));
  AKIN_CHECK(analyze_query(plan, collection, text));
  return plan;
}

Result<SearchPlan> plan_of_document(const Searched& searched, bool keep_texts, const Question& question) {
  const auto& [collection, snapshot] = searched;
  AKIN_TRY(SearchPlan plan, plan_query(collection.scheme(), keep_texts, question));
  AKIN_TRY(const auto record, snapshot.find(question.id));
  if (!record) return no_document(collection, question.id);
  AKIN_CHECK(read_query(plan, collection, snapshot, *record));
  return plan;
}

/// The text of a document, if it may be shown.
Result<std::optional<std::string>> shown_text(const Question& question, const Searched& searched,
                                              const StoredDocument& document) {
  if (question.hides_text) {
    AKIN_TRY(const bool hidden, question.hides_text(searched.collection.name(), document));
    if (hidden) return std::optional<std::string>();
  }
  AKIN_TRY(std::string text, searched.snapshot.text(document));
  return std::optional(std::move(text));
}

/// The text that is searched for, if passages show it: the query's, or that of the stored document.
Result<std::optional<std::string>> query_text(const Question& question, const Searched& searched) {
  if (!question.passage_text) return std::optional<std::string>();
  if (question.text) return std::optional(std::string(*question.text));
  AKIN_TRY(const auto record, searched.snapshot.find(question.id));
  if (!record) return no_document(searched.collection, question.id);
  return shown_text(question, searched, *record);
}

std::optional<SlicedText> sliced(const std::optional<std::string>& text) {
  return text ? std::optional<SlicedText>(*text) : std::nullopt;
}

/// The text of each passage, on both sides; null where it may not be shown. `query`: what is searched for.
Result<void> add_passage_texts(Json& result, const Hit& hit, const Question& question,
                               const std::optional<SlicedText>& query, const Searched& searched) {
  AKIN_TRY(const auto text, shown_text(question, searched, hit.document));
  const auto document = sliced(text);
  for (std::size_t i = 0; i < hit.passages.size(); ++i) {
    Json& passage = result["passages"][i];
    passage["a_text"] = query ? Json(query->slice(hit.passages[i].a)) : Json();
    passage["b_text"] = document ? Json(document->slice(hit.passages[i].b)) : Json();
  }
  return {};
}

void add_record(Json& result, const DocumentRecord& record) {
  const Json whole = document_object(record);
  for (const auto& [name, value] : whole.items()) {
    if (!result.contains(name)) result[name] = value;
  }
}

Result<Json> result_object(const Hit& hit, const Question& question, const std::optional<SlicedText>& query,
                           const Searched& searched) {
  const auto& [collection, snapshot] = searched;
  if (question.ids_only) {
    Json result;
    result["id"] = hit.document.id;
    result["x"] = hit.overlap.x;
    if (!hit.tiers.empty()) result["tier"] = collection.scheme().tiers()[first_that_found(hit).tier].name;
    return result;
  }
  Json result = hit_object(hit, question.evidence != Evidence::none);
  add_tiers(result, hit, collection.scheme());
  if (question.record) add_record(result, hit.document);
  if (question.passage_text) AKIN_CHECK(add_passage_texts(result, hit, question, query, searched));
  return result;
}

/// One collection's part in a search over several.
struct Part {
  std::shared_ptr<Collection> collection;
  std::unique_ptr<Snapshot> snapshot;
  std::shared_ptr<const SearchPlan> plan;  ///< shared by parts whose features are equal for equal texts
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
Result<const Part*> part_of_document(const std::vector<Part>& parts, const Question& question) {
  for (const Part& part : parts) {
    if (part.collection->name() == question.collection) return &part;
  }
  return Error{Errc::invalid_argument, "field 'collection'", "is not one of the searched collections",
               "name one of them, or give the text"};
}

/// Gives each part the plan with the features of its collection. A stored document's features are read from
/// its own collection; a collection that was built with other dictionaries analyses the document's text.
Result<void> add_plans(std::vector<Part>& parts, const Question& question) {
  const bool keep_texts =
      std::ranges::all_of(parts, [](const Part& part) { return part.collection->keeps_texts(); });
  std::map<std::string_view, std::shared_ptr<const SearchPlan>> plans;  // by Collection::fingerprint
  const Part* document = nullptr;
  if (!question.text) {
    AKIN_TRY(document, part_of_document(parts, question));
    AKIN_TRY(SearchPlan plan,
             plan_of_document({*document->collection, *document->snapshot}, keep_texts, question));
    plans.emplace(document->collection->fingerprint(), std::make_shared<const SearchPlan>(std::move(plan)));
  }
  for (Part& part : parts) {
    std::shared_ptr<const SearchPlan>& plan = plans[part.collection->fingerprint()];
    if (plan == nullptr) {
      std::string stored;
      if (document != nullptr) {
        AKIN_TRY(stored, document->snapshot->text(question.id));
      }
      AKIN_TRY(SearchPlan made,
               plan_of_text(*part.collection, keep_texts, question.text ? *question.text : stored, question));
      plan = std::make_shared<const SearchPlan>(std::move(made));
    }
    part.plan = plan;
  }
  return {};
}

/// Leaves the features that many documents of a part have out of its query.
Result<void> leave_common_out(std::vector<Part>& parts) {
  for (Part& part : parts) {
    if (!part.plan->common_limit) continue;
    SearchPlan own = *part.plan;
    AKIN_CHECK(leave_common_out(own, *part.snapshot));
    part.plan = std::make_shared<const SearchPlan>(std::move(own));
  }
  return {};
}

/// Adds what one collection has of the common text to what those before it have.
void sum_common_text(const std::optional<CommonText>& own, std::optional<CommonText>& all) {
  if (!own) return;
  if (!all) all = CommonText{own->limit};
  all->words = std::max(all->words, own->words);
  all->documents += own->documents;
  all->listed = all->listed || own->listed;
}

/// Adds to "common" how many features were left out in each part.
void add_common_of(Json& object, const std::vector<Part>& parts) {
  if (!object.contains("common")) return;
  for (const Part& part : parts)
    object["common"]["collections"][part.collection->name()] = part.plan->all_left_out();
}

Result<std::optional<std::string>> query_text(const Question& question, const std::vector<Part>& parts) {
  const Part* part = &parts.front();
  if (!question.text) {
    AKIN_TRY(part, part_of_document(parts, question));
  }
  return query_text(question, Searched{*part->collection, *part->snapshot});
}

Result<void> check_texts(const Question& question, const Collection& collection) {
  if (!question.passage_text || collection.keeps_texts()) return {};
  return Error{Errc::unsupported, "collection " + in_quotes(collection.name()),
               "it keeps no texts, so passages have none", "leave 'passage_text' out of 'include'"};
}

/// Searches all parts at the same time for what can be on the page.
Result<void> search_parts(std::vector<Part>& parts, const Question& question) {
  std::vector<Result<void>> outcomes(parts.size());
  for_each_index(parts.size(), [&](std::size_t i) {
    outcomes[i] = [&]() -> Result<void> {
      Part& part = parts[i];
      AKIN_CHECK(check_texts(question, *part.collection));
      SearchRequest page = page_of(question);
      page.offset = 0;
      page.limit = question.limit + question.offset;
      page.evidence = false;
      page.exclude.clear();
      if (part.collection->name() == question.collection) page.exclude = {question.id};
      AKIN_TRY(part.found, find_similar(*part.snapshot, part.collection->scheme(), *part.plan, page));
      return {};
    }();
  });
  for (const Result<void>& outcome : outcomes) AKIN_CHECK(outcome);
  return {};
}

/// Adds the pages and parts of the query to the passages, if it is a stored document.
Result<void> add_query_places(Json& results, const Question& question, const Snapshot& snapshot) {
  if (question.text || results.empty() || !results.front().contains("passages")) return {};
  AKIN_TRY(const auto record, snapshot.find(question.id));
  if (record) api::add_query_places(results, ingest::decode_places(record->places));
  return {};
}

/// The error of a search; if the document that is asked for is missing, in this interface's words.
Result<Json> found_nowhere(const Collection& collection, const Question& question, const Error& error) {
  if (question.text || error.code != Errc::not_found) return error;
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(const auto record, snapshot->find(question.id));
  return record ? error : no_document(collection, question.id);
}

}  // namespace

Result<Json> search_in(const Collection& collection, const Question& question) {
  AKIN_CHECK(check_texts(question, collection));
  const Result<Found> searched = search(collection, question);
  if (searched.has_error()) return found_nowhere(collection, question, searched.error());
  return answer_object(collection, question, *searched);
}

Result<Json> answer_object(const Collection& collection, const Question& question, const Found& searched) {
  AKIN_CHECK(check_texts(question, collection));
  const auto& [snapshot, plan, found] = searched;
  AKIN_TRY(const auto shown, query_text(question, Searched{collection, *snapshot}));
  const std::optional<SlicedText> text = sliced(shown);
  Json results = Json::array();
  for (const Hit& hit : found.hits) {
    AKIN_TRY(Json result, result_object(hit, question, text, {collection, *snapshot}));
    add_same_file(result, question.file_sha256, hit.document);
    results.push_back(std::move(result));
  }
  AKIN_CHECK(add_query_places(results, question, *snapshot));
  Json object = search_head(searched.described(question), found, collection.scheme(), plan.tiers);
  add_common(object, plan, collection.scheme());
  add_hint(object, plan, found);
  object["results"] = std::move(results);
  add_next(object, question);
  return object;
}

Result<Json> search_across(const Collections& collections, const Question& question) {
  AKIN_TRY(std::vector<Part> parts, open_parts(collections));
  AKIN_CHECK(add_plans(parts, question));
  AKIN_CHECK(leave_common_out(parts));
  // What is reported about the query is as in the document's own collection, or in the first one.
  const auto own =
      std::ranges::find(parts, question.collection, [](const Part& part) { return part.collection->name(); });
  const SearchPlan& plan = *(own == parts.end() ? parts.front() : *own).plan;
  const Scheme& scheme = collections.front()->scheme();
  SearchRequest request = page_of(question);
  request.exclude.clear();
  SearchResult sums;
  sums.tier_totals.resize(plan.tiers.size(), 0);
  Json totals = Json::object();
  AKIN_CHECK(search_parts(parts, question));
  for (const Part& part : parts) {
    sums.total += part.found.total;
    sums.counted = sums.counted && part.found.counted;
    sums.candidates += part.found.candidates;
    sums.alignable += part.found.alignable;
    sums.by_seeds_alone = sums.by_seeds_alone || part.found.by_seeds_alone;
    sums.aligned += part.found.aligned;
    sum_common_text(part.found.common, sums.common);
    for (std::size_t i = 0; i < part.found.tier_totals.size(); ++i)
      sums.tier_totals[i] += part.found.tier_totals[i];
    totals[part.collection->name()] = part.found.counted ? Json(part.found.total) : Json(nullptr);
  }
  AKIN_TRY(const auto shown, query_text(question, parts));
  const std::optional<SlicedText> text = sliced(shown);
  Json results = Json::array();
  for (const Place& place : merged(parts, request)) {
    Hit hit = *place.hit;
    const Snapshot& snapshot = *place.part->snapshot;
    const SearchPlan& asked = *place.part->plan;
    if (request.evidence && asked.aligns) {
      AKIN_CHECK(align_hit(snapshot, *asked.aligner, hit));
    } else if (request.evidence) {
      const std::size_t at = tier_place(hit);
      const bool in_tiers = !asked.tiers.empty();
      const FeatureSequence& features = in_tiers ? asked.tiers[at].query : asked.features;
      AKIN_TRY(const FeatureSequence stored,
               snapshot.features_beside(hit.document, in_tiers ? asked.tiers[at].tier : 0, features));
      hit.passages = shared_passages(features, stored);
    }
    if (!question.ids_only) AKIN_CHECK(leave_common_out({&hit, 1}, asked, snapshot));
    AKIN_TRY(Json found, result_object(hit, question, text, {*place.part->collection, snapshot}));
    add_same_file(found, question.file_sha256, hit.document);
    Json result;
    result["collection"] = place.part->collection->name();
    result.update(found);
    results.push_back(std::move(result));
  }
  if (!question.text) {
    AKIN_TRY(const Part* part, part_of_document(parts, question));
    AKIN_CHECK(add_query_places(results, question, *part->snapshot));
  }
  plan.describe(request);
  Json object = search_head(request, sums, scheme, plan.tiers);
  add_common(object, plan, scheme);
  add_common_of(object, parts);
  add_hint(object, plan, sums);
  object["collections"] = std::move(totals);
  object["results"] = std::move(results);
  add_next(object, question);
  return object;
}

}  // namespace akin::api
