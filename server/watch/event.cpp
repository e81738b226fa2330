#include "server/watch/event.h"

#include <algorithm>
#include <array>

#include "base/sha256.h"
#include "server/json/passages.h"
#include "server/outbound/signature.h"
#include "server/watch/stored_json.h"

namespace akin::watch {

namespace {

/// In the order of DeliveryState.
constexpr std::array<std::string_view, 4> kStates = {"none", "pending", "delivered", "failed"};

std::string_view state_name(DeliveryState state) { return kStates.at(static_cast<std::size_t>(state)); }

DeliveryState state_of(std::string_view name) {
  const auto found = std::ranges::find(kStates, name);
  return found == kStates.end() ? DeliveryState::failed : static_cast<DeliveryState>(found - kStates.begin());
}

Json encoded(const Passage& passage) {
  return Json::array({passage.a.begin, passage.a.end, passage.b.begin, passage.b.end, passage.features,
                      passage.words, passage.changes});
}

Passage passage_of(const Json& numbers) {
  const auto at = [&](std::size_t index) { return numbers.at(index).get<std::uint32_t>(); };
  Passage passage{.a = {at(0), at(1)}, .b = {at(2), at(3)}, .features = at(4)};
  if (numbers.size() > 5) passage.words = at(5);
  if (numbers.size() > 6) numbers.at(6).get_to(passage.changes);
  return passage;
}

Json encoded(const ingest::FilePlace& place) {
  return Json::array({place.first_page, place.last_page, place.part});
}

ingest::FilePlace file_place_of(const Json& stored) {
  return {stored.at(0).get<std::uint32_t>(), stored.at(1).get<std::uint32_t>(),
          stored.at(2).get<std::string>()};
}

Json passages_of(const Event& event) {
  Json array = json::passages_array(event.passages);
  for (std::size_t i = 0; i < event.places.size(); ++i) ingest::add_place(array.at(i), "b", event.places[i]);
  return array;
}

Json content(const Event& event) {
  Json object;
  object["id"] = event.id;
  object["sequence"] = event.sequence;
  object["watch"] = event.watch;
  object["collection"] = event.collection;
  object["document"] = {{"id", event.document},
                        {"title", event.title},
                        {"features", event.overlap.b_features},
                        {"stored", format_time_exactly(to_time(event.revision.value))}};
  object["x"] = event.overlap.x;
  object["containment"] = event.overlap.containment();
  object["contained"] = event.overlap.contained();
  object["tier"] = event.tier.empty() ? Json(nullptr) : Json(event.tier);
  object["passages"] = passages_of(event);
  object["passages_total"] = event.passages_total;
  object["created"] = format_time(event.created);
  return object;
}

}  // namespace

std::string event_id(const Event& event) {
  const Json named = {event.collection, event.watch, event.version, event.document, event.revision.value};
  return "evt_" + sha256_hex(named.dump()).substr(0, 32);
}

std::string encode_event(const Event& event) {
  Json passages = Json::array();
  for (const Passage& passage : event.passages) passages.push_back(encoded(passage));
  Json object;
  object["id"] = event.id;
  object["sequence"] = event.sequence;
  object["collection"] = event.collection;
  object["watch"] = event.watch;
  object["version"] = event.version;
  object["document"] = event.document;
  object["title"] = event.title;
  object["revision"] = event.revision.value;
  object["overlap"] = {event.overlap.x, event.overlap.a_features, event.overlap.b_features};
  object["tier"] = event.tier;
  object["passages"] = std::move(passages);
  object["passages_total"] = event.passages_total;
  for (const ingest::FilePlace& place : event.places) object["places"].push_back(encoded(place));
  object["created"] = to_number(event.created);
  object["state"] = state_name(event.delivery.state);
  object["attempts"] = event.delivery.attempts;
  object["last_error"] = event.delivery.last_error;
  if (event.delivery.next_attempt) object["next_attempt"] = to_number(*event.delivery.next_attempt);
  return object.dump();
}

Result<Event> decode_event(std::string_view stored) {
  return read_stored(stored, "stored event", [](const Json& object) {
    Event event;
    object.at("id").get_to(event.id);
    object.at("sequence").get_to(event.sequence);
    object.at("collection").get_to(event.collection);
    object.at("watch").get_to(event.watch);
    object.at("version").get_to(event.version);
    object.at("document").get_to(event.document);
    object.at("title").get_to(event.title);
    object.at("revision").get_to(event.revision.value);
    const Json& overlap = object.at("overlap");
    overlap.at(0).get_to(event.overlap.x);
    overlap.at(1).get_to(event.overlap.a_features);
    overlap.at(2).get_to(event.overlap.b_features);
    event.tier = object.value("tier", "");
    for (const Json& passage : object.at("passages")) event.passages.push_back(passage_of(passage));
    object.at("passages_total").get_to(event.passages_total);
    for (const Json& place : object.value("places", Json::array()))
      event.places.push_back(file_place_of(place));
    event.created = to_time(object.at("created").get<std::uint64_t>());
    event.delivery.state = state_of(object.at("state").get<std::string>());
    object.at("attempts").get_to(event.delivery.attempts);
    object.at("last_error").get_to(event.delivery.last_error);
    if (object.contains("next_attempt"))
      event.delivery.next_attempt = to_time(object.at("next_attempt").get<std::uint64_t>());
    return event;
  });
}

Json event_object(const Event& event) {
  const Delivery& delivery = event.delivery;
  Json delivery_json;
  delivery_json["state"] = state_name(delivery.state);
  delivery_json["attempts"] = delivery.attempts;
  delivery_json["last_error"] = delivery.last_error.empty() ? Json(nullptr) : Json(delivery.last_error);
  delivery_json["next_attempt"] = json::time_or_null(delivery.next_attempt);
  Json object = content(event);
  object["delivery"] = std::move(delivery_json);
  return object;
}

std::string webhook_body(const Event& event) {
  Json object;
  object["type"] = "watch.matched";
  object["timestamp"] = format_time(event.created);
  object["data"] = content(event);
  return object.dump();
}

}  // namespace akin::watch
