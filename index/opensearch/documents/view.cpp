#include "index/opensearch/documents/view.h"

#include <set>
#include <utility>

#include "base/base64.h"
#include "index/codec/posting.h"
#include "index/opensearch/documents/writer.h"

namespace akin::opensearch {
namespace {

using std::chrono::steady_clock;

/// How long the engine keeps a point in time that nobody uses, and how long akin relies on that.
constexpr const char* kKept = "10m";
constexpr std::chrono::minutes kRelied(8);
/// How often new views are checked.
constexpr std::chrono::minutes kChecked(1);

constexpr const char* kManySearches =
    "/_msearch?filter_path=responses.status,responses.error,responses.timed_out,responses._shards,"
    "responses.hits.total,responses.hits.hits._id,responses.hits.hits.sort,responses.hits.hits.fields,"
    "responses.aggregations.*.buckets.doc_count";

Error no_field(const char* field) {
  return corrupt("a document", "its field '" + std::string(field) + "' is missing");
}

const Json* value_in(const Json& hit, const char* field) {
  const auto fields = hit.find("fields");
  if (fields == hit.end()) return nullptr;
  const auto values = fields->find(field);
  return values == fields->end() || values->empty() ? nullptr : &values->front();
}

}  // namespace

View::View(std::shared_ptr<Client> client, StoreName store) noexcept
    : client_(std::move(client)), store_(std::move(store)), used_(steady_clock::now()) {}

View::~View() {
  if (!point_.empty()) close_point(point_);
}

/// If that fails, the engine forgets it by itself.
void View::close_point(const std::string& point) const {
  const bool own = client_->product() == Product::opensearch;
  const Json body = own ? Json{{"pit_id", {point}}} : Json{{"id", point}};
  static_cast<void>(client_->ask(
      {.method = "DELETE", .path = own ? "/_search/point_in_time" : "/_pit", .body = body.dump()}));
}

Result<std::shared_ptr<const View>> View::open(const std::shared_ptr<Client>& client,
                                               const StoreName& store) {
  for (;;) {
    const auto begin = steady_clock::now();
    std::shared_ptr<View> view(new View(client, store));
    AKIN_CHECK(view->begin());
    // Writers do not erase earlier what a head has that was read.
    if (steady_clock::now() - begin < kErasedAfter / 2) return std::shared_ptr<const View>(std::move(view));
  }
}

Result<void> View::begin() {
  AKIN_TRY(head_, read_head(*client_, store_));
  existing_ = existing(head_.head);
  AKIN_TRY(point_, open_point());
  return {};
}

Result<std::string> View::open_point() const {
  const bool own = client_->product() == Product::opensearch;
  const std::string path =
      "/" + store_index(*client_, store_) +
      (own ? "/_search/point_in_time?allow_partial_pit_creation=false&keep_alive=" : "/_pit?keep_alive=") +
      kKept;
  AKIN_TRY(const Json opened, client_->ask({.method = "POST", .path = path}));
  if (own) {
    AKIN_CHECK(check_shards(opened));
    shards_ = opened.at("_shards").value("total", std::uint64_t{0});
  }
  std::string point = opened.value(own ? "pit_id" : "id", "");
  if (point.empty()) return no_answer("it gave no point in time");
  return point;
}

Result<std::string> View::another_point(const std::string& lost) const {
  const std::lock_guard guard(mutex_);
  if (point_ != lost) return point_;  // another thread has opened one
  AKIN_TRY(std::string point, open_point());
  // Only then: what is erased later is in the point.
  AKIN_TRY(const HeadAt head, read_head(*client_, store_));
  if (head.head.committed != head_.head.committed) {
    close_point(point);
    return Error{Errc::unavailable, "store " + store_,
                 "the cluster has lost the view of it, and it was written to meanwhile", "try again"};
  }
  close_point(point_);
  point_ = std::move(point);
  return point_;
}

bool View::is_old() const noexcept { return steady_clock::now() - used_.load() > kRelied; }

Json View::complete(const Search& search, const std::string& point) const {
  Json body = search.body;
  if (!search.everything) {
    Json query = body.value("query", Json::object());
    query["filter"].push_back(existing_);
    body["query"] = {{"bool", std::move(query)}};
    body["_source"] = false;
    body["stored_fields"] = "_none_";  // they are long
  }
  body["pit"] = {{"id", point}, {"keep_alive", kKept}};
  return body;
}

Result<Json> View::search(Json body) const {
  const std::vector<Search> only{Search{std::move(body)}};
  AKIN_TRY(std::vector<Json> answers, search_all(only));
  return std::move(answers.front());
}

Result<std::map<Piece, std::string>> View::pieces(const std::vector<Piece>& wanted) const {
  std::set<std::string> ids, fields;
  for (const Piece& piece : wanted) {
    ids.insert(piece.id());
    fields.insert(piece.field());
  }
  Json body = {{"size", ids.size()}, {"query", {{"ids", {{"values", ids}}}}}, {"docvalue_fields", fields}};
  const std::vector<Search> only{Search{std::move(body), true}};
  AKIN_TRY(const std::vector<Json> answers, search_all(only));
  std::map<std::string, const Json*> hits;
  for (const Json& hit : hits_of(answers.front())) hits.emplace(hit.value("_id", ""), &hit);
  std::map<Piece, std::string> pieces;
  for (const Piece& piece : wanted) {
    const auto hit = hits.find(piece.id());
    if (hit == hits.end())
      return corrupt("document " + std::to_string(piece.number), "a piece of it is not there");
    AKIN_TRY(pieces[piece], bytes_in(*hit->second, piece.field()));
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
  for (const Search& search : searches)
    lines.append("{\"allow_partial_search_results\":false}\n")
        .append(complete(search, point).dump())
        .append("\n");
  AKIN_TRY(Json answer, client_->ask({.method = "POST", .path = kManySearches, .body = std::move(lines)}));
  std::vector<Json> answers;
  for (Json& one : answer["responses"]) {
    if (const int status = one.value("status", 200); status != 200) return error_of({status, std::move(one)});
    AKIN_CHECK(check_shards(one));
    answers.push_back(std::move(one));
  }
  if (answers.size() != searches.size()) return no_answer("it has answered some of the searches only");
  return answers;
}

Result<View::Extent> View::extent() const {
  const std::lock_guard guard(mutex_);
  if (extent_) return *extent_;
  AKIN_TRY(const Json engine,
           client_->ask({.path = "/" + store_index(*client_, store_) +
                                 "/_stats/docs,store,segments?filter_path=_all.total.store.size_in_bytes,"
                                 "_all.total.docs.deleted,_all.primaries.segments.count"}));
  const Json& all = engine.at("_all");
  extent_ = {all.at("total").at("store").at("size_in_bytes").get<std::uint64_t>(),
             all.at("primaries").at("segments").at("count").get<std::uint64_t>(),
             all.at("total").at("docs").at("deleted").get<std::uint64_t>()};
  return *extent_;
}

Result<void> check_content(const View& view) {
  const Error other_times{Errc::corrupt, "store " + view.store(), "",
                          "restore all of akin's indices from one snapshot of the cluster"};
  AKIN_TRY(const Json there, view.search({{"size", 0}, {"track_total_hits", true}}));
  const auto found = there.at("hits").at("total").at("value").get<std::int64_t>();
  const std::int64_t counted = view.head().counters.documents;
  Error error = other_times;
  if (found != counted) {
    error.reason = "its index has " + std::to_string(found) + " documents, and the catalog counts " +
                   std::to_string(counted);
    return error;
  }
  AKIN_TRY(
      const Json later,
      view.client().search(store_index(view.client(), view.store()),
                           {{"size", 0}, {"query", {{"range", {{"turn", {{"gt", view.head().turn}}}}}}}}));
  if (later.at("hits").at("total").at("value").get<std::int64_t>() == 0) return {};
  // Other processes may have gone on since the head was read.
  AKIN_TRY(const HeadAt now, read_head(view.client(), view.store()));
  if (now.head.turn > view.head().turn) return {};
  error.reason =
      "its index has documents that are later than the catalog: the catalog is of an older snapshot";
  return error;
}

Result<std::shared_ptr<const View>> Views::now() {
  std::shared_ptr<const View> last;
  {
    const std::lock_guard guard(mutex_);
    last = last_;
  }
  if (last != nullptr && !last->is_old()) {
    AKIN_TRY(const HeadAt head, read_head(*client_, store_));
    if (head.version == last->head_.version) return last;
    // A turn that has begun changes nothing.
    if (head.head.committed == last->head_.head.committed &&
        head.head.abandoned == last->head_.head.abandoned)
      return last;
  }
  AKIN_TRY(std::shared_ptr<const View> view, View::open(client_, store_));
  const auto now = steady_clock::now();
  const auto checked = [&] {
    const std::lock_guard guard(mutex_);
    return checked_;
  }();
  const bool is_due = checked == steady_clock::time_point() || now - checked > kChecked;
  if (is_due) AKIN_CHECK(check_content(*view));
  const std::lock_guard guard(mutex_);
  if (is_due) checked_ = now;
  if (last_ == nullptr || last_->head().committed <= view->head().committed) last_ = view;
  return view;
}

const Json& hits_of(const Json& answer) {
  static const Json kNone = Json::array();
  const auto outer = answer.find("hits");
  if (outer == answer.end()) return kNone;
  const auto inner = outer->find("hits");
  return inner == outer->end() ? kNone : *inner;
}

Result<std::int64_t> number_in(const Json& hit, const char* field) {
  const Json* const value = value_in(hit, field);
  if (value == nullptr || !value->is_number_integer()) return no_field(field);
  return value->get<std::int64_t>();
}

Result<std::string> text_in(const Json& hit, const char* field) {
  const Json* const value = value_in(hit, field);
  if (value == nullptr || !value->is_string()) return no_field(field);
  return value->get<std::string>();
}

Result<std::string> bytes_in(const Json& hit, const char* field) {
  AKIN_TRY(const std::string text, text_in(hit, field));
  std::optional<std::string> bytes = bytes_of_base64(text);
  if (!bytes) return corrupt("a document", "its field '" + std::string(field) + "' is not in base64");
  return *std::move(bytes);
}

}  // namespace akin::opensearch
