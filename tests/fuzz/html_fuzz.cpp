// Any bytes as a page: read as UTF-8, or refused, in a time in proportion to their number.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "extract/html/html.h"
#include "index/collection/collection.h"
#include "tests/fuzz/time_per_byte.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto read = [](std::string_view repeated) { (void)akin::extract::read_html(repeated, "page"); };
  akin::fuzz::check_time(bytes, {}, read);
  akin::fuzz::check_time(bytes, {.before = "<p "}, read);
  const auto page = akin::extract::read_html(bytes, "page");
  if (page.has_error()) {
    // That the parser gives up is promised not to happen.
    if (page.error().reason.find("gave up") != std::string::npos) std::abort();
    return 0;
  }
  if (akin::validate_utf8(page->text, "text").has_error()) std::abort();
  if (akin::validate_utf8(page->title, "title").has_error()) std::abort();
  if (page->title.size() > akin::kMaxTitleBytes) std::abort();
  if (page->facts.links.size() > akin::extract::kMostLinks) std::abort();
  for (const std::string& link : page->facts.links) {
    if (akin::validate_utf8(link, "link").has_error()) std::abort();
  }
  for (const auto& [name, value] : page->facts.statements) {
    if (akin::validate_utf8(name + value, "statement").has_error()) std::abort();
  }
  return 0;
}
