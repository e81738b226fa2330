// The inputs of `akin dedup`: lines, files, or a collection.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/dedup/input.h"
#include "cli/frame/workspace.h"

namespace akin::cli {

struct DedupSource {
  std::vector<std::filesystem::path> paths;
  dedup::LineFields fields;
  std::string encoding = std::string(extract::kUtf8Name);  ///< of plain texts (ingest::Reading)
};

struct DedupInput {
  std::unique_ptr<dedup::Input> input;
  const dedup::LineInput* lines = nullptr;  ///< `input`, if it reads lines
};

/// The paths, with a folder of lines of JSON replaced by its files. Errors: invalid_argument (a folder has
/// .jsonl or .ndjson beside other files; a file is a table or a web archive, which the package for Python
/// reads); those of ingest::collect_inputs.
[[nodiscard]] Result<std::vector<std::filesystem::path>> with_lines_of_folders(
    const std::vector<std::filesystem::path>& paths, const CommonOptions& common);

/// Whether the paths name lines of JSON, and not files that are documents. Error: invalid_argument (some do,
/// others do not).
[[nodiscard]] Result<bool> reads_lines(const std::vector<std::filesystem::path>& paths);

/// Opens lines of JSON or files. Standard input is copied to `copy`, compressed with zstd, unless that is
/// empty. Errors: as reads_lines and ingest::collect_inputs.
[[nodiscard]] Result<DedupInput> open_dedup_input(const DedupSource& source, const CommonOptions& common,
                                                  const std::filesystem::path& copy);

/// The documents of a collection of `common`, or, if there is a file or folder of that name, those in it.
/// Errors: the same; those of open_collection; unsupported (the collection keeps no texts).
[[nodiscard]] Result<DedupInput> open_known_documents(const std::string& name, const DedupSource& like,
                                                      const CommonOptions& common);

}  // namespace akin::cli
