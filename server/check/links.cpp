#include "server/check/links.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "server/audit/audit_log.h"
#include "server/check/announcements.h"
#include "server/check/check_record.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Json;
using state::Table;

constexpr const char* kDigest = "token_sha256";

Error no_link(std::string_view check) {
  return Error{Errc::not_found, "link to " + check_named(check),
               "does not exist, has expired, or was revoked", "ask its sender for a new one"};
}

Error too_many(std::string_view check, const char* what, std::size_t most) {
  return Error{Errc::too_large, std::string(what) + " of " + check_named(check),
               "it has " + std::to_string(most) + " already", "use one of those"};
}

Result<Json> decode(std::string_view check, const std::optional<std::string>& stored) {
  if (!stored) return Json{{"links", Json::array()}, {"statements", Json::array()}};
  auto record = json::parse_json(*stored, json::kAnyJsonValues);
  if (record.has_error()) return corrupt_check(check, "its links cannot be read");
  return record;
}

/// Without the digest of its token.
Json shown(Json link) {
  link.erase(kDigest);
  link.emplace("frame", nullptr);  // made by an earlier version
  return link;
}

bool has_ended(const Json& link, Time now) {
  const auto expires = json::read_time(link.at("expires"));
  return !link.at("revoked").is_null() || !expires || *expires <= now;
}

Json* find(Json& record, const char* field, std::string_view value) {
  Json& links = record.at("links");
  const auto found = std::ranges::find_if(links, [&](const Json& one) { return one.at(field) == value; });
  return found == links.end() ? nullptr : &*found;
}

/// `change(record, check)` changes the links of a stored check in one write.
template <class Change>
Result<void> change_links(state::State& state, std::string_view id, const Change& change) {
  if (!is_check_id(id)) return no_check(id);
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto stored, writer.get(Table::checks, id));
    AKIN_TRY(const Json check, decode_check(id, stored));
    AKIN_TRY(const auto links, writer.get(Table::check_links, id));
    AKIN_TRY(Json record, decode(id, links));
    AKIN_CHECK(change(writer, record, check));
    return writer.put(Table::check_links, id, record.dump());
  });
}

}  // namespace

Result<Json> Links::add(std::string_view check, const NewLink& made, Time now) {
  Json link;
  link["id"] = "link-" + random_token();
  link["label"] = made.label;
  link["created"] = format_time(now);
  link["expires"] = format_time(made.expires);
  link["statement"] = made.may_state;
  link["sources"] = made.shows_sources;
  link["frame"] = made.frame.empty() ? Json() : Json(made.frame);
  link["by"] = audit::actor_object(made.by);
  link["revoked"] = nullptr;
  link[kDigest] = made.token_sha256;
  const auto added =
      change_links(*state_, check, [&](state::Writer& writer, Json& record, const Json&) -> Result<void> {
        if (record.at("links").size() >= kMaxLinks) return too_many(check, "links", kMaxLinks);
        record.at("links").push_back(link);
        return audit::append(writer, {made.by,
                                      "link.created",
                                      std::string(check),
                                      {{"link", link.at("id")}, {"expires", link.at("expires")}}});
      });
  AKIN_CHECK(added);
  return shown(std::move(link));
}

Result<Json> Links::list(std::string_view check) const {
  if (!is_check_id(check)) return no_check(check);
  AKIN_TRY(const auto stored, state_->get(Table::check_links, check));
  AKIN_TRY(Json record, decode(check, stored));
  for (Json& link : record.at("links")) link = shown(std::move(link));
  return record;
}

Result<Json> Links::open(std::string_view check, std::string_view token_sha256, Time now) const {
  if (!is_check_id(check)) return no_link(check);
  AKIN_TRY(const auto stored, state_->get(Table::check_links, check));
  AKIN_TRY(Json record, decode(check, stored));
  Json* link = find(record, kDigest, token_sha256);
  if (link == nullptr || has_ended(*link, now)) return no_link(check);
  return shown(std::move(*link));
}

Result<Json> Links::revoke(std::string_view check, std::string_view id, const state::Actor& by, Time now) {
  Json revoked;
  const auto changed =
      change_links(*state_, check, [&](state::Writer& writer, Json& record, const Json&) -> Result<void> {
        Json* link = find(record, "id", id);
        if (link == nullptr) return no_link(check);
        const bool is_new = link->at("revoked").is_null();
        if (is_new) (*link)["revoked"] = format_time(now);
        revoked = shown(*link);
        if (!is_new) return {};
        return audit::append(writer, {by, "link.revoked", std::string(check), {{"link", id}}});
      });
  AKIN_CHECK(changed);
  return revoked;
}

Result<void> Links::add_statement(std::string_view check, const Json& opened, std::string_view text,
                                  const std::string& address, Time now) {
  if (text.empty())
    return Error{Errc::invalid_argument, "statement", "it is empty", "write what the report shall say"};
  if (text.size() > kMaxStatementBytes)
    return Error{Errc::too_large, "statement", "more than " + std::to_string(kMaxStatementBytes) + " bytes",
                 "shorten it"};
  return change_links(*state_, check,
                      [&](state::Writer& writer, Json& record, const Json& object) -> Result<void> {
                        const Json* link = find(record, "id", opened.at("id").get_ref<const std::string&>());
                        if (link == nullptr || has_ended(*link, now)) return no_link(check);
                        if (link->at("statement") != true)
                          return Error{Errc::forbidden, "link to " + check_named(check),
                                       "it takes no statement", "ask its sender for one that does"};
                        Json& statements = record.at("statements");
                        const auto is_the_same = [&](const Json& one) {
                          return one.at("link") == link->at("id") && one.at("text") == text;
                        };
                        if (std::ranges::any_of(statements, is_the_same)) return {};
                        if (statements.size() >= kMaxStatements)
                          return too_many(check, "statements", kMaxStatements);
                        Json made;
                        made["number"] = statements.size() + 1;
                        made["time"] = format_time(now);
                        made["link"] = link->at("id");
                        made["label"] = link->at("label");
                        made["text"] = text;
                        statements.push_back(std::move(made));
                        AKIN_CHECK(announce(writer, "check.updated", object));
                        return audit::append(writer, {actor_of_link(opened, address),
                                                      "check.stated",
                                                      std::string(check),
                                                      {{"number", statements.size()}}});
                      });
}

state::Actor actor_of_link(const Json& link, const std::string& address) {
  return {.kind = "link",
          .id = link.at("id").get<std::string>(),
          .name = link.at("label").get<std::string>(),
          .address = address};
}

}  // namespace akin::check
