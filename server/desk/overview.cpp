#include "server/desk/overview.h"

#include <algorithm>
#include <charconv>

#include "server/desk/forms.h"
#include "server/desk/page.h"

namespace akin::desk {

namespace {

using json::Json;

/// Bars of a map: as many as a wide window has room for.
constexpr std::size_t kBars = 200;

}  // namespace

bool MatchFilter::is_any() const noexcept {
  return source > 0 || least_words > 0 || hides_quoted || hides_referenced || hides_bibliography ||
         !mark_class.empty() || first_year > 0 || last_year > 0;
}

bool MatchFilter::accepts(const Json& of, const Shown& shown, std::string_view is) const {
  const Json& passage = *shown.passage;
  if (source > 0 && shown.match.source != source) return false;
  if (!mark_class.empty() && is != mark_class) return false;
  if (first_year > 0 || last_year > 0) {
    const std::uint64_t year = year_of(of);
    if (year == 0 || year < first_year || (last_year > 0 && year > last_year)) return false;
  }
  if (hides_bibliography && shown.in_bibliography) return false;
  if (hides_quoted && passage.value("quoted", false)) return false;
  if (hides_referenced && passage.value("referenced", false)) return false;
  const auto words = passage.find("words");
  return words == passage.end() || words->get<std::uint64_t>() >= least_words;
}

std::uint64_t year_of(const Json& source) {
  const std::string date = string_in(source, "date");
  std::uint64_t year = 0;
  std::from_chars(date.data(), date.data() + date.size(), year);
  return year;
}

std::string filter_form(const Words& words, std::string_view path, const MatchFilter& filter,
                        const Json& sources) {
  std::vector<std::string> numbers, names;
  for (std::size_t i = 0; i <= sources.size(); ++i) {
    numbers.push_back(std::to_string(i));
    names.push_back(i == 0 ? std::string(words.all_sources)
                           : numbers.back() + ". " + name_of(sources[i - 1]));
  }
  std::vector<Option> options;
  for (std::size_t i = 0; i < numbers.size(); ++i) options.push_back({numbers[i], names[i]});
  std::vector<Option> classes = options_of(words.mark_classes);
  classes.insert(classes.begin(), {"", words.all_classes});
  const auto year = [](std::uint64_t value) {
    return " min=\"0\" max=\"9999\"" + value_attribute(value == 0 ? "" : std::to_string(value));
  };
  const std::string fields =
      field("source", words.shown_source,
            select("source", options, numbers[std::min(filter.source, sources.size())])) +
      field("words", words.shortest_passage,
            input("words", "number", " min=\"0\" value=\"" + std::to_string(filter.least_words) + "\"")) +
      field("class", words.shown_class, select("class", classes, filter.mark_class)) +
      field("from", words.first_year, input("from", "number", year(filter.first_year))) +
      field("to", words.last_year, input("to", "number", year(filter.last_year))) +
      check_box("hide_quoted", "true", words.hide_quoted, filter.hides_quoted) +
      check_box("hide_referenced", "true", words.hide_referenced, filter.hides_referenced) +
      check_box("hide_bibliography", "true", words.hide_bibliography, filter.hides_bibliography);
  return "<details class=\"screen\"" + std::string(filter.is_any() ? " open" : "") + "><summary>" +
         escaped(words.shown_matches) + "</summary>\n<form method=\"get\" action=\"" + escaped(path) + "\">" +
         fields + "<p><button>" + escaped(words.filter) +
         "</button></p></form>\n</details>\n<p class=\"screen\" hidden><label><input type=\"checkbox\" "
         "id=\"use-keys\"> " +
         escaped(words.use_keys) + "</label>: " + escaped(words.keys_hint) + "</p>\n";
}

std::string document_map(const std::vector<Match>& matches, std::size_t size) {
  if (matches.empty() || size == 0) return "";
  std::vector<const Match*> first(kBars, nullptr);
  const auto better = [](const Match& a, const Match* b) {
    return b == nullptr || (a.counts != b->counts ? a.counts : a.range.begin < b->range.begin);
  };
  for (const Match& match : matches) {
    const std::size_t last = std::max<std::size_t>(match.range.begin + 1, match.range.end) - 1;
    for (std::size_t bar = match.range.begin * kBars / size; bar <= last * kBars / size && bar < kBars;
         ++bar) {
      if (better(match, first[bar])) first[bar] = &match;
    }
  }
  std::string html = "<svg class=\"map screen\" viewBox=\"0 0 " + std::to_string(kBars) +
                     " 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">";
  for (std::size_t begin = 0, end = 0; begin < kBars; begin = end) {
    for (end = begin + 1; end < kBars && first[end] == first[begin];) ++end;
    if (first[begin] == nullptr) continue;
    const Match& match = *first[begin];
    html += "<a href=\"#m" + std::to_string(match.number) + "\" tabindex=\"-1\"><rect class=\"" +
            style_of(match) + "\" x=\"" + std::to_string(begin) + "\" width=\"" +
            std::to_string(end - begin) + "\" height=\"10\"/></a>";
  }
  return html + "</svg>\n";
}

std::string source_map(const Words& words, const std::vector<PlacedMatch>& matches, std::size_t size) {
  constexpr std::size_t kSide = 1000;
  if (matches.size() < 2 || size == 0) return "";
  std::size_t begin = matches.front().in_source.begin, end = 0;
  for (const PlacedMatch& one : matches) {
    begin = std::min<std::size_t>(begin, one.in_source.begin);
    end = std::max<std::size_t>(end, one.in_source.end);
  }
  const auto point = [&](std::size_t x, std::size_t y, std::string_view which) {
    const std::string number(which),
        across = std::to_string(x * kSide / size),
        down = std::to_string((y - begin) * kSide / std::max<std::size_t>(end - begin, 1));
    return " x" + number + "=\"" + across + "\" y" + number + "=\"" + down + "\"";
  };
  std::string lines;
  for (const auto& [match, in_source] : matches) {
    lines += "<a href=\"#m" + std::to_string(match.number) + "\" tabindex=\"-1\"><line class=\"" +
             style_of(match) + "\"" + point(match.range.begin, in_source.begin, "1") +
             point(match.range.end, in_source.end, "2") + "/></a>";
  }
  return "<details class=\"screen\"><summary>" + escaped(words.source_map) + "</summary>\n<p>" +
         escaped(words.source_map_hint) +
         "</p><svg class=\"plot\" viewBox=\"0 0 1000 1000\" aria-hidden=\"true\">" + lines +
         "</svg></details>\n";
}

}  // namespace akin::desk
