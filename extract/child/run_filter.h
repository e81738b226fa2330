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

/// The document of type "filtered" that the command makes: the file is its standard input, its standard
/// output the text. It runs in close_sandbox_for_program, and in an environment of PATH, HOME and LANG.
/// Errors: type_unsupported (it cannot be started), file_damaged (it fails, or what it gives is not UTF-8),
/// file_too_large (over `most_text` bytes), extraction_timed_out. Requires a process with one thread.
[[nodiscard]] Result<Document> run_filter(const std::vector<std::string>& command, std::string_view bytes,
                                          const Limits& limits, std::uint64_t most_text);

}  // namespace akin::extract
