// Small files of a data folder that belong to its collections, or are made of them, and that a backup takes
// along: what experts say of pairs, and models. Who writes them: server/evaluate/labels.h,
// server/judge/model.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

inline constexpr std::string_view kLabelsFolder = "labels";
inline constexpr std::string_view kModelsFolder = "models";

/// The labels of a collection, DATA/labels/NAME.tsv. They stay when it is rebuilt, and go when it is dropped.
[[nodiscard]] std::filesystem::path labels_file(const std::filesystem::path& data,
                                                std::string_view collection);

/// A model, DATA/models/NAME.json.
[[nodiscard]] std::filesystem::path model_file(const std::filesystem::path& data, std::string_view name);

/// The collection that the labels of a path as "labels/NAME.tsv" are of; nothing for any other path.
[[nodiscard]] std::optional<std::string> labelled_collection(std::string_view path);

/// Whether the path is as "models/NAME.json".
[[nodiscard]] bool is_model_path(std::string_view path) noexcept;

}  // namespace akin
