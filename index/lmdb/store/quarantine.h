// Stores that a crash hit (index/collection/crash_record.h) stay closed until they are verified or replaced.
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

/// The names of a data folder's collections to which something has happened that a file in their folder
/// records: they are in quarantine, or the scrub found damage. One look at all collections suffices; later
/// ones are noted when this process sees them. Thread-safe.
class NotedCollections {
 public:
  using List = std::function<Result<std::vector<std::string>>()>;
  using Check = std::function<bool(const std::string& name)>;

  /// In byte order. `list` returns all collections' names; `is_noted` looks at one.
  [[nodiscard]] Result<std::vector<std::string>> names(const List& list, const Check& is_noted);
  void note(std::string_view name);

 private:
  std::mutex mutex_;
  std::optional<std::set<std::string>> known_;  ///< none before the first look
};

}  // namespace akin
