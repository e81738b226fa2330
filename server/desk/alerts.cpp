#include "server/desk/alerts.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "base/utf8.h"
#include "morph/normalize/alert.h"
#include "server/desk/page.h"

namespace akin::desk {

namespace {

using json::Json;
/// Letters by the name of their script.
using Scripts = std::map<std::string_view, std::uint64_t>;

constexpr std::size_t kPlacesShown = 20;

Scripts scripts_of(std::string_view utf8) {
  Scripts scripts;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto c = static_cast<UChar32>(next_code_point(utf8, at));
    UErrorCode failure = U_ZERO_ERROR;
    if (u_isalpha(c) != 0) ++scripts[uscript_getName(uscript_getScript(c, &failure))];
  }
  return scripts;
}

std::string_view most_frequent(const Scripts& scripts) {
  const auto most = std::ranges::max_element(scripts, {}, [](const auto& one) { return one.second; });
  return most == scripts.end() ? std::string_view() : most->first;
}

/// Adds the letters of a word that are not from its script; if the word is from one script, all of them.
void add_strange(std::string_view word, std::string_view script_of_text, Scripts& strange) {
  const Scripts scripts = scripts_of(word);
  std::string_view own = most_frequent(scripts);
  const auto usual = scripts.find(script_of_text);
  if (usual != scripts.end() && usual->second == scripts.at(own)) own = script_of_text;
  for (const auto& [script, letters] : scripts) {
    if (script != own || scripts.size() == 1) strange[script] += letters;
  }
}

/// "Greek 14": the scripts of what was put in place of other letters.
std::string scripts_sentence(const Words& words, const SlicedText& text, const std::vector<Unusual>& places) {
  const Scripts of_text = scripts_of(text.whole());
  Scripts strange;
  for (const Unusual& one : places) {
    if (one.kind == alert_name(AlertKind::mixed_script))
      add_strange(text.slice(one.range), most_frequent(of_text), strange);
  }
  std::string list;
  for (const auto& [script, letters] : strange)
    list += (list.empty() ? "" : ", ") + std::string(Words::of(words.scripts, script)) + " " +
            number(words, letters);
  return list.empty() ? "" : " (" + escaped(filled(words.letters_of_scripts, {list})) + ")";
}

/// Links to the first places of a kind.
std::string places_sentence(const Words& words, const SlicedText& text, std::string_view kind,
                            const std::vector<Unusual>& places) {
  std::string links;
  std::size_t shown = 0, all = 0;
  for (const Unusual& one : places) {
    if (one.kind != kind || ++all > kPlacesShown) continue;
    ++shown;
    links += (links.empty() ? "" : ", ") + std::string("<a href=\"#u") + std::to_string(one.number) +
             "\" dir=\"auto\">" + escaped(text.slice(one.range)) + "</a>";
  }
  if (links.empty()) return "";
  if (all > shown) links += " …";
  return ". " + filled(escaped(words.alert_places), {links});
}

std::string file_alert_item(const Words& words, const Json& alert) {
  const std::string kind = string_in(alert, "kind"), sample = string_in(alert, "sample");
  const std::string name(Words::of(words.file_alerts, kind));
  const double share = alert.value("share", 0.0);
  std::string html =
      escaped(share > 0 ? filled(words.file_alert_share, {name, percent(words, share)}) : name);
  if (const auto page = alert.find("page"); page != alert.end())
    html += ", " + escaped(filled(words.pages, {page->dump()}));
  std::string ways;
  for (const Json& way : alert.value("hidden_by", Json::array()))
    ways += (ways.empty() ? "" : ", ") +
            std::string(Words::of(words.hiding_kinds, way.get_ref<const std::string&>()));
  if (!ways.empty()) html += ", " + escaped(filled(words.hidden_by, {ways}));
  if (!sample.empty()) html += "<blockquote dir=\"auto\">" + escaped(sample) + "</blockquote>";
  return "<li>" + html + "</li>\n";
}

}  // namespace

std::vector<Unusual> unusual_places(const Json& check) {
  std::vector<Unusual> places;
  const auto alerts = check.at("query").find("alerts");
  if (alerts == check.at("query").end()) return places;
  for (const Json& alert : *alerts)
    places.push_back(
        {json::read_range(alert.at("range")), 0, alert.at("kind").get_ref<const std::string&>()});
  std::ranges::stable_sort(places, {}, [](const Unusual& one) { return one.range.begin; });
  for (std::size_t i = 0; i < places.size(); ++i) places[i].number = i + 1;
  return places;
}

std::string alerts_list(const Words& words, const Json& check, const SlicedText& text,
                        const std::vector<Unusual>& places) {
  std::string items;
  for (const auto& [name, count] : check.at("query").at("alert_counts").items()) {
    if (count == 0) continue;
    items += "<li>" + escaped(Words::of(words.alert_kinds, name)) + ": " +
             number(words, count.get<std::uint64_t>());
    if (name == alert_name(AlertKind::mixed_script)) items += scripts_sentence(words, text, places);
    items += places_sentence(words, text, name, places) + "</li>\n";
  }
  if (const auto file = check.find("file"); file != check.end() && file->is_object()) {
    for (const Json& alert : file->value("alerts", Json::array())) items += file_alert_item(words, alert);
  }
  return items.empty() ? "" : "<h2>" + escaped(words.alerts) + "</h2>\n<ul>\n" + items + "</ul>\n";
}

}  // namespace akin::desk
