// The page of the desk for the watches of a collection.
#include "server/desk/watches.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "base/hex.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"

namespace akin::api {

namespace {

constexpr std::uint64_t kEventsOnPage = 50;

/// Events are numbered from 1 in the order in which they were found. Those whose number is at most `last`, at
/// most a page, the newest first.
Result<void> add_events(const Call& call, std::uint64_t last, desk::WatchList& list) {
  const std::uint64_t first = last > kEventsOnPage ? last - kEventsOnPage : 0;
  AKIN_TRY(const Json page, answer_of(call, list_events,
                                      {.captures = {list.collection},
                                       .query = {{"limit", std::to_string(std::min(last, kEventsOnPage))},
                                                 {"cursor", cursor_after(hex16(first))}}}));
  list.events = page.at("events");
  std::ranges::reverse(list.events);
  if (first > 0 && page.at("missed") == 0)
    list.older = desk::watches_path(list.collection) + "?last=" + std::to_string(first);
  return {};
}

/// The number of the newest event; 0 if there is none.
Result<std::uint64_t> newest_event(const Call& call, const std::string& collection) {
  AKIN_TRY(const Json page,
           answer_of(call, list_events, {.captures = {collection}, .query = {{"limit", "1"}}}));
  return page.at("total").get<std::uint64_t>() + page.at("missed").get<std::uint64_t>();
}

}  // namespace

Result<Response> get_desk_watches(const Call& call) {
  const std::string& collection = call.captures.front();
  const desk::Reader reader = reader_of(call, desk::watches_path(collection));
  return desk_answer(reader, [&]() -> Result<Response> {
    static constexpr DeclaredParameter kKnown[] = {
        {"last", ParameterKind::integer, 1, std::numeric_limits<std::uint64_t>::max()}, {"lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    AKIN_TRY(const Json watches,
             answer_of(call, list_watches, {.captures = {collection}, .query = {{"limit", "1000"}}}));
    AKIN_TRY(const std::uint64_t newest, newest_event(call, collection));
    desk::WatchList list{.collection = collection,
                         .may_write = may(call, access::Scope::write),
                         .watches = watches.at("watches"),
                         .events = Json::array()};
    const std::uint64_t last = std::min(newest, parameters.integer("last").value_or(newest));
    if (last > 0) AKIN_CHECK(add_events(call, last, list));
    return page_response(200, reader, desk::watches_page(reader, list));
  });
}

Result<Response> post_desk_watches(const Call& call) {
  const std::string& collection = call.captures.front();
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    Json watch = {{"description", value_of(fields, "description")}};
    for (const char* name : {"text", "id"}) {
      const std::string value = value_of(fields, name);
      if (!value.empty()) watch[name] = value;
    }
    AKIN_CHECK(
        answer_of(call, put_watch, {.captures = {collection, value_of(fields, "name")}, .body = watch}));
    return see_other(desk::watches_path(collection));
  });
}

Result<Response> remove_desk_watch(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    const auto removed = answer_of(call, delete_watch, {.captures = call.captures});
    if (removed.has_error() && removed.error().code != Errc::not_found) return removed.error();
    return see_other(desk::watches_path(call.captures.front()));
  });
}

}  // namespace akin::api
