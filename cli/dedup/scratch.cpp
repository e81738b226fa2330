#include "cli/dedup/scratch.h"

#include <string>
#include <system_error>
#include <utility>

#include "base/file_lock.h"

namespace akin::dedup {

namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr const char* kName = "akin-dedup";
constexpr const char* kSubject = "run.json";

/// The file that is locked while a run is at work in the folder: not in it, because the end of a run removes
/// it.
fs::path lock_of(fs::path folder) { return folder += ".lock"; }

Error io_error(const fs::path& path, const std::error_code& failure) {
  return {Errc::io, path.string(), failure.message(), "--scratch names another folder"};
}

/// Error: precondition_failed, which names what differs.
Result<void> check_same(const fs::path& path, const std::string& found, const Json& of) {
  const Json before = Json::parse(found, nullptr, false);
  if (before == of) return {};
  std::string differs;
  for (const auto& [name, value] : of.items()) {
    if (before.is_object() && before.value(name, Json()) == value) continue;
    differs += (differs.empty() ? "" : ", ") + name;
  }
  return Error{Errc::precondition_failed, path.string(), "is of a run with another " + differs,
               "repeat the command that began it, or delete the folder"};
}

/// The folder of one run; whether it was there.
Result<bool> make_run_folder(const fs::path& path, bool resume, const Json& of) {
  const auto found = read_whole_file(path / kSubject);
  if (found.has_value() && !resume) {
    return Error{Errc::already_exists, path.string(), "an earlier run that did not end left it",
                 "--resume continues that run; or delete the folder"};
  }
  if (found.has_value()) {
    AKIN_CHECK(check_same(path, *found, of));
    return true;
  }
  std::error_code failure;
  fs::create_directories(path, failure);
  if (failure) return io_error(path, failure);
  fs::permissions(path, fs::perms::owner_all, failure);
  if (failure) return io_error(path, failure);
  return false;
}

}  // namespace

Result<Scratch> Scratch::open(const std::optional<fs::path>& folder, bool resume, const Json& of) {
  std::error_code failure;
  const fs::path above = folder ? *folder : fs::temp_directory_path(failure);
  if (failure) return io_error("folder for temporary files", failure);
  const fs::path path = above / (folder ? kName : kName + ("-" + random_token()));
  FileHandle lock;
  if (folder) {
    fs::create_directories(above, failure);
    if (failure) return io_error(above, failure);
    AKIN_TRY(lock, open_alone(lock_of(path), {Errc::busy, path.string(), "another run is at work in it",
                                              "wait until it has ended, or give --scratch another folder"}));
  }
  AKIN_TRY(const bool was_there, make_run_folder(path, resume, of));
  if (!was_there) AKIN_CHECK(replace_file(path / kSubject, of.dump() + "\n"));
  Scratch scratch(path, std::move(lock));
  scratch.is_temporary_ = !folder;
  scratch.is_resumed_ = was_there;
  return scratch;
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      lock_(std::move(other.lock_)),
      is_temporary_(other.is_temporary_),
      is_resumed_(other.is_resumed_) {}

Scratch::~Scratch() {
  if (is_temporary_) remove();
}

void Scratch::remove() noexcept {
  if (path_.empty()) return;
  std::error_code failure;
  fs::remove_all(path_, failure);
  if (lock_.get() >= 0) fs::remove(lock_of(path_), failure);
  path_.clear();
}

}  // namespace akin::dedup
