// The reader of DOCX, and whether a package is one. check_package has the form of an input.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extract/child/readers.h"
#include "tests/fuzz/read_whole.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::extract;
  akin::fuzz::check_package({reinterpret_cast<const char*>(data), size}, "word/document.xml",
                            {.before = "<document><body>", .between = "", .after = "</body></document>"},
                            [](const Archive& archive, DocumentBuilder& builder) {
                              (void)is_docx(archive);
                              return read_docx(archive, builder);
                            });
  return 0;
}
