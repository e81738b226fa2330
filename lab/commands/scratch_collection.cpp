#include "lab/commands/scratch_collection.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

namespace akin::cli {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code failure;
  const fs::path parent = fs::temp_directory_path(failure);
  if (failure) return system_error(failure.value(), "the folder for temporary files (TMPDIR)", "find");
  std::string name = parent / "akin-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return system_error(errno, name, "make");
  return ScratchFolder(name);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Result<ScratchCollection> ScratchCollection::make(const CommonOptions& options) {
  AKIN_TRY(ScratchFolder folder, ScratchFolder::make());
  CommonOptions own = options;
  own.data = folder.path();
  own.store.clear();
  own.store_of.clear();
  own.collection = CommonOptions().collection;
  AKIN_TRY(OpenCollection collection, open_or_create_collection(own, {}));
  return ScratchCollection(std::move(folder), std::move(collection));
}

}  // namespace akin::cli
