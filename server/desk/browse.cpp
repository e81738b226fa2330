#include "server/desk/browse.h"

#include <algorithm>

#include "base/sliced_text.h"
#include "server/desk/changes.h"
#include "server/desk/duplicates.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"
#include "server/desk/watches.h"

namespace akin::desk {

namespace {

using json::Json;

/// A value of the metadata: strings without their quotes.
std::string value_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// "214 words, 97.7 % of a text" for one side of what two texts share.
std::string share_text(const Words& words, const Json& shared, std::string_view side) {
  const std::string name(side);
  return filled(words.shared_words, {number(words, shared.at(name).get<std::uint64_t>()),
                                     percent(words, shared.at(name + "_share").get<double>())});
}

std::string similar_part(const Words& words, const DocumentView& view) {
  const Json& results = view.similar.at("results");
  std::string html = "<h2 id=\"similar\">" + escaped(words.similar) + "</h2>\n";
  const std::string own = string_in(view.document, "id");
  std::string items;
  for (const Json& hit : results) {
    const std::string id = string_in(hit, "id");
    if (id == own) continue;
    const Json& shared = hit.contains("words") ? hit.at("words") : Json();
    items += "<li>" + link(document_path(view.collection, id), name_of(hit));
    if (shared.is_object())
      items += " – " + escaped(filled(words.shared_sides,
                                      {share_text(words, shared, "a"), share_text(words, shared, "b")}));
    items += " – " + link(compare_path(view.collection, own, id), words.compare) + "</li>\n";
  }
  if (items.empty()) return html + "<p>" + escaped(words.nothing_similar) + "</p>\n";
  return html + "<ol>\n" + items + "</ol>\n";
}

std::string compared_part(const Words& words, const ComparedTexts& texts) {
  const Json& passages = texts.found.at("passages");
  std::string html = "<h2 id=\"found\">" + escaped(words.shared_text) + "</h2>\n";
  if (passages.empty()) return html + "<p>" + escaped(words.nothing_shared) + "</p>\n";
  if (const auto shared = texts.found.find("words"); shared != texts.found.end()) {
    html += "<p>" +
            escaped(filled(words.shared_sides,
                           {share_text(words, *shared, "a"), share_text(words, *shared, "b")})) +
            "</p>\n<p>" + escaped(words.change_hint) + "</p>\n";
  }
  const SlicedText a(texts.a), b(texts.b);
  std::uint64_t place = 0;
  for (const Json& passage : passages) {
    html += "<section><h3>" + escaped(filled(words.passage, {number(words, ++place)}));
    if (passage.contains("words"))
      html += ", " +
              escaped(filled(words.passage_words, {number(words, passage.at("words").get<std::uint64_t>())}));
    html += "</h3>\n<div class=\"pair\">\n";
    for (const auto& [side, text, name] :
         {std::tuple("a", &a, words.first_text), std::tuple("b", &b, words.second_text)}) {
      const TextRange range = json::read_range(passage.at(side));
      html += "<div><p><strong>" + escaped(name) + "</strong></p><blockquote dir=\"auto\">" +
              changed_text(words, text->slice(range), range, changes_of(passage, side)) +
              "</blockquote></div>\n";
    }
    html += "</div></section>\n";
  }
  return html;
}

}  // namespace

std::string document_path(std::string_view collection, std::string_view id) {
  return "/desk/collections/" + std::string(collection) + "/documents/" + in_url(id);
}

std::string compare_path(std::string_view collection, std::string_view a, std::string_view b) {
  return "/desk/compare?collection=" + std::string(collection) + "&a=" + in_url(a) + "&b=" + in_url(b);
}

std::string documents_page(const Reader& reader, const DocumentList& list) {
  const Words& words = *reader.words;
  const std::string path = "/desk/collections/" + list.collection;
  std::string html =
      "<form method=\"get\" action=\"" + path + "\">" +
      field("title", words.title_begins, input("title", "text", " value=\"" + escaped(list.title) + "\"")) +
      "<p><button>" + escaped(words.filter) + "</button></p></form>\n";
  html += "<p>" + escaped(filled(words.documents, {number(words, list.total)})) + "</p>\n";
  if (list.documents.empty() && list.title.empty())
    html +=
        "<p>" + escaped(words.no_documents) + " " + link("/desk/collections", words.collections) + "</p>\n";
  if (!list.documents.empty()) {
    std::string rows;
    for (const Json& one : list.documents) {
      const std::string id = string_in(one, "id");
      rows += "<tr><th scope=\"row\">" + link(document_path(list.collection, id), name_of(one)) +
              "</th><td>" + escaped(id) + "</td><td>" +
              escaped(megabytes(words, one.at("text_bytes").get<std::uint64_t>())) + "</td><td>" +
              shown_time(string_in(one, "stored")) + "</td></tr>\n";
    }
    html += table(list.collection, {words.title, words.store_id, words.text_size, words.received}, rows);
  }
  if (!list.next.empty()) {
    html +=
        "<p>" +
        link(path + "?cursor=" + in_url(list.next) + "&title=" + in_url(list.title), words.more_documents) +
        "</p>\n";
  }
  html += "<p>" + link(duplicates_path(list.collection), words.duplicates) + ". " +
          link(watches_path(list.collection), words.watches) + ".</p>\n";
  return desk_page(reader, list.collection, html + "<p>" + link("/desk/collections", words.back) + "</p>\n");
}

std::string document_page(const Reader& reader, const DocumentView& view) {
  const Words& words = *reader.words;
  const Json& document = view.document;
  const std::string id = string_in(document, "id");
  const std::string path = document_path(view.collection, id);
  std::string html = "<dl>\n" + row(words.collection, view.collection) + row(words.store_id, id) +
                     time_row(words.received, string_in(document, "stored")) +
                     row(words.text_size, megabytes(words, document.at("text_bytes").get<std::uint64_t>()));
  for (const auto& [name, value] : document.at("metadata").items()) html += row(name, value_of(value));
  html += "</dl>\n";
  if (view.similar.is_null()) {
    html += "<p>" + link(path + "?similar=true#similar", words.find_similar) + "</p>\n";
  } else {
    html += similar_part(words, view);
  }
  if (view.may_write) {
    html += "<details><summary>" + escaped(words.watch_document) + "</summary>\n" +
            form(watches_path(view.collection),
                 hidden("id", id) +
                     field("name", words.name, input("name", "text", " required"), words.name_hint),
                 words.make_watch) +
            "</details>\n";
  }
  html += "<h2>" + escaped(words.text) + "</h2>\n";
  if (view.text.empty()) {
    html += "<p>" + escaped(view.is_restricted ? words.source_restricted : words.no_text) + "</p>\n";
  } else {
    if (!view.is_whole) html += "<p>" + escaped(words.text_begins) + "</p>\n";
    html += "<div class=\"text\" dir=\"auto\"><p class=\"plain\">" + escaped(view.text) + "</p></div>\n";
  }
  return desk_page(reader, name_of(document),
                   html + "<p>" + link("/desk/collections/" + view.collection, words.back) + "</p>\n");
}

std::string compare_page(const Reader& reader, const ComparedTexts& texts) {
  const Words& words = *reader.words;
  std::string html;
  if (texts.a_name.empty()) {
    html += form("/desk/compare",
                 field("a", words.first_text, text_area("a", texts.a, 8)) +
                     field("b", words.second_text, text_area("b", texts.b, 8)),
                 words.compare);
  } else {
    html += "<dl>\n" + row(words.first_text, texts.a_name) + row(words.second_text, texts.b_name) + "</dl>\n";
  }
  if (!texts.found.is_null()) html += compared_part(words, texts);
  return desk_page(reader, words.compare_texts, html);
}

}  // namespace akin::desk
