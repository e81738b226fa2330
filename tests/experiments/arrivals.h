// What e-mail, PDF, OCR and evasive authors do to a text before it arrives, as functions from text to text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace akin::experiments {

/// A text as its paragraphs, without line breaks.
using Paragraphs = std::vector<std::u32string>;

/// Blank lines divide paragraphs; all other white space is one blank.
[[nodiscard]] Paragraphs paragraphs_of(std::string_view utf8);

/// The plain setting: a paragraph a line, a blank line after each.
[[nodiscard]] std::string as_set(const Paragraphs& text);

struct Arrival {
  std::string_view name;
  std::function<std::string(const Paragraphs&, std::uint32_t seed)> apply;
};

/// Every kind, in the order of the table in docs/evaluation.md. Equal seeds give equal texts.
[[nodiscard]] std::vector<Arrival> arrivals();

}  // namespace akin::experiments
