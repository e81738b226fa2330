// The text of a Jupyter notebook.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace akin::ingest {

/// What a notebook (nbformat 3 and 4) shows: the sources of its cells, text and code, and the plain text or
/// Markdown that they print, each a paragraph. Nothing if `utf8` is not a notebook, or has no cells. Linear
/// time; memory for the result.
[[nodiscard]] std::optional<std::string> text_of_notebook(std::string_view utf8);

}  // namespace akin::ingest
