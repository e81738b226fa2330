// Files that are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace akin::api {

/// A file that is served as it is.
struct EmbeddedFile {
  std::string_view path;  ///< below /docs/; empty for /docs/ itself
  std::string_view type;  ///< value of Content-Type
  std::string_view content;
};

/// The documentation: the pages of docs/ as HTML, with their pictures and examples, in the order of their
/// paths. Made by docs/render.py.
[[nodiscard]] std::span<const EmbeddedFile> docs_files() noexcept;
/// OpenAPI 3.1 as JSON, made of the parts in openapi/.
[[nodiscard]] std::string_view openapi_description() noexcept;

}  // namespace akin::api
