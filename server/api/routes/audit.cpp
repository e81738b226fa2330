#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "server/api/handlers.h"
#include "server/audit/audit_log.h"

namespace akin::api {

namespace {

Result<std::uint64_t> number_of(const Parameters& parameters) {
  const std::string_view key = parameters.key_of_cursor();
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (key.empty() || (failure == std::errc() && end == key.data() + key.size())) return number;
  return no_cursor(parameters);
}

}  // namespace

Result<Response> list_audit(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "the audit log"));
  const std::uint64_t limit = *call.parameters.integer("limit");
  AKIN_TRY(const std::uint64_t before, number_of(call.parameters));
  if (call.service.state == nullptr) {
    return Error{Errc::not_found, "audit log", "this server has none",
                 "use a server that akin serve started"};
  }
  AKIN_TRY(const auto lines, audit::newest_lines(*call.service.state, before, limit));
  Json entries = Json::array();
  for (const std::string& line : lines) {
    AKIN_TRY(Json entry, parse_json(line));
    entries.push_back(std::move(entry));
  }
  Json object;
  const bool more = !entries.empty() && entries.back().at("number") != 1;
  object["next"] = more ? Json(cursor_after(entries.back().at("number").dump())) : Json(nullptr);
  object["entries"] = std::move(entries);
  return json_response(200, object);
}

Result<void> record(const Call& call, std::string action, std::string about) {
  return record(call.service,
                {.by = actor_of(call.request), .action = std::move(action), .about = std::move(about)});
}

state::State* log_of(const Service& service) {
  // The views of a standby have an age.
  return service.view_age != nullptr && service.view_age->now() ? nullptr : service.state.get();
}

Result<void> record(const Service& service, const audit::Event& event) {
  state::State* const log = log_of(service);
  return log == nullptr ? Result<void>() : audit::record(*log, event);
}

}  // namespace akin::api
