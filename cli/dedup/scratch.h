// The folder in which a run keeps its index and its candidates.
#pragma once

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "server/json/json.h"

namespace akin::dedup {

/// A folder of its own inside another one. Move-only.
///
/// In a folder that was named, a file beside it is locked until the run ends, however it ends: one run at a
/// time works there.
class Scratch {
 public:
  /// Without `folder`, a new one in the system's folder for temporary files, which the destructor removes.
  /// In `folder`, which is made if it is missing, everything stays until `remove`; what an earlier run left
  /// there is used again if `resume`, and `of` is equal to what that run was given. Errors: already_exists
  /// (an earlier run's, without `resume`), precondition_failed (a run of something else; names what differs),
  /// busy (another run is at work there), io.
  [[nodiscard]] static Result<Scratch> open(const std::optional<std::filesystem::path>& folder, bool resume,
                                            const json::Json& of);
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Whether an earlier run left something.
  [[nodiscard]] bool is_resumed() const noexcept { return is_resumed_; }

  /// Removes it.
  void remove() noexcept;

 private:
  Scratch(std::filesystem::path path, FileHandle lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;  ///< empty: moved or removed
  FileHandle lock_;             ///< none in a temporary folder, of which no other process knows
  bool is_temporary_ = false, is_resumed_ = false;
};

}  // namespace akin::dedup
