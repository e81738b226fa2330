// The flags of `akin dedup`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/common/document_flags.h"
#include "cli/commands/dedup/dedup_input.h"
#include "cli/frame/command.h"

namespace akin::cli {

struct DedupOptions {
  DedupSource source;
  std::string text_field = "text", id_field;
  std::filesystem::path out;
  std::optional<double> min_containment, min_resemblance;
  std::string keep = "first", by = "document";
  std::optional<std::uint64_t> min_words;
  std::string cut;
  bool mark = false;
  std::filesystem::path pairs, clusters;
  std::vector<std::string> why;
  std::string against;
  std::filesystem::path scratch;
  bool resume = false;
  std::uint64_t memory = std::uint64_t{128} << 20U;
  bool exit_code = false;
};

/// Declares the flags and the arguments; `options` must outlive the command.
void add_dedup_options(Command command, DedupOptions& options);

}  // namespace akin::cli
