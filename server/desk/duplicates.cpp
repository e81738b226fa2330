#include "server/desk/duplicates.h"

#include "server/desk/browse.h"
#include "server/desk/cohort.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

std::string document_item(const Words& words, const DuplicatesView& view, const DuplicateGroup& group,
                          std::size_t place) {
  const Json& document = group.documents[place];
  const std::string id = string_in(document, "id");
  std::string html = "<li>" + link(document_path(view.collection, id), name_of(document)) + " – " +
                     escaped(id) + ", " +
                     filled(escaped(words.source_stored), {shown_time(string_in(document, "stored"))});
  if (place == 0) return html + ", <strong>" + escaped(words.earliest) + "</strong></li>\n";
  html +=
      ", " + link(compare_path(view.collection, string_in(group.documents.front(), "id"), id), words.compare);
  if (view.may_remove) html += check_box("id", id, words.remove, false);
  return html + "</li>\n";
}

std::string group_part(const Words& words, const DuplicatesView& view, const DuplicateGroup& group) {
  std::string items;
  for (std::size_t i = 0; i < group.documents.size(); ++i) items += document_item(words, view, group, i);
  const std::string list = "<ol>\n" + items + "</ol>\n";
  std::string html = "<section><h3>" +
                     escaped(filled(words.group, {number(words, group.number), number(words, group.size)})) +
                     "</h3>\n";
  if (group.size > group.documents.size())
    html +=
        "<p>" +
        escaped(filled(words.shown_of, {number(words, group.documents.size()), number(words, group.size)})) +
        "</p>\n";
  if (!view.may_remove) return html + list + "</section>\n";
  return html + form("/desk/collections/" + view.collection + "/remove", list, words.remove_chosen) +
         "</section>\n";
}

std::string start_form(const Words& words, std::string_view collection) {
  return form(duplicates_path(collection),
              field("kind", words.look_for,
                    select("kind", std::vector<Option>{{"groups", words.groups}, {"pairs", words.pairs}})) +
                  field("share", words.least_share,
                        input("share", "number", " min=\"1\" max=\"100\" value=\"80\" required"),
                        words.least_share_hint),
              words.look);
}

/// What the newest task has to show: its progress, its error or its groups.
std::string found_part(const Words& words, const DuplicatesView& view) {
  if (view.task.is_null()) return "<p>" + escaped(words.no_search_yet) + "</p>\n";
  const std::string status = string_in(view.task, "status");
  if (status != "done") {
    std::string html = "<p role=\"status\">" + escaped(Words::of(words.task_states, status)) + "</p>\n";
    if (view.task.at("error").is_null())
      return html + "<p><progress max=\"1\" value=\"" + view.task.at("progress").dump() +
             "\"></progress></p>\n<p>" + link(duplicates_path(view.collection), words.refresh) + "</p>\n";
    return html + problem(words, view.task.at("error"));
  }
  std::string html = "<p>" +
                     filled(escaped(words.groups_found), {escaped(number(words, view.total)),
                                                          shown_time(string_in(view.task, "created"))}) +
                     "</p>\n";
  for (const DuplicateGroup& group : view.groups) html += group_part(words, view, group);
  if (!view.next.empty()) html += "<p>" + link(view.next, words.more_groups) + "</p>\n";
  return html;
}

std::string pairs_item(const Words& words, const Json& task) {
  const std::string status = string_in(task, "status"), time = shown_time(string_in(task, "created"));
  if (status != "done")
    return "<li>" + time + ": " + escaped(Words::of(words.task_states, status)) + "</li>\n";
  const std::string lines = number(words, task.at("result_lines").get<std::uint64_t>());
  return "<li><a href=\"" + escaped("/desk/pairs/" + string_in(task, "id")) + "\">" +
         filled(escaped(words.pairs_found), {escaped(lines), time}) + "</a> – " +
         link(cohort_path(string_in(task, "id")), words.cohort) + "</li>\n";
}

}  // namespace

std::string duplicates_path(std::string_view collection) {
  return "/desk/collections/" + std::string(collection) + "/duplicates";
}

std::string duplicates_page(const Reader& reader, const DuplicatesView& view) {
  const Words& words = *reader.words;
  std::string html = "<p>" + escaped(words.duplicates_intro) + "</p>\n";
  if (view.may_start) html += start_form(words, view.collection);
  html += "<h2>" + escaped(words.groups) + "</h2>\n" + found_part(words, view);
  std::string items;
  for (const Json& task : view.pairs) items += pairs_item(words, task);
  if (!items.empty()) html += "<h2>" + escaped(words.pairs) + "</h2>\n<ul>\n" + items + "</ul>\n";
  return desk_page(reader, std::string(words.duplicates) + ": " + view.collection,
                   html + "<p>" + link("/desk/collections/" + view.collection, words.back) + "</p>\n");
}

}  // namespace akin::desk
