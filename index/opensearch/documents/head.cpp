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

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Gone, number, further_ids)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StoreState, turn, gone, counters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Head, identity, dictionary, committed, turn, writer, abandoned, retired,
                                   successor)

static constexpr int kFormat = 7;  ///< of what is stored in the cluster

Json existing(const Head& head) {
  std::vector<std::int64_t> gone;
  for (const Gone& one : head.latest().gone) gone.push_back(one.number);
  const Json numbers = {{"gte", 0}, {"lt", first_number(head.latest().turn + 1)}};
  const Json left_out = {{{"terms", {{"turn", head.abandoned}}}}, {{"terms", {{"number", gone}}}}};
  return {{"bool", {{"filter", {{{"range", {{"number", numbers}}}}}}, {"must_not", left_out}}}};
}

Result<Head> read_head(Client& client, const StoreName& store) {
  AKIN_TRY(const auto there, read_catalog(client, "s:" + store));
  if (!there) return Error{Errc::not_found, "store " + store, "it was dropped", "open it again"};
  const Json& json = there->body;
  if (json.value("format", 0) != kFormat) {
    return Error{Errc::mismatch, "store " + store, "another akin has written it",
                 "use the akin that made the collection"};
  }
  try {
    Head head = json.get<Head>();
    if (json.contains("accepted")) head.accepted = json.at("accepted").get<StoreState>();
    head.version = there->version;
    return head;
  } catch (const std::exception& broken) {
    return corrupt("the head of store " + store, broken.what());
  }
}

Result<bool> write_head(Client& client, const StoreName& store, Head& head) {
  Json json = head;
  if (head.accepted) json["accepted"] = *head.accepted;
  json.update({{"kind", "store"}, {"name", store}, {"format", kFormat}});
  return change_catalog(client, "s:" + store, head.version, std::move(json));
}

}  // namespace akin::opensearch
