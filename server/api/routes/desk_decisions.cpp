// The forms of the desk that decide about a check and mark its findings.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/conditions.h"
#include "server/api/read/form.h"
#include "server/check/decision.h"
#include "server/check/marks.h"
#include "server/desk/decision.h"
#include "server/desk/pages.h"

namespace akin::api {

namespace {

/// The number in a field of a form.
Result<std::uint64_t> number_of(std::span<const Parameter> fields, std::string_view name) {
  const std::string digits = value_of(fields, name);
  std::uint64_t number = 0;
  const char* last = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(digits.data(), last, number);
  if (failure == std::errc() && end == last) return number;
  return Error{Errc::invalid_argument, "field " + in_quotes(name), "is not a number",
               "use the form below /desk/checks"};
}

/// The version that the form was made from: somebody may have changed the decision since.
Result<check::Change> change_of(const Call& call, std::span<const Parameter> fields) {
  AKIN_TRY(const std::uint64_t revision, number_of(fields, "revision"));
  return check::Change{
      actor_of(call.request), {Precondition::Kind::revision_in, {Revision(revision)}}, time_now()};
}

/// The mark that a select and a remark make of `mark`, or null if they change nothing.
Json changed_mark(std::span<const Parameter> fields, const std::string& number, const Json* mark) {
  const auto given = [&](const std::string& name) {
    return std::ranges::find(fields, name, &Parameter::name) != fields.end();
  };
  if (!given("what-" + number)) return nullptr;
  const std::string what = value_of(fields, "what-" + number), remark = value_of(fields, "remark-" + number);
  const std::string before = mark == nullptr ? "" : mark->value("remark", "");
  if (what == desk::choice_of(mark) && remark == before) return nullptr;
  Json changed = Json::object();
  if (what != "as is") {
    changed["counted"] = what == "off" ? Json(false) : Json(nullptr);
    changed["class"] = what.empty() || what == "off" ? Json(nullptr) : Json(what);
  }
  changed["remark"] = remark;
  return changed;
}

Json source_marks(const Json& check, std::span<const Parameter> fields, std::uint64_t source) {
  const check::DecidedMarks marks(check.at("decision").at("marks"));
  Json changes = Json::array();
  const std::size_t passages = check.at("sources")[source - 1].at("passages").size();
  for (std::size_t i = 0; i <= passages; ++i) {
    const Json* mark = i == 0 ? marks.of_source(source) : marks.of_passage(source, i);
    Json changed = changed_mark(fields, std::to_string(i), mark);
    if (changed.is_null()) continue;
    changed["source"] = source;
    if (i > 0) changed["passage"] = i;
    changes.push_back(std::move(changed));
  }
  return changes;
}

Json exclusion_marks(const Json& check, std::span<const Parameter> fields) {
  const check::DecidedMarks marks(check.at("decision").at("marks"));
  Json changes = Json::array();
  for (std::size_t i = 1; i <= check.at("excluded").size(); ++i) {
    const bool wanted = !value_of(fields, "what-" + std::to_string(i)).empty();
    if (wanted == marks.is_compared_after_all(i)) continue;
    changes.push_back({{"exclusion", i}, {"counted", wanted ? Json(true) : Json(nullptr)}});
  }
  return changes;
}

/// What a button switches: a source, or one of its passages unless that is 0, on or off.
struct Switch {
  std::uint64_t source = 0, passage = 0;
  bool on = false;
};

Result<Switch> switch_in(std::span<const Parameter> fields) {
  const std::string at = value_of(fields, "at");
  const std::vector<std::string_view> parts = split(at, '.');
  const auto read = [](std::string_view digits, std::uint64_t& value) {
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return failure == std::errc() && end == digits.data() + digits.size();
  };
  Switch wanted;
  if (parts.size() == 3 && read(parts[0], wanted.source) && read(parts[1], wanted.passage) &&
      wanted.source > 0 && (parts[2] == "on" || parts[2] == "off")) {
    wanted.on = parts[2] == "on";
    return wanted;
  }
  return Error{Errc::invalid_argument, "field 'at'", "is not such as 3.17.off",
               "use the buttons of the report"};
}

/// The mark that makes it so. What counts, or not, by itself needs none.
Json switched(const Json& check, const Switch& wanted) {
  const check::DecidedMarks marks(check.at("decision").at("marks"));
  const bool is_source = wanted.passage == 0;
  const Json* mark =
      is_source ? marks.of_source(wanted.source) : marks.of_passage(wanted.source, wanted.passage);
  bool by_itself = is_source || marks.source_counts(wanted.source);
  if (mark != nullptr) {
    if (const Json is = mark->value("class", Json()); is.is_string()) by_itself = is == "borrowing";
  }
  Json change = {{"source", wanted.source},
                 {"counted", by_itself == wanted.on ? Json(nullptr) : Json(wanted.on)}};
  if (!is_source) change["passage"] = wanted.passage;
  return Json::array({std::move(change)});
}

/// The marks that take back those of the last entry of the history.
Result<Json> marks_before(const Json& check, const std::vector<Json>& history) {
  if (history.empty() || history.back().at("action") != "marks") {
    return Error{Errc::invalid_argument, "check " + in_quotes(check.at("id").get<std::string>()),
                 "its last change is none of marks", "read its report again"};
  }
  Json before = Json::array();
  for (std::size_t i = 0; i + 1 < history.size(); ++i) {
    if (history[i].at("action") != "marks") continue;
    AKIN_TRY(before, check::merge_marks(check, before, history[i].at("marks")));
  }
  const check::DecidedMarks marks(before);
  Json back = Json::array();
  for (const Json& change : history.back().at("marks")) {
    const auto number = [&](const char* field) { return change.value(field, std::size_t{0}); };
    const std::size_t source = number("source"), passage = number("passage"), exclusion = number("exclusion");
    const Json* const mark = exclusion > 0 ? marks.of_exclusion(exclusion)
                             : passage > 0 ? marks.of_passage(source, passage)
                                           : marks.of_source(source);
    Json& one = back.emplace_back(mark == nullptr ? change : *mark);
    if (mark != nullptr) continue;
    one["counted"] = nullptr;
    one["remark"] = "";
    if (exclusion == 0) one["class"] = nullptr;
  }
  return back;
}

std::string path_of(const Call& call) { return "/desk/checks/" + call.captures.front(); }

/// The check, if it has so many sources.
Result<Json> check_with(const Call& call, std::uint64_t source) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(Json check, allowed_check(call, *checks));
  if (source <= check.at("sources").size()) return check;
  return Error{Errc::not_found, "source " + std::to_string(source), "the check does not list it",
               "use the links of the report"};
}

/// The answer to a change of marks that was kept: data for a script, else the way back to the report.
Result<Response> kept(const Call& call, const desk::Reader& reader, const Json& check, std::uint64_t source) {
  if (call.request.header("accept").value_or("") != "application/json")
    return see_other(path_of(call) + (source > 0 ? "#source-" + std::to_string(source) : ""));
  AKIN_TRY(const auto history, check::Decisions(call.service.state).history(check));
  return json_response(200, desk::change_object(*reader.words, check, history));
}

}  // namespace

Result<Response> decide_case(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    const Json body = {{"state", value_of(fields, "state")}, {"remark", value_of(fields, "remark")}};
    AKIN_TRY(const std::uint64_t revision, number_of(fields, "revision"));
    Request request = request_of_same(call, "application/json", body.dump());
    request.headers.emplace_back("if-match", entity_tag(Revision(revision)));
    AKIN_CHECK(put_decision(Call{call.service, request, call.captures, {}}));
    return see_other(path_of(call));
  });
}

Result<Response> accept_cases(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    AKIN_TRY(const auto checks, checks_of(call.service));
    const Request request = request_of_same(call, "application/json", R"({"state": "accepted"})");
    for (const std::string& id : values_of(fields, "check")) {
      const Call one{call.service, request, {id}, {}};
      AKIN_TRY(const Json check, allowed_check(one, *checks));
      if (desk::is_acceptable_unread(check)) AKIN_CHECK(put_decision(one));
    }
    return see_other("/desk/checks");
  });
}

Result<Response> get_case_marks(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    static constexpr DeclaredParameter kKnown[] = {
        {.name = "source", .kind = ParameterKind::integer, .least = 1, .most = 1'000'000}, {.name = "lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    const std::uint64_t source = parameters.integer("source").value_or(0);
    AKIN_TRY(const Json check, check_with(call, source));
    AKIN_TRY(const auto checks, checks_of(call.service));
    AKIN_CHECK(require_shown(call.service, check));
    AKIN_TRY(const std::string text, checks->text(call.captures.front()));
    AKIN_CHECK(record(call, "check.read", call.captures.front()));
    return page_response(200, reader,
                         desk::marks_page(reader, shown_check(reader, check), text, source, path_of(call)));
  });
}

Result<Response> mark_case(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    AKIN_TRY(const std::uint64_t source, number_of(fields, "source"));
    AKIN_TRY(const check::Change change, change_of(call, fields));
    AKIN_TRY(Json check, check_with(call, source));
    const Json marks = source > 0 ? source_marks(check, fields, source) : exclusion_marks(check, fields);
    AKIN_TRY(check, check::Decisions(call.service.state).mark(call.captures.front(), marks, change));
    return kept(call, reader, check, source);
  });
}

Result<Response> switch_case(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    AKIN_TRY(const Switch wanted, switch_in(fields));
    AKIN_TRY(const check::Change change, change_of(call, fields));
    AKIN_TRY(const Json before, check_with(call, wanted.source));
    AKIN_TRY(
        const Json check,
        check::Decisions(call.service.state).mark(call.captures.front(), switched(before, wanted), change));
    return kept(call, reader, check, wanted.source);
  });
}

Result<Response> undo_marks(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    AKIN_TRY(const check::Change change, change_of(call, fields));
    AKIN_TRY(const Json check, check_with(call, 0));
    check::Decisions decisions(call.service.state);
    AKIN_TRY(const auto history, decisions.history(check));
    AKIN_TRY(const Json marks, marks_before(check, history));
    AKIN_CHECK(decisions.mark(call.captures.front(), marks, change));
    return see_other(path_of(call) + "#history");
  });
}

}  // namespace akin::api
