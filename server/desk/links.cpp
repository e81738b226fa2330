#include "server/desk/links.h"

#include "server/desk/forms.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

std::string link_item(const Words& words, const Json& link, std::string_view path) {
  const std::string label = string_in(link, "label");
  std::string html = "<li>" + escaped(label.empty() ? string_in(link, "id") : label) + ", " +
                     filled(escaped(words.link_until), {shown_time(string_in(link, "expires"))});
  if (link.at("statement") == true) html += ", " + escaped(words.link_statement);
  if (link.at("sources") == true) html += ", " + escaped(words.link_sources);
  if (const std::string frame = string_in(link, "frame"); !frame.empty()) html += ", " + escaped(frame);
  if (const std::string revoked = string_in(link, "revoked"); !revoked.empty())
    return html + "; " + filled(escaped(words.link_revoked), {shown_time(revoked)}) + "</li>\n";
  return html +
         form(std::string(path) + "/links/" + string_in(link, "id") + "/revoke", "", words.revoke_link) +
         "</li>\n";
}

}  // namespace

std::string statements_list(const Words& words, const Json& statements) {
  if (statements.empty()) return "";
  std::string html = "<h2>" + escaped(words.statements) + "</h2>\n";
  for (const Json& one : statements) {
    const std::string label = string_in(one, "label");
    html += "<p>" + shown_time(string_in(one, "time")) + escaped(label.empty() ? "" : ", " + label) +
            "</p>\n<blockquote dir=\"auto\">" + escaped(string_in(one, "text")) + "</blockquote>\n";
  }
  return html;
}

std::string links_part(const Words& words, const Json& links, std::string_view path,
                       std::string_view last_day) {
  std::string items;
  for (const Json& link : links) items += link_item(words, link, path);
  const std::string fields =
      field("label", words.link_label, input("label", "text", " maxlength=\"200\"")) +
      field("until", words.link_last_day,
            input("until", "date", " required value=\"" + escaped(last_day) + "\"")) +
      check_box("statement", "true", words.link_statement, true) +
      check_box("sources", "true", words.link_sources, true) +
      field("frame", words.link_frame, input("frame", "url", " placeholder=\"https://courses.example\""),
            words.link_frame_hint);
  return "<details><summary>" + escaped(words.links) + "</summary>\n<p>" + escaped(words.links_hint) +
         "</p>\n" + (items.empty() ? "" : "<ul>\n" + items + "</ul>\n") +
         form(std::string(path) + "/links", fields, words.make_link) + "</details>\n";
}

std::string new_link_page(const Reader& reader, const Json& link, std::string_view back) {
  const Words& words = *reader.words;
  return desk_page(reader, words.links,
                   "<div class=\"verdict\" role=\"status\"><p>" + escaped(words.link_shown) + "</p>\n<p>" +
                       desk::link(string_in(link, "path"), words.link_itself) + "</p></div>\n<p>" +
                       desk::link(back, words.back) + "</p>\n");
}

std::string linked_page(const Words& words, const LinkedReport& view) {
  std::string html =
      "<p>" + filled(escaped(words.link_until), {shown_time(string_in(view.link, "expires"))}) + "</p>\n";
  for (const Words* other : languages()) {
    if (other == &words) continue;
    html += "<p class=\"screen\">" + link("?lang=" + std::string(other->tag), other->own_name) + "</p>\n";
  }
  html += view.report;
  if (view.link.at("statement") == true) {
    html += "<div class=\"screen\"><h2>" + escaped(words.leave_statement) + "</h2>\n" +
            form(view.path,
                 (view.once.empty() ? "" : hidden(kOnce, view.once)) +
                     field("statement", words.statement, text_area("statement", "", 8), words.statement_hint),
                 words.leave_statement) +
            "</div>\n";
  }
  return whole_page(words, title_of(words, view.check), html);
}

}  // namespace akin::desk
