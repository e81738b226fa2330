#include "index/lmdb/folder/collection_list.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/folders.h"
#include "base/waiting.h"
#include "index/collection/collection_name.h"
#include "index/lmdb/folder/collection_folder.h"

namespace akin {
namespace {

/// A file system may give two changes within this time the same time.
constexpr std::time_t kCoarsestSeconds = 2;

Result<struct timespec> time_of_change(const std::filesystem::path& folder) {
  struct stat there = {};
  if (stat(folder.c_str(), &there) != 0) return system_error(errno, folder.string(), "list");
  return there.st_mtim;
}

bool is_same(const struct timespec& one, const struct timespec& other) noexcept {
  return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

}  // namespace

Result<std::vector<std::string>> CollectionList::folder_names() const {
  AKIN_TRY(std::vector<std::string> names, entry_names(folder_));
  std::erase_if(names, [](const std::string& name) { return !is_collection_name(name); });
  return names;
}

Result<std::vector<CollectionList::Entry>> CollectionList::read() const {
  AKIN_TRY(std::vector<std::string> names, folder_names());
  std::ranges::sort(names);
  std::vector<Entry> entries;
  entries.reserve(names.size());
  for (std::string& name : names) {
    const CollectionFolder folder(folder_ / name);
    if (!folder.exists()) continue;
    const auto expires = folder.expiry();
    entries.push_back({std::move(name), expires.has_value() ? *expires : std::nullopt});
  }
  return entries;
}

Result<std::vector<std::string>> CollectionList::names() {
  const std::time_t now = std::time(nullptr);
  AKIN_TRY(const struct timespec changed, time_of_change(folder_));
  const auto guard = lock_waiting(mutex_);
  const auto begin = std::chrono::steady_clock::now();
  const bool usable = !entries_.empty() && is_same(changed, changed_) && begin - read_at_ < kUsable;
  std::vector<Entry> fresh;
  if (!usable) {
    AKIN_TRY(fresh, read());
    AKIN_TRY(const struct timespec afterwards, time_of_change(folder_));
    entries_.clear();
    if (fresh.size() > kMany && is_same(changed, afterwards) && changed.tv_sec + kCoarsestSeconds < now) {
      entries_ = fresh;
      changed_ = changed;
      read_at_ = begin;
    }
  }
  const std::vector<Entry>& entries = usable ? entries_ : fresh;
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const Entry& one : entries) {
    if (!one.expires || *one.expires > time_now()) names.push_back(one.name);
  }
  return names;
}

void CollectionList::forget() {
  const std::lock_guard guard(mutex_);
  entries_.clear();
}

}  // namespace akin
