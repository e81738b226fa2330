#pragma once

#include <filesystem>

namespace akin::test {

// Where the project is and was built. One source alone is compiled with these paths, so that ccache serves
// the others to another clone.

/// The project's folder.
const std::filesystem::path& source_folder();

/// The program akin-extract.
const std::filesystem::path& extract_program();

}  // namespace akin::test
