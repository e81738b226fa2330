#include "tests/support/built.h"

namespace akin::test {

const std::filesystem::path& source_folder() {
  static const std::filesystem::path folder = AKIN_SOURCE_DIR;
  return folder;
}

const std::filesystem::path& extract_program() {
  static const std::filesystem::path program = AKIN_EXTRACT_PROGRAM;
  return program;
}

}  // namespace akin::test
