#include "base/rfc3339.h"
#include "server/json/json.h"
#include "server/judge/stream.h"

namespace akin::judge {

namespace {

using json::Json;

constexpr std::uint64_t kMicrosecondsOfASecond = 1'000'000;

void add_finding(Json& object, const Finding& finding, bool verbose) {
  const bool any = !finding.original.empty();
  object["original"] = any ? Json(finding.original) : Json();
  object["score"] = any ? score_json(finding.judgement) : Json();
  if (verbose && any) object["criteria"] = criteria_json(finding.criteria);
}

Json place_json(std::uint64_t line, const std::string& file) {
  Json place = Json::object();
  if (!file.empty()) place["file"] = file;
  place["line"] = line;
  return place;
}

Json first_json(const Story& story) {
  Json first = {{"id", story.first}};
  if (!story.first_source.empty()) first["source"] = story.first_source;
  if (story.has_time && story.first_time >= 0)
    first["time"] = format_rfc3339(static_cast<std::uint64_t>(story.first_time) * kMicrosecondsOfASecond);
  return first;
}

}  // namespace

std::string answer_line(std::uint64_t line, const StreamAnswer& answer, std::span<const Model> models,
                        bool verbose) {
  Finding decisive = answer.decisive();
  Json object = place_json(line, answer.file);
  object["id"] = answer.id;
  if (answer.stored) object["stored"] = format_rfc3339(*answer.stored);
  object["answer"] = answer_name(decisive.judgement.classification);
  // A new document has no original, even if there was a nearest candidate.
  const bool is_new = decisive.judgement.classification == Classification::no;
  object["original"] = is_new ? Json() : Json(decisive.original);
  object["group"] = answer.story.group;
  if (decisive.judgement.classification == Classification::yes) object["first"] = first_json(answer.story);
  if (!answer.corrects.empty()) object["corrects"] = answer.corrects;
  object["score"] = decisive.original.empty() ? Json() : score_json(decisive.judgement);
  if (answer.by_choice) object["model"] = models[answer.chosen].name;
  if (answer.replaced) object["replaced"] = true;
  if (verbose) {
    object["compared"] = answer.compared;
    object["nominated"] = answer.generated;
    if (answer.cut_features > 0) object["cut_features"] = answer.cut_features;
    object["nearest"] = decisive.original.empty() ? Json() : Json(decisive.original);
    if (!decisive.original.empty()) object["criteria"] = criteria_json(decisive.criteria);
  }
  if (models.size() > 1 || (verbose && !models.empty())) {
    Json& classifications = object["models"] = Json::object();
    for (std::size_t i = 0; i < models.size(); ++i) {
      const Finding& finding = answer.findings[i];
      Json& one = classifications[models[i].name] = {
          {"verdict", classification_name(finding.judgement.classification)}};
      add_finding(one, finding, verbose && i != answer.chosen);
      one["beyond_examples"] =
          finding.original.empty() ? Json::array() : beyond_json(models[i], finding.criteria);
    }
  }
  return json::compact(object) + "\n";
}

std::string error_line(std::uint64_t line, const std::string& file, const Error& error) {
  Json object = place_json(line, file);
  object["error"] = {{"code", error_name(error.code)},
                     {"what", error.what},
                     {"reason", error.reason},
                     {"remedy", error.remedy}};
  return json::compact(object) + "\n";
}

}  // namespace akin::judge
