// Stores that a crash hit (index/crash_record.h) stay closed until they are verified or replaced.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"

namespace akin {

/// Error: quarantined, if a crash hit the store in this folder; it names the collection and the remedy.
[[nodiscard]] Result<void> check_quarantine(const std::filesystem::path& store_folder);
/// Whether there was one to end.
[[nodiscard]] Result<bool> end_quarantine(const std::filesystem::path& store_folder);

/// The names of a data folder's quarantined collections. A crash ends the process that it hits, so one look
/// at all collections suffices; later ones (other processes crash) are noted when they are refused.
/// Thread-safe.
class QuarantinedCollections {
 public:
  using List = std::function<Result<std::vector<std::string>>()>;
  using Check = std::function<bool(const std::string& name)>;

  /// In byte order. `list` returns all collections' names; `is_quarantined` looks at one.
  [[nodiscard]] Result<std::vector<std::string>> names(const List& list, const Check& is_quarantined);
  void note(std::string_view name);

 private:
  std::mutex mutex_;
  std::optional<std::set<std::string>> known_;  ///< none before the first look
};

}  // namespace akin
