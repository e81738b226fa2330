#include "server/judge/judging.h"

#include <algorithm>
#include <cmath>

#include "server/json/strict_json.h"

namespace akin::judge {

namespace {

using json::Json;

double rounded(double value) {
  constexpr double kDigits = 10'000;
  return std::round(value * kDigits) / kDigits;
}

}  // namespace

Judgement judge_pair(const Judging& judging, const Origin& a, const Origin& b, CriteriaValues& values) {
  if (judging.model == nullptr) {
    const double score = rule_score(judging.rule, values);
    return {score, score >= judging.threshold ? Classification::yes : Classification::no};
  }
  const Classifier& classifier = judging.model->classifier;
  values[index_of(Criterion::authority)] = authority_criterion(a, b, classifier.sources);
  return classifier.judge(values);
}

const char* answer_name(Classification classification) noexcept {
  if (classification == Classification::yes) return "duplicate";
  return classification == Classification::no ? "new" : "undecided";
}

Json criteria_json(const CriteriaValues& values) {
  Json object = Json::object();
  for (const Criterion criterion : all_criteria()) {
    const double value = values[index_of(criterion)];
    object[std::string(criterion_name(criterion))] = std::isnan(value) ? Json() : Json(rounded(value));
  }
  return object;
}

Json beyond_json(const Model& model, const CriteriaValues& values) {
  Json beyond = Json::array();
  for (const Criterion criterion : model.classifier.scaling.beyond(values))
    beyond.push_back(criterion_name(criterion));
  return beyond;
}

Json score_json(const Judgement& judgement) { return rounded(judgement.probability); }

const std::string& ModelChoice::of(const Document& document) const {
  const std::string* value = field == "source" ? &document.source : nullptr;
  if (value == nullptr) {
    if (const auto found = document.metadata.find(field); found != document.metadata.end())
      value = &found->second;
  }
  if (value == nullptr) return otherwise;
  const auto chosen = models.find(*value);
  return chosen == models.end() ? otherwise : chosen->second;
}

Result<ModelChoice> model_choice_of(const Json& given) {
  AKIN_TRY(const json::Fields by, json::Fields::read(given, {"field", "of"}, "field 'models'"));
  AKIN_TRY(const auto field, by.string("field"));
  ModelChoice choice;
  choice.field = field.value_or("source");
  const Json* of = by.value("of");
  const auto is_name = [](const Json& name) { return name.is_string(); };
  if (of == nullptr || !of->is_object() || !std::all_of(of->begin(), of->end(), is_name)) {
    return Error{Errc::invalid_argument, "field 'models.of'",
                 "is not an object whose values are names of models",
                 R"(give for instance {"example.org": "news"})"};
  }
  for (const auto& [value, name] : of->items()) choice.models.emplace(value, name.get<std::string>());
  return choice;
}

}  // namespace akin::judge
