#include "server/api/write/model_object.h"

#include <cstddef>
#include <string>
#include <utility>

namespace akin::api {

using json::Json;

namespace {

Json quality_object(const judge::ClassificationCounts& counts) {
  return {{"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f", counts.f_measure()},
          {"undecided", counts.undecided}};
}

}  // namespace

Json model_object(const judge::Model& model) {
  const judge::TrainingRecord& record = model.classifier.record;
  Json weights = Json::object();
  for (std::size_t i = 0; i < model.classifier.plane.weights.size(); ++i) {
    const auto criterion = model.classifier.scaling.criteria[i];
    weights[std::string(judge::criterion_name(criterion))] = model.classifier.plane.weights[i];
  }
  return {{"name", model.name},
          {"languages", model.languages},
          {"pairs", record.pairs},
          {"positives", record.positives},
          {"weights", std::move(weights)},
          {"held_out", quality_object(record.held_out.plain)},
          {"with_margins", quality_object(record.held_out.classifications)},
          {"margins", {model.classifier.margins.no, model.classifier.margins.yes}}};
}

}  // namespace akin::api
