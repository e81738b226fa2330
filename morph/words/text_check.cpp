#include "morph/words/text_check.h"

#include <string>

#include "base/utf8.h"
#include "morph/words/scanner.h"

namespace akin {

Result<void> check_text(std::string_view utf8) {
  if (utf8.size() > kMaxTextBytes) {
    return Error{Errc::too_large, "text", "it has " + std::to_string(utf8.size()) + " bytes, more than 4 GiB",
                 "split it into parts"};
  }
  return validate_utf8(utf8, "text");
}

}  // namespace akin
