// Models that judge pairs of documents: stored, listed, removed.
#include "server/judge/models.h"

#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/write/model_object.h"

namespace akin::api {

Result<std::shared_ptr<judge::Models>> models_of(const Service& service) {
  if (service.models != nullptr) return service.models;
  return Error{Errc::not_found, "models", "they are disabled on this server",
               "use a server that akin serve started"};
}

Result<Response> list_models(const Call& call) {
  AKIN_TRY(const auto models, models_of(call.service));
  AKIN_TRY(const auto names, models->names());
  Json list = Json::array();
  for (const std::string& name : names) {
    AKIN_TRY(const auto model, models->find(name));
    list.push_back(model_object(*model));
  }
  return json_response(200, {{"total", names.size()}, {"models", std::move(list)}});
}

Result<Response> get_model(const Call& call) {
  AKIN_TRY(const auto models, models_of(call.service));
  AKIN_TRY(std::string text, models->text(call.captures.front()));
  return Response{200, {{"Content-Type", std::string(kJsonType)}}, std::move(text)};
}

Result<Response> put_model(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "models"));
  AKIN_CHECK(json_value(call.request));
  AKIN_TRY(const auto models, models_of(call.service));
  Dictionaries& dictionaries = *call.service.dictionaries;
  AKIN_TRY(const auto dictionary, dictionaries.configured());
  const std::string& name = call.captures.front();
  AKIN_TRY(const bool made, models->put(name, call.request.body, *dictionary, dictionaries.languages()));
  AKIN_TRY(const auto model, models->find(name));
  return json_response(made ? 201 : 200, model_object(*model));
}

Result<Response> delete_model(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "models"));
  AKIN_TRY(const auto models, models_of(call.service));
  const std::string& name = call.captures.front();
  AKIN_TRY(const bool erased, models->erase(name));
  if (erased) return json_response(200, {{"name", name}, {"deleted", true}});
  return Error{Errc::not_found, "model " + in_quotes(name), "none is stored under this name",
               "GET /v1/models lists the models"};
}

}  // namespace akin::api
