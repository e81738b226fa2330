// What akin and akin-extract say to each other of plain text and of pages of HTML, which have no bytes to be
// known by: akin says what they are. The request is "AKP1", the length of its body (u64) and the body; the
// answer is that of a file (answer.h), whose body begins with 0 for an error and 3 for a page.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "extract/html/html.h"

namespace akin::extract {

inline constexpr std::string_view kPageMagic = "AKP1";

struct PageRequest {
  bool html = true;      ///< else plain text: Page has nothing but `text`
  std::string encoding;  ///< as decode_text and read_html take it
  std::string_view bytes;
};

[[nodiscard]] std::string encode_page_request(const PageRequest& request);
/// Views the body. Error: corrupt.
[[nodiscard]] Result<PageRequest> decode_page_request(std::string_view body);

/// What is asked for. Errors: those of decode_text and read_html.
[[nodiscard]] Result<Page> read_page(const PageRequest& request, const std::string& name);

/// The body of an answer.
[[nodiscard]] std::string encode_page(const Result<Page>& page);
/// Trusts nothing in it, as decode_answer; lists are bounded as read_html bounds them.
[[nodiscard]] Result<Page> decode_page(std::string_view body, const std::string& name);

}  // namespace akin::extract
