// What all pages of the desk have: HTML that needs no script, and works by keyboard and with a screen reader.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// UTF-8 as HTML text or as an attribute's value in double quotes: & < > " ' escaped, and what HTML does not
/// allow (control characters) as U+FFFD. A browser reads CR and CRLF as LF.
[[nodiscard]] std::string escaped(std::string_view text);

/// A part of a path or the value of a parameter, percent-encoded (RFC 3986).
[[nodiscard]] std::string in_url(std::string_view text);

/// `<a href="PATH">TEXT</a>`, both escaped.
[[nodiscard]] std::string link(std::string_view path, std::string_view text);

/// `<p>TEXT</p>`, escaped.
[[nodiscard]] std::string paragraph(std::string_view text);

/// A line of a list of facts, `<dt>` and `<dd>`; nothing for an empty value.
[[nodiscard]] std::string row(std::string_view name, std::string_view value);

/// A time (RFC 3339) as HTML, such as "2026-11-27 04:05 UTC", which the desk's script puts into the zone of
/// the reader. What is shorter than a time stays as it is.
[[nodiscard]] std::string shown_time(std::string_view rfc3339);
/// row() with a time.
[[nodiscard]] std::string time_row(std::string_view name, std::string_view rfc3339);

/// A table; `rows` is HTML. An empty caption: the heading above says what it has.
[[nodiscard]] std::string table(std::string_view caption, const std::vector<std::string_view>& heads,
                                std::string_view rows);

/// A cell of a table.
[[nodiscard]] std::string cell(std::string_view text);
[[nodiscard]] std::string time_cell(std::string_view rfc3339);
/// A table that scrolls by itself where the window is narrow.
[[nodiscard]] std::string wide_table(std::string_view caption, const std::vector<std::string_view>& heads,
                                     std::string_view rows);

/// What is wrong and what to do, by the code of an error (error_object), in the reader's language; below it
/// the particulars, which are in English.
[[nodiscard]] std::string problem(const Words& words, const json::Json& error);

/// The string that a field of the object has; empty if it has none.
[[nodiscard]] std::string string_in(const json::Json& object, std::string_view field);
/// The strings of an array, with commas between them.
[[nodiscard]] std::string joined(const json::Json& strings);
/// What a document or source is called: its title, or else its id.
[[nodiscard]] std::string name_of(const json::Json& document);

/// A form that was sent and not carried out. Its action is a path of the desk.
struct WrittenForm {
  std::string action;                                            ///< empty: none
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< without tokens and files
  bool had_files = false;  ///< which a browser does not send by itself again
  bool is_multipart = false;
};

/// Who reads a page.
struct Reader {
  const Words* words = nullptr;
  bool signed_in = false;     ///< with a session
  bool may_read = false;      ///< texts of stored documents
  bool may_operate = false;   ///< looks after the server
  std::string_view person{};  ///< name of who is signed in; may be empty
  std::string_view names{};   ///< "hide" or "show", if the reader chose whether to see whose checks are
  std::string path{};         ///< of the page, for the links to it in other languages; empty: without them
  std::string query{};        ///< of the page beside its language, after a "&" each; may be empty
  std::string form_token{};   ///< that the page's forms carry; empty: none
  std::string once{};         ///< random: begins the name of each sending of the page's forms; empty: none
  std::string form_secret{};  ///< for the reader's browser to keep, which has none yet; empty otherwise
  WrittenForm written{};      ///< the form that the page answers
  std::string back{};         ///< the page that has this form; empty: none is answered
};

/// A link to this page, at `path`, that hides the names of whose checks are, or shows them.
[[nodiscard]] std::string names_switch(const Reader& reader, std::string_view path);

/// The first field of each form that is posted: its value is the reader's form_token.
inline constexpr std::string_view kFormToken = "form-token";
/// The field that is the same whenever one form of one page is sent.
inline constexpr std::string_view kOnce = "once";

/// The style sheet of all pages, and the scripts of the desk's, which do everything without them, too.
[[nodiscard]] std::string_view style_sheet() noexcept;
[[nodiscard]] std::string_view script() noexcept;
[[nodiscard]] std::string_view switches() noexcept;
[[nodiscard]] std::string_view says() noexcept;
[[nodiscard]] std::string_view beside() noexcept;

/// A page of the desk. `body` is HTML; each of its forms that is posted gets the reader's form_token
/// and a name of its own that begins with `once`.
[[nodiscard]] std::string desk_page(const Reader& reader, std::string_view title, std::string_view body);

/// A page for itself, which loads nothing: the style is in it.
[[nodiscard]] std::string whole_page(const Words& words, std::string_view title, std::string_view body);

}  // namespace akin::desk
