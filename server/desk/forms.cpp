#include "server/desk/forms.h"

#include <algorithm>

#include "server/desk/page.h"

namespace akin::desk {

std::string field(std::string_view name, std::string_view label, std::string_view input,
                  std::string_view hint) {
  std::string html = "<p><label for=\"" + std::string(name) + "\">" + escaped(label);
  if (!hint.empty()) html += "<span class=\"hint\">" + escaped(hint) + "</span>";
  return html + "</label>\n" + std::string(input) + "</p>\n";
}

std::string input(std::string_view name, std::string_view type, std::string_view more) {
  return "<input id=\"" + std::string(name) + "\" name=\"" + std::string(name) + "\" type=\"" +
         std::string(type) + "\"" + std::string(more) + ">";
}

std::string value_attribute(std::string_view value) { return " value=\"" + escaped(value) + "\""; }

std::string hidden(std::string_view name, std::string_view value) {
  return "<input type=\"hidden\" name=\"" + escaped(name) + "\" value=\"" + escaped(value) + "\">\n";
}

std::string text_area(std::string_view name, std::string_view value, int rows) {
  return "<textarea id=\"" + std::string(name) + "\" name=\"" + std::string(name) + "\" rows=\"" +
         std::to_string(rows) + "\">" + escaped(value) + "</textarea>";
}

std::string check_box(std::string_view name, std::string_view value, std::string_view label, bool checked) {
  return "<p><label><input type=\"checkbox\" name=\"" + std::string(name) + "\" value=\"" + escaped(value) +
         "\"" + (checked ? " checked" : "") + "> " + escaped(label) + "</label></p>\n";
}

std::string fieldset(std::string_view legend, std::string_view fields) {
  return "<fieldset><legend>" + escaped(legend) + "</legend>\n" + std::string(fields) + "</fieldset>\n";
}

std::string select(std::string_view name, const std::vector<Option>& options, std::string_view selected) {
  std::string html = "<select id=\"" + std::string(name) + "\" name=\"" + std::string(name) + "\">";
  for (const Option& option : options) {
    html += "<option value=\"" + escaped(option.value) + "\"" +
            (!selected.empty() && option.value == selected ? " selected" : "") + ">" + escaped(option.text) +
            "</option>";
  }
  return html + "</select>";
}

std::string select(std::string_view name, const std::vector<std::string>& values) {
  std::vector<Option> options;
  options.reserve(values.size());
  for (const std::string& value : values) options.push_back({value, value});
  return select(name, options);
}

std::string form(std::string_view action, std::string_view fields, std::string_view button) {
  return "<form method=\"post\" action=\"" + escaped(action) + "\">\n" + std::string(fields) + "<p><button>" +
         escaped(button) + "</button></p>\n</form>\n";
}

std::string file_form(const Words& words, std::string_view action, std::string_view fields,
                      std::string_view button) {
  return "<form method=\"post\" enctype=\"multipart/form-data\" action=\"" + escaped(action) + "\">\n" +
         std::string(fields) + "<p><button>" + escaped(button) +
         "</button></p>\n<p hidden role=\"status\"><label>" + escaped(words.sending) +
         " <progress max=\"1\" value=\"0\"></progress></label></p>\n<p hidden class=\"error\" "
         "role=\"alert\">" +
         escaped(words.send_failed) + "</p>\n<p hidden class=\"error session\" role=\"alert\">" +
         escaped(words.send_after_sign_in) + "</p>\n</form>\n";
}

std::string button(std::string_view action, std::string_view name, std::string_view value,
                   std::string_view text) {
  return form(action, hidden(name, value), text);
}

std::string check_boxes(std::string_view legend, std::string_view name, const std::vector<Option>& options,
                        const json::Json& chosen) {
  std::string boxes;
  for (const Option& option : options) {
    const bool is_chosen = std::ranges::find(chosen, json::Json(option.value)) != chosen.end();
    boxes += check_box(name, option.value, option.text, is_chosen);
  }
  return fieldset(legend, boxes);
}

std::vector<Option> options_of(const std::vector<Named>& list) {
  std::vector<Option> options;
  options.reserve(list.size());
  for (const Named& one : list) options.push_back({one.name, one.text});
  return options;
}

}  // namespace akin::desk
