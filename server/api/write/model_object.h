// A model as the API lists it.
#pragma once

#include "server/json/json.h"
#include "server/judge/model.h"

namespace akin::api {

/// What the model was trained on, its weights, and how good it is on pairs that were held out.
[[nodiscard]] json::Json model_object(const judge::Model& model);

}  // namespace akin::api
