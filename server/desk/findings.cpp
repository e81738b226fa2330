#include "server/desk/findings.h"

#include <algorithm>
#include <cstdint>

#include "server/desk/decision.h"
#include "server/desk/forms.h"
#include "server/desk/overview.h"
#include "server/desk/page.h"

namespace akin::desk {

namespace {

using json::Json;

/// A mark without its remark.
Json marks_of(const Json& check) {
  Json marks = Json::array();
  for (const Json& mark : check.at("decision").at("marks")) {
    if (mark.contains("exclusion")) continue;
    marks.push_back({{"source", mark.at("source")},
                     {"passage", mark.value("passage", 0)},
                     {"counted", mark.at("counted")},
                     {"class", mark.value("class", Json())},
                     {"is_bare", mark.value("class", Json()).is_null() && mark.value("remark", "").empty()}});
  }
  return marks;
}

Json texts_of(const Words& words, const Json& check) {
  return {{"decimal_point", words.decimal_point},
          {"thousands_mark", words.thousands_mark},
          {"shown_count", words.shown_count},
          {"match_label", words.match_label},
          {"match_changed", words.match_changed},
          {"match_also", words.match_also},
          {"decided_sentence", words.decided_sentence},
          {"decided_share", words.decided_share},
          {"state_sentence", state_sentence(words, check.at("decision"))},
          {"counts", words.counts},
          {"does_not_count", words.does_not_count},
          {"switch_off", words.switch_off},
          {"switch_on", words.switch_on},
          {"switch_failed", words.switch_failed},
          {"cancel", words.cancel}};
}

}  // namespace

std::string class_of(const check::DecidedMarks& marks, std::size_t source, std::size_t passage) {
  for (const Json* mark : {marks.of_passage(source, passage), marks.of_source(source)}) {
    if (mark == nullptr) continue;
    if (const Json is = mark->value("class", Json()); is.is_string()) return is.get<std::string>();
  }
  return "";
}

std::string findings(const Words& words, const Json& check, const std::vector<std::vector<Shown>>& passages,
                     std::size_t size) {
  std::vector<const Shown*> order;
  for (const std::vector<Shown>& of_source : passages) {
    for (const Shown& one : of_source) order.push_back(&one);
  }
  std::ranges::sort(order, {}, [](const Shown* one) { return one->match.number; });
  Json begin = Json::array(), end = begin, source = begin, passage = begin, count = begin, kind = begin,
       changed = begin;
  for (const Shown* one : order) {
    begin.push_back(one->match.range.begin);
    end.push_back(one->match.range.end);
    source.push_back(one->match.source);
    passage.push_back(one->in_source);
    count.push_back(one->passage->value("words", Json()));
    kind.push_back((one->passage->value("quoted", false) ? 1 : 0) +
                   (one->passage->value("referenced", false) ? 2 : 0) + (one->in_bibliography ? 4 : 0));
    changed.push_back(one->match.changed_words);
  }
  Json years = Json::array(), shares = Json::array();
  for (const Json& one : check.at("sources")) {
    years.push_back(year_of(one));
    shares.push_back(one.at("share"));
  }
  const Json& decision = check.at("decision");
  return data_block("findings",
                    {{"size", size},
                     {"begin", std::move(begin)},
                     {"end", std::move(end)},
                     {"source", std::move(source)},
                     {"passage", std::move(passage)},
                     {"words", std::move(count)},
                     {"kind", std::move(kind)},
                     {"changed", std::move(changed)},
                     {"years", std::move(years)},
                     {"marks", marks_of(check)},
                     {"computed", {{"share", check.at("share")}, {"source_shares", std::move(shares)}}},
                     {"decided",
                      {{"share", decision.at("share")},
                       {"letters", decision.at("letters")},
                       {"source_shares", decision.at("source_shares")}}},
                     {"texts", texts_of(words, check)}});
}

std::string switch_form(const Json& check, std::string_view path) {
  return "<form method=\"post\" id=\"switch\" action=\"" + escaped(path) + "\">" +
         hidden("revision", check.at("decision").at("revision").dump());
}

std::string switch_button(const Words& words, std::size_t source, std::size_t passage, bool counts) {
  return "<button name=\"at\" value=\"" + std::to_string(source) + "." + std::to_string(passage) +
         (counts ? ".off\">" : ".on\">") + escaped(counts ? words.switch_off : words.switch_on) +
         "</button>\n";
}

std::string data_block(std::string_view id, const Json& data, int indent) {
  std::string text = data.dump(indent);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return "<script type=\"application/json\" id=\"" + std::string(id) + "\">" + text + "</script>\n";
}

}  // namespace akin::desk
