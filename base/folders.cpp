#include "base/folders.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/files.h"

namespace akin {

Result<std::vector<std::string>> entry_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  // An iterator that fails becomes the end, so only the code distinguishes a failure from the last entry.
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    names.push_back(entry->path().filename().string());
  if (failure) return system_error(failure.value(), folder.string(), "list");
  return names;
}

Result<void> make_private_folder(const std::filesystem::path& folder) {
  constexpr mode_t kPrivate = 0700;
  if (mkdir(folder.c_str(), kPrivate) != 0) {
    if (errno != EEXIST) return system_error(errno, folder.string(), "make the folder");
    return make_folder(folder);  // unless it is something else
  }
  return sync_folder(folder.has_parent_path() ? folder.parent_path() : ".");
}

Result<void> make_folders(const std::filesystem::path& folder) {
  std::error_code failure;
  if (folder.empty() || std::filesystem::is_directory(folder, failure)) return {};
  const std::filesystem::path parent = folder.parent_path();
  if (parent != folder) AKIN_CHECK(make_folders(parent));
  return folder.has_filename() ? make_folder(folder) : Result<void>();
}

}  // namespace akin
