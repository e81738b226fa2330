// The readers of FB2 and of other XML.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extract/child/readers.h"
#include "tests/fuzz/read_whole.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::extract;
  for (const auto read : {read_fb2, read_other_xml}) {
    akin::fuzz::check_reader(
        {reinterpret_cast<const char*>(data), size},
        {.before = "<FictionBook><body><section>", .between = "", .after = "</section></body></FictionBook>"},
        read);
  }
  return 0;
}
