// Any text as wikitext: the result is UTF-8, no longer than the page and its paragraphs' borders.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "server/ingest/wiki_markup.h"
#include "tests/fuzz/time_per_byte.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  if (akin::validate_utf8(page, "page").has_error()) return 0;
  akin::fuzz::check_time(page, {},
                         [](std::string_view repeated) { (void)akin::ingest::read_wiki_markup(repeated); });
  const std::string text = akin::ingest::read_wiki_markup(page);
  if (akin::validate_utf8(text, "text").has_error()) std::abort();
  // A border takes two bytes, and a mark of at least one makes it.
  if (text.size() > 3 * page.size()) std::abort();
  return 0;
}
