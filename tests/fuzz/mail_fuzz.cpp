// The reader of e-mails.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extract/child/readers.h"
#include "tests/fuzz/read_whole.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  akin::fuzz::check_reader({reinterpret_cast<const char*>(data), size},
                           {.before = "From: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
                            .between = "",
                            .after = "\n--b--"},
                           akin::extract::read_mail);
  return 0;
}
