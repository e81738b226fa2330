// The names of the collections in a data folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace akin {

/// Thread-safe. Lists of many collections are asked for page by page, and each page needs all names, for the
/// total: so a list of more than kMany is used again for kUsable, unless the folder has changed. Making and
/// dropping a collection changes the folder, whichever process does it; that one expires is seen at once.
/// Only a time of expiry that another process sets meanwhile is seen later.
class CollectionList {
 public:
  static constexpr std::size_t kMany = 1000;
  static constexpr std::chrono::seconds kUsable{3};

  explicit CollectionList(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Those that exist, in the order of their bytes. Error: io.
  [[nodiscard]] Result<std::vector<std::string>> names();
  /// Call after a time of expiry has changed.
  void forget();

  /// Of all folders that may be collections, expired ones too, in no order. Error: io.
  [[nodiscard]] Result<std::vector<std::string>> folder_names() const;

 private:
  struct Entry {
    std::string name;
    std::optional<Time> expires;
  };
  [[nodiscard]] Result<std::vector<Entry>> read() const;

  const std::filesystem::path folder_;
  std::mutex mutex_;            ///< guards the members below
  std::vector<Entry> entries_;  ///< empty if nothing is kept
  struct timespec changed_ = {};
  std::chrono::steady_clock::time_point read_at_;
};

}  // namespace akin
