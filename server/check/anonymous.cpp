#include "server/check/anonymous.h"

#include <utility>

namespace akin::check {

namespace {

using json::Json;

void remove_names(Json& value) {
  if (value.is_object()) {
    for (const char* name : {"owner", "by", "key"}) {
      if (value.contains(name)) value[name] = nullptr;
    }
  }
  if (value.is_structured()) {
    for (Json& inner : value) remove_names(inner);
  }
}

}  // namespace

Json without_names(Json object) {
  remove_names(object);
  if (!object.is_object()) return object;
  if (object.contains("title")) object["title"] = "";
  if (object.contains("metadata")) object["metadata"] = Json::object();
  if (const auto file = object.find("original"); file != object.end() && file->is_object())
    (*file)["name"] = "";
  if (const auto file = object.find("file"); file != object.end() && file->is_object()) {
    for (const char* name : {"title", "authors", "identifiers"}) file->erase(name);
  }
  return object;
}

}  // namespace akin::check
