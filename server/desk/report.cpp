#include "server/desk/report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/sliced_text.h"
#include "base/utf8.h"
#include "server/check/bibliography.h"
#include "server/check/letters.h"
#include "server/check/marks.h"
#include "server/desk/alerts.h"
#include "server/desk/browse.h"
#include "server/desk/changes.h"
#include "server/desk/decision.h"
#include "server/desk/findings.h"
#include "server/desk/links.h"
#include "server/desk/marked_text.h"
#include "server/desk/matches.h"
#include "server/desk/page.h"
#include "server/desk/summary.h"

namespace akin::desk {

namespace {

using json::Json;

/// What every part of a report needs.
struct Reported {
  const Words& words;
  const Json& check;
  const ReportParts& parts;
  check::DecidedMarks marks;
  SlicedText text;
  std::size_t size;  ///< of the text in code points
};

/// What the text has twice; the first of it.
std::string repeats_list(const Reported& of) {
  constexpr std::size_t kShown = 20;
  const Json repeats = of.check.value("repeats", Json::array());
  if (repeats.empty()) return "";
  const auto total = of.check.at("repeats_total").get<std::uint64_t>();
  std::string html = "<h2>" + escaped(filled(of.words.repeats, {number(of.words, total)})) + "</h2>\n";
  const std::size_t shown = std::min(kShown, repeats.size());
  if (shown < total)
    html += paragraph(filled(of.words.shown_of, {number(of.words, shown), number(of.words, total)}));
  html += "<ul>\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const auto count = repeats[i].at("words").get<std::uint64_t>();
    html += "<li>" + escaped(filled(of.words.passage_words, {number(of.words, count)})) +
            "<blockquote dir=\"auto\">" + escaped(of.text.slice(json::read_range(repeats[i].at("again")))) +
            "</blockquote></li>\n";
  }
  return html + "</ul>\n";
}

std::string facts(const Words& words, const Json& check) {
  std::string file, authors;
  if (const auto found = check.find("file"); found != check.end() && found->is_object()) {
    file = string_in(*found, "type");
    authors = joined(found->value("authors", Json::array()));
  }
  return "<dl>\n" + time_row(words.checked, string_in(check, "created")) +
         row(words.owner, string_in(check, "owner")) + row(words.file, file) +
         row(words.file_authors, authors) + row(words.compared_collections, joined(check.at("collections"))) +
         row(words.by_policy, string_in(check.at("policy"), "name")) + "</dl>\n";
}

/// `path`: of the page that shows the first of them; empty: there is none.
std::string page_of(const Words& words, const Json& passage, const char* field, const std::string& path) {
  const auto pages = passage.find(field);
  if (pages == passage.end() || !pages->is_array() || pages->empty()) return "";
  std::string text = pages->front().dump();
  if (pages->back() != pages->front()) text += "–" + pages->back().dump();
  text = filled(words.pages, {text});
  return " (" + (path.empty() ? escaped(text) : link(path + "/" + pages->front().dump(), text)) + ")";
}

std::string side(std::string_view name, const std::string& page, const std::string& html) {
  return "<div><p>" + escaped(name) + page + "</p><blockquote dir=\"auto\">" + html + "</blockquote></div>";
}

/// The button that switches a finding, if the reader may mark it.
std::string switch_of(const Reported& of, std::size_t source, std::size_t passage, bool counts) {
  return of.parts.switch_path.empty() ? "" : switch_button(of.words, source, passage, counts);
}

std::string passage_of(const Reported& of, const Shown& shown, const std::optional<check::Excerpts>& source,
                       std::string_view without) {
  const Words& words = of.words;
  const Json& passage = *shown.passage;
  const std::string id = std::to_string(shown.match.number);
  const auto count = passage.find("words");
  const TextRange b = json::read_range(passage.at("b"));
  std::string html = "<section id=\"p" + id + "\"><h4>" +
                     escaped(filled(words.passage, {number(words, shown.match.number)}));
  if (count != passage.end()) {
    html += ", " + escaped(filled(words.passage_words, {number(words, count->get<std::uint64_t>())}));
  }
  if (const auto share = passage.find("a_share"); share != passage.end()) {
    html += " (" +
            escaped(filled(words.passage_shares, {percent(words, share->get<double>()),
                                                  percent(words, passage.at("b_share").get<double>())})) +
            ")";
  }
  if (passage.value("quoted", false)) html += ", " + escaped(words.quoted);
  if (passage.value("referenced", false)) html += ", " + escaped(words.referenced);
  if (shown.in_bibliography) html += ", " + escaped(words.in_bibliography);
  html += " – <a href=\"#m" + id + "\">" + escaped(words.to_text) + "</a></h4>" +
          switch_of(of, shown.match.source, shown.in_source, shown.match.counts) +
          mark_note(words, of.marks.of_passage(shown.match.source, shown.in_source), shown.match.counts) +
          "<div class=\"pair\">";
  const TextRange& a = shown.match.range;
  html += side(words.in_submission, page_of(words, passage, "a_pages", of.parts.pages_path),
               changed_text(words, of.text.slice(a), a, changes_of(passage, "a")));
  const auto text = source ? source->slice(b) : std::nullopt;
  html += side(words.in_source, page_of(words, passage, "b_pages", ""),
               text ? changed_text(words, *text, b, changes_of(passage, "b")) : escaped(without));
  return html + "</div></section>";
}

/// The shares as computed and, if marks change it, as decided.
std::string source_shares(const Reported& of, const Json& source, std::size_t place) {
  const auto computed = source.at("share").get<double>();
  const auto decided = of.check.at("decision").at("source_shares").at(place - 1).get<double>();
  const std::string shares = escaped(filled(of.words.source_sentence, {percent(of.words, computed)}));
  if (decided == computed) return shares + "<span class=\"decided\"></span>";
  return shares + "<span class=\"decided\">, " +
         escaped(filled(of.words.decided_share, {percent(of.words, decided)})) + "</span>";
}

/// Whether the first date is known to be later: a year says nothing about the days in it.
bool is_later(std::string_view date, std::string_view than) {
  const std::size_t size = std::min(date.size(), than.size());
  return date.substr(0, size) > than.substr(0, size);
}

/// What only this source has, which other one has the same, and when it was published and stored; HTML.
std::string beside_others(const Reported& of, const Json& source) {
  const Words& words = of.words;
  std::string html;
  const auto add = [&](std::string_view sentence, const std::string& value) {
    html += "; " + escaped(filled(sentence, {value}));
  };
  if (const auto only = source.find("only"); only != source.end()) {
    const auto compared = of.check.at("letters").at("compared").get<std::uint64_t>();
    add(words.source_only, percent(words, check::ratio(only->get<std::uint64_t>(), compared)));
  }
  const std::string date = string_in(source, "date");
  if (const auto same = source.find("same_as"); same != source.end()) {
    const auto first = same->get<std::size_t>();
    const bool later = is_later(date, string_in(of.check.at("sources").at(first - 1), "date"));
    add(later ? words.source_same_later : words.source_same, number(words, first));
  }
  add(date.empty() ? words.source_undated : words.source_dated, date);
  if (const std::string stored = string_in(source, "stored"); !stored.empty())
    html += "; " + filled(escaped(words.source_stored), {shown_time(stored)});
  return html;
}

std::string map_of(const Reported& of, const std::vector<Shown>& shown) {
  std::vector<PlacedMatch> placed;
  placed.reserve(shown.size());
  for (const Shown& one : shown) placed.push_back({one.match, json::read_range(one.passage->at("b"))});
  return source_map(of.words, placed, of.size);
}

/// A browser lays out a block of passages once it is in view; it looks at those of a source in view only.
constexpr std::size_t kPassagesInBlock = 20;

bool is_restricted(const Reported& of, const Json& source) {
  return of.parts.is_restricted && of.parts.is_restricted(source);
}

std::string source_of(const Reported& of, const Json& source, std::size_t place,
                      const std::vector<Shown>& shown) {
  const Words& words = of.words;
  const std::string document = string_in(source, "collection") + "/" + string_in(source, "id");
  std::string html = "<li id=\"source-" + std::to_string(place) + "\" value=\"" + std::to_string(place) +
                     "\" class=\"" + style_of({{}, place}) + "\"><h3>" + escaped(name_of(source)) + " – " +
                     source_shares(of, source, place) + "</h3>\n<p>";
  if (of.parts.links_documents && !is_restricted(of, source)) {
    html += link(document_path(string_in(source, "collection"), string_in(source, "id")), document);
  } else {
    html += escaped(document);
  }
  if (const auto counts = source.find("words"); counts != source.end() && counts->is_object()) {
    html += "; " + escaped(filled(words.source_words, {number(words, counts->at("a").get<std::uint64_t>()),
                                                       percent(words, counts->at("a_share").get<double>()),
                                                       number(words, counts->at("b").get<std::uint64_t>()),
                                                       percent(words, counts->at("b_share").get<double>())}));
  }
  html += beside_others(of, source) + "</p>\n" +
          mark_note(words, of.marks.of_source(place), of.marks.source_counts(place));
  if (!of.parts.marks_path.empty())
    html += "<p class=\"screen\">" +
            link(of.parts.marks_path + "?source=" + std::to_string(place), words.mark_source) + " " +
            switch_of(of, place, 0, of.marks.source_counts(place)) + "</p>\n";
  if (shown.empty()) return html + "</li>\n";
  html += map_of(of, shown);
  const std::optional<check::Excerpts> text = of.parts.text_of(source);
  if (text && of.parts.has_changed && of.parts.has_changed(source)) html += paragraph(words.source_was);
  const bool hides_text = !text && is_restricted(of, source);
  const std::string_view without = hides_text ? words.source_restricted : words.source_changed;
  html += "<div class=\"block\">\n";
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i % kPassagesInBlock == 0)
      html += i == 0 ? "<div class=\"block\">\n" : "</div>\n<div class=\"block\">\n";
    html += passage_of(of, shown[i], text, without);
  }
  return html + "</div>\n</div>\n</li>\n";
}

/// What a later computation found, and the documents that it found beside those of the check.
std::string later_part(const Words& words, const Json& check, const Json& later) {
  if (later.is_null()) return "";
  const auto is_new = [&](const Json& source) {
    return std::ranges::none_of(check.at("sources"), [&](const Json& one) {
      return one.at("collection") == source.at("collection") && one.at("id") == source.at("id");
    });
  };
  std::string items;
  for (const Json& source : later.at("sources")) {
    if (!is_new(source)) continue;
    items +=
        "<li>" +
        escaped(name_of(source) + " – " + string_in(source, "collection") + "/" + string_in(source, "id") +
                ", " + filled(words.source_sentence, {percent(words, source.at("share").get<double>())})) +
        "</li>\n";
  }
  return "<h2>" + escaped(words.later) + "</h2>\n" + "<p>" +
         filled(escaped(words.later_sentence), {shown_time(string_in(check.at("later"), "time")),
                                                escaped(percent(words, check.at("share").get<double>())),
                                                escaped(percent(words, later.at("share").get<double>()))}) +
         "</p>\n" + (items.empty() ? "" : "<ul>\n" + items + "</ul>\n");
}

std::string sources_list(const Reported& of, const std::vector<std::vector<Shown>>& passages) {
  const Words& words = of.words;
  const Json& sources = of.check.at("sources");
  const auto total = of.check.at("sources_total").get<std::uint64_t>();
  std::string html = "<h2>" + escaped(words.sources) + "</h2>\n";
  if (sources.empty()) return html + paragraph(words.no_sources);
  if (total > sources.size())
    html += paragraph(filled(words.more_sources, {number(words, sources.size()), number(words, total)}));
  const auto differs = [](const Json& source) {
    return std::ranges::any_of(source.at("passages"),
                               [](const Json& one) { return one.contains("change_places"); });
  };
  if (std::ranges::any_of(sources, differs)) html += paragraph(words.change_hint);
  html += "<ol class=\"sources\">\n";
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!of.parts.filter.is_any() || !passages[i].empty())
      html += source_of(of, sources[i], i + 1, passages[i]);
  }
  return html + "</ol>\n";
}

}  // namespace

std::string certificate(const Words& words, const Json& certificate) {
  return "<h2>" + escaped(words.certificate) + "</h2>\n" + paragraph(words.certificate_hint) + "<dl>\n" +
         time_row(words.certificate_issued, string_in(certificate, "issued")) +
         row(words.certificate_text, string_in(certificate, "text_sha256")) +
         row(words.certificate_file, string_in(certificate, "file_sha256")) +
         row(words.certificate_outcome, string_in(certificate, "outcome_sha256")) +
         row(words.certificate_key, string_in(certificate, "key")) +
         row(words.certificate_signature, string_in(certificate, "signature")) + "</dl>\n" +
         data_block("certificate", certificate, 2);
}

std::string title_of(const Words& words, const Json& check) {
  const std::string title = string_in(check, "title");
  return title.empty() ? filled(words.anonymous_title, {string_in(check, "id")}) : title;
}

std::string_view verdict_of(const Words& words, std::string_view name) {
  if (name == "pass") return words.pass;
  if (name == "review") return words.review;
  return name == "refuse" ? words.refuse : name;
}

std::string report(const Words& words, const Json& check, std::string_view text, const ReportParts& parts) {
  const Reported of{words,
                    check,
                    parts,
                    check::DecidedMarks(check.at("decision").at("marks")),
                    SlicedText(text),
                    count_code_points(text)};
  std::vector<std::vector<Shown>> passages =
      passages_of(check, of.marks, of.text, check::find_bibliographies(text));
  std::vector<Match> matches;
  std::size_t all = 0;
  // A page that shows only some matches has to be loaded again for the others.
  const bool has_switches = !parts.filter_path.empty() && !parts.filter.is_any();
  const std::string data = has_switches ? findings(words, check, passages, of.size) : "";
  for (std::size_t i = 0; i < passages.size(); ++i) {
    all += passages[i].size();
    std::erase_if(passages[i], [&](const Shown& one) {
      return !parts.filter.accepts(check.at("sources")[i], one, class_of(of.marks, i + 1, one.in_source));
    });
  }
  for (const std::vector<Shown>& shown : passages) {
    for (const Shown& one : shown) matches.push_back(one.match);
  }
  std::vector<LeftOut> left_out;
  for (std::size_t i = 0; i < check.at("excluded").size(); ++i) {
    const Json& entry = check.at("excluded")[i];
    if (of.marks.is_compared_after_all(i + 1)) continue;
    left_out.push_back({json::read_range(entry.at("range")), entry.at("kind").get_ref<const std::string&>()});
  }
  std::vector<Unusual> unusual = unusual_places(check);
  std::string html = verdict_box(words, check, text) + facts(words, check) + reasons_list(words, check) +
                     alerts_list(words, check, of.text, unusual);
  if (!parts.filter_path.empty() && all > 0) {
    html += filter_form(words, parts.filter_path, parts.filter, check.at("sources")) +
            "<p class=\"screen\" hidden><button type=\"button\" id=\"beside\" data-end=\"" +
            escaped(words.beside_end) + "\">" + escaped(words.beside) + "</button></p>\n";
  }
  if (!parts.filter_path.empty()) {
    const std::string count = filled(words.shown_count, {number(words, matches.size()), number(words, all)});
    html += "<p id=\"shown\" role=\"status\"" + std::string(parts.filter.is_any() ? "" : " hidden") + ">" +
            escaped(count) + "</p>\n";
  }
  html += document_map(matches, of.size);
  // Buttons in a form belong to it at once; a browser takes seconds to find that of ten thousand others.
  const bool has_buttons = !parts.switch_path.empty();
  html += (has_buttons ? switch_form(check, parts.switch_path) : "") + sources_list(of, passages) +
          (has_buttons ? "</form>\n" : "");
  if (!parts.marks_path.empty() && !check.at("excluded").empty())
    html += "<p class=\"screen\">" + link(parts.marks_path, words.mark_exclusions) + "</p>\n";
  html += later_part(words, check, parts.later) + repeats_list(of);
  const check::Letters letters(has_switches ? text : std::string_view());
  return html + statements_list(words, parts.statements) +
         history_list(words, parts.history, has_buttons ? parts.filter_path : "") + "<h2>" +
         escaped(words.text) + "</h2>\n" + "<div class=\"text\">\n" +
         marked_text(words,
                     {text, matches, left_out, all, has_switches ? &letters : nullptr, std::move(unusual)}) +
         "</div>\n" + data;
}

}  // namespace akin::desk
