// Documents, labelled pairs and models of files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "server/cli/workspace.h"
#include "server/judge/labelled_pair.h"
#include "server/judge/model.h"

namespace akin::cli {

/// Documents as lines of JSON, or as rows of a tab-separated table with a heading (whichever the file begins
/// with); plain, gzip or zstd. Errors name file and line.
[[nodiscard]] Result<std::vector<judge::Document>> read_documents(const std::filesystem::path& file);

/// Labelled pairs, in either form. Where a line names documents by id, they are those of `documents`; an id
/// that is not there is an error (not_found), and so is one that two of them have.
[[nodiscard]] Result<std::vector<judge::LabelledPair>> read_labels(
    const std::vector<std::string>& files, const std::vector<judge::Document>& documents);

/// The file of a model: `name` itself if it has a slash or ends with ".json", else models/NAME.json in the
/// data folder. Error: invalid_argument, for what can be no name.
[[nodiscard]] Result<std::filesystem::path> model_path(const CommonOptions& options, const std::string& name);

/// Reads a model and checks that it was trained with these dictionaries. Errors: not_found, io; as
/// read_model.
[[nodiscard]] Result<judge::Model> load_model(const CommonOptions& options, const std::string& name,
                                              const Dictionary& dictionary);

/// Replaces the file, or makes it and the folder of models.
[[nodiscard]] Result<void> save_model(const std::filesystem::path& file, const judge::Model& model);

}  // namespace akin::cli
