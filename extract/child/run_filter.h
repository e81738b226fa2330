// Runs a command that makes text of a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "extract/child/sandbox.h"
#include "extract/document.h"

namespace akin::extract {

/// What the command writes to its standard output; the file is its standard input. It runs in
/// close_sandbox_for_program, and in an environment of PATH, HOME and LANG. Errors: type_unsupported (it
/// cannot be started), file_damaged (it fails), file_too_large (over `most` bytes), extraction_timed_out.
/// Requires a process with one thread.
[[nodiscard]] Result<std::string> run_command(const std::vector<std::string>& command, std::string_view bytes,
                                              const Limits& limits, std::uint64_t most);

/// The document of type "filtered" that has this text. Errors: as above; file_damaged (it is not UTF-8).
[[nodiscard]] Result<Document> run_filter(const std::vector<std::string>& command, std::string_view bytes,
                                          const Limits& limits, std::uint64_t most_text);

}  // namespace akin::extract
