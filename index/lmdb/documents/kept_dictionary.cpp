#include "index/lmdb/documents/kept_dictionary.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/files.h"
#include "base/folders.h"
#include "dict/dictionary.h"

namespace akin {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeptFile = "dictionary";

}  // namespace

fs::path shared_dictionaries(const fs::path& collections) {
  return collections.parent_path() / "dictionaries";
}

Result<void> keep_dictionary(const fs::path& generation, const fs::path& shared, std::string_view packed) {
  const fs::path file = generation / kKeptFile;
  const std::string_view name = Dictionary::fingerprint_of_packed(packed);
  if (name.empty()) return replace_file(file, packed);  // damaged bytes are copied, but not shared
  const fs::path common = shared / name;
  const Result<std::string> there = read_whole_file(common);
  if (there.has_value() && *there == packed && link(common.c_str(), file.c_str()) == 0)
    return sync_folder(generation);
  AKIN_CHECK(replace_file(file, packed));
  // Without the shared file, the next generation has a copy.
  if (make_folder(shared).has_error()) return {};
  if (there.has_value() && *there != packed) unlink(common.c_str());
  static_cast<void>(link(file.c_str(), common.c_str()));
  return {};
}

Result<std::optional<std::string>> kept_dictionary(const fs::path& generation) {
  Result<std::string> packed = read_whole_file(generation / kKeptFile);
  if (packed.has_value()) return std::optional(std::move(*packed));
  if (packed.error().code == Errc::not_found) return std::optional<std::string>();
  return packed.error();
}

KeptFingerprints KnownDictionaries::fingerprints(const fs::path& generation) {
  struct stat there = {};
  if (stat((generation / kKeptFile).c_str(), &there) != 0) return std::optional<DictionaryFingerprints>();
  const File file{there.st_dev, there.st_ino, there.st_size,
                  std::int64_t{there.st_mtim.tv_sec} * 1'000'000'000 + there.st_mtim.tv_nsec};
  const std::lock_guard guard(mutex_);
  if (const auto known = known_.find(file); known != known_.end()) return known->second;
  AKIN_TRY(const std::optional<std::string> packed, kept_dictionary(generation));
  if (!packed) return std::optional<DictionaryFingerprints>();
  if (known_.size() >= kMost) known_.clear();
  return known_.emplace(file, fingerprints_of_kept(*packed)).first->second;
}

void remove_unused_dictionaries(const fs::path& shared) {
  const Result<std::vector<std::string>> names = entry_names(shared);
  if (names.has_error()) return;  // the next removal looks again
  for (const std::string& name : *names) {
    const fs::path file = shared / name;
    struct stat there = {};
    // A generation that links it at this moment has its own name for the file.
    if (lstat(file.c_str(), &there) == 0 && there.st_nlink == 1) unlink(file.c_str());
  }
}

}  // namespace akin
