#include "server/desk/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "server/check/language.h"
#include "server/check/letters.h"
#include "server/desk/decision.h"
#include "server/desk/page.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

std::string decimal(const Words& words, double value) {
  const auto tenths = static_cast<std::uint64_t>(std::llround(value * 10));
  return number(words, tenths / 10) + std::string(words.decimal_point) + std::to_string(tenths % 10);
}

/// "85 in quotation marks, 40 in the bibliography": letters of each kind, which may overlap.
std::string excluded_sentence(const Words& words, const Json& check, std::string_view text) {
  const auto letters = check.at("letters").at("excluded").get<std::uint64_t>();
  if (letters == 0) return "";
  std::vector<std::pair<std::string, std::vector<TextRange>>> by_kind;
  for (const Json& entry : check.at("excluded")) {
    const std::string kind = string_in(entry, "kind");
    auto found = std::ranges::find(by_kind, kind, [](const auto& one) { return one.first; });
    if (found == by_kind.end()) found = by_kind.insert(found, {kind, {}});
    found->second.push_back(json::read_range(entry.at("range")));
  }
  const bool has_all = check.at("excluded").size() == check.at("excluded_total").get<std::size_t>();
  const check::Letters all(text);
  std::string kinds;
  for (const auto& [kind, ranges] : by_kind) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(Words::of(words.exclusions, kind));
    if (has_all) kinds += " " + number(words, all.count_union(ranges));
  }
  return paragraph(filled(words.excluded_sentence, {number(words, letters), kinds}));
}

std::string found_sentence(const Words& words, const Json& check) {
  const Json& letters = check.at("letters");
  const auto compared = letters.at("compared").get<std::uint64_t>();
  const auto found = letters.at("found").get<std::uint64_t>();
  const auto extent = letters.value("extent", found);
  if (compared == 0) return paragraph(words.nothing_compared);
  std::string sentence = filled(words.found_sentence, {percent(words, check.at("share").get<double>()),
                                                       number(words, found), number(words, compared)});
  if (extent > found) {
    sentence += " " + filled(words.extent_sentence,
                             {number(words, extent), percent(words, check::ratio(extent, compared))});
  }
  return paragraph(sentence);
}

/// What very many documents have is said once, with their number.
std::string common_sentences(const Words& words, const Json& check) {
  std::string html;
  for (const Json& index : check.at("index")) {
    const auto common = index.find("common_text");
    if (common == index.end() || common->at("words") == 0) continue;
    html +=
        paragraph(filled(words.common_sentence, {number(words, common->at("words").get<std::uint64_t>()),
                                                 number(words, common->at("documents").get<std::uint64_t>()),
                                                 string_in(index, "collection")}));
  }
  return html;
}

/// One for each language without a dictionary.
std::string language_sentences(const Words& words, const Json& check) {
  std::string html;
  for (const Json& index : check.at("index")) {
    for (const Json& one : index.value("other_languages", Json::array())) {
      html += paragraph(filled(
          words.language_sentence,
          {percent(words, one.at("share").get<double>()),
           check::language_name(string_in(one, "language"), words.tag), string_in(index, "collection")}));
    }
  }
  return html;
}

std::string reason_sentence(const Words& words, const Json& reason) {
  const std::string kind = string_in(reason, "kind");
  const auto share = [&](const char* field) {
    const auto found = reason.find(field);
    return found != reason.end() && found->is_number() ? percent(words, found->get<double>()) : std::string();
  };
  std::string value = share("share"), limit = share("threshold"), name;
  if (kind == "unknown_words") limit = share("usual");
  if (kind == "sentence_length") {
    value = decimal(words, reason.at("words").get<double>());
    limit = decimal(words, reason.at("usual").get<double>());
  }
  if (kind == "alerts") {
    value = std::string(Words::of(words.alert_kinds, string_in(reason, "alert"))) + " (" +
            number(words, reason.at("alerts").get<std::uint64_t>()) + ")";
  }
  if (kind == "disguise") name = Words::of(words.file_alerts, string_in(reason, "alert"));
  return filled(Words::of(words.reason_kinds, kind), {value, limit, name});
}

}  // namespace

std::string verdict_box(const Words& words, const Json& check, std::string_view text) {
  const std::string verdict = string_in(check, "verdict");
  const std::string_view hint = verdict == "pass"     ? words.pass_hint
                                : verdict == "review" ? words.review_hint
                                                      : words.refuse_hint;
  return "<div class=\"verdict " + escaped(verdict) + "\">\n<p><strong>" +
         escaped(verdict_of(words, verdict)) + ".</strong> " + escaped(hint) + "</p>\n" +
         found_sentence(words, check) + excluded_sentence(words, check, text) +
         common_sentences(words, check) + language_sentences(words, check) + decided_sentence(words, check) +
         "</div>\n";
}

std::string reasons_list(const Words& words, const Json& check) {
  if (check.at("reasons").empty()) return "";
  std::string html = "<h2>" + escaped(words.reasons) + "</h2>\n<ul>\n";
  for (const Json& reason : check.at("reasons"))
    html += "<li>" + escaped(reason_sentence(words, reason)) + "</li>\n";
  return html + "</ul>\n";
}

}  // namespace akin::desk
