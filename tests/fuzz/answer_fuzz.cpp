// Answers of akin-extract, which a hostile file may have taken over: what is accepted says the same when it
// is sent again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "extract/client/answer.h"
#include "extract/client/page_answer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto read = akin::extract::decode_answer(body, "file");
  (void)akin::extract::decode_greeting(body);
  if (const auto filtering = akin::extract::split_command(body); filtering.has_value()) {
    if (akin::extract::with_command(filtering->command, filtering->bytes) != body) std::abort();
  }
  if (const auto content = akin::extract::decode_content(body, "file"); content.has_value()) {
    const std::string sent = akin::extract::encode_content(content);
    const auto same = akin::extract::decode_content(sent, "file");
    if (same.has_error() || akin::extract::encode_content(same) != sent) std::abort();
  }
  if (const auto page = akin::extract::decode_page(body, "file"); page.has_value()) {
    const std::string sent = akin::extract::encode_page(page);
    if (akin::extract::encode_page(akin::extract::decode_page(sent, "file")) != sent) std::abort();
  }
  if (read.has_error()) return 0;
  const auto again = akin::extract::decode_answer(akin::extract::encode_answer(*read), "file");
  if (again.has_error() || !(*again == *read)) std::abort();
  return 0;
}
