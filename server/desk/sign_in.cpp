#include "server/desk/sign_in.h"

#include <algorithm>
#include <array>

#include "server/desk/forms.h"

namespace akin::desk {

namespace {

/// Whether people write into the field, rather than choose.
bool is_written(std::string_view name) {
  constexpr std::array<std::string_view, 11> kWritten = {
      "a", "b", "description", "id", "label", "name", "owner", "remark", "statement", "text", "title"};
  return name.starts_with("remark-") || std::ranges::find(kWritten, name) != kWritten.end();
}

std::string encoded(const WrittenForm& written) {
  std::string text;
  for (const auto& [name, value] : written.fields)
    text += (text.empty() ? "" : "&") + in_url(name) + "=" + in_url(value);
  return text;
}

std::string note_of(const Words& words, SignInNote note) {
  const std::string_view text = note == SignInNote::ended      ? words.session_ended
                                : note == SignInNote::unkept   ? words.too_large_to_keep
                                : note == SignInNote::wrong    ? words.wrong_key
                                : note == SignInNote::too_many ? Words::of(words.problems, "rate_limited")
                                                               : "";
  return text.empty() ? "" : "<div class=\"error\" role=\"alert\">" + paragraph(text) + "</div>\n";
}

}  // namespace

std::string written_part(const Words& words, const WrittenForm& written) {
  std::string html;
  for (const auto& [name, value] : written.fields) {
    if (name == "state")
      html += paragraph(std::string(words.state) + ": " + std::string(Words::of(words.states, value)));
    if (is_written(name) && !value.empty())
      html += "<blockquote dir=\"auto\">" + escaped(value) + "</blockquote>\n";
  }
  return html.empty() ? "" : "<h2>" + escaped(words.written) + "</h2>\n" + html;
}

std::string sign_in_page(const Reader& reader, const SignIn& view) {
  const Words& words = *reader.words;
  const bool waits = !view.written.action.empty();
  std::string html = note_of(words, view.note);
  if (waits) {
    html += "<div class=\"error\" role=\"alert\">" + paragraph(words.form_waits) +
            (view.written.had_files ? paragraph(words.files_again) : "") + "</div>\n";
  }
  std::string fields = view.next == "/desk/" ? "" : hidden("next", view.next);
  if (waits && !view.written.had_files)
    fields += hidden("again", view.written.action) + hidden("kept", encoded(view.written)) +
              (view.written.is_multipart ? hidden("multipart", "true") : "");
  fields += field("key", words.key, input("key", "password", " required autocomplete=\"current-password\""));
  html += paragraph(words.sign_in_intro) + form("/desk/sign-in", fields, words.sign_in);
  return desk_page(reader, words.sign_in, html + (waits ? written_part(words, view.written) : ""));
}

std::string send_again_page(const Reader& reader, const WrittenForm& written, std::string_view next) {
  const Words& words = *reader.words;
  std::string html = "<div class=\"error\" role=\"alert\">" + paragraph(words.not_sent_hint) +
                     (written.had_files ? paragraph(words.files_again) : "") + "</div>\n" +
                     written_part(words, written);
  if (!written.had_files) {
    std::string fields;
    for (const auto& [name, value] : written.fields) fields += hidden(name, value);
    html += written.is_multipart ? file_form(words, written.action, fields, words.send_again)
                                 : form(written.action, fields, words.send_again);
  }
  return desk_page(reader, words.not_sent, html + "<p>" + link(next, words.to_the_page) + "</p>\n");
}

std::string invitation_page(const Reader& reader) {
  const Words& words = *reader.words;
  return desk_page(reader, words.sign_in, paragraph(words.invitation) + form(reader.path, "", words.sign_in));
}

}  // namespace akin::desk
