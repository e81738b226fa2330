// The reader of ODT. check_package has the form of an input.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extract/child/readers.h"
#include "tests/fuzz/read_whole.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  akin::fuzz::check_package({reinterpret_cast<const char*>(data), size}, "content.xml",
                            {.before = "<document-content><body><text>",
                             .between = "",
                             .after = "</text></body></document-content>"},
                            akin::extract::read_odt);
  return 0;
}
