// Any text as a notebook: what is read is UTF-8, and no longer than it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "server/ingest/notebook.h"
#include "tests/fuzz/time_per_byte.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (akin::validate_utf8(bytes, "notebook").has_error()) return 0;
  akin::fuzz::check_time(bytes, {},
                         [](std::string_view repeated) { (void)akin::ingest::text_of_notebook(repeated); });
  const auto text = akin::ingest::text_of_notebook(bytes);
  if (!text) return 0;
  if (akin::validate_utf8(*text, "text").has_error() || text->size() > size) std::abort();
  return 0;
}
