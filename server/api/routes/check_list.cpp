// Lists of stored checks.
#include <unicode/unistr.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rfc3339.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/routes/check_request.h"
#include "server/api/routes/waiting_checks.h"
#include "server/api/write/check_objects.h"

namespace akin::api {

namespace {

/// Records of checks that are in memory at once; each may have megabytes.
constexpr std::size_t kReadAtOnce = 16;

struct CheckPage {
  std::optional<std::uint64_t> total;  ///< of all pages, if it was counted
  Json checks = Json::array();
  bool more = false;
};

/// Whether the text contains the part, letters compared without case.
bool has_part(std::string_view text, std::string_view part) {
  const auto folded = [](std::string_view utf8) {
    return icu::UnicodeString::fromUTF8({utf8.data(), static_cast<std::int32_t>(utf8.size())}).foldCase();
  };
  return folded(text).indexOf(folded(part)) >= 0;
}

/// A string as JSON has it, between its quotation marks.
std::string in_json(std::string_view text) {
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

/// The filters of a list of checks.
struct CheckFilter {
  std::optional<std::string_view> verdict, state, owner, collection, part;
  std::optional<std::int64_t> since, until;  ///< microseconds since the Unix epoch
  std::uint64_t least_words = 0;
  std::optional<bool> admitted;

  [[nodiscard]] bool is_any() const {
    return verdict || state || owner || collection || part || since || until || least_words > 0 || admitted;
  }
  /// Whether the check may be accepted whose summary this is, as it is stored. Looking for the words in it
  /// takes a tenth of the time of reading it.
  [[nodiscard]] bool may_accept(std::string_view summary) const {
    const auto has = [&](const char* field, const std::optional<std::string_view>& value) {
      return !value ||
             summary.find(std::string("\"") + field + "\":\"" + in_json(*value) + "\"") != summary.npos;
    };
    if (!has("verdict", verdict) || !has("state", state) || !has("owner", owner)) return false;
    if (collection && summary.find("\"" + in_json(*collection) + "\"") == summary.npos) return false;
    const auto value_of = [&](std::string_view field) {
      const std::size_t at = summary.find(field);
      return summary.substr(at == summary.npos ? summary.size() : at + field.size());
    };
    if (until) {
      const std::string_view time = value_of("\"created\":\"");
      if (parse_rfc3339(time.substr(0, time.find('"'))) > until) return false;
    }
    if (least_words > 0) {
      const std::string_view digits = value_of("\"words\":");
      std::uint64_t words = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), words);
      if (words < least_words) return false;
    }
    // Id, title and owner come first.
    return !part || has_part(summary.substr(0, summary.find("\"collections\":")), in_json(*part));
  }
  [[nodiscard]] bool accepts(const Json& check) const {
    if (admitted && check.at("admitted").is_null() == *admitted) return false;
    if (verdict && check.at("verdict") != Json(*verdict)) return false;
    if (state && check.at("decision").at("state") != Json(*state)) return false;
    return accepts_described(check);
  }
  [[nodiscard]] bool accepts_waiting(const Json& hand_in) const {
    return (!state || hand_in.at("state") == Json(*state)) && accepts_described(hand_in);
  }
  [[nodiscard]] bool accepts_described(const Json& check) const {
    if (owner && check.at("owner") != Json(*owner)) return false;
    if (until && created(check) > until) return false;
    if (least_words > 0 && check.value("words", std::uint64_t{0}) < least_words) return false;
    const Json& searched = check.at("collections");
    if (collection && std::ranges::find(searched, Json(*collection)) == searched.end()) return false;
    const auto has = [&](const char* field) {
      const Json& value = check.at(field);
      return value.is_string() && has_part(value.get_ref<const std::string&>(), *part);
    };
    return !part || has("title") || has("owner") || has("id");
  }
  [[nodiscard]] bool is_too_old(const Json& check) const { return since && created(check) < since; }
  [[nodiscard]] static std::optional<std::int64_t> created(const Json& check) {
    return parse_rfc3339(check.at("created").get_ref<const std::string&>());
  }
};

Result<CheckFilter> check_filter(const Parameters& parameters) {
  CheckFilter filter{parameters.text("verdict"),
                     parameters.text("state"),
                     parameters.text("owner"),
                     parameters.text("collection"),
                     parameters.text("q"),
                     {},
                     {},
                     parameters.integer("least_words").value_or(0),
                     {}};
  if (parameters.text("admitted")) filter.admitted = parameters.flag("admitted");
  constexpr std::size_t kDate = std::string_view("2024-05-17").size();
  for (const auto& [name, time] : {std::pair("since", &filter.since), std::pair("until", &filter.until)}) {
    const auto given = parameters.text(name);
    if (!given) continue;
    const bool is_end_of_day = time == &filter.until && given->size() == kDate;
    *time = parse_rfc3339(std::string(*given) + (is_end_of_day ? "T23:59:59.999999Z" : ""));
    if (*time) continue;
    return Error{Errc::invalid_argument, parameters.what(name), in_quotes(*given) + " is not a date",
                 kGiveADate};
  }
  return filter;
}

/// Calls visit(summary) for the checks that are older than `before` and that the filter may accept, the
/// newest first, until it returns false or the filter's time is reached.
template <class Visit>
Result<void> visit_newest(const check::Checks& checks, std::string_view before, const CheckFilter& filter,
                          const Visit& visit) {
  std::string last(before);
  while (true) {
    AKIN_TRY(const auto some, checks.newest_summaries(last, kReadAtOnce, [&](std::string_view summary) {
      return filter.may_accept(summary);
    }));
    for (const Json& check : some.wanted)
      if (filter.is_too_old(check) || !visit(check)) return {};
    if (some.is_end) return {};
    last = some.last;
  }
}

/// Lists only the checks that the key allows and the filter accepts, the newest first. If they may not be
/// all, they are counted only on request: all checks since the time of the filter are then read.
Result<CheckPage> list_page(const Call& call, const check::Checks& checks, const CheckFilter& filter,
                            const Parameters& parameters) {
  const std::uint64_t limit = *parameters.integer("limit");
  const std::string_view after = parameters.key_of_cursor();
  const auto& grant = call.request.grant;
  const bool bound = filter.is_any() ||
                     (grant && (!grant->key().spec.collections.empty() || !may(call, access::Scope::review)));
  const bool counts = bound && parameters.flag("total");
  CheckPage page;
  if (counts) page.total = 0;
  if (!bound) {
    AKIN_TRY(page.total, checks.count());
  }
  AKIN_CHECK(visit_newest(checks, counts ? "" : after, filter, [&](const Json& check) {
    if (bound && !(allows_check(call.request, check) && filter.accepts(check))) return true;
    if (counts) ++*page.total;
    if (!after.empty() && check.at("id") >= Json(after)) return true;
    page.more = page.checks.size() == limit;
    if (page.checks.size() < limit) page.checks.push_back(check_summary(check));
    return counts || !page.more;
  }));
  return page;
}

/// Those that are not done, on the first page only; they have no verdict and no decision, and are not
/// admitted.
Result<Json> waiting_list(const Call& call, const CheckFilter& filter, const Parameters& parameters) {
  Json list = Json::array();
  if (filter.verdict || filter.admitted || parameters.text("cursor")) return list;
  AKIN_TRY(const std::vector<Json> all, waiting_checks(call));
  for (const Json& one : all) {
    if (filter.is_too_old(one)) break;
    if (filter.accepts_waiting(one)) list.push_back(one);
  }
  return list;
}

}  // namespace

Result<std::vector<Json>> newest_checks(const Call& call, std::string_view before, const Parameters& filters,
                                        std::size_t limit) {
  AKIN_TRY(const CheckFilter filter, check_filter(filters));
  AKIN_TRY(const auto checks, checks_of(call.service));
  std::vector<Json> found;
  AKIN_CHECK(visit_newest(*checks, before, filter, [&](const Json& check) {
    if (found.size() == limit) return false;
    if (allows_check(call.request, check) && filter.accepts(check)) found.push_back(check_summary(check));
    return true;
  }));
  return found;
}

Result<Response> list_checks(const Call& call) {
  const Parameters& parameters = call.parameters;
  AKIN_TRY(const CheckFilter filter, check_filter(parameters));
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(CheckPage page, list_page(call, *checks, filter, parameters));
  Json object;
  object["total"] = page.total ? Json(*page.total) : Json(nullptr);
  object["checks"] = std::move(page.checks);
  AKIN_TRY(object["waiting"], waiting_list(call, filter, parameters));
  object["next"] =
      page.more ? Json(cursor_after(object["checks"].back().at("id").get<std::string>())) : Json(nullptr);
  return json_response(200, object);
}

}  // namespace akin::api
