// The readers of FB2 and of other XML: whatever they accept becomes a document that can be sent, in a time in
// proportion to its length.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "extract/child/readers.h"
#include "extract/client/answer.h"
#include "tests/fuzz/time_per_byte.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::extract;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto read : {read_fb2, read_other_xml}) {
    akin::fuzz::check_time(
        bytes, {.before = "<FictionBook><body><section>", .after = "</section></body></FictionBook>"},
        [read](std::string_view repeated) {
          DocumentBuilder builder("xml", 1U << 20U);
          (void)read(repeated, builder);
        });
    DocumentBuilder builder("xml", 1U << 20U);
    if (read(bytes, builder).has_error()) continue;
    const auto document = std::move(builder).take("file");
    if (document.has_error()) continue;
    const auto sent = decode_answer(encode_answer(document), "file");
    if (sent.has_error() || !(*sent == *document)) std::abort();
  }
  return 0;
}
