#include "server/desk/watches.h"

#include "server/desk/browse.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

std::string watch_row(const Words& words, const WatchList& list, const Json& watch) {
  const std::string name = string_in(watch, "name"), document = string_in(watch, "document");
  const std::string reason = string_in(watch, "disabled_reason");
  std::string html =
      "<tr><th scope=\"row\">" + escaped(name) + "</th>" + cell(string_in(watch, "description")) + "<td>" +
      (document.empty() ? std::string() : link(document_path(list.collection, document), document)) +
      "</td>" + time_cell(string_in(watch, "created")) + "<td>" +
      escaped(watch.at("enabled") == true ? words.in_order : words.disabled);
  if (!reason.empty()) html += " <span lang=\"en\">" + escaped(reason) + "</span>";
  if (list.may_write)
    html += form(watches_path(list.collection) + "/" + in_url(name) + "/remove", "", words.remove);
  return html + "</td></tr>\n";
}

std::string event_row(const Words& words, const WatchList& list, const Json& event) {
  const Json& document = event.at("document");
  const std::string id = string_in(document, "id");
  return "<tr><th scope=\"row\">" + link(document_path(list.collection, id), name_of(document)) + "</th>" +
         cell(string_in(event, "watch")) + cell(percent(words, event.at("containment").get<double>())) +
         cell(number(words, event.at("passages_total").get<std::uint64_t>())) +
         time_cell(string_in(event, "created")) + "</tr>\n";
}

std::string watch_form(const Words& words, std::string_view collection) {
  return form(
      watches_path(collection),
      field("name", words.name, input("name", "text", " required"), words.name_hint) +
          field("description", words.description, input("description", "text", " maxlength=\"1000\"")) +
          field("text", words.watched_text, text_area("text", "", 8)),
      words.make_watch);
}

}  // namespace

std::string watches_path(std::string_view collection) {
  return "/desk/collections/" + std::string(collection) + "/watches";
}

std::string watches_page(const Reader& reader, const WatchList& list) {
  const Words& words = *reader.words;
  std::string html = "<p>" + escaped(words.watches_intro) + "</p>\n", rows, events;
  for (const Json& watch : list.watches) rows += watch_row(words, list, watch);
  for (const Json& event : list.events) events += event_row(words, list, event);
  if (rows.empty()) {
    html += "<p>" + escaped(words.no_watches) + "</p>\n";
  } else {
    html += wide_table(words.watches,
                       {words.name, words.description, words.watched_text, words.created, words.state}, rows);
  }
  html += "<h2>" + escaped(words.events) + "</h2>\n";
  if (events.empty()) {
    html += "<p>" + escaped(words.no_events) + "</p>\n";
  } else {
    html += wide_table(
        words.events,
        {words.title, words.watches, words.shared_of_watch, words.passage_count, words.received}, events);
  }
  if (!list.older.empty()) html += "<p>" + link(list.older, words.older_entries) + "</p>\n";
  if (list.may_write) {
    html += "<h2>" + escaped(words.make_watch) + "</h2>\n" + watch_form(words, list.collection);
  }
  return desk_page(reader, std::string(words.watches) + ": " + list.collection,
                   html + "<p>" + link("/desk/collections/" + list.collection, words.back) + "</p>\n");
}

}  // namespace akin::desk
