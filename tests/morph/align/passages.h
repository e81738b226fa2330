#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tests/support/built.h"

namespace akin {

/// The passage of real prose in `language` that ships with the tests ("ru", "en", "de", "uk").
inline std::string passage(const std::string& language) {
  std::ifstream file(test::source_folder() / "tests/data/passages" / (language + ".txt"), std::ios::binary);
  if (!file) throw std::runtime_error("no passage in " + language);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace akin
