#include "cli/commands/common/encoding_option.h"

namespace akin::cli {

void add_encoding_option(Command command, std::string& encoding) {
  command
      .add_option(
          "--encoding", encoding,
          "Encoding of plain texts, and of HTML that declares none: utf-8, a name such as windows-1251\nor "
          "koi8-r, or auto (found by each file's bytes)")
      .capture_default_str()
      .type_name("NAME");
}

}  // namespace akin::cli
