#include "server/desk/rules.h"

#include <array>
#include <cmath>
#include <tuple>

#include "base/utf8.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

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
/// templates if theirs is set.
std::string templates_part(const Words& words, const RuleView& view) {
  const std::string path = path_of(string_in(view.policy, "name"));
  const Json& accepted = view.policy.at("exclude").at("templates");
  std::string boxes;
  for (std::size_t number = 0; number < accepted.size(); ++number) {
    const Json& one = accepted[number];
    const std::string label = one.contains("text")
                                  ? beginning_of(string_in(one, "text"))
                                  : string_in(one, "collection") + "/" + string_in(one, "id");
    boxes += check_box("kept", std::to_string(number), label, true);
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

std::string rule_page(const Reader& reader, const RuleView& view) {
  const Words& words = *reader.words;
  const Json& policy = view.policy;
  constexpr std::string_view kPercent = " min=\"0\" max=\"100\" step=\"any\"";
  const std::string name = string_in(policy, "name");
  std::string fields =
      field("description", words.description,
            input("description", "text", " value=\"" + escaped(string_in(policy, "description")) + "\""));
  for (const auto& [key, verdict, limit] :
       {std::tuple("review_share", words.review, words.limit_text),
        std::tuple("refuse_share", words.refuse, words.limit_text),
        std::tuple("review_source_share", words.review, words.limit_source),
        std::tuple("refuse_source_share", words.refuse, words.limit_source),
        std::tuple("review_own_share", words.review, words.limit_own)}) {
    fields += number_field(key, filled(limit, {std::string(verdict)}), percent_value(policy.at(key)),
                           kPercent, words.never_hint);
  }
  const Json& exclude = policy.at("exclude");
  std::string boxes;
  for (const auto& [key, label] :
       {std::pair("quotations", words.exclude_quotations),
        std::pair("bibliography", words.exclude_bibliography),
        std::pair("referenced_quotations", words.exclude_referenced_quotations),
        std::pair("unreferenced_quotations", words.exclude_unreferenced_quotations),
        std::pair("referenced_passages", words.exclude_referenced_passages),
        std::pair("own_earlier", words.exclude_own)})
    boxes += check_box(key, "true", label, exclude.at(key).get<bool>());
  fields += fieldset(words.not_compared, boxes);
  fields += check_box("store_files", "true", words.store_files, policy.at("store_files").get<bool>());
  const Json& days = policy.at("keep_days");
  fields += number_field("min_passage_words", words.shortest_passage, policy.at("min_passage_words").dump(),
                         " min=\"4\" max=\"1000\" required", "") +
            number_field("readers", words.readers, policy.at("readers").dump(),
                         " min=\"1\" max=\"2\" required", "") +
            number_field("keep_days", words.keep_days, days.is_null() ? "" : days.dump(), " min=\"0\"",
                         words.keep_days_hint) +
            number_field("stand_days", words.stand_days,
                         policy.at("stand_days").is_null() ? "" : policy.at("stand_days").dump(),
                         " min=\"0\"", words.stand_days_hint);
  std::string html;
  if (view.preview) html += preview_part(words, *view.preview);
  html += "<form method=\"post\" action=\"" + path_of(name) + "\">\n" + fields +
          "<p><button name=\"do\" value=\"try\">" + escaped(words.try_rules) +
          "</button> <button name=\"do\" value=\"save\">" + escaped(words.save) +
          "</button></p>\n</form>\n<p>" + escaped(words.rules_hint) + "</p>\n" + templates_part(words, view);
  return desk_page(reader, std::string(words.rules) + ": " + name, html);
}

}  // namespace akin::desk
