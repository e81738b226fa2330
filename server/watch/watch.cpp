#include "server/watch/watch.h"

#include "index/collection/collection_name.h"
#include "server/watch/stored_json.h"

namespace akin::watch {

std::string encode_watch(const Watch& watch) {
  Json object;
  object["collection"] = watch.collection;
  object["name"] = watch.name;
  object["version"] = watch.version;
  object["document"] = watch.document;
  object["reuse"] = watch.reuse;
  object["bound"] = watch.bound;
  object["min_containment"] = watch.min_containment;
  object["filter"] = watch.filter;
  if (watch.webhook) object["webhook"] = {{"url", watch.webhook->url}, {"secret", watch.webhook->secret}};
  object["enabled"] = watch.enabled;
  object["disabled_reason"] = watch.disabled_reason;
  object["description"] = watch.description;
  object["created"] = to_number(watch.created);
  object["updated"] = to_number(watch.updated);
  object["sentences"] = watch.sentences;
  object["features"] = watch.features;
  object["code_points"] = watch.code_points;
  object["after"] = watch.after.value;
  if (watch.caught_up_to) object["caught_up_to"] = watch.caught_up_to->value;
  return object.dump();
}

Result<Watch> decode_watch(std::string_view stored) {
  return read_stored(stored, "stored watch", [](const Json& object) {
    Watch watch;
    object.at("collection").get_to(watch.collection);
    object.at("name").get_to(watch.name);
    object.at("version").get_to(watch.version);
    object.at("document").get_to(watch.document);
    watch.reuse = object.value("reuse", false);
    object.at("bound").get_to(watch.bound);
    object.at("min_containment").get_to(watch.min_containment);
    object.at("filter").get_to(watch.filter);
    if (object.contains("webhook")) {
      const Json& webhook = object.at("webhook");
      watch.webhook = {webhook.at("url").get<std::string>(), webhook.at("secret").get<std::string>()};
    }
    object.at("enabled").get_to(watch.enabled);
    object.at("disabled_reason").get_to(watch.disabled_reason);
    object.at("description").get_to(watch.description);
    watch.created = to_time(object.at("created").get<std::uint64_t>());
    watch.updated = to_time(object.at("updated").get<std::uint64_t>());
    object.at("sentences").get_to(watch.sentences);
    object.at("features").get_to(watch.features);
    object.at("code_points").get_to(watch.code_points);
    object.at("after").get_to(watch.after.value);
    if (object.contains("caught_up_to"))
      watch.caught_up_to = Revision(object.at("caught_up_to").get<std::uint64_t>());
    return watch;
  });
}

Json watch_object(const Watch& watch) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json object;
  object["name"] = watch.name;
  object["collection"] = watch.collection;
  object["document"] = text_or_null(watch.document);
  object["sentences"] = watch.sentences;
  object["features"] = watch.features;
  object["code_points"] = watch.code_points;
  object["reuse"] = watch.reuse;
  object["bound"] = watch.bound;
  object["min_containment"] = watch.min_containment;
  object["filter"] = text_or_null(watch.filter);
  object["webhook"] = watch.webhook ? Json{{"url", watch.webhook->url}} : Json(nullptr);
  object["enabled"] = watch.enabled;
  object["disabled_reason"] = text_or_null(watch.disabled_reason);
  object["description"] = watch.description;
  object["catching_up"] = watch.caught_up_to.has_value();
  object["created"] = format_time(watch.created);
  object["updated"] = format_time(watch.updated);
  return object;
}

bool is_watch_name(std::string_view name) noexcept { return is_collection_name(name); }

}  // namespace akin::watch
