#include "index/lmdb/store/quarantine.h"

#include <charconv>
#include <string_view>

#include "base/files.h"
#include "base/time.h"
#include "index/collection/crash_record.h"

namespace akin {

namespace {

/// "SIGBUS", "2026-11-22T22:10:00.000Z"
struct Crash {
  std::string signal = "a signal", time = "an unknown time";
};

Crash parse_crash(std::string_view record) {
  Crash crash;
  const std::size_t space = record.find(' ');
  if (space == 0 || space == std::string_view::npos) return crash;
  std::int64_t seconds = 0;
  const char* const digits = record.data() + space + 1;
  const auto [end, failure] = std::from_chars(digits, record.data() + record.size(), seconds);
  if (failure != std::errc()) return crash;
  crash.signal = record.substr(0, space);
  crash.time = format_time(Time(std::chrono::seconds(seconds)));
  return crash;
}

}  // namespace

Result<void> check_quarantine(const std::filesystem::path& store_folder) {
  const std::filesystem::path file = store_folder / kQuarantineFile;
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) return {};
  const Result<std::string> record = read_whole_file(file);
  const Crash crash = parse_crash(record.has_value() ? std::string_view(*record) : std::string_view());
  const std::string name = store_folder.parent_path().filename().string();
  return Error{Errc::quarantined, "collection '" + name + "'",
               "it is in quarantine: a server that used it was ended by " + crash.signal + " at " +
                   crash.time + ", so its files may be damaged",
               "run `akin verify --collection " + name +
                   "`, which ends the quarantine if it finds nothing, or restore a backup with "
                   "`akin restore --replace`"};
}

Result<bool> end_quarantine(const std::filesystem::path& store_folder) {
  std::error_code failure;
  const std::filesystem::path file = store_folder / kQuarantineFile;
  const bool removed = std::filesystem::remove(file, failure);
  if (failure) return system_error(failure.value(), file.string(), "remove");
  return removed;
}

Result<std::vector<std::string>> NotedCollections::names(const List& list, const Check& is_noted) {
  const std::lock_guard guard(mutex_);
  if (!known_) {
    AKIN_TRY(const std::vector<std::string> all, list());
    known_.emplace(all.begin(), all.end());
  }
  std::erase_if(*known_, [&](const std::string& name) { return !is_noted(name); });
  return std::vector<std::string>(known_->begin(), known_->end());
}

void NotedCollections::note(std::string_view name) {
  const std::lock_guard guard(mutex_);
  if (known_) known_->emplace(name);
}

}  // namespace akin
