// By which name office programs call the paragraphs of block quotations.
#pragma once

#include <string_view>

namespace akin::extract {

/// Whether a style of this name is one for quotations: those that Word, LibreOffice and pandoc have, and what
/// they are called in other languages ("Quote", "Block Text", "Quotations", "Цитата 2").
[[nodiscard]] bool is_quotation_style(std::string_view name);

}  // namespace akin::extract
