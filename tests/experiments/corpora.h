// Where the corpora are and what they contain, for tests and experiments that need real collections.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace akin::experiments {

/// $AKIN_CORPORA, else build/corpora/corpora under the source folder; empty when neither is a folder.
[[nodiscard]] std::filesystem::path corpora_folder();

/// A work with its path below the corpora folder, '/' between the parts.
struct Work {
  std::string id;
  std::string text;
};

/// Every .txt below `folder` (recursively) in byte order of the ids; ids are relative to `root`. SOURCE.txt
/// is left out. Throws std::runtime_error if a file cannot be read: an experiment on half its data is none.
[[nodiscard]] std::vector<Work> read_works(const std::filesystem::path& root, const std::string& folder);

/// Rows of a tab-separated file with a heading line (left out).
[[nodiscard]] std::vector<std::vector<std::string>> read_table(const std::filesystem::path& file);

/// A folder in the system's temporary folder, removed with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace akin::experiments
