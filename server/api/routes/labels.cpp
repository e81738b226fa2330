// Experts' labels of pairs of documents of a collection.
#include "server/tables/labels.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/tables/deletions.h"
#include "server/tables/label_store.h"

namespace akin::api {

namespace {

constexpr std::string_view kRemove = "-";

Result<std::shared_ptr<state::State>> state_of(const Service& service) {
  if (service.state != nullptr) return service.state;
  return Error{Errc::not_found, "labels", "they are disabled on this server",
               "use a server that akin serve started"};
}

Json label_object(const std::pair<std::string, std::string>& pair, const std::string& label) {
  Json object = {{"a", pair.first}, {"b", pair.second}, {"label", label}};
  object["grade"] = tables::label_grade(label).value_or(0);
  return object;
}

/// The labels in {"labels": [{"a","b","label"}]}.
Result<tables::Labels> read_labels(const Request& request) {
  AKIN_TRY(const Fields fields, json_body(request, {"labels"}));
  const Json* list = fields.value("labels");
  if (list == nullptr || !list->is_array()) {
    return Error{Errc::invalid_argument, "field 'labels'", "is missing, or not a list",
                 "give a list of {\"a\", \"b\", \"label\"}"};
  }
  tables::Labels labels;
  for (const Json& one : *list) {
    const std::string place = "label " + std::to_string(labels.size() + 1);
    AKIN_TRY(const Fields row, Fields::read(one, {"a", "b", "label"}, place));
    AKIN_TRY(const std::string_view a, row.required_string("a"));
    AKIN_TRY(const std::string_view b, row.required_string("b"));
    AKIN_TRY(const std::string_view given, row.required_string("label"));
    if (a == b) return Error{Errc::invalid_argument, place, "pairs a document with itself", "name two ids"};
    AKIN_TRY(std::string label, tables::checked_label(given, b < a, place));
    if (label.empty())
      return Error{Errc::invalid_argument, place, "is empty", "give \"-\" to remove a label"};
    labels.insert_or_assign(tables::pair_of(a, b), std::move(label));
  }
  return labels;
}

/// Takes pairs out of which a document is missing, except those whose label is removed; returns them.
Result<Json> take_missing(tables::Labels& labels, const Collection& collection) {
  AKIN_TRY(const auto snapshot, collection.snapshot());
  Json missing = Json::array();
  for (auto entry = labels.begin(); entry != labels.end();) {
    bool there = true;
    for (const std::string* id : {&entry->first.first, &entry->first.second}) {
      AKIN_TRY(const auto record, snapshot->find(*id));
      there = there && record.has_value();
    }
    const bool kept = there || entry->second == kRemove;
    if (!kept) missing.push_back({{"a", entry->first.first}, {"b", entry->first.second}});
    entry = kept ? std::next(entry) : labels.erase(entry);
  }
  return missing;
}

Json changes_object(const tables::LabelChanges& changes) {
  return {{"added", changes.added},
          {"changed", changes.changed},
          {"removed", changes.removed},
          {"same", changes.same}};
}

}  // namespace

Result<Response> store_labels(const Call& call, const Collection& collection) {
  AKIN_TRY(const auto state, state_of(call.service));
  AKIN_TRY(tables::Labels labels, read_labels(call.request));
  AKIN_TRY(Json missing, take_missing(labels, collection));
  AKIN_TRY(const auto changes, tables::keep_labels(*state, collection.name(), labels));
  Json object = changes_object(changes);
  object["refused"] = std::move(missing);
  return json_response(200, object);
}

Result<Response> get_labels(const Call& call) {
  AKIN_TRY(const auto state, state_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const tables::Labels labels, tables::kept_labels(*state, collection->name()));
  Json list = Json::array();
  for (const auto& [pair, label] : labels) list.push_back(label_object(pair, label));
  const tables::Deletions deletions = tables::deletions_of(labels);
  Json goes = Json::array();
  for (const auto& [id, kept] : deletions.documents) goes.push_back({{"delete", id}, {"keep", kept}});
  return json_response(200, {{"total", labels.size()},
                             {"labels", std::move(list)},
                             {"deletions", std::move(goes)},
                             {"contradictions", deletions.contradictions}});
}

Result<Response> put_labels(const Call& call) {
  AKIN_TRY(const auto collection, open_collection(call));
  return store_labels(call, *collection);
}

Result<Response> delete_labels(const Call& call) {
  AKIN_TRY(const auto state, state_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  const auto a = call.parameters.text("a"), b = call.parameters.text("b");
  if (a.has_value() != b.has_value()) {
    return Error{Errc::invalid_argument, call.parameters.what(a ? "b" : "a"), "is missing",
                 "name both documents of the pair, or none to remove all labels"};
  }
  if (!a) {
    AKIN_TRY(const std::uint64_t removed, tables::drop_labels(*state, collection->name()));
    return json_response(200, {{"removed", removed}});
  }
  const tables::Labels given = {{tables::pair_of(*a, *b), std::string(kRemove)}};
  AKIN_TRY(const auto changes, tables::keep_labels(*state, collection->name(), given));
  return json_response(200, {{"removed", changes.removed}});
}

}  // namespace akin::api
