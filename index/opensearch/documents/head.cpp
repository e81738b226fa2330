#include "index/opensearch/documents/head.h"

#include <utility>

#include "base/files.h"
#include "index/codec/posting.h"

namespace akin::opensearch {
namespace {

/// Of what is stored in the cluster.
constexpr int kFormat = 2;

Json json_of(const StoreName& store, const Head& head, const std::string& change) {
  Json gone = Json::array();
  for (const Head::Gone& one : head.gone) gone.push_back({one.number, one.turn, one.sizes.encoded()});
  const StoreIdentity& identity = head.identity;
  const StoreCounters& counters = head.counters;
  return {{"kind", "store"},
          {"name", store},
          {"format", kFormat},
          {"change", change},
          {"scheme", identity.scheme},
          {"fingerprint", identity.fingerprint},
          {"languages", identity.languages},
          {"store_text", identity.store_text},
          {"store_file", identity.store_file},
          {"dictionary", head.dictionary},
          {"committed", head.committed},
          {"turn", head.turn},
          {"writer", head.writer},
          {"abandoned", head.abandoned},
          {"gone", std::move(gone)},
          {"documents", counters.documents},
          {"features", counters.features},
          {"postings", counters.postings},
          {"text_bytes", counters.text_bytes},
          {"text_stored_bytes", counters.text_stored_bytes},
          {"last_revision", counters.last_revision.value},
          {"file_bytes", counters.files.bytes},
          {"file_stored_bytes", counters.files.stored_bytes},
          {"retired", head.retired},
          {"successor", head.successor}};
}

/// Throws what the library throws if a field is missing or has another type.
Head head_of_fields(const Json& json) {
  Head head;
  head.identity = {json.at("scheme"), json.at("fingerprint"), json.at("languages"), json.at("store_text"),
                   json.at("store_file")};
  head.dictionary = json.at("dictionary");
  head.committed = json.at("committed");
  head.turn = json.at("turn");
  head.writer = json.at("writer");
  head.abandoned = json.at("abandoned").get<std::vector<std::int64_t>>();
  for (const Json& one : json.at("gone"))
    head.gone.push_back({one.at(0), one.at(1), Sizes::decoded(one.at(2).get<std::string>()).value()});
  StoreCounters& counters = head.counters;
  counters.documents = json.at("documents");
  counters.features = json.at("features");
  counters.postings = json.at("postings");
  counters.text_bytes = json.at("text_bytes");
  counters.text_stored_bytes = json.at("text_stored_bytes");
  counters.last_revision = Revision(json.at("last_revision"));
  counters.files = {json.at("file_bytes"), json.at("file_stored_bytes")};
  head.retired = json.at("retired");
  head.successor = json.at("successor");
  return head;
}

Result<Head> head_of(const Json& json, const StoreName& store) {
  const std::string where = "the head of store " + store;
  if (json.value("format", 0) != kFormat) {
    return Error{Errc::mismatch, where, "another akin has written it",
                 "use the akin that made the collection"};
  }
  try {
    return head_of_fields(json);
  } catch (const std::exception& broken) {
    return corrupt(where, broken.what());
  }
}

/// The document that has the head, as the engine has it.
Result<Json> read(Client& client, const StoreName& store) {
  AKIN_TRY(Answer answer, client.try_ask({.path = catalog_path(client, "s:" + store)}));
  if (answer.status == 404)
    return Error{Errc::not_found, "store " + store, "it was dropped", "open it again"};
  return std::move(answer.body);
}

void take_place(const Json& answer, HeadAt& head) {
  head.sequence = answer.value("_seq_no", std::int64_t{0});
  head.term = answer.value("_primary_term", std::int64_t{0});
}

}  // namespace

Json existing(const Head& head) {
  Json filter = {
      {"bool",
       {{"filter", {{{"range", {{"number", {{"gte", 0}, {"lt", first_number(head.committed + 1)}}}}}}}},
        {"must_not", Json::array()}}}};
  Json& left_out = filter["bool"]["must_not"];
  if (!head.abandoned.empty()) left_out.push_back({{"terms", {{"turn", head.abandoned}}}});
  if (head.gone.empty()) return filter;
  Json numbers = Json::array();
  for (const Head::Gone& one : head.gone) numbers.push_back(one.number);
  left_out.push_back({{"terms", {{"number", std::move(numbers)}}}});
  return filter;
}

Result<HeadAt> read_head(Client& client, const StoreName& store) {
  AKIN_TRY(const Json there, read(client, store));
  HeadAt at;
  AKIN_TRY(at.head, head_of(there.value("_source", Json::object()), store));
  take_place(there, at);
  return at;
}

Result<bool> write_head(Client& client, const StoreName& store, HeadAt& head) {
  const std::string change = random_token();
  const Request write{.method = "PUT",
                      .path = catalog_path(client, "s:" + store) + "?if_seq_no=" +
                              std::to_string(head.sequence) + "&if_primary_term=" + std::to_string(head.term),
                      .body = json_of(store, head.head, change).dump(),
                      .repeatable = false,
                      .must_finish = true};
  const Result<Answer> written = client.try_ask(write);
  if (written.has_value() && written->status != 409) {
    take_place(written->body, head);
    return true;
  }
  const bool may_be_written = written.has_value() || written.error().code == Errc::unavailable;
  if (!may_be_written) return written.error();
  // The answer to a change that was made may have been lost.
  AKIN_TRY(const Json there, read(client, store));
  take_place(there, head);
  const bool is_written = there.value("_source", Json::object()).value("change", "") == change;
  if (is_written || written.has_value()) return is_written;
  return written.error();
}

Result<void> make_head(Client& client, const StoreName& store, const Head& head) {
  AKIN_CHECK(client.ask({.method = "PUT",
                         .path = catalog_path(client, "s:" + store) + "?refresh=true",
                         .body = json_of(store, head, random_token()).dump()}));
  return {};
}

}  // namespace akin::opensearch
