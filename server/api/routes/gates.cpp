// Gates of collections, admissions, and the groups of duplicates that admissions made.
#include "server/gate/gates.h"

#include <string>
#include <utility>

#include "base/hex.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/metadata.h"
#include "server/api/write/gate_objects.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

Result<std::shared_ptr<gate::Gates>> gates_of(const Service& service) {
  if (service.gates != nullptr) return service.gates;
  return Error{Errc::not_found, "gates", "they are disabled on this server",
               "use a server that akin serve started"};
}

Error no_gate(const std::string& collection) {
  return Error{Errc::not_found, "gate of collection " + in_quotes(collection), "there is none",
               "PUT /v1/collections/" + collection + "/gate sets one"};
}

}  // namespace

Result<Response> get_gate(const Call& call) {
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto gate, gates->get(collection->name()));
  if (!gate) return no_gate(collection->name());
  return json_response(200, gate::gate_object(*gate));
}

Result<Response> put_gate(const Call& call) {
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const Json object, json_value(call.request));
  AKIN_TRY(gate::Gate gate, gate::parse_gate(object));
  if (!object.contains("measure")) gate::choose_measure(gate, object.contains("threshold"), *collection);
  AKIN_CHECK(gate::check_gate(gate, *collection));
  AKIN_TRY(const bool made, gates->put(collection->name(), gate));
  return json_response(made ? 201 : 200, gate::gate_object(gate));
}

Result<Response> delete_gate(const Call& call) {
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const bool erased, gates->erase(collection->name()));
  if (!erased) return no_gate(collection->name());
  return json_response(200, {{"name", collection->name()}, {"deleted", true}});
}

Result<Response> admit_document(const Call& call) {
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const Fields fields, json_body(call.request, {"id", "text", "title", "metadata"}));
  AKIN_TRY(const std::string_view id, fields.required_string("id"));
  AKIN_TRY(const std::string_view text, fields.required_string("text"));
  AKIN_TRY(const auto title, fields.string("title"));
  AKIN_TRY(const std::string metadata, read_metadata(fields));
  AKIN_TRY(
      const gate::Admission outcome,
      gates->admit(*collection, {.id = id, .title = title.value_or(""), .metadata = metadata, .text = text}));
  Json object = admission_object(id, outcome);
  if (outcome.decision == gate::Decision::refused) {
    AKIN_CHECK(gates->refusals().keep(collection->name(), {object}));
    return json_response(200, object);
  }
  if (call.service.watches) call.service.watches->notify();
  return json_response(201, object);
}

Result<Response> list_refusals(const Call& call) {
  const std::uint64_t limit = *call.parameters.integer("limit");
  AKIN_TRY(const std::uint64_t before, call.parameters.number_of_cursor());
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(auto refusals,
           gates->refusals().list(collection->name(), before, static_cast<std::size_t>(limit) + 1));
  const bool more = refusals.size() > limit;
  if (more) refusals.pop_back();
  Json list = Json::array();
  for (gate::Refusal& refusal : refusals)
    list.push_back({{"time", std::move(refusal.time)}, {"outcome", std::move(refusal.outcome)}});
  Json object;
  object["refusals"] = std::move(list);
  object["next"] = more ? Json(cursor_after(hex16(refusals.back().number))) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> list_duplicate_groups(const Call& call) {
  const std::uint64_t limit = *call.parameters.integer("limit");
  const std::string_view after = call.parameters.key_of_cursor();
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(auto groups, gates->groups().list(collection->name(), after, static_cast<std::size_t>(limit) + 1));
  const bool more = groups.size() > limit;
  if (more) groups.pop_back();
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const std::uint64_t total, gates->groups().count(collection->name()));
  Json list = Json::array();
  for (const gate::Group& group : groups) {
    AKIN_TRY(Json object, group_object(group, *snapshot));
    list.push_back(std::move(object));
  }
  Json object;
  object["total"] = total;
  object["groups"] = std::move(list);
  object["next"] = more ? Json(cursor_after(groups.back().id)) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> get_duplicate_group(const Call& call) {
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const gate::Group group, gates->groups().get(collection->name(), call.captures[1]));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const Json object, group_object(group, *snapshot));
  return json_response(200, object);
}

Result<Response> split_duplicate_group(const Call& call) {
  AKIN_TRY(const auto gates, gates_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const Fields fields, json_body(call.request, {"documents"}));
  AKIN_TRY(const auto documents, fields.strings("documents"));
  if (!documents) {
    return Error{Errc::invalid_argument, "field 'documents'", "is missing",
                 "name the documents to move into a group of their own"};
  }
  AKIN_TRY(const auto parts, gates->groups().split(collection->name(), call.captures[1], *documents));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(Json rest, group_object(parts.first, *snapshot));
  AKIN_TRY(Json made, group_object(parts.second, *snapshot));
  Json object;
  object["group"] = std::move(rest);
  object["split_off"] = std::move(made);
  return json_response(201, object);
}

}  // namespace akin::api
