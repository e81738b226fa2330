// Forms from anyone: the same parts whether a body arrives whole or byte by byte, whose bytes are in the
// body. The time is in proportion to its length.
//
// Input: the body, with the boundary "xx".

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/api/read/multipart.h"
#include "tests/fuzz/body_in_pieces.h"
#include "tests/fuzz/time_per_byte.h"

namespace {

using namespace akin;

/// Everything that a reader gives, and the message of its error.
std::string told(std::string_view bytes, std::size_t piece) {
  BodyInPieces body(bytes, piece);
  api::MultipartReader reader(body, "xx");
  std::string all;
  for (;;) {
    const auto head = reader.next();
    if (head.has_error()) return all + "\n!" + head.error().message();
    if (!*head) return all;
    all +=
        "\n#" + (*head)->name + "\n" + (*head)->file_name.value_or("") + "\n" + (*head)->content_type + "\n";
    std::string content;
    for (;;) {
      const auto read = reader.read();
      if (read.has_error()) return all + content + "\n!" + read.error().message();
      if (read->empty()) break;
      content += *read;
    }
    if (bytes.find(content) == std::string_view::npos || content.find("\r\n--xx") != std::string::npos)
      std::abort();
    all += content;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  akin::fuzz::check_time(body, {.before = "--xx\r\n", .between = "\r\n--xx\r\n", .after = "\r\n--xx--"},
                         [](std::string_view repeated) {
                           BodyInPieces all(repeated, repeated.size());
                           api::MultipartReader reader(all, "xx");
                           for (auto head = reader.next(); head.has_value() && *head; head = reader.next()) {
                           }
                         });
  if (told(body, body.size() + 1) != told(body, 1)) std::abort();
  return 0;
}
