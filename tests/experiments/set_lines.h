// A text set in lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/experiments/text_changes.h"

namespace akin::experiments {

using Lines = std::vector<std::u32string>;

/// Lines of at most `width` characters, the first of them with an indent.
[[nodiscard]] Lines wrapped(const std::u32string& paragraph, std::size_t width,
                            std::u32string_view indent = {});

/// Lines of all paragraphs, with an empty line after each paragraph.
[[nodiscard]] Lines page_lines(const Paragraphs& text, std::size_t width);

/// The lines with `end` after each, in UTF-8.
[[nodiscard]] std::string joined(const Lines& lines, std::u32string_view end = U"\n");

}  // namespace akin::experiments
