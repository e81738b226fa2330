#include "index/lmdb/side_files.h"

#include <algorithm>

#include "index/collection_name.h"

namespace akin {

namespace {

constexpr std::string_view kLabelsEnding = ".tsv";
constexpr std::string_view kModelEnding = ".json";

/// The part between "FOLDER/" and the ending; empty for any other path.
std::string_view stem(std::string_view path, std::string_view folder, std::string_view ending) {
  if (!path.starts_with(folder) || !path.ends_with(ending)) return {};
  path.remove_prefix(folder.size());
  if (!path.starts_with('/') || path.size() <= ending.size()) return {};
  return path.substr(1, path.size() - 1 - ending.size());
}

}  // namespace

std::filesystem::path labels_file(const std::filesystem::path& data, std::string_view collection) {
  return data / kLabelsFolder / (std::string(collection) + std::string(kLabelsEnding));
}

std::filesystem::path model_file(const std::filesystem::path& data, std::string_view name) {
  return data / kModelsFolder / (std::string(name) + std::string(kModelEnding));
}

std::optional<std::string> labelled_collection(std::string_view path) {
  const std::string_view name = stem(path, kLabelsFolder, kLabelsEnding);
  if (!is_collection_name(name)) return std::nullopt;
  return std::string(name);
}

bool is_model_path(std::string_view path) noexcept {
  const std::string_view name = stem(path, kModelsFolder, kModelEnding);
  return !name.empty() && name.front() != '.' && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

}  // namespace akin
