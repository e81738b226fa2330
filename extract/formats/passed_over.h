// Files that nobody means when they hand in a folder or an archive.
#pragma once

#include <string_view>

namespace akin::extract {

/// Whether a file or folder of this name is passed over: one whose name begins with a dot, and what office
/// programs and systems leave beside documents ("~$thesis.docx", "Thumbs.db", "desktop.ini", "__MACOSX").
[[nodiscard]] constexpr bool is_passed_over(std::string_view name) noexcept {
  return name.starts_with('.') || name.starts_with("~$") || name == "Thumbs.db" || name == "desktop.ini" ||
         name == "__MACOSX";
}

}  // namespace akin::extract
