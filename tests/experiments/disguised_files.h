// Files of one text that hide words, or show them without containing them, by kind and dose.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/experiments/text_changes.h"

namespace akin::experiments {

struct DisguisedFile {
  std::string_view name;
  bool honest;  ///< nothing is disguised, whatever the dose: shows what the format itself costs
  std::function<std::string(const Paragraphs& text, double dose, std::uint32_t seed)> bytes;
};

/// Every kind, in the order of docs/evaluation/disguised-files.csv. `dose`: the share of the sentence ends
/// after which eight words that nobody sees follow, at least one; of wrong and missing character maps the
/// share of letters; of missing pages that of pages, at least one. Equal seeds give equal bytes. HTML is not
/// recognized by its bytes: its kinds begin with "HTML".
[[nodiscard]] std::vector<DisguisedFile> disguised_files();

}  // namespace akin::experiments
