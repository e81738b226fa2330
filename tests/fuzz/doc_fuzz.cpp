// The reader of DOC and of its container: whatever it accepts becomes a document that can be sent.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "extract/child/readers.h"
#include "extract/client/answer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::extract;
  DocumentBuilder builder("doc", 1U << 20U);
  if (read_doc({reinterpret_cast<const char*>(data), size}, builder).has_error()) return 0;
  const auto document = std::move(builder).take("file");
  if (document.has_error()) return 0;
  const auto sent = decode_answer(encode_answer(document), "file");
  if (sent.has_error() || !(*sent == *document)) std::abort();
  return 0;
}
