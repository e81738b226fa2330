// The reader of DOC and of its container.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extract/child/readers.h"
#include "tests/fuzz/read_whole.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::extract;
  DocumentBuilder builder("doc", akin::fuzz::kMostText);
  if (read_doc({reinterpret_cast<const char*>(data), size}, builder).has_value())
    akin::fuzz::check_sent(std::move(builder));
  return 0;
}
