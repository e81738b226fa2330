// Answers of akin-extract, which a hostile file may have taken over: what is accepted says the same when it
// is sent again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "extract/answer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto read = akin::extract::decode_answer(body, "file");
  (void)akin::extract::decode_greeting(body);
  if (read.has_error()) return 0;
  const auto again = akin::extract::decode_answer(akin::extract::encode_answer(*read), "file");
  if (again.has_error() || !(*again == *read)) std::abort();
  return 0;
}
