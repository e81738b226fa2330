// Tasks of the judge: training a model on a collection's labels, judging its documents as they arrived.
#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/filter/filter.h"
#include "server/judge/collection_feed.h"
#include "server/judge/judging.h"
#include "server/judge/models.h"

namespace akin::api {

namespace {

/// A collection whose documents can be read again.
Result<std::shared_ptr<Collection>> open_with_texts(const Call& call) {
  AKIN_TRY(auto collection, open_collection(call));
  if (collection->keeps_texts()) return collection;
  return Error{Errc::unsupported, "collection " + in_quotes(collection->name()),
               "it keeps no texts, which the judge reads",
               "make a new collection and store the originals in it"};
}

Result<std::string> required(const JsonBody& body, std::string_view name, std::string_view remedy) {
  if (const auto given = body.parameters.text(name)) return std::string(*given);
  return Error{Errc::invalid_argument, body.parameters.what(name), "is missing", std::string(remedy)};
}

/// Adds `filter`, if it is given.
Result<void> add_filter(const JsonBody& body, Json& parameters) {
  const auto filter = body.parameters.text("filter");
  if (!filter) return {};
  AKIN_CHECK(filter::Filter::parse(*filter));
  parameters["filter"] = *filter;
  return {};
}

/// Adds `model` and `models`, all of which must be there.
Result<void> add_models(const Call& call, const JsonBody& body, const Dictionary& dictionary,
                        Json& parameters) {
  judge::ModelChoice choice;
  if (const Json* given = body.fields.value("models")) {
    AKIN_TRY(choice, judge::model_choice_of(*given));
    parameters["models"] = *given;
  }
  choice.otherwise = body.parameters.text("model").value_or("");
  if (choice.otherwise.empty() && choice.models.empty()) return {};
  if (choice.otherwise.empty()) {
    return Error{Errc::invalid_argument, "field 'models'", "needs a model for all other documents",
                 "name it in 'model'"};
  }
  AKIN_CHECK(refuse_rule(body.parameters));
  parameters["model"] = choice.otherwise;
  AKIN_TRY(const auto models, models_of(call.service));
  choice.models.emplace("", choice.otherwise);
  for (const auto& [value, name] : choice.models) AKIN_CHECK(models->get(name, dictionary));
  return {};
}

}  // namespace

Result<void> refuse_rule(const Parameters& parameters) {
  for (const char* name : {"rule", "threshold"}) {
    if (parameters.text(name)) {
      return Error{Errc::invalid_argument, parameters.what(name), "cannot be combined with a model",
                   "leave one of them out"};
    }
  }
  return {};
}

Result<Response> train_model(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "models"));
  AKIN_TRY(const auto collection, open_with_texts(call));
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {}));
  AKIN_TRY(const std::string name, required(body, "name", "name the model"));
  AKIN_CHECK(judge::check_model_name(name));
  const std::string criteria(*body.parameters.text("criteria"));
  AKIN_CHECK(judge::parse_criteria(criteria));
  Json parameters = {{"name", name},
                     {"criteria", criteria},
                     {"folds", *body.parameters.integer("folds")},
                     {"precision", *body.parameters.share("precision")},
                     {"seed", *body.parameters.integer("seed")},
                     {"both_ways", body.parameters.flag("both_ways")}};
  AKIN_CHECK(add_filter(body, parameters));
  return start_task(call, "train", collection->name(), std::move(parameters));
}

Result<Response> judge_stream(const Call& call) {
  AKIN_TRY(const auto collection, open_with_texts(call));
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {"models"}));
  AKIN_TRY(const std::string from, required(body, "from", "give a date, or the \"stored\" of an answer"));
  AKIN_CHECK(judge::revision_at(from, body.parameters.what("from")));
  Json parameters = {{"from", from},
                     {"window", *body.parameters.integer("window")},
                     {"candidates", *body.parameters.integer("candidates")},
                     {"rule", body.parameters.text("rule").value_or("event")},
                     {"threshold", body.parameters.share("threshold").value_or(judge::kRuleThreshold)},
                     {"details", body.parameters.lists("include", "details")}};
  if (const auto nominate = body.parameters.text("nominate")) parameters["nominate"] = *nominate;
  AKIN_CHECK(add_filter(body, parameters));
  AKIN_CHECK(add_models(call, body, collection->dictionary(), parameters));
  return start_task(call, "stream", collection->name(), std::move(parameters));
}

}  // namespace akin::api
