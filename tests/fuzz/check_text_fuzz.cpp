// Quotations and bibliographies of any text: ranges ascend, keep apart and lie inside the text. They are
// found in a time in proportion to its length.

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "server/check/bibliography.h"
#include "server/check/quotations.h"
#include "tests/fuzz/time_per_byte.h"

namespace {

void check(const std::vector<akin::TextRange>& ranges, std::size_t code_points) {
  std::size_t end = 0;
  for (const akin::TextRange& range : ranges) {
    if (range.begin < end || range.end <= range.begin || range.end > code_points) std::abort();
    end = range.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (akin::validate_utf8(text, "text").has_error()) return 0;
  akin::fuzz::check_time(text, {.between = "\n"}, [](std::string_view repeated) {
    (void)akin::check::find_quotations(repeated);
    (void)akin::check::find_bibliographies(repeated);
  });
  const std::size_t code_points = akin::count_code_points(text);
  check(akin::check::find_quotations(text), code_points);
  check(akin::check::find_bibliographies(text), code_points);
  return 0;
}
