#include <optional>
#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/json/quoted.h"
#include "server/watch/journal_keys.h"
#include "server/watch/watches.h"

namespace akin::api {

Result<Response> list_events(const Call& call) {
  const std::uint64_t limit = *call.parameters.integer("limit");
  AKIN_TRY(const std::uint64_t cursor, call.parameters.number_of_cursor());
  const auto named = call.parameters.text("watch");
  if (named && !watch::is_watch_name(*named)) {
    return Error{Errc::invalid_argument, call.parameters.what("watch"),
                 in_quotes(*named) + " is not a watch's name",
                 "give a name, or leave it out for the events of all watches"};
  }
  AKIN_TRY(const auto watches, watches_of(call.service));
  AKIN_CHECK(open_collection(call));
  AKIN_TRY(const watch::EventPage page,
           watches->journal().list_events(call.captures[0], named.value_or(""), cursor, limit));
  Json list = Json::array();
  for (const watch::Event& event : page.events) list.push_back(watch::event_object(event));
  Json object;
  object["total"] = page.total;
  object["oldest"] = time_or_null(page.oldest);
  object["missed"] = page.first_kept - 1 > cursor ? page.first_kept - 1 - cursor : 0;
  object["events"] = std::move(list);
  object["next"] = cursor_after(hex16(page.events.empty() ? cursor : page.events.back().sequence));
  object["more"] = page.more;
  return json_response(200, object);
}

Result<Response> get_event(const Call& call) {
  AKIN_TRY(const auto watches, watches_of(call.service));
  AKIN_CHECK(open_collection(call));
  AKIN_TRY(const watch::Event event, watches->event(call.captures[0], call.captures[1]));
  return json_response(200, watch::event_object(event));
}

Result<Response> retry_event(const Call& call) {
  AKIN_TRY(const auto watches, watches_of(call.service));
  AKIN_CHECK(open_collection(call));
  AKIN_TRY(const watch::Event event, watches->retry(call.captures[0], call.captures[1]));
  return json_response(202, watch::event_object(event));
}

}  // namespace akin::api
