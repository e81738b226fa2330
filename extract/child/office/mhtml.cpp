#include <string>
#include <string_view>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/office/mime.h"
#include "extract/child/readers.h"
#include "extract/formats/text_encoding.h"
#include "extract/html/html.h"

namespace akin::extract {

namespace {

/// Reads the first page of HTML in a message, or in its parts.
Result<void> read_message(std::string_view message, DocumentBuilder& builder, int depth) {
  const MimePart part = mime_part(message);
  const std::string_view type = field_of(part, "content-type");
  const std::string kind = ascii_lower(type);
  if (kind.starts_with("text/html") || kind.starts_with("application/xhtml")) {
    const std::string charset = parameter_of(type, "charset");
    return read_page(decoded_body(part), charset.empty() ? kUtf8Name : charset, builder);
  }
  const std::string boundary = parameter_of(type, "boundary");
  if (!kind.starts_with("multipart/") || boundary.empty() || depth == kMostNestedParts)
    return damaged("is an MHTML archive without a page");
  for (const std::string_view one : parts_of(part.body, boundary).parts) {
    if (Result<void> read = read_message(one, builder, depth + 1); read.has_value()) return read;
  }
  return damaged("is an MHTML archive without a page");
}

}  // namespace

Result<void> read_page(std::string_view bytes, std::string_view undeclared, DocumentBuilder& builder) {
  const Result<Page> page = read_html(bytes, "file", undeclared);
  if (page.has_error()) return page.error();
  builder.web_page(*page);
  if (builder.metadata().title.empty()) builder.metadata().title = page->title;
  return {};
}

Result<void> read_mhtml(std::string_view bytes, DocumentBuilder& builder) {
  return read_message(bytes, builder, 0);
}

}  // namespace akin::extract
