#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "extract/child/errors.h"
#include "extract/child/office/mime.h"
#include "extract/child/readers.h"
#include "extract/formats/mail_header.h"
#include "extract/formats/text_encoding.h"
#include "extract/html/html.h"

namespace akin::extract {

namespace {

/// "A. Author" <a@example.org> → A. Author; an address alone stays.
std::string author_of(std::string_view from) {
  const std::string text = decoded_words(from);
  const std::size_t address = text.rfind('<');
  const std::string_view name = trimmed(std::string_view(text).substr(0, address), " \t\"'");
  return std::string(address == std::string::npos || name.empty() ? trimmed(text, " <>") : name);
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    if (end > 0) words.insert(ascii_lower(trimmed(text.substr(0, end), "*_.,:;!?()\"'")));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// In lower case, without parameters.
std::string type_of_part(const MimePart& part) {
  const std::string_view field = field_of(part, "content-type");
  const std::string type = ascii_lower(trimmed(field.substr(0, field.find(';'))));
  return type.empty() ? "text/plain" : type;
}

std::string charset_of(const MimePart& part) {
  const std::string charset = parameter_of(field_of(part, "content-type"), "charset");
  return charset.empty() || check_encoding(charset).has_error() ? std::string(kUtf8Name) : charset;
}

std::string text_of(const MimePart& part) {
  std::string text = in_utf8(decoded_body(part), parameter_of(field_of(part, "content-type"), "charset"));
  std::erase(text, '\r');
  return text;
}

class MailReader {
 public:
  explicit MailReader(DocumentBuilder& builder) : builder_(builder) {}

  /// `first`: its header describes the document.
  Result<void> read_message(std::string_view message, bool first, int depth = 0) {
    const MimePart part = mime_part(message);
    const std::string title = decoded_words(field_of(part, "subject"));
    if (first) {
      FileMetadata& metadata = builder_.metadata();
      metadata.title = title;
      metadata.date = rfc3339_of_mail(field_of(part, "date"));
      if (std::string author = author_of(field_of(part, "from")); !author.empty())
        metadata.authors = {std::move(author)};
    } else {
      builder_.begin_part(title);
    }
    return read_part(part, depth);
  }

  void finish() { builder_.report(FileAlertKind::part_missing, missing_, names_); }

 private:
  Result<void> read_part(const MimePart& part, int depth) {
    if (depth > kMostNestedParts) return damaged("is an e-mail with parts within parts, too many to read");
    const std::string_view type = field_of(part, "content-type");
    const std::string kind = type_of_part(part);
    if (kind == "multipart/encrypted" || ascii_lower(parameter_of(type, "smime-type")) == "enveloped-data")
      return encrypted();
    if (kind.starts_with("multipart/")) return read_parts(part, kind == "multipart/alternative", depth);
    const std::string_view disposition = field_of(part, "content-disposition");
    std::string name = decoded_words(parameter_of(disposition, "filename"));
    if (name.empty()) name = decoded_words(parameter_of(type, "name"));
    const bool shown = !ascii_lower(disposition).starts_with("attachment");
    if (shown && kind == "message/rfc822") return read_message(decoded_body(part), false, depth + 1);
    if (shown && kind == "text/html") return read_page(decoded_body(part), charset_of(part), builder_);
    if (shown && kind == "text/plain") {
      show(text_of(part));
    } else if (!kind.ends_with("-signature") && !(shown && kind.starts_with("image/"))) {
      miss(name.empty() ? decoded_words(kind) : name);
    }
    return {};
  }

  Result<void> read_parts(const MimePart& part, bool alternative, int depth) {
    const std::string boundary = parameter_of(field_of(part, "content-type"), "boundary");
    if (boundary.empty()) return damaged("is an e-mail in parts, and names no boundary between them");
    const MimeParts parts = parts_of(part.body, boundary);
    if (parts.parts.empty()) return damaged("is an e-mail in parts, and has none");
    if (!parts.closed) miss("the end of the e-mail");
    if (alternative) return read_alternatives(parts.parts, depth);
    for (const std::string_view one : parts.parts) AKIN_CHECK(read_part(mime_part(one), depth + 1));
    return {};
  }

  /// Reads the plain text, or else the last, which is the richest. Programs show the page, so what only that
  /// has is reported.
  Result<void> read_alternatives(const std::vector<std::string_view>& parts, int depth) {
    for (const std::string_view one : parts) {
      const MimePart part = mime_part(one);
      const std::string text = type_of_part(part) == "text/plain" ? text_of(part) : std::string();
      if (trimmed(text, " \t\r\n").empty()) continue;
      show(text);
      for (const std::string_view other : parts) report_differences(mime_part(other), text, depth + 1);
      return {};
    }
    return read_part(mime_part(parts.back()), depth + 1);
  }

  /// Of the page in the part: the paragraphs of which more than half of the words are not in the text.
  void report_differences(const MimePart& part, std::string_view text, int depth) {
    const std::string type = type_of_part(part);
    if (type.starts_with("multipart/") && depth < kMostNestedParts) {
      const std::string boundary = parameter_of(field_of(part, "content-type"), "boundary");
      if (boundary.empty()) return;
      for (const std::string_view one : parts_of(part.body, boundary).parts)
        report_differences(mime_part(one), text, depth + 1);
    }
    if (type != "text/html") return;
    const Result<Page> page = read_html(decoded_body(part), "file", charset_of(part));
    if (page.has_error()) return;
    const std::set<std::string> known = words_of(text);
    for (const std::string_view paragraph : split(page->text, '\n')) {
      const std::set<std::string> words = words_of(paragraph);
      const auto others =
          std::ranges::count_if(words, [&](const auto& word) { return !known.contains(word); });
      if (2 * static_cast<std::size_t>(others) > words.size()) builder_.leave_out(paragraph);
    }
  }

  void show(std::string_view text) {
    builder_.border();
    builder_.verbatim(trimmed(text, "\r\n"));
    builder_.border();
  }

  void miss(std::string_view name) {
    ++missing_;
    names_.append(names_.empty() ? "" : ", ").append(name);
  }

  DocumentBuilder& builder_;
  std::uint64_t missing_ = 0;
  std::string names_;  ///< of the attachments and whatever else is missing
};

/// A mailbox (RFC 4155) is messages that each follow a line "From …".
std::vector<std::string_view> messages_of(std::string_view bytes) {
  constexpr std::string_view kMark = "From ";
  if (!bytes.starts_with(kMark)) return {bytes};
  std::vector<std::string_view> messages;
  while (!bytes.empty()) {
    bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size() - 1) + 1);
    std::size_t end = bytes.find("\nFrom ");
    while (end != std::string_view::npos && !begins_as_mail(bytes.substr(end + 1)))
      end = bytes.find("\nFrom ", end + 1);
    messages.push_back(bytes.substr(0, end));
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  }
  return messages;
}

}  // namespace

Result<void> read_mail(std::string_view bytes, DocumentBuilder& builder) {
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  MailReader reader(builder);
  bool first = true;
  for (const std::string_view message : messages_of(bytes)) {
    AKIN_CHECK(reader.read_message(message, first));
    if (builder.full()) break;
    first = false;
  }
  reader.finish();
  return {};
}

}  // namespace akin::extract
