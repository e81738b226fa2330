// Documents and labelled pairs from files; models in files or in the server's state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/frame/workspace.h"
#include "server/judge/labelled_pair.h"
#include "server/judge/model.h"

namespace akin::cli {

/// Documents as lines of JSON, or as rows of a tab-separated table with a heading (whichever the file starts
/// with); plain, gzip or zstd. Errors name file and line.
[[nodiscard]] Result<std::vector<judge::Document>> read_documents(const std::filesystem::path& file);

/// Labelled pairs, in either format. Ids on a line refer to `documents`; an unknown id is an error
/// (not_found), and so is an id that two of them have.
[[nodiscard]] Result<std::vector<judge::LabelledPair>> read_labels(
    const std::vector<std::string>& files, const std::vector<judge::Document>& documents);

/// Where a model is.
struct ModelPlace {
  std::filesystem::path file;
  std::string name;       ///< what its classifications are called
  bool in_state = false;  ///< not in the file but in the server's state, by its name
  /// The file, the data folder, or "the database".
  [[nodiscard]] std::string display(const CommonOptions& options) const;
};

/// A file if `name` has a slash or ends with ".json"; else the name of a model in the server's state. Error:
/// invalid_argument, if it cannot be a model's name.
[[nodiscard]] Result<ModelPlace> model_place(const std::string& name);

/// Reads a model and checks that it was trained with these dictionaries. Errors: not_found, io; as
/// read_model.
[[nodiscard]] Result<judge::Model> load_model(const CommonOptions& options, const std::string& name,
                                              const Dictionary& dictionary);

/// Replaces the model or creates it; creates the file's folder, or the state.
[[nodiscard]] Result<void> save_model(const CommonOptions& options, const ModelPlace& place,
                                      const judge::Model& model);

}  // namespace akin::cli
