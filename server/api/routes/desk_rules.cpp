// The pages of the desk for policies.
#include "server/desk/rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/api/write/check_objects.h"
#include "server/check/preview.h"

namespace akin::api {

namespace {

/// Checks that a preview looks at.
constexpr std::size_t kPreviewed = 100;
/// Whole checks that are in memory at once.
constexpr std::size_t kReadAtOnce = 4;
/// In more documents than these a passage is proposed as a template, unless the page says otherwise.
constexpr std::uint64_t kManyDocuments = 20, kMostDocuments = 4'294'967'295;
constexpr std::array kShares = {"review_share", "refuse_share", "review_source_share", "refuse_source_share",
                                "review_own_share"};

Error not_a_number(std::string_view name, const std::string& value) {
  return Error{Errc::invalid_argument, "field " + in_quotes(name), in_quotes(value) + " is not a number",
               "write digits, perhaps with a decimal point"};
}

/// A number with a decimal point or comma; null if the field is empty.
Result<Json> number_in(std::span<const Parameter> fields, std::string_view name) {
  std::string value = value_of(fields, name);
  if (value.empty()) return Json();
  std::ranges::replace(value, ',', '.');
  double number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failure != std::errc() || end != value.data() + value.size()) return not_a_number(name, value);
  return Json(number);
}

/// Without fractions.
Result<Json> count_in(std::span<const Parameter> fields, std::string_view name) {
  AKIN_TRY(const Json number, number_in(fields, name));
  if (number.is_null()) return number;
  const auto value = number.get<double>();
  if (value < 0 || value > 1e9) return not_a_number(name, value_of(fields, name));
  return Json(static_cast<std::uint64_t>(value));
}

/// The policy with what the form says of it.
Result<Json> with_fields_of(Json policy, std::span<const Parameter> fields) {
  policy["description"] = value_of(fields, "description");
  for (const char* name : kShares) {
    AKIN_TRY(Json percent, number_in(fields, name));
    policy[name] = percent.is_null() ? std::move(percent) : Json(percent.get<double>() / 100);
  }
  for (const char* name : {"quotations", "bibliography", "referenced_quotations", "unreferenced_quotations",
                           "referenced_passages", "own_earlier"})
    policy["exclude"][name] = value_of(fields, name) == "true";
  policy["store_files"] = value_of(fields, "store_files") == "true";
  for (const char* name : {"min_passage_words", "readers", "keep_days", "stand_days"}) {
    AKIN_TRY(policy[name], count_in(fields, name));
  }
  return policy;
}

/// What the form's fields had when its page was made.
Result<Json> base_of(std::span<const Parameter> fields) {
  const auto base = parse_json(value_of(fields, "base"));
  if (base.has_value() && base->is_object()) return *base;
  return Error{Errc::invalid_argument, "form field 'base'", "is not what the page has in it",
               "open the page again, and send its form"};
}

/// As PUT takes it.
Json without_name(Json policy) {
  policy.erase("name");
  return policy;
}

/// The policy with those of its templates that the form keeps or does not list, and those that it accepts.
Json with_templates_of(Json policy, std::span<const Parameter> fields) {
  Json& templates = policy["exclude"]["templates"];
  Json chosen = Json::array();
  const auto names = [&](std::string_view field, const Json& one) {
    const auto values = values_of(fields, field);
    return std::ranges::find(values, desk::template_digest(one)) != values.end();
  };
  for (Json& one : templates) {
    if (names("kept", one) || !names("listed", one)) chosen.push_back(std::move(one));
  }
  for (const std::string& text : values_of(fields, "template")) chosen.push_back({{"text", text}});
  templates = std::move(chosen);
  return policy;
}

/// Replaces the policy by what `make` makes of its object while nobody else can change it.
template <class Make>
Result<void> change_policy(const Call& call, const Make& make) {
  const auto changed = [&](const check::Policy& now) -> Result<check::Policy> {
    AKIN_TRY(const Json object, make(check::policy_object(now)));
    return check::parse_policy(object);
  };
  return call.service.policies->change(call.captures.front(), changed, actor_of(call.request));
}

Result<desk::RuleView> rule_view(const Call& call) {
  desk::RuleView view;
  AKIN_TRY(view.policy, answer_of(call, get_policy, {.captures = call.captures}));
  view.base = desk::form_fields(view.policy);
  AKIN_TRY(view.collections, call.service.catalog->list());
  return view;
}

Result<desk::Preview> preview_of(const Call& call, const Json& object) {
  AKIN_TRY(const check::Policy policy, check::parse_policy(without_name(object)));
  AKIN_TRY(const auto checks, checks_of(call.service));
  desk::Preview preview;
  std::string last;
  for (;;) {
    AKIN_TRY(const auto some, checks->newest(last, kReadAtOnce));
    for (const Json& check : some) {
      last = check.at("id").get<std::string>();
      if (check.at("policy").at("name") != call.captures.front() || preview.checks == kPreviewed) continue;
      ++preview.checks;
      const std::string verdict(check::verdict_name(check::verdict_with(check, policy)));
      if (check.at("verdict") != verdict)
        preview.changed.push_back({check_summary(check::summary_of(check)), verdict});
    }
    if (some.size() < kReadAtOnce || preview.checks == kPreviewed) return preview;
  }
}

}  // namespace

Result<Response> get_desk_rules(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/rules");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_CHECK(check_operator(call));
    AKIN_TRY(const Json policies, answer_of(call, list_policies));
    return page_response(200, reader, desk::rules_page(reader, policies.at("policies")));
  });
}

Result<Response> post_desk_rules(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_CHECK(check_operator(call));
    AKIN_TRY(const auto fields, fields_of(call));
    const std::string name = value_of(fields, "name");
    if (answer_of(call, get_policy, {.captures = {name}}).has_error())
      AKIN_CHECK(answer_of(call, put_policy, {.captures = {name}, .body = Json::object()}));
    return see_other("/desk/rules/" + name);
  });
}

Result<Response> get_desk_rule(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/rules/" + call.captures.front());
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_CHECK(check_operator(call));
    static constexpr DeclaredParameter kKnown[] = {
        {"collection"}, {"more_than", ParameterKind::integer, 1, kMostDocuments}, {"lang"}};
    AKIN_TRY(const Parameters asked, Parameters::read(call.parameters.given(), kKnown));
    AKIN_TRY(desk::RuleView view, rule_view(call));
    if (const auto collection = asked.text("collection")) {
      const std::string most = std::to_string(asked.integer("more_than").value_or(kManyDocuments));
      AKIN_TRY(view.proposals,
               answer_of(call, propose_templates,
                         {.captures = {std::string(*collection)},
                          .query = {{"policy", call.captures.front()}, {"more_than", most}}}));
    }
    return page_response(200, reader, desk::rule_page(reader, view));
  });
}

Result<Response> post_desk_rule(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/rules/" + call.captures.front());
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_CHECK(check_operator(call));
    AKIN_TRY(const auto fields, fields_of(call));
    if (value_of(fields, "do") == "templates") {
      AKIN_CHECK(
          change_policy(call, [&](const Json& now) { return Result<Json>(with_templates_of(now, fields)); }));
      return see_other("/desk/rules/" + call.captures.front() + "#templates");
    }
    AKIN_TRY(desk::RuleView view, rule_view(call));
    AKIN_TRY(view.base, base_of(fields));
    AKIN_TRY(view.policy, with_fields_of(view.policy, fields));
    if (value_of(fields, "do") == "try") {
      AKIN_TRY(view.preview, preview_of(call, view.policy));
      return page_response(200, reader, desk::rule_page(reader, view));
    }
    Json meanwhile;
    const auto saved = change_policy(call, [&](const Json& now) -> Result<Json> {
      if (desk::form_fields(now) == view.base) return with_fields_of(now, fields);
      meanwhile = now;
      return Error{Errc::precondition_failed, "policy " + in_quotes(call.captures.front()),
                   "somebody else has changed it", "read what has changed, then save it again"};
    });
    if (meanwhile.is_null()) {
      AKIN_CHECK(saved);
      return see_other("/desk/rules");
    }
    view.stored = std::move(meanwhile);
    return page_response(412, reader, desk::rule_page(reader, view));
  });
}

}  // namespace akin::api
