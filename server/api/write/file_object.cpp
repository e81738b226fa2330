#include "server/api/write/file_object.h"

#include <algorithm>
#include <utility>

#include "base/rfc3339.h"
#include "extract/filter.h"
#include "server/ingest/places.h"

namespace akin::api {

namespace {

Json names_of(extract::HidingSet ways) {
  Json names = Json::array();
  for (std::size_t i = 0; i < extract::kHidingNames.size(); ++i) {
    if ((ways & extract::set_of(static_cast<extract::Hiding>(i))) != 0)
      names.push_back(extract::kHidingNames[i]);
  }
  return names;
}

Json alerts_of(const extract::Document& file) {
  Json array = Json::array();
  for (const extract::FileAlert& alert : file.alerts) {
    Json object;
    object["kind"] = extract::kFileAlertNames[static_cast<std::size_t>(alert.kind)];
    object["characters"] = alert.characters;
    object["share"] = alert.share;
    if (!alert.sample.empty()) object["sample"] = alert.sample;
    object["at"] = alert.at;
    if (alert.page > 0) object["page"] = alert.page;
    if (alert.part > 0) object["part"] = file.parts.at(alert.part - 1);
    if (alert.kind == extract::FileAlertKind::hidden_text) object["hidden_by"] = names_of(alert.ways);
    array.push_back(std::move(object));
  }
  return array;
}

void add_places(Json& passages, const std::string& side, const extract::Document& file) {
  for (Json& passage : passages) {
    const Json& range = passage.at(side);
    const TextRange text{range.at(0).get<std::uint32_t>(), range.at(1).get<std::uint32_t>()};
    ingest::add_place(passage, side, ingest::place_of(file, text));
  }
}

}  // namespace

bool is_described(const extract::Document& file) noexcept {
  return !file.map.empty() || !file.alerts.empty() || file.type == extract::kFilteredType;
}

Json file_object(const extract::Document& file) {
  const extract::FileMetadata& known = file.metadata;
  Json object;
  object["type"] = file.type;
  if (file.pages > 0) object["pages"] = file.pages;
  if (!known.title.empty()) object["title"] = known.title;
  if (!known.authors.empty()) object["authors"] = known.authors;
  if (!known.language.empty()) object["language"] = known.language;
  if (!known.date.empty()) object["date"] = known.date;
  if (!known.identifiers.empty()) object["identifiers"] = known.identifiers;
  object["alerts"] = alerts_of(file);
  return object;
}

void add_stored(Json& answer, Revision revision, const TextFindings& findings, Json file) {
  answer["stored"] = format_rfc3339(revision.value);
  answer["sentences"] = findings.sentences;
  answer["features"] = findings.features;
  answer["alerts"] = alerts_array(findings.alerts);
  if (!file.is_null()) answer["file"] = std::move(file);
}

std::vector<extract::FileAlert> alerts_in(const Json& file) {
  std::vector<extract::FileAlert> alerts;
  for (const Json& object : file.at("alerts")) {
    const auto& name = object.at("kind").get_ref<const std::string&>();
    const auto kind = std::ranges::find(extract::kFileAlertNames, std::string_view(name));
    if (kind == extract::kFileAlertNames.end()) continue;
    extract::FileAlert& alert = alerts.emplace_back();
    alert.kind = static_cast<extract::FileAlertKind>(kind - extract::kFileAlertNames.begin());
    alert.share = object.at("share").get<double>();
  }
  return alerts;
}

void add_file(Json& answer, std::string_view results, const extract::Document& file) {
  if (!is_described(file)) return;
  answer["file"] = file_object(file);
  add_query_places(answer.at(std::string(results)), file);
}

void add_stored_places(Json& passages, const DocumentRecord& record) {
  if (record.places.empty() || passages.empty()) return;
  add_places(passages, "b", ingest::decode_places(record.places));
}

void add_query_places(Json& results, const extract::Document& file) {
  for (Json& result : results) {
    if (result.contains("passages")) add_places(result["passages"], "a", file);
  }
}

bool is_same_file(const std::optional<Sha256>& file_sha256, const DocumentRecord& document) noexcept {
  return document.file && document.file->sha256 == file_sha256;
}

void add_same_file(Json& result, const std::optional<Sha256>& file_sha256, const DocumentRecord& document) {
  if (is_same_file(file_sha256, document)) result["same_file"] = true;
}

void forget_file(Json& answer, std::string_view results) {
  for (Json& result : answer.at(std::string(results))) {
    result.erase("same_file");
    for (Json& passage : result.at("passages")) {
      passage.erase("a_pages");
      passage.erase("a_part");
    }
  }
}

Json extraction_object(const Result<extract::Sandbox>& sandbox, bool filters) {
  if (sandbox.has_error()) return {{"ready", false}, {"reason", sandbox.error().message()}};
  Json object;
  object["ready"] = sandbox->holds();
  if (!sandbox->holds()) object["reason"] = "the sandbox does not hold: " + sandbox->broken;
  object["no_new_privileges"] = sandbox->no_new_privileges;
  object["seccomp"] = sandbox->system_calls;
  object["limits"] = sandbox->limits;
  object["landlock"] = sandbox->landlock;
  if (filters) object["filters"] = sandbox->runs_filters();
  return object;
}

}  // namespace akin::api
