#include "index/opensearch/documents/layout.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "base/files.h"
#include "base/waiting.h"
#include "index/codec/encoding.h"
#include "index/codec/posting.h"

namespace akin::opensearch {
namespace {

using std::chrono::milliseconds;

/// How often a merge is looked at.
constexpr milliseconds kFirstLook(20), kMostLook(2'000);
constexpr int kSegmentsOfLoad = 500;  ///< of about the same size, before the engine merges them

/// Fields of first pieces; the letters of the others are their initials.
constexpr std::array<const char*, kPartKinds.size()> kFields{"text", "sequence", "file", "words"};
const char* field_of(PartKind kind) { return kFields[static_cast<std::size_t>(kind)]; }

/// Of documents: what is searched, what a look-up reads, and the pieces of parts.
const Json& store_mapping() {
  static const Json mapping = Json::parse(R"({
    "dynamic": "strict", "_source": {"enabled": false},
    "properties": {
      "number": {"type": "long"}, "turn": {"type": "long"}, "revision": {"type": "long"},
      "id": {"type": "keyword"},
      "features": {"type": "text", "analyzer": "whitespace", "norms": false, "index_options": "docs",
                   "similarity": "boolean"},
      "record": {"type": "binary", "doc_values": true},
      "text": {"type": "binary", "doc_values": true}, "sequence": {"type": "binary", "doc_values": true},
      "file": {"type": "binary", "doc_values": true}, "words": {"type": "binary", "doc_values": true},
      "piece": {"type": "binary", "doc_values": true}}})");
  return mapping;
}

/// The copies are the cluster's setting; of so many, more than half must be there for a write.
Result<void> require_most_copies(Client& client, const std::string& index) {
  AKIN_TRY(const Json settings, client.ask({.path = "/" + index + "/_settings/index.number_of_replicas"}));
  const std::string replicas =
      settings.at(index).at("settings").at("index").value("number_of_replicas", std::string("1"));
  int copies = 1;
  std::from_chars(replicas.data(), replicas.data() + replicas.size(), copies);
  const Json wanted = {{"index.write.wait_for_active_shards", std::to_string((copies + 1) / 2 + 1)}};
  AKIN_CHECK(client.ask({.method = "PUT", .path = "/" + index + "/_settings", .body = wanted.dump()}));
  return {};
}

/// Whether it was made, and not there before.
Result<bool> make_index(Client& client, const std::string& index, const Json& body) {
  const auto made = client.ask({.method = "PUT", .path = "/" + index, .body = body.dump()});
  if (!made.has_error()) return true;
  if (made.error().reason.starts_with("resource_already_exists_exception")) return false;
  return made.error();
}

std::string catalog_path(const Client& client, const std::string& id) {
  return "/" + catalog_index(client) + "/_doc/" + id;
}

}  // namespace

std::string catalog_index(const Client& client) { return client.prefix() + "-catalog"; }

Result<void> make_catalog_index(Client& client) {
  static const Json kIndex = Json::parse(R"({
    "settings": {"index.number_of_shards": 1, "index.translog.durability": "request"},
    "mappings": {"dynamic": false, "properties": {"kind": {"type": "keyword"}, "name": {"type": "keyword"}}}})");
  AKIN_TRY(const bool made, make_index(client, catalog_index(client), kIndex));
  return made ? require_most_copies(client, catalog_index(client)) : Result<void>();
}

Version::Version(const Json& answer)
    : sequence(answer.value("_seq_no", std::int64_t{0})),
      term(answer.value("_primary_term", std::int64_t{0})) {}

Result<std::optional<CatalogDocument>> read_catalog(Client& client, const std::string& id) {
  AKIN_TRY(const Answer answer, client.try_ask({.path = catalog_path(client, id)}));
  if (answer.status == 404) return std::optional<CatalogDocument>();
  return std::optional(CatalogDocument{answer.body.value("_source", Json::object()), Version(answer.body)});
}

Result<bool> change_catalog(Client& client, const std::string& id, Version& version, Json body) {
  const bool removes = body.is_null();
  const std::string change = removes ? "" : body.emplace("change", random_token()).first->get<std::string>();
  const std::string condition = version == Version() ? "op_type=create"
                                                     : "if_seq_no=" + std::to_string(version.sequence) +
                                                           "&if_primary_term=" + std::to_string(version.term);
  const std::string listed = id.starts_with("c:") ? "&refresh=true" : "";  // searches find these
  const Result<Answer> changed =
      client.try_ask({.method = removes ? "DELETE" : "PUT",
                      .path = catalog_path(client, id) + "?" + kWriteWait + "&" + condition + listed,
                      .body = removes ? "" : body.dump(),
                      .is_change = true});
  if (changed.has_value() && changed->status != 409) {
    version = Version(changed->body);
    return true;
  }
  if (changed.has_error() && changed.error().code != Errc::unavailable) return changed.error();
  // The answer to a change that was made may have been lost.
  const auto there = read_catalog(client, id);
  if (there.has_error()) return changed.has_error() ? changed.error() : there.error();
  const bool is_made = *there ? !removes && (*there)->body.value("change", "") == change : removes;
  if (changed.has_error() && !is_made) return changed.error();
  version = *there ? (*there)->version : Version();
  return is_made;
}

Result<Json> StoreIndex::ask(const char* method, const std::string& rest, std::string body) const {
  return client->ask({.method = method, .path = path() + rest, .body = std::move(body)});
}

Result<Json> StoreIndex::search(const Json& body) const { return client->search(path().substr(1), body); }

Result<void> StoreIndex::refresh() const {
  AKIN_TRY(const Json refreshed, ask("POST", "/_refresh"));
  // Copies that are not there are no failures.
  return refreshed.at("_shards").value("failed", 1) == 0 ? Result<void>() : check_shards(refreshed);
}

Result<void> StoreIndex::make() const {
  // Each write asks for a refresh, so none comes by the clock; a forced merge leaves nothing deleted.
  const Json settings = {{"index.refresh_interval", "-1"},
                         {"index.translog.durability", "request"},
                         {"index.merge.policy.max_merge_at_once", kSegmentsOfLoad},
                         {"index.merge.policy.segments_per_tier", kSegmentsOfLoad},
                         {"index.merge.policy.expunge_deletes_allowed", 0}};
  const std::string index = path().substr(1);
  // One that is there was made by this: the answer was lost.
  AKIN_CHECK(make_index(*client, index, {{"settings", settings}, {"mappings", store_mapping()}}));
  return require_most_copies(*client, index);
}

Result<StoreIndex::Extent> StoreIndex::extent() const {
  AKIN_TRY(const Json stats, ask("GET",
                                 "/_stats/docs,store,segments?filter_path=_all.total.store.size_in_bytes,"
                                 "_all.total.docs.deleted,_all.primaries.segments.count"));
  const auto count = [&](const char* place) {
    return stats.at(Json::json_pointer(place)).get<std::uint64_t>();
  };
  return Extent{count("/_all/total/store/size_in_bytes"), count("/_all/primaries/segments/count"),
                count("/_all/total/docs/deleted")};
}

Result<void> StoreIndex::merge(const std::string& how) const {
  const std::string begin = "/_forcemerge?" + how;
  Result<Json> begun = ask("POST", begin + "&wait_for_completion=false");
  // An engine that does not know the parameter merges for as long as one answer may take.
  if (begun.has_error() && begun.error().reason.find("wait_for_completion") != std::string::npos)
    begun = ask("POST", begin);
  if (begun.has_error()) return begun.error();
  const std::string task = begun->value("task", "");
  for (milliseconds pause = kFirstLook; !task.empty(); pause = std::min(2 * pause, kMostLook)) {
    AKIN_CHECK(check_work());
    const Result<Json> now = client->ask({.path = "/_tasks/" + task});
    if (now.has_error() && now.error().code == Errc::not_found) break;  // ended with its node
    if (now.has_error()) return now.error();
    if (now->contains("error")) return error_of({500, *now});
    if (now->value("completed", true)) break;
    AKIN_CHECK(pause_work(pause));
  }
  return {};
}

std::string Piece::id() const {
  const std::string document = std::to_string(number);
  return at == 0 ? document : document + *field_of(kind) + std::to_string(at);
}

const char* Piece::field() const noexcept { return at == 0 ? field_of(kind) : "piece"; }

std::string RecordField::encoded() const {
  std::string bytes;
  append_varint(bytes, postings);
  for (const std::uint64_t part : parts) append_varint(bytes, part);
  return bytes + record;
}

Result<RecordField> RecordField::decoded(std::string_view bytes) {
  ByteReader reader(bytes);
  RecordField field;
  field.postings = reader.varint();
  for (std::uint64_t& part : field.parts) part = reader.varint();
  field.record = reader.rest();
  return reader.ok() ? Result<RecordField>(std::move(field))
                     : corrupt("a document", "its sizes cannot be decoded");
}

void RecordField::count(DocumentCounts& counts) const noexcept {
  counts.postings = static_cast<std::int64_t>(postings);
  counts.stored_bytes = static_cast<std::int64_t>(bytes_of(PartKind::text));
  counts.files.stored_bytes = static_cast<std::int64_t>(bytes_of(PartKind::file));
}

std::vector<std::string> RecordField::further_ids(std::int64_t number) const {
  std::vector<std::string> ids;
  for (const PartKind kind : kPartKinds) {
    for (std::uint64_t at = 1; at * kPieceBytes < bytes_of(kind); ++at)
      ids.push_back(Piece{number, kind, at}.id());
  }
  return ids;
}

void add_word(std::string& words, Feature feature, std::uint64_t occurrence) {
  // Printable ASCII that JSON does not escape, without the point.
  constexpr std::string_view kDigits =
      "!#$%&'()*+,-/0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
  auto rest = std::rotl(static_cast<std::uint64_t>(feature), 2);  // seeds (tiers.h) become small numbers
  for (int i = 0; i == 0 || rest != 0; ++i, rest /= kDigits.size()) words += kDigits[rest % kDigits.size()];
  if (occurrence > 1) words.append(".").append(std::to_string(occurrence));
  words += ' ';
}

}  // namespace akin::opensearch
