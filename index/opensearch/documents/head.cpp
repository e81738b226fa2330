#include "index/opensearch/documents/head.h"

#include <utility>

#include "index/codec/posting.h"

// How fields of a head are kept.
namespace akin {

static void to_json(nlohmann::json& json, const Revision& revision) { json = revision.value; }
static void from_json(const nlohmann::json& json, Revision& revision) {
  revision = Revision(json.get<std::uint64_t>());
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileCounters, bytes, stored_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StoreCounters, documents, features, postings, text_bytes,
                                   text_stored_bytes, last_revision, files)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StoreIdentity, scheme, fingerprint, languages, store_text, store_file)

}  // namespace akin

namespace akin::opensearch {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Head::Gone, number, further_ids)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Head, identity, dictionary, committed, turn, writer, abandoned, gone,
                                   counters, retired, successor)

namespace {

/// Of what is stored in the cluster.
constexpr int kFormat = 6;

Result<Head> head_of(const Json& json, const StoreName& store) {
  const std::string where = "the head of store " + store;
  if (json.value("format", 0) != kFormat) {
    return Error{Errc::mismatch, where, "another akin has written it",
                 "use the akin that made the collection"};
  }
  try {
    return json.get<Head>();
  } catch (const std::exception& broken) {
    return corrupt(where, broken.what());
  }
}

}  // namespace

Json existing(const Head& head) {
  std::vector<std::int64_t> gone;
  for (const Head::Gone& one : head.gone) gone.push_back(one.number);
  const Json numbers = {{"gte", 0}, {"lt", first_number(head.committed + 1)}};
  const Json left_out = {{{"terms", {{"turn", head.abandoned}}}}, {{"terms", {{"number", gone}}}}};
  return {{"bool", {{"filter", {{{"range", {{"number", numbers}}}}}}, {"must_not", left_out}}}};
}

Result<Head> read_head(Client& client, const StoreName& store) {
  AKIN_TRY(const auto there, read_catalog(client, "s:" + store));
  if (!there) return Error{Errc::not_found, "store " + store, "it was dropped", "open it again"};
  AKIN_TRY(Head head, head_of(there->body, store));
  head.version = there->version;
  return head;
}

Result<bool> write_head(Client& client, const StoreName& store, Head& head) {
  Json json = head;
  json.update({{"kind", "store"}, {"name", store}, {"format", kFormat}});
  return change_catalog(client, "s:" + store, head.version, std::move(json));
}

}  // namespace akin::opensearch
