#include "server/desk/rules.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/sha256.h"
#include "base/utf8.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

enum class Kind { text, share, exclusion, flag, count };

/// A field of the form, and what it is of a policy.
struct RuleField {
  const char* name;
  Kind kind;
  std::string_view Words::*label;
  std::string_view Words::*verdict = nullptr;  ///< to which a share leads, named in the label
  std::string_view bounds = {};
  std::string_view Words::*hint = nullptr;
};
constexpr std::string_view kPercent = " min=\"0\" max=\"100\" step=\"any\"";
constexpr std::array kFields = {
    RuleField{"description", Kind::text, &Words::description},
    RuleField{"review_share", Kind::share, &Words::limit_text, &Words::review, kPercent, &Words::never_hint},
    RuleField{"refuse_share", Kind::share, &Words::limit_text, &Words::refuse, kPercent, &Words::never_hint},
    RuleField{"review_source_share", Kind::share, &Words::limit_source, &Words::review, kPercent,
              &Words::never_hint},
    RuleField{"refuse_source_share", Kind::share, &Words::limit_source, &Words::refuse, kPercent,
              &Words::never_hint},
    RuleField{"review_own_share", Kind::share, &Words::limit_own, &Words::review, kPercent,
              &Words::never_hint},
    RuleField{"quotations", Kind::exclusion, &Words::exclude_quotations},
    RuleField{"bibliography", Kind::exclusion, &Words::exclude_bibliography},
    RuleField{"referenced_quotations", Kind::exclusion, &Words::exclude_referenced_quotations},
    RuleField{"unreferenced_quotations", Kind::exclusion, &Words::exclude_unreferenced_quotations},
    RuleField{"referenced_passages", Kind::exclusion, &Words::exclude_referenced_passages},
    RuleField{"own_earlier", Kind::exclusion, &Words::exclude_own},
    RuleField{"store_files", Kind::flag, &Words::store_files},
    RuleField{"min_passage_words", Kind::count, &Words::shortest_passage, nullptr,
              " min=\"4\" max=\"1000\" required"},
    RuleField{"readers", Kind::count, &Words::readers, nullptr, " min=\"1\" max=\"2\" required"},
    RuleField{"keep_days", Kind::count, &Words::keep_days, nullptr, " min=\"0\"", &Words::keep_days_hint},
    RuleField{"stand_days", Kind::count, &Words::stand_days, nullptr, " min=\"0\"", &Words::stand_days_hint},
};

std::string label_of(const Words& words, const RuleField& field) {
  const std::string_view label = words.*field.label;
  return field.verdict == nullptr ? std::string(label) : filled(label, {std::string(words.*field.verdict)});
}

std::string path_of(const std::string& name) { return "/desk/rules/" + name; }

/// A share as the number of a field, in percent to a thousandth; empty for none.
std::string percent_value(const Json& share) {
  if (!share.is_number()) return "";
  constexpr double kThousandths = 100'000;
  const auto value = static_cast<std::uint64_t>(std::llround(share.get<double>() * kThousandths));
  std::string text = std::to_string(value / 1000), rest = std::to_string(1000 + value % 1000).substr(1);
  while (rest.ends_with('0')) rest.pop_back();
  return rest.empty() ? text : text + "." + rest;
}

std::string number_field(std::string_view name, std::string_view label, const std::string& value,
                         std::string_view bounds, std::string_view hint) {
  return field(name, label, input(name, "number", std::string(bounds) + " value=\"" + value + "\""), hint);
}

/// The field with the value that it begins with.
std::string input_of(const Words& words, const RuleField& field, const Json& value) {
  const std::string label = label_of(words, field);
  if (field.kind == Kind::text)
    return desk::field(field.name, label,
                       input(field.name, "text", value_attribute(value.get_ref<const std::string&>())));
  if (field.kind == Kind::exclusion || field.kind == Kind::flag)
    return check_box(field.name, "true", label, value.get<bool>());
  const std::string text = field.kind == Kind::share ? percent_value(value)
                           : value.is_null()         ? ""
                                                     : value.dump();
  return number_field(field.name, label, text, field.bounds,
                      field.hint == nullptr ? std::string_view() : words.*field.hint);
}

/// The value as a reader of the page reads it.
std::string shown_value(const Words& words, Kind kind, const Json& value) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) return value.get<std::string>();
  if (value.is_boolean()) return std::string(value.get<bool>() ? words.is_on : words.is_off);
  if (!value.is_number()) return std::string(words.unset);
  return kind == Kind::share ? percent(words, value.get<double>()) : value.dump();
}

/// What somebody else has changed since the form was made.
std::string changes_part(const Words& words, const RuleView& view) {
  const Json stored = form_fields(view.stored), written = form_fields(view.policy);
  std::string rows;
  for (const RuleField& field : kFields) {
    const Json before = view.base.value(field.name, Json());
    if (before == stored.at(field.name)) continue;
    rows += "<tr><th scope=\"row\">" + escaped(label_of(words, field)) + "</th>";
    for (const Json* value : {&before, &stored.at(field.name), &written.at(field.name)})
      rows += cell(shown_value(words, field.kind, *value));
    rows += "</tr>\n";
  }
  return "<div class=\"error\" role=\"alert\">" + paragraph(words.rules_changed) + "</div>\n" +
         wide_table(words.changed_settings,
                    {words.setting, words.as_opened, words.as_stored, words.as_written}, rows);
}

std::string preview_part(const Words& words, const Preview& preview) {
  std::string html = "<div class=\"verdict\" role=\"status\"><p>" +
                     escaped(filled(words.preview_found,
                                    {number(words, preview.checks), number(words, preview.changed.size())})) +
                     "</p><p>" + escaped(words.preview_hint) + "</p></div>\n";
  if (preview.changed.empty()) return html;
  std::string rows;
  for (const ChangedCase& one : preview.changed) {
    rows += "<tr><th scope=\"row\">" +
            link("/desk/checks/" + string_in(one.check, "id"), title_of(words, one.check)) + "</th><td>" +
            escaped(percent(words, one.check.at("share").get<double>())) + "</td><td>" +
            escaped(verdict_of(words, string_in(one.check, "verdict"))) + "</td><td>" +
            escaped(verdict_of(words, one.verdict)) + "</td></tr>\n";
  }
  return html + table(words.preview_changed, {words.title, words.share, words.verdict, words.would_be}, rows);
}

std::string beginning_of(std::string_view text) {
  constexpr std::size_t kShown = 300;
  const std::size_t length = count_code_points(text);
  return length <= kShown ? std::string(text) : std::string(slice_code_points(text, 0, kShown)) + "…";
}

/// The templates of a policy, which are kept unless their box is cleared, and the proposed ones, which become
/// templates if theirs is set. Those that others accept meanwhile are not listed, and stay.
std::string templates_part(const Words& words, const RuleView& view) {
  const std::string path = path_of(string_in(view.policy, "name"));
  const Json& accepted = view.policy.at("exclude").at("templates");
  std::string boxes;
  for (const Json& one : accepted) {
    const std::string digest = template_digest(one);
    const std::string label = one.contains("text")
                                  ? beginning_of(string_in(one, "text"))
                                  : string_in(one, "collection") + "/" + string_in(one, "id");
    boxes += hidden("listed", digest) + check_box("kept", digest, label, true);
  }
  std::string html = "<h2 id=\"templates\">" + escaped(words.templates) + "</h2>\n<p>" +
                     escaped(words.templates_intro) + "</p>\n";
  if (!view.collections.empty())
    html += "<form action=\"" + path + "#templates\">\n" +
            field("collection", words.collection, select("collection", view.collections)) +
            number_field("more_than", words.in_more_than, "20", " min=\"1\" required", "") + "<p><button>" +
            escaped(words.propose) + "</button></p>\n</form>\n";
  if (view.proposals.is_object() && view.proposals.at("templates").empty())
    html += "<p role=\"status\">" + escaped(words.no_proposals) + "</p>\n";
  if (view.proposals.is_object()) {
    for (const Json& one : view.proposals.at("templates")) {
      const std::string count =
          filled(words.proposal, {number(words, one.at("words").get<std::uint64_t>()),
                                  number(words, one.at("documents").get<std::uint64_t>())});
      boxes += check_box("template", string_in(one, "text"),
                         count + ": " + beginning_of(string_in(one, "text")), false);
    }
  }
  if (boxes.empty()) return html;
  return html + form(path, hidden("do", "templates") + boxes, words.apply);
}

}  // namespace

std::string rules_page(const Reader& reader, const Json& policies) {
  const Words& words = *reader.words;
  std::string html = "<p>" + escaped(words.rules_intro) + "</p>\n<ul>\n";
  for (const Json& policy : policies) {
    const std::string name = string_in(policy, "name"), description = string_in(policy, "description");
    html += "<li>" + link(path_of(name), name);
    if (!description.empty()) html += " – " + escaped(description);
    html += "</li>\n";
  }
  return desk_page(
      reader, words.rules,
      html + "</ul>\n<h2>" + escaped(words.new_rules) + "</h2>\n" +
          form("/desk/rules", field("name", words.name, input("name", "text", " required"), words.name_hint),
               words.new_rules));
}

Json form_fields(const Json& policy) {
  Json values = Json::object();
  for (const RuleField& field : kFields)
    values[field.name] = (field.kind == Kind::exclusion ? policy.at("exclude") : policy).at(field.name);
  return values;
}

std::string template_digest(const Json& one) { return sha256_hex(one.dump()); }

std::string rule_page(const Reader& reader, const RuleView& view) {
  const Words& words = *reader.words;
  const std::string name = string_in(view.policy, "name");
  const Json values = form_fields(view.policy);
  std::string fields, boxes;
  for (const RuleField& field : kFields) {
    const bool is_exclusion = field.kind == Kind::exclusion;
    if (!is_exclusion && !boxes.empty()) fields += fieldset(words.not_compared, std::exchange(boxes, {}));
    (is_exclusion ? boxes : fields) += input_of(words, field, values.at(field.name));
  }
  std::string html;
  if (!view.stored.is_null()) html += changes_part(words, view);
  if (view.preview) html += preview_part(words, *view.preview);
  html += "<form method=\"post\" action=\"" + path_of(name) + "\">\n" +
          hidden("base", (view.stored.is_null() ? view.base : form_fields(view.stored)).dump()) + fields +
          "<p><button name=\"do\" value=\"try\">" + escaped(words.try_rules) +
          "</button> <button name=\"do\" value=\"save\">" + escaped(words.save) +
          "</button></p>\n</form>\n<p>" + escaped(words.rules_hint) + "</p>\n" + templates_part(words, view);
  return desk_page(reader, std::string(words.rules) + ": " + name, html);
}

}  // namespace akin::desk
