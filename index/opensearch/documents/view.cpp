#include "index/opensearch/documents/view.h"

#include <map>
#include <set>
#include <utility>

#include "base/base64.h"
#include "index/store/stored_document.h"

namespace akin::opensearch {
namespace {

using std::chrono::steady_clock;

/// How long the engine keeps a point in time that nobody uses; akin relies on kRelied.
constexpr const char* kKept = "10m";

constexpr const char* kManySearches =
    "/_msearch?filter_path=responses.status,responses.error,responses.timed_out,responses._shards,"
    "responses.hits.total,responses.hits.hits._id,responses.hits.hits.sort,responses.hits.hits.fields,"
    "responses.aggregations.*.buckets.doc_count";

}  // namespace

View::~View() {
  if (!point_.empty()) close_point(point_);
}

/// If that fails, the engine forgets it by itself.
void View::close_point(const std::string& point) const {
  const Json body = has_opensearch() ? Json{{"pit_id", {point}}} : Json{{"id", point}};
  const char* const path = has_opensearch() ? "/_search/point_in_time" : "/_pit";
  static_cast<void>(index_.client->ask({.method = "DELETE", .path = path, .body = body.dump()}));
}

Result<std::shared_ptr<const View>> View::open(const StoreIndex& index, Head head) {
  for (;;) {
    std::shared_ptr<View> view(new View(index));
    view->head_ = std::move(head);
    view->existing_ = existing(view->head());
    AKIN_TRY(view->point_, view->open_point());
    if (!view->point_.empty()) return std::shared_ptr<const View>(std::move(view));
    AKIN_TRY(head, read_head(*index.client, index.store));
  }
}

Result<std::string> View::open_point() const {
  if (head().accepted) AKIN_CHECK(index_.refresh());
  const std::string path = has_opensearch()
                               ? "/_search/point_in_time?allow_partial_pit_creation=false&keep_alive="
                               : "/_pit?keep_alive=";
  AKIN_TRY(const Json opened, index_.ask("POST", path + kKept));
  if (has_opensearch()) {
    AKIN_CHECK(check_shards(opened));
    shards_ = opened.at("_shards").value("total", std::uint64_t{0});
  }
  std::string point = opened.value(has_opensearch() ? "pit_id" : "id", "");
  if (point.empty()) return no_answer("it gave no point in time");
  AKIN_TRY(const Head now, read_head(*index_.client, index_.store));
  if (now.committed.turn <= state().turn || now.turn <= state().turn + 1) return point;
  close_point(point);
  return std::string();
}

Result<std::string> View::another_point(const std::string& lost) const {
  const std::lock_guard guard(mutex_);
  if (point_ != lost) return point_;  // another thread has opened one
  AKIN_TRY(std::string point, open_point());
  if (point.empty()) {
    return Error{Errc::unavailable, "store " + index_.store,
                 "the cluster has lost the view of it, and it was written to meanwhile", "try again"};
  }
  close_point(point_);
  point_ = std::move(point);
  return point_;
}

Result<Json> View::search(Json body) const {
  AKIN_TRY(std::vector<Json> answers, search_all({{std::move(body)}}));
  return std::move(answers.front());
}

Result<std::vector<std::string>> View::pieces(const std::vector<Piece>& wanted) const {
  std::set<std::string> ids, fields;
  for (const Piece& piece : wanted) {
    ids.insert(piece.id());
    fields.insert(piece.field());
  }
  Json body = {{"size", ids.size()}, {"query", {{"ids", {{"values", ids}}}}}, {"docvalue_fields", fields}};
  AKIN_TRY(const std::vector<Json> answers, search_all({{std::move(body), true}}));
  std::map<std::string, const Json*> hits;
  for (const Json& hit : hits_of(answers.front())) hits.emplace(hit.value("_id", ""), &hit);
  std::vector<std::string> pieces;
  for (const Piece& piece : wanted) {
    const auto hit = hits.find(piece.id());
    if (hit == hits.end()) return corrupt(name_of_document(piece.number), "a piece of it is not there");
    AKIN_TRY(pieces.emplace_back(), bytes_in(*hit->second, piece.field()));
  }
  return pieces;
}

Result<std::vector<Json>> View::search_all(const std::vector<Search>& searches) const {
  if (searches.empty()) return std::vector<Json>();
  used_ = steady_clock::now();
  std::unique_lock lock(mutex_);
  std::string point = point_;
  lock.unlock();
  Result<std::vector<Json>> answers = search_at(point, searches);
  const bool may_be_lost = answers.has_error() && (answers.error().code == Errc::not_found ||
                                                   answers.error().code == Errc::unavailable);
  if (!may_be_lost) return answers;
  AKIN_TRY(point, another_point(point));
  return search_at(point, searches);
}

Result<std::vector<Json>> View::search_at(const std::string& point,
                                          const std::vector<Search>& searches) const {
  std::string lines;
  for (const Search& search : searches) {
    Json body = search.body;
    if (!search.everything) {
      Json query = body.value("query", Json::object());
      query["filter"].push_back(existing_);
      body["query"] = {{"bool", std::move(query)}};
      body["_source"] = false;
      body["stored_fields"] = "_none_";  // they are long
    }
    body["pit"] = {{"id", point}, {"keep_alive", kKept}};
    lines.append("{\"allow_partial_search_results\":false}\n").append(body.dump()).append("\n");
  }
  AKIN_TRY(Json answer,
           index_.client->ask({.method = "POST", .path = kManySearches, .body = std::move(lines)}));
  std::vector<Json> answers;
  for (Json& one : answer["responses"]) {
    if (const int status = one.value("status", 200); status != 200) return error_of({status, std::move(one)});
    AKIN_CHECK(check_shards(one));
    one["hits"]["hits"];  // null if there are none
    answers.push_back(std::move(one));
  }
  if (answers.size() != searches.size()) return no_answer("it has answered some of the searches only");
  return answers;
}

Result<StoreIndex::Extent> View::extent() const {
  const std::lock_guard guard(mutex_);
  if (!extent_) {
    AKIN_TRY(extent_, index_.extent());
  }
  return *extent_;
}

Result<void> View::check_content() const {
  const auto of_other_times = [&](std::string reason) {
    return Error{Errc::corrupt, "store " + index_.store, std::move(reason),
                 "restore all of akin's indices from one snapshot of the cluster"};
  };
  AKIN_TRY(const Json there, search({{"size", 0}, {"track_total_hits", true}}));
  const auto found = total_of(there), counted = static_cast<std::uint64_t>(state().counters.documents);
  if (found != counted) {
    return of_other_times("its index has " + std::to_string(found) + " documents, and the catalog counts " +
                          std::to_string(counted));
  }
  AKIN_TRY(const Json later,
           index_.search({{"size", 0}, {"query", {{"range", {{"turn", {{"gt", head().turn}}}}}}}}));
  if (total_of(later) == 0) return {};
  // Other processes may have gone on since the head was read.
  AKIN_TRY(const Head now, read_head(*index_.client, index_.store));
  if (now.turn > head().turn) return {};
  return of_other_times(
      "its index has documents that are later than the catalog: the catalog is of an older snapshot");
}

std::uint64_t total_of(const Json& answer) {
  const Json total = answer.at("hits").value("total", Json::object());
  return total.value("relation", "gte") == "eq" ? total.at("value").get<std::uint64_t>() : kUncounted;
}

Result<std::string> bytes_in(const Json& hit, const char* field) {
  AKIN_TRY(const auto text, value_in<std::string>(hit, field));
  std::optional<std::string> bytes = bytes_of_base64(text);
  if (!bytes) return corrupt("a document", "its field '" + std::string(field) + "' is not in base64");
  return *std::move(bytes);
}

Result<RecordField> record_in(const Json& hit) {
  AKIN_TRY(const std::string bytes, bytes_in(hit, "record"));
  return RecordField::decoded(bytes);
}

}  // namespace akin::opensearch
