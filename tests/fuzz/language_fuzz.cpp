// The language of whatever stretch of text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/utf8.h"
#include "server/check/language.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (akin::validate_utf8(text, "text").has_error()) return 0;
  const std::string code = akin::check::language_of(text);
  if (code != akin::check::language_of(text) || code.size() > 3) std::abort();
  return 0;
}
