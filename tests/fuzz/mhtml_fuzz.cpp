// The reader of MHTML: whatever it accepts becomes a document that can be sent, in a time in proportion to
// its length.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "extract/child/readers.h"
#include "extract/client/answer.h"
#include "tests/fuzz/time_per_byte.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::extract;
  akin::fuzz::check_time(
      {reinterpret_cast<const char*>(data), size},
      {.before = "Content-Type: multipart/related; boundary=b\n\n--b\n", .after = "\n--b--"},
      [](std::string_view repeated) {
        DocumentBuilder builder("mhtml", 1U << 20U);
        (void)read_mhtml(repeated, builder);
      });
  DocumentBuilder builder("mhtml", 1U << 20U);
  if (read_mhtml({reinterpret_cast<const char*>(data), size}, builder).has_error()) return 0;
  const auto document = std::move(builder).take("file");
  if (document.has_error()) return 0;
  const auto sent = decode_answer(encode_answer(document), "file");
  if (sent.has_error() || !(*sent == *document)) std::abort();
  return 0;
}
