#include "server/desk/decision.h"

#include "base/sliced_text.h"
#include "base/utf8.h"
#include "server/check/marks.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

std::uint64_t number_in(const Json& object, const char* field) {
  return object.value(field, std::uint64_t{0});
}

std::string person_of(const Words& words, const Json& by) {
  if (by.is_null()) return std::string(words.unknown_person);
  const std::string name = by.at("name").get<std::string>();
  return name.empty() ? by.at("id").get<std::string>() : name;
}

std::string_view state_of(const Words& words, const Json& state) {
  return Words::of(words.states, state.get_ref<const std::string&>());
}

std::string entry_text(const Words& words, const Json& entry) {
  const bool is_decision = entry.at("action") == "decision";
  const Json& proposed = entry.at("proposed");
  std::string what(words.changed_marks);
  if (is_decision) what = state_of(words, entry.at("state"));
  if (is_decision && !proposed.is_null())
    what = filled(words.proposed,
                  {person_of(words, proposed.at("by")), std::string(state_of(words, proposed.at("state")))});
  return person_of(words, entry.at("by")) + ": " + what + "; " +
         filled(words.decided_share, {percent(words, entry.at("share").get<double>())});
}

std::string entry_of(const Words& words, const Json& entry) {
  std::string html = "<li>" + shown_time(string_in(entry, "time")) + ", " + escaped(entry_text(words, entry));
  if (const std::string remark = entry.value("remark", ""); !remark.empty()) html += "<br>" + escaped(remark);
  return html + "</li>\n";
}

/// The beginning of a stretch of the text.
std::string beginning(const SlicedText& text, const Json& range) {
  constexpr std::uint32_t kMost = 200;
  const auto begin = range.at(0).get<std::uint32_t>(), end = range.at(1).get<std::uint32_t>();
  const bool is_long = end - begin > kMost;
  return std::string(text.slice({begin, is_long ? begin + kMost : end})) + (is_long ? "…" : "");
}

std::vector<Option> choices(const Words& words, std::string_view chosen) {
  std::vector<Option> options = {{"", words.as_computed}, {"off", words.does_not_count}};
  for (const Named& one : words.mark_classes) options.push_back({one.name, one.text});
  if (chosen == "as is") options.push_back({"as is", "…"});
  return options;
}

/// The two fields of a finding.
std::string fields_of(const Words& words, const std::string& number, std::string_view label,
                      const Json* mark) {
  const std::string chosen = choice_of(mark);
  const std::string remark = mark == nullptr ? "" : mark->value("remark", "");
  return field("what-" + number, label, select("what-" + number, choices(words, chosen), chosen)) +
         field("remark-" + number, words.remark,
               input("remark-" + number, "text", " value=\"" + escaped(remark) + "\""));
}

std::string source_fields(const Words& words, const Json& check, const check::DecidedMarks& marks,
                          const SlicedText& text, std::size_t source) {
  std::string html = "<p>" + escaped(words.mark_hint) + "</p>\n" +
                     fields_of(words, "0", words.whole_source, marks.of_source(source));
  const Json& passages = check.at("sources").at(source - 1).at("passages");
  if (!passages.empty()) html += "<h2>" + escaped(words.mark_passages) + "</h2>\n";
  for (std::size_t i = 1; i <= passages.size(); ++i) {
    const std::string quoted =
        "<blockquote dir=\"auto\">" + escaped(beginning(text, passages[i - 1].at("a"))) + "</blockquote>\n";
    html += quoted + fields_of(words, std::to_string(i), filled(words.passage, {number(words, i)}),
                               marks.of_passage(source, i));
  }
  return html;
}

std::string exclusion_fields(const Words& words, const Json& check, const check::DecidedMarks& marks,
                             const SlicedText& text) {
  std::string html = "<p>" + escaped(words.exclusion_hint) + "</p>\n";
  const Json& excluded = check.at("excluded");
  for (std::size_t i = 1; i <= excluded.size(); ++i) {
    const Json& one = excluded[i - 1];
    const std::string name = "what-" + std::to_string(i);
    html += "<p><label>" +
            input(name, "checkbox",
                  std::string(" value=\"on\"") + (marks.is_compared_after_all(i) ? " checked" : "")) +
            " " + escaped(words.compare_after_all) + " (" +
            escaped(Words::of(words.exclusions, one.at("kind").get_ref<const std::string&>())) +
            ")</label></p>\n<blockquote dir=\"auto\">" + escaped(beginning(text, one.at("range"))) +
            "</blockquote>\n";
  }
  return html;
}

}  // namespace

std::string state_sentence(const Words& words, const Json& decision) {
  return filled(words.state_sentence, {std::string(state_of(words, decision.at("state")))});
}

std::string decided_sentence(const Words& words, const Json& check) {
  const Json& decision = check.at("decision");
  const Json& letters = decision.at("letters");
  const Json& proposed = decision.at("proposed");
  const auto computed = check.at("share").get<double>(), decided = decision.at("share").get<double>();
  std::string html = "<p id=\"decided\" role=\"status\">";
  if (decided != computed)
    html += escaped(filled(words.decided_sentence,
                           {percent(words, computed), percent(words, decided),
                            number(words, letters.at("found").get<std::uint64_t>()),
                            number(words, letters.at("compared").get<std::uint64_t>())})) +
            " ";
  html += escaped(state_sentence(words, decision)) + "</p>\n";
  if (!proposed.is_null())
    html += "<p>" +
            escaped(filled(words.proposed, {person_of(words, proposed.at("by")),
                                            std::string(state_of(words, proposed.at("state")))})) +
            "</p>\n";
  return html;
}

std::string mark_note(const Words& words, const Json* mark, bool counts) {
  if (mark == nullptr && counts) return "";
  std::string note =
      "<p class=\"note\"><span>" + escaped(counts ? words.counts : words.does_not_count) + "</span>";
  if (mark == nullptr) return note + "</p>\n";
  if (const Json is = mark->value("class", Json()); is.is_string())
    note += ": " + escaped(Words::of(words.mark_classes, is.get_ref<const std::string&>()));
  if (const std::string remark = mark->value("remark", ""); !remark.empty()) note += " – " + escaped(remark);
  return note + "</p>\n";
}

std::string history_list(const Words& words, const std::vector<Json>& history, std::string_view path) {
  if (history.empty() && path.empty()) return "";
  std::string html = std::string("<div id=\"history\"") + (history.empty() ? " hidden" : "") + ">\n<h2>" +
                     escaped(words.history) + "</h2>\n<ol>\n";
  for (const Json& entry : history) html += entry_of(words, entry);
  html += "</ol>\n";
  if (!path.empty()) {
    const bool is_undone = !history.empty() && history.back().at("action") == "marks";
    const std::string revision = history.empty() ? "0" : history.back().at("number").dump();
    html += "<div class=\"screen\"" + std::string(is_undone ? "" : " hidden") + ">" +
            form(std::string(path) + "/undo", hidden("revision", revision), words.undo) + "</div>\n";
  }
  return html + "</div>\n";
}

Json change_object(const Words& words, const Json& check, const std::vector<Json>& history) {
  const Json& decision = check.at("decision");
  Json object{{"time", history.empty() ? "" : string_in(history.back(), "time")},
              {"entry", history.empty() ? "" : entry_text(words, history.back())}};
  for (const char* field : {"revision", "share", "letters", "source_shares"})
    object[field] = decision.at(field);
  return object;
}

std::string decision_form(const Words& words, const Json& check, std::string_view path) {
  const Json& decision = check.at("decision");
  const bool is_open = decision.at("state") == "open";
  std::vector<Option> states;
  for (const Named& state : words.states) {
    if (is_open || state.name == "open") states.push_back({state.name, state.text});
  }
  const std::string fields =
      hidden("revision", std::to_string(number_in(decision, "revision"))) +
      field("state", words.state, select("state", states), is_open ? words.decide_hint : words.decided_hint) +
      field("remark", words.remark, text_area("remark", "", 4));
  return "<h2>" + escaped(words.decision) + "</h2>\n" +
         form(std::string(path) + "/decision", fields, words.decide);
}

std::string choice_of(const Json* mark) {
  if (mark == nullptr) return "";
  const Json& counted = mark->at("counted");
  const Json is = mark->value("class", Json());
  if (counted.is_null()) return is.is_string() ? is.get<std::string>() : "";
  return is.is_null() && counted == false ? "off" : "as is";
}

std::string marks_page(const Reader& reader, const Json& check, std::string_view text, std::size_t source,
                       std::string_view path) {
  const Words& words = *reader.words;
  const check::DecidedMarks marks(check.at("decision").at("marks"));
  const SlicedText sliced(text);
  const std::string fields = hidden("revision", std::to_string(number_in(check.at("decision"), "revision"))) +
                             hidden("source", std::to_string(source)) +
                             (source > 0 ? source_fields(words, check, marks, sliced, source)
                                         : exclusion_fields(words, check, marks, sliced));
  std::string name;
  if (source > 0) {
    const Json& one = check.at("sources").at(source - 1);
    name = one.value("title", "");
    if (name.empty()) name = one.at("id").get<std::string>();
  }
  return desk_page(reader, source > 0 ? name : std::string(words.mark_exclusions),
                   "<p>" + link(path, title_of(words, check)) + "</p>\n" +
                       form(std::string(path) + "/marks", fields, words.save));
}

}  // namespace akin::desk
