// A text printed as a PDF by a browser.
#pragma once

#include <filesystem>
#include <string>

namespace akin::experiments {

/// Justified, hyphenated, with a running head and page numbers, into a file in `folder`. `browser`: Chromium.
/// Throws std::runtime_error if that fails.
[[nodiscard]] std::filesystem::path print_pdf(const std::string& browser, const std::string& text,
                                              const std::filesystem::path& folder);

/// What a shell's command writes to its standard output. Throws std::runtime_error if it fails.
[[nodiscard]] std::string output_of(const std::string& command);

}  // namespace akin::experiments
