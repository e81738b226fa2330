#include "index/opensearch/catalog/entry.h"

#include <utility>

#include "base/base64.h"
#include "base/sha256.h"
#include "index/codec/posting.h"
#include "index/collection/collection_name.h"

namespace akin::opensearch {
namespace {

constexpr std::size_t kEntriesAtOnce = 1'000;
constexpr std::chrono::minutes kKeptRetired(10);

std::string id_of(EntryKind kind, std::string_view name) {
  return std::string(1, static_cast<char>(kind)) + ":" + std::string(name);
}

Json json_of(std::string_view name, const Entry& entry, EntryKind kind) {
  return {{"kind", kind == EntryKind::collection ? "collection"
                   : kind == EntryKind::copy     ? "copy"
                                                 : "rebuilt"},
          {"name", name},
          {"store", entry.store},
          {"generation", entry.generation.number},
          {"token", entry.generation.token},
          {"expires", entry.expires ? entry.expires->time_since_epoch().count() : 0}};
}

/// Of a document as a search or a look-up gives it.
Result<Entry> entry_of(const Json& found) {
  try {
    const Json& json = found.at("_source");
    Entry entry{json.at("store"), {json.at("generation"), json.at("token")}, std::nullopt, Version(found)};
    if (const std::int64_t expires = json.at("expires"); expires != 0)
      entry.expires = Time(Time::duration(expires));
    return entry;
  } catch (const Json::exception& broken) {
    return corrupt("the catalog", broken.what());
  }
}

/// All documents of a kind, in the order of their names.
Result<std::vector<Json>> all_of(Client& client, const char* kind) {
  std::vector<Json> all;
  Json body = {{"size", kEntriesAtOnce},
               {"seq_no_primary_term", true},
               {"query", {{"term", {{"kind", kind}}}}},
               {"sort", {{{"name", "asc"}}}}};
  for (;;) {
    AKIN_TRY(const Json answer, client.search(catalog_index(client), body));
    const Json& hits = answer.at("hits").at("hits");
    for (const Json& hit : hits) all.push_back(hit);
    if (hits.size() < kEntriesAtOnce) return all;
    body["search_after"] = hits.back().at("sort");
  }
}

/// Replaces a retired store by its successor, if the process that retired it ended before that.
Result<Entry> follow_switch(Client& client, std::string_view name, Entry entry) {
  for (;;) {
    const Result<HeadAt> head = read_head(client, entry.store);
    if (head.has_error()) return head.error();
    const StoreName& successor = head->head.successor;
    if (head->head.retired == 0 || successor.empty()) return entry;
    Entry next = entry;
    next.store = successor;
    next.generation = {entry.generation.number + 1, successor};
    AKIN_CHECK(write_entry(client, name, next));
    AKIN_TRY(std::optional<Entry> again, read_entry(client, name));
    if (!again) return no_collection(name);
    entry = *std::move(again);
  }
}

}  // namespace

bool is_expired(const Entry& entry) { return entry.expires && *entry.expires <= time_now(); }

Result<std::optional<Entry>> read_entry(Client& client, std::string_view name, EntryKind kind) {
  if (!is_collection_name(name)) return std::optional<Entry>();  // it would be part of a path
  AKIN_TRY(const Answer answer, client.try_ask({.path = catalog_path(client, id_of(kind, name))}));
  if (answer.status == 404) return std::optional<Entry>();
  AKIN_TRY(Entry entry, entry_of(answer.body));
  return std::optional(std::move(entry));
}

Result<Entry> current_entry(Client& client, std::string_view name) {
  AKIN_TRY(std::optional<Entry> entry, read_entry(client, name));
  if (!entry) return no_collection(name);
  if (is_expired(*entry)) return collection_expired(name);
  return *std::move(entry);
}

Result<Entry> settled_entry(Client& client, std::string_view name) {
  AKIN_TRY(Entry entry, current_entry(client, name));
  return follow_switch(client, name, std::move(entry));
}

Result<bool> write_entry(Client& client, std::string_view name, const Entry& entry, EntryKind kind) {
  AKIN_TRY(const auto written,
           change_catalog(client, id_of(kind, name), entry.version, json_of(name, entry, kind)));
  return written.has_value();
}

Result<bool> remove_entry(Client& client, std::string_view name, const Entry& entry, EntryKind kind) {
  AKIN_TRY(const auto removed, change_catalog(client, id_of(kind, name), entry.version));
  return removed.has_value();
}

Result<std::vector<std::pair<std::string, Entry>>> all_entries(Client& client, bool expired) {
  AKIN_TRY(const std::vector<Json> all, all_of(client, "collection"));
  std::vector<std::pair<std::string, Entry>> entries;
  for (const Json& one : all) {
    AKIN_TRY(Entry entry, entry_of(one));
    if (is_expired(entry) == expired)
      entries.emplace_back(one.at("_source").at("name").get<std::string>(), std::move(entry));
  }
  return entries;
}

Result<std::string> keep_dictionary(Client& client, std::string_view packed) {
  std::string key = sha256_hex(packed);
  AKIN_TRY(const Answer there, client.try_ask({.path = catalog_path(client, "d:" + key)}));
  if (there.status == 200) return key;
  for (std::uint64_t at = 0; at * kPieceBytes < packed.size(); ++at) {
    const Json piece = {{"kind", "piece"}, {"piece", base64(packed.substr(at * kPieceBytes, kPieceBytes))}};
    AKIN_CHECK(change_catalog(client, "d:" + key + ":" + std::to_string(at), {}, piece));
  }
  // Last: what is there is whole.
  AKIN_CHECK(change_catalog(client, "d:" + key, {}, {{"kind", "dictionary"}, {"bytes", packed.size()}}));
  return key;
}

Result<std::optional<std::string>> kept_dictionary(Client& client, const std::string& key) {
  if (key.empty()) return std::optional<std::string>();
  AKIN_TRY(const Json whole, client.ask({.path = catalog_path(client, "d:" + key)}));
  const auto bytes = whole.at("_source").at("bytes").get<std::uint64_t>();
  std::string packed;
  for (std::uint64_t at = 0; at * kPieceBytes < bytes; ++at) {
    AKIN_TRY(const Json piece,
             client.ask({.path = catalog_path(client, "d:" + key + ":" + std::to_string(at))}));
    const auto some = bytes_of_base64(piece.at("_source").at("piece").get<std::string>());
    if (!some) return corrupt("dictionary " + key, "its bytes are not in base64");
    packed += *some;
  }
  return std::optional(std::move(packed));
}

Result<void> drop_retired(Client& client) {
  AKIN_TRY(const std::vector<Json> stores, all_of(client, "store"));
  const auto now = time_now().time_since_epoch().count();
  for (const Json& one : stores) {
    const auto retired = one.at("_source").value("retired", std::int64_t{0});
    const std::string id = one.at("_id");
    if (retired == 0 || now - retired < std::chrono::microseconds(kKeptRetired).count()) continue;
    AKIN_TRY(const Answer dropped,
             client.try_ask({.method = "DELETE",
                             .path = "/" + store_index(client, id.substr(2)) + "?ignore_unavailable=true"}));
    AKIN_CHECK(client.try_ask({.method = "DELETE", .path = catalog_path(client, id)}));
  }
  return {};
}

}  // namespace akin::opensearch
