// Small files of a data folder that belong to its collections, or are derived from them, and that a backup
// includes: experts' labels of pairs, and models. They are written by server/evaluate/labels.h,
// server/judge/model.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

inline constexpr std::string_view kLabelsFolder = "labels";
inline constexpr std::string_view kModelsFolder = "models";

/// The labels of a collection, DATA/labels/NAME.tsv. They are kept when it is rebuilt, and removed when it is
/// dropped.
[[nodiscard]] std::filesystem::path labels_file(const std::filesystem::path& data,
                                                std::string_view collection);

/// A model, DATA/models/NAME.json.
[[nodiscard]] std::filesystem::path model_file(const std::filesystem::path& data, std::string_view name);

/// The collection whose labels have the path, "labels/NAME.tsv"; nothing for any other path.
[[nodiscard]] std::optional<std::string> labelled_collection(std::string_view path);

/// Whether the path has the form "models/NAME.json".
[[nodiscard]] bool is_model_path(std::string_view path) noexcept;

}  // namespace akin
