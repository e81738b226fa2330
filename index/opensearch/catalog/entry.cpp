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

std::string id_of(std::string_view name) { return "c:" + std::string(name); }

std::string id_of_piece(const std::string& key, std::uint64_t at) {
  return "dictionary:" + key + ":" + std::to_string(at);
}

Result<Entry> entry_of(const CatalogDocument& found) {
  try {
    const Json& json = found.body;
    Entry entry;
    json.at("store").get_to(entry.store);
    json.at("unfinished").get_to(entry.unfinished);
    entry.generation = {json.at("generation"), json.at("token")};
    entry.version = found.version;
    if (const std::int64_t expires = json.at("expires"); expires != 0)
      entry.expires = Time(Time::duration(expires));
    return entry;
  } catch (const Json::exception& broken) {
    return corrupt("the catalog", broken.what());
  }
}

/// All documents of a kind, in the order of their names.
Result<std::vector<CatalogDocument>> all_of(Client& client, const char* kind) {
  std::vector<CatalogDocument> all;
  Json body = {{"size", kEntriesAtOnce},
               {"seq_no_primary_term", true},
               {"query", {{"term", {{"kind", kind}}}}},
               {"sort", {{{"name", "asc"}}}}};
  for (;;) {
    AKIN_TRY(const Json answer, client.search(catalog_index(client), body));
    const Json& hits = answer.at("hits").at("hits");
    for (const Json& hit : hits) all.push_back({hit.at("_source"), Version(hit)});
    if (hits.size() < kEntriesAtOnce) return all;
    body["search_after"] = hits.back().at("sort");
  }
}

}  // namespace

bool is_expired(const Entry& entry) { return entry.expires && *entry.expires <= time_now(); }

Result<std::optional<Entry>> read_entry(Client& client, std::string_view name) {
  if (!is_collection_name(name)) return std::optional<Entry>();  // it would be part of a path
  AKIN_TRY(const auto there, read_catalog(client, id_of(name)));
  if (!there) return std::optional<Entry>();
  AKIN_TRY(Entry entry, entry_of(*there));
  return std::optional(std::move(entry));
}

Result<Entry> current_entry(Client& client, std::string_view name) {
  AKIN_TRY(std::optional<Entry> entry, read_entry(client, name));
  if (!entry || entry->store.empty()) return no_collection(name);
  if (is_expired(*entry)) return collection_expired(name);
  return *std::move(entry);
}

Result<Entry> settled_entry(Client& client, std::string_view name) {
  for (;;) {
    AKIN_TRY(Entry entry, current_entry(client, name));
    AKIN_TRY(const Head head, read_head(client, entry.store));
    if (head.retired == 0 || head.successor.empty()) return entry;
    // The process that retired it ended before it changed the entry.
    entry.store = head.successor;
    entry.unfinished.clear();
    entry.generation = {entry.generation.number + 1, head.successor};
    AKIN_CHECK(write_entry(client, name, entry));
  }
}

Result<bool> write_entry(Client& client, std::string_view name, Entry& entry) {
  return change_catalog(client, id_of(name), entry.version,
                        {{"kind", entry.store.empty() ? "unfinished" : "collection"},
                         {"name", name},
                         {"store", entry.store},
                         {"unfinished", entry.unfinished},
                         {"generation", entry.generation.number},
                         {"token", entry.generation.token},
                         {"expires", entry.expires ? entry.expires->time_since_epoch().count() : 0}});
}

Result<Entry> change_entry(Client& client, std::string_view name, const std::function<void(Entry&)>& change) {
  for (;;) {
    AKIN_TRY(Entry entry, current_entry(client, name));
    change(entry);
    AKIN_TRY(const bool written, write_entry(client, name, entry));
    if (written) return entry;
  }
}

Result<std::vector<std::pair<std::string, Entry>>> all_entries(Client& client, bool expired) {
  AKIN_TRY(const auto all, all_of(client, "collection"));
  std::vector<std::pair<std::string, Entry>> entries;
  for (const CatalogDocument& one : all) {
    AKIN_TRY(Entry entry, entry_of(one));
    if (is_expired(entry) == expired) entries.emplace_back(one.body.at("name"), std::move(entry));
  }
  return entries;
}

Result<std::string> keep_dictionary(Client& client, std::string_view packed) {
  std::string key = sha256_hex(packed);
  AKIN_TRY(const auto there, read_catalog(client, id_of_piece(key, 0)));
  if (there) return key;
  for (std::uint64_t at = packed.size() / kPieceBytes + 1; at-- > 0;) {  // if the first is there, all are
    Version none;
    AKIN_CHECK(change_catalog(client, id_of_piece(key, at), none,
                              {{"kind", "piece"},
                               {"bytes", packed.size()},
                               {"piece", base64(packed.substr(at * kPieceBytes, kPieceBytes))}}));
  }
  return key;
}

Result<std::optional<std::string>> kept_dictionary(Client& client, const std::string& key) {
  if (key.empty()) return std::optional<std::string>();
  std::string packed;
  std::uint64_t bytes = 1;
  for (std::uint64_t at = 0; packed.size() < bytes; ++at) {
    AKIN_TRY(const auto piece, read_catalog(client, id_of_piece(key, at)));
    const auto some = piece ? bytes_of_base64(piece->body.value("piece", "")) : std::nullopt;
    if (!some) return corrupt("dictionary " + key, "a piece of it is missing, or not in base64");
    bytes = piece->body.value("bytes", std::uint64_t{0});
    packed += *some;
  }
  return std::optional(std::move(packed));
}

Result<void> drop_retired(const std::shared_ptr<Client>& client) {
  AKIN_TRY(const auto stores, all_of(*client, "store"));
  const auto latest = (time_now() - kKeptRetired).time_since_epoch().count();
  for (const CatalogDocument& one : stores) {
    const auto retired = one.body.value("retired", std::int64_t{0});
    if (retired == 0 || retired > latest) continue;
    const StoreIndex index{client, one.body.at("name")};
    AKIN_CHECK(index.ask("DELETE", "?ignore_unavailable=true"));
    Version version = one.version;
    AKIN_CHECK(change_catalog(*client, "s:" + index.store, version));
  }
  return {};
}

}  // namespace akin::opensearch
