// Events of checks that wait for their webhook, or were given up.
#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/check/announcements.h"

namespace akin::api {

namespace {

/// Without the secrets of the webhook, which are not in an event.
Result<Json> check_event_object(const check::Announcement& event) {
  AKIN_TRY(const Json body, parse_json(event.body));
  Json object;
  object["id"] = event.id;
  object["type"] = body.at("type");
  object["timestamp"] = body.at("timestamp");
  object["check"] = body.at("data").at("id");
  object["state"] = event.has_failed ? "failed" : "pending";
  object["attempts"] = event.attempts;
  object["last_error"] = event.last_error.empty() ? Json(nullptr) : Json(event.last_error);
  object["next_attempt"] = event.has_failed ? Json(nullptr) : Json(format_time(event.due));
  return object;
}

Result<void> check_state(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "the events of checks"));
  if (call.service.state != nullptr) return {};
  return Error{Errc::not_found, "events of checks", "this server has none",
               "use a server that akin serve started"};
}

}  // namespace

Result<Response> list_check_events(const Call& call) {
  AKIN_CHECK(check_state(call));
  Json list = Json::array();
  AKIN_TRY(auto events, check::failed_announcements(*call.service.state));
  AKIN_TRY(auto waiting, check::announcements(*call.service.state, check::kMostFailed));
  events.insert(events.end(), std::make_move_iterator(waiting.begin()),
                std::make_move_iterator(waiting.end()));
  for (const check::Announcement& event : events) {
    AKIN_TRY(Json object, check_event_object(event));
    list.push_back(std::move(object));
  }
  return json_response(200, {{"events", std::move(list)}});
}

Result<Response> retry_check_event(const Call& call) {
  AKIN_CHECK(check_state(call));
  AKIN_TRY(const check::Announcement event,
           check::retry_announcement(*call.service.state, call.captures.front()));
  AKIN_TRY(const Json object, check_event_object(event));
  return json_response(202, object);
}

}  // namespace akin::api
