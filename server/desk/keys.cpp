#include "server/desk/forms.h"
#include "server/desk/operate.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

std::string key_row(const Words& words, const Json& key) {
  const std::string id = string_in(key, "id"), label = string_in(key, "label");
  const std::string places = joined(key.at("collections"));
  const std::string expires = string_in(key, "expires");
  return "<tr><th scope=\"row\">" + escaped(label.empty() ? id : label) + "</th>" +
         cell(joined(key.at("scopes"))) + cell(places.empty() ? words.all_collections : places) +
         time_cell(string_in(key, "created")) + "<td>" +
         (expires.empty() ? std::string() : filled(escaped(words.link_until), {shown_time(expires)})) +
         "</td><td>" + form("/desk/keys/" + id + "/revoke", "", words.revoke) + "</td></tr>\n";
}

}  // namespace

std::string keys_page(const Reader& reader, const Json& keys, const std::vector<std::string>& collections,
                      const NewSecret& made) {
  const Words& words = *reader.words;
  std::string html = made.secret.empty() ? "" : secret_box(words.key_shown, made);
  html += "<p>" + escaped(words.keys_intro) + "</p>\n";
  std::string rows;
  for (const Json& key : keys) rows += key_row(words, key);
  if (rows.empty()) {
    html += "<p>" + escaped(words.no_keys) + "</p>\n";
  } else {
    html += wide_table(
        words.keys,
        {words.key_label, words.scopes, words.collections, words.created, words.expires, words.revoke}, rows);
  }
  const std::string fields =
      field("label", words.key_label, input("label", "text", " required maxlength=\"200\""),
            words.key_label_hint) +
      check_boxes(words.scopes, "scopes", options_of(words.scope_names), Json::array()) +
      collection_boxes(words, collections, Json::array()) +
      field("until", words.expires, input("until", "date"), words.expires_hint);
  return desk_page(
      reader, words.keys,
      html + "<h2>" + escaped(words.make_key) + "</h2>\n" + form("/desk/keys", fields, words.make_key));
}

}  // namespace akin::desk
