// The reader of EPUB. check_package has the form of an input.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extract/child/readers.h"
#include "tests/fuzz/read_whole.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  akin::fuzz::check_package({reinterpret_cast<const char*>(data), size}, "a.xhtml",
                            {.before = "<html><body>", .between = "", .after = "</body></html>"},
                            akin::extract::read_epub);
  return 0;
}
