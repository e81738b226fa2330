#include "server/api/write/gate_objects.h"

#include <string>

#include "base/rfc3339.h"
#include "server/api/write/file_object.h"
#include "server/api/write/objects.h"

namespace akin::api {

namespace {

std::string_view decision_name(gate::Decision decision) noexcept {
  switch (decision) {
    case gate::Decision::admitted:
      return "admitted";
    case gate::Decision::grouped:
      return "grouped";
    case gate::Decision::refused:
      return "refused";
  }
  return "";
}

Json nearest_object(const gate::Nearest& nearest) {
  const Hit& hit = nearest.hit;
  Json object;
  object["id"] = hit.document.id;
  object["similarity"] = nearest.similarity;
  object["x"] = hit.overlap.x;
  add_measures(object, hit.overlap);
  if (hit.words) object["words"] = words_object(*hit.words);
  return object;
}

Json similar_array(const gate::Admission& outcome) {
  Json list = Json::array();
  for (const gate::Nearest& one : outcome.nearest) {
    list.push_back(nearest_object(one));
    if (outcome.decision != gate::Decision::refused) continue;
    Json& passages = list.back()["passages"] = passages_array(one.hit.passages);
    add_stored_places(passages, one.hit.document);
  }
  return list;
}

}  // namespace

std::string_view reason_name(gate::Reason reason) noexcept {
  switch (reason) {
    case gate::Reason::no_words:
      return "no_words";
    case gate::Reason::too_short:
      return "too_short";
    case gate::Reason::too_long:
      return "too_long";
    case gate::Reason::duplicate:
      return "duplicate";
    case gate::Reason::group_full:
      return "group_full";
  }
  return "";
}

Json admission_object(std::string_view id, const gate::Admission& outcome) {
  Json object;
  object["id"] = id;
  object["verdict"] = decision_name(outcome.decision);
  object["reason"] = outcome.reason ? Json(reason_name(*outcome.reason)) : Json(nullptr);
  object["nearest"] = outcome.nearest.empty() ? Json(nullptr) : nearest_object(outcome.nearest.front());
  object["similar"] = similar_array(outcome);
  object["duplicates"] = outcome.duplicates;
  object["group"] = outcome.group ? Json(outcome.group->id) : Json(nullptr);
  Json replaced = Json::array();
  for (const gate::Version& one : outcome.replaced) replaced.push_back(one.id);
  object["replaced"] = std::move(replaced);
  object["stored"] =
      outcome.revision.is_assigned() ? Json(format_rfc3339(outcome.revision.value)) : Json(nullptr);
  object["gate"] = gate::gate_object(outcome.gate);
  return object;
}

Result<Json> group_object(const gate::Group& group, const Snapshot& snapshot) {
  Json documents = Json::array();
  for (const std::string& id : group.documents) {
    AKIN_TRY(const auto record, snapshot.find(id));
    if (record) documents.push_back(id);
  }
  Json object;
  object["id"] = group.id;
  object["documents"] = std::move(documents);
  return object;
}

}  // namespace akin::api
