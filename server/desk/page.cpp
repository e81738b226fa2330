#include "server/desk/page.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "server/desk/forms.h"

namespace akin::desk {

namespace {

std::string head_of(const Words& words, std::string_view title) {
  return "<!doctype html>\n<html lang=\"" + std::string(words.tag) +
         "\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped(title) + "</title>\n";
}

std::string navigation(const Reader& reader) {
  const Words& words = *reader.words;
  std::string html = "<header><a class=\"skip\" href=\"#main\">" + escaped(words.skip) + "</a><nav><ul>";
  std::vector<std::pair<const char*, std::string_view>> pages = {
      {"/desk/", words.hand_in}, {"/desk/checks", words.cases}, {"/desk/collections", words.collections}};
  if (reader.may_read) pages.emplace_back("/desk/compare", words.compare);
  if (reader.may_operate) {
    for (const auto& page : {std::pair("/desk/server", words.server), std::pair("/desk/rules", words.rules),
                             std::pair("/desk/persons", words.persons), std::pair("/desk/keys", words.keys),
                             std::pair("/desk/log", words.log)})
      pages.emplace_back(page);
  }
  for (const auto& [path, text] : pages) {
    const std::string_view here = reader.path == path ? " aria-current=\"page\"" : "";
    html +=
        "<li><a href=\"" + std::string(path) + "\"" + std::string(here) + ">" + escaped(text) + "</a></li>";
  }
  html += "<li>" + link("/docs/", words.documentation) + "</li></ul><ul>";
  for (const Words* other : languages()) {
    if (other == reader.words || reader.path.empty()) continue;
    html += "<li><a lang=\"" + std::string(other->tag) + "\" hreflang=\"" + std::string(other->tag) +
            "\" href=\"" + escaped(reader.path) + "?lang=" + std::string(other->tag) + escaped(reader.query) +
            "\">" + escaped(other->own_name) + "</a></li>";
  }
  if (!reader.person.empty()) html += "<li>" + escaped(reader.person) + "</li>";
  if (reader.signed_in) {
    html += "<li><form method=\"post\" action=\"/desk/sign-out\"><button>" + escaped(words.sign_out) +
            "</button></form></li>";
  }
  return html + "</ul></nav></header>\n";
}

/// Text of others is escaped, so that it begins no form.
std::string with_form_fields(std::string_view html, const Reader& reader) {
  constexpr std::string_view kForm = "<form method=\"post\"";
  const std::string token = reader.form_token.empty() ? "" : hidden(kFormToken, reader.form_token);
  std::string made;
  std::size_t count = 0;
  for (std::size_t form = html.find(kForm); form != std::string_view::npos; form = html.find(kForm)) {
    const std::size_t end = html.find('>', form) + 1;
    made += html.substr(0, end);
    made += token;
    if (!reader.once.empty()) made += hidden(kOnce, reader.once + "." + std::to_string(++count));
    html.remove_prefix(end);
  }
  return made += html;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default: {
        const bool is_space = c == '\n' || c == '\r' || c == '\t';
        const bool control = (static_cast<unsigned char>(c) < 0x20 && !is_space) || c == 0x7f;
        if (control) {
          html += "\ufffd";
        } else {
          html += c;
        }
      }
    }
  }
  return html;
}

std::string in_url(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF", kPlain = "-._~";
  std::string made;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos);
    if (is_plain) {
      made += c;
    } else {
      made += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return made;
}

std::string paragraph(std::string_view text) { return "<p>" + escaped(text) + "</p>\n"; }

std::string row(std::string_view name, std::string_view value) {
  return value.empty() ? "" : "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
}

std::string shown_time(std::string_view rfc3339) {
  constexpr std::size_t kDate = 10, kMinutes = 16;
  if (rfc3339.size() < kMinutes) return escaped(rfc3339);
  return "<time datetime=\"" + escaped(rfc3339) + "\">" + escaped(rfc3339.substr(0, kDate)) + " " +
         escaped(rfc3339.substr(kDate + 1, kMinutes - kDate - 1)) + " UTC</time>";
}

std::string time_row(std::string_view name, std::string_view rfc3339) {
  return rfc3339.empty() ? "" : "<dt>" + escaped(name) + "</dt><dd>" + shown_time(rfc3339) + "</dd>\n";
}

std::string table(std::string_view caption, const std::vector<std::string_view>& heads,
                  std::string_view rows) {
  std::string html = "<table>";
  if (!caption.empty()) html += "<caption>" + escaped(caption) + "</caption>";
  html += "<thead><tr>";
  for (const std::string_view head : heads) html += "<th scope=\"col\">" + escaped(head) + "</th>";
  return html + "</tr></thead><tbody>\n" + std::string(rows) + "</tbody></table>\n";
}

std::string cell(std::string_view text) { return "<td>" + escaped(text) + "</td>"; }

std::string time_cell(std::string_view rfc3339) { return "<td>" + shown_time(rfc3339) + "</td>"; }

std::string wide_table(std::string_view caption, const std::vector<std::string_view>& heads,
                       std::string_view rows) {
  return "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"" + escaped(caption) + "\">" +
         table(caption, heads, rows) + "</div>\n";
}

std::string problem(const Words& words, const json::Json& error) {
  const std::string remedy = string_in(error, "remedy"), reason = string_in(error, "reason");
  const std::string all = string_in(error, "what") + ": " + reason;
  const auto known = std::ranges::find_if(words.mistakes, [&](const Named& one) {
    return reason.starts_with(one.name) || all.starts_with(one.name);
  });
  const std::string_view text =
      known != words.mistakes.end() ? known->text : Words::of(words.problems, string_in(error, "code"));
  return "<p>" + escaped(text) + "</p><p lang=\"en\"><small>" +
         escaped(all + (remedy.empty() ? "" : " – " + remedy)) + "</small></p>\n";
}

std::string string_in(const json::Json& object, std::string_view field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string joined(const json::Json& strings) {
  std::string text;
  for (const json::Json& one : strings) text += (text.empty() ? "" : ", ") + one.get<std::string>();
  return text;
}

std::string name_of(const json::Json& document) {
  const std::string title = string_in(document, "title");
  return title.empty() ? string_in(document, "id") : title;
}

std::string link(std::string_view path, std::string_view text) {
  return "<a href=\"" + escaped(path) + "\">" + escaped(text) + "</a>";
}

std::string names_switch(const Reader& reader, std::string_view path) {
  const bool hides = reader.names == "hide";
  const std::string_view before = path.find('?') == std::string_view::npos ? "?" : "&";
  return "<p class=\"screen\">" +
         link(std::string(path) + std::string(before) + (hides ? "names=show" : "names=hide"),
              hides ? reader.words->show_names_here : reader.words->hide_names_here) +
         "</p>\n";
}

std::string desk_page(const Reader& reader, std::string_view title, std::string_view body) {
  const Words& words = *reader.words;
  return head_of(words, std::string(title) + " – " + std::string(words.desk)) +
         "<link rel=\"stylesheet\" href=\"/desk/desk.css\">\n"
         "<script type=\"module\" src=\"/desk/desk.js\"></script>\n</head>\n<body>\n" +
         with_form_fields(
             navigation(reader) + "<main id=\"main\">\n<h1>" + escaped(title) + "</h1>\n" + std::string(body),
             reader) +
         "</main>\n</body>\n</html>\n";
}

std::string whole_page(const Words& words, std::string_view title, std::string_view body) {
  return head_of(words, title) + "<style>\n" + std::string(style_sheet()) + "</style>\n</head>\n<body>\n" +
         "<main id=\"main\">\n<h1>" + escaped(title) + "</h1>\n" + std::string(body) +
         "</main>\n</body>\n</html>\n";
}

}  // namespace akin::desk
