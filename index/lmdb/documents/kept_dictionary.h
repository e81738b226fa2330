// The dictionaries that a generation was built with, in its own folder.
//
//     DATA/collections/NAME/gen-N/dictionary   what Dictionary::packed gave
//     DATA/dictionaries/FINGERPRINT            the same file, by a hard link, for the next that needs it
//
// A generation needs nothing outside its folder, and removing the folder removes its dictionaries. Where the
// file system has no hard links, each generation has a copy.
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "index/collection/readable.h"

namespace akin {

/// DATA/dictionaries for DATA/collections.
[[nodiscard]] std::filesystem::path shared_dictionaries(const std::filesystem::path& collections);

/// Puts the dictionaries into a generation's folder. Durable when it returns.
[[nodiscard]] Result<void> keep_dictionary(const std::filesystem::path& generation,
                                           const std::filesystem::path& shared, std::string_view packed);

/// The dictionaries in a generation's folder, unchecked; nothing if there are none.
[[nodiscard]] Result<std::optional<std::string>> kept_dictionary(const std::filesystem::path& generation);

/// Remembers the fingerprints of kept dictionaries, by their file, which many generations share: reading one
/// takes milliseconds. Members may be called from any number of threads.
class KnownDictionaries {
 public:
  /// Those of the dictionaries in a generation's folder.
  [[nodiscard]] KeptFingerprints fingerprints(const std::filesystem::path& generation);

 private:
  struct File {
    dev_t device = 0;
    ino_t inode = 0;
    off_t bytes = 0;
    std::int64_t written = 0;  ///< nanoseconds since the Unix epoch
    friend auto operator<=>(const File&, const File&) = default;
  };
  /// More are forgotten all at once.
  static constexpr std::size_t kMost = 1000;
  std::mutex mutex_;
  std::map<File, KeptFingerprints> known_;  ///< guarded by mutex_
};

/// Removes the shared files that no generation has.
void remove_unused_dictionaries(const std::filesystem::path& shared);

}  // namespace akin
