#include "index/lmdb/folder/collection_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <vector>

#include "base/folders.h"

namespace akin {

namespace {

constexpr std::string_view kCurrent = "CURRENT";
constexpr std::string_view kLock = "LOCK";
constexpr std::string_view kExpires = "EXPIRES";
constexpr std::string_view kNextExpires = "EXPIRES.tmp";  // replace_file's, perhaps about to be renamed
constexpr std::string_view kGenerationPrefix = "gen-";
constexpr std::string_view kTrashPrefix = ".trash-";

constexpr std::string_view kWriterWaitsFor = "the switch to another index (or the collection's removal)";
constexpr std::string_view kExclusiveWaitsFor = "a write";
constexpr std::string_view kMaintenanceWaitsFor = "a reindex, compaction or restore of it";

/// Whether a folder has an entry of this name, or may have: one that this process may not look into. Joins
/// the two as strings: a list of collections asks twice for each, and joining them as paths would take longer
/// than the system call.
bool may_have_entry(const std::filesystem::path& folder, std::string_view name) {
  std::string path;
  path.reserve(folder.native().size() + 1 + name.size());
  path.append(folder.native()).append("/").append(name);
  struct stat there = {};
  return lstat(path.c_str(), &there) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

std::vector<std::filesystem::path> leftovers(const std::filesystem::path& folder, const Generation& current) {
  std::vector<std::filesystem::path> found;
  const Result<std::vector<std::string>> names = entry_names(folder);
  if (names.has_error()) return found;  // the next opening looks again
  for (const std::string& name : *names) {
    if (name != kCurrent && name != kLock && name != kExpires && name != kNextExpires &&
        name != folder_name(current))
      found.push_back(folder / name);
  }
  return found;
}

}  // namespace

Result<void> CollectionFolder::make() const {
  AKIN_CHECK(make_folder(folder_));
  const std::filesystem::path lock = folder_ / kLock;
  const FileHandle file(open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) return system_error(errno, lock.string(), "make");
  return {};
}

Result<std::optional<Time>> CollectionFolder::expiry() const {
  if (!may_have_entry(folder_, kExpires)) return std::optional<Time>();
  const Result<std::string> content = read_whole_file(folder_ / kExpires);
  if (content.has_error()) {
    if (content.error().code == Errc::not_found) return std::optional<Time>();
    return content.error();
  }
  if (const auto time = parse_time(std::string_view(*content).substr(0, content->find('\n')))) return time;
  return Error{Errc::corrupt, (folder_ / kExpires).string(), "it does not contain a time",
               "remove it to make the collection permanent"};
}

Result<void> CollectionFolder::set_expiry(const std::optional<Time>& expires) const {
  if (expires) return replace_file(folder_ / kExpires, format_time_exactly(*expires) + "\n");
  std::error_code failure;
  std::filesystem::remove(folder_ / kExpires, failure);
  if (failure) return system_error(failure.value(), (folder_ / kExpires).string(), "remove");
  return sync_folder(folder_);
}

bool CollectionFolder::exists() const {
  if (!may_have_entry(folder_, kCurrent) && generations().empty()) return false;
  const auto expires = expiry();
  return expires.has_error() || !*expires || **expires > time_now();
}

Result<Generation> CollectionFolder::current() const {
  AKIN_TRY(auto both, current_and_expiry());
  return std::move(both.first);
}

Result<std::pair<Generation, std::optional<Time>>> CollectionFolder::current_and_expiry() const {
  AKIN_TRY(const auto expires, expiry());
  if (expires && *expires <= time_now()) {
    return Error{Errc::not_found, name(), "it has expired, " + format_time(*expires), ""};
  }
  Result<std::string> content = read_whole_file(folder_ / kCurrent);
  if (content.has_error()) {
    if (content.error().code != Errc::not_found) return content.error();
    return generations().empty() ? not_found() : damaged("is missing");
  }
  const auto broken = [&] { return damaged("does not name a generation"); };
  std::string_view rest = *content;
  if (!rest.starts_with(kGenerationPrefix) || !rest.ends_with('\n')) return broken();
  rest.remove_prefix(kGenerationPrefix.size());
  rest.remove_suffix(1);
  Generation generation;
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), generation.number);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (code != std::errc() || !rest.starts_with(' ')) return broken();
  generation.token = rest.substr(1);
  return std::pair(std::move(generation), expires);
}

std::uint64_t CollectionFolder::free_number() const {
  std::uint64_t last = 0;
  for (const std::string& name : generations()) {
    std::uint64_t number = 0;
    std::from_chars(name.data() + kGenerationPrefix.size(), name.data() + name.size(), number);
    last = std::max(last, number);
  }
  return last + 1;
}

Result<void> CollectionFolder::switch_to(const Generation& next) const {
  AKIN_CHECK(sync_folder(store_path(next)));
  AKIN_CHECK(sync_folder(folder_));
  return replace_file(folder_ / kCurrent, folder_name(next) + " " + next.token + "\n");
}

std::string CollectionFolder::name() const { return "collection '" + folder_.filename().string() + "'"; }

std::vector<std::string> CollectionFolder::generations() const {
  Result<std::vector<std::string>> names = entry_names(folder_);
  if (names.has_error()) return {};  // nobody can say
  std::erase_if(*names, [](const std::string& one) { return !one.starts_with(kGenerationPrefix); });
  return *std::move(names);
}

Error CollectionFolder::not_found() const {
  return Error{Errc::not_found, name(), "there is no collection with this name", ""};
}

Error CollectionFolder::damaged(std::string_view how) const {
  const std::vector<std::string> found = generations();
  // Beside another one, it may be what a rebuild left unfinished.
  const std::string only = found.size() == 1 ? "write the line \"" + found.front() + " 1\" into it, or " : "";
  return Error{Errc::corrupt, name(), "its file CURRENT " + std::string(how),
               only + "replace the collection from a backup"};
}

Result<FileLock> CollectionFolder::lock_for_writing() const {
  return found(FileLock::shared(folder_ / kLock, kWriterPatience, kWriterWaitsFor));
}

Result<FileLock> CollectionFolder::lock_exclusively(std::chrono::milliseconds patience) const {
  return found(FileLock::exclusive(folder_ / kLock, patience, kExclusiveWaitsFor));
}

Result<FileLock> CollectionFolder::lock_maintenance(std::chrono::milliseconds patience) const {
  return found(FileLock::maintenance(folder_ / kLock, patience, kMaintenanceWaitsFor));
}

Result<FileLock> CollectionFolder::found(Result<FileLock> lock) const {
  if (!lock.has_error()) return lock;
  Error error = lock.error();
  if (error.code == Errc::not_found && exists()) {
    return Error{Errc::corrupt, name(), "its file LOCK is missing",
                 "make it as an empty file of the folder's owner"};
  }
  if (error.code == Errc::not_found) return not_found();
  error.what = name();
  return error;
}

bool CollectionFolder::has_leftovers(const Generation& current) const {
  return !leftovers(folder_, current).empty();
}

void CollectionFolder::remove_leftovers(const Generation& current) const {
  // A switch whose last step failed may not be on the disk, which then still names what would be removed.
  if (sync_folder(folder_).has_error()) return;
  for (std::filesystem::path path : leftovers(folder_, current)) {
    std::error_code ignored;
    if (path.filename().string().starts_with(kGenerationPrefix)) {
      const std::filesystem::path trash = folder_ / (std::string(kTrashPrefix) + random_token());
      std::filesystem::rename(path, trash, ignored);
      path = trash;
    }
    std::filesystem::remove_all(path, ignored);
  }
}

Result<std::shared_ptr<void>> FolderWriteGuard::enter(const Generation& generation) const {
  AKIN_TRY(FileLock lock, folder_.lock_for_writing());
  AKIN_TRY(const Generation current, folder_.current());
  if (current != generation) return std::shared_ptr<void>();
  return std::shared_ptr<void>(std::make_shared<FileLock>(std::move(lock)));
}

Result<bool> FolderWriteGuard::is_replaced(const Generation& generation) const {
  AKIN_TRY(const Generation current, folder_.current());
  return current != generation;
}

}  // namespace akin
