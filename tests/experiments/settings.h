// The ways to set one text, between which its features should not change.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/experiments/text_changes.h"

namespace akin::experiments {

struct Setting {
  std::string_view name;
  std::function<std::string(const Paragraphs&)> set;
  double least = 0.99;  ///< share of the pairs that a text keeps at least
};

/// The rows of docs/evaluation.md, section "One text in several settings". HTML is read, not only written.
[[nodiscard]] std::vector<Setting> settings();

/// A work's paragraphs: its lines if most of its text is in lines of more than 200 characters, else what is
/// between blank lines.
[[nodiscard]] Paragraphs paragraphs_of_work(std::string_view utf8);

}  // namespace akin::experiments
