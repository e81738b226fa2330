// The errors of reading a file. The caller, who knows its name, adds it.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"

namespace akin::extract {

[[nodiscard]] inline Error damaged(std::string reason) {
  return {Errc::file_damaged, "file", std::move(reason), "repair it, or save it again with its own program"};
}

[[nodiscard]] inline Error too_large(std::string reason) {
  return {Errc::file_too_large, "file", std::move(reason), "split it"};
}

[[nodiscard]] inline Error encrypted() {
  return {Errc::file_encrypted, "file", "is encrypted, and needs a password to be read",
          "save it without a password"};
}

}  // namespace akin::extract
