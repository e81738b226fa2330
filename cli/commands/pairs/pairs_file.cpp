#include "cli/commands/pairs/pairs_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <string>
#include <utility>

#include "index/codec/encoding.h"
#include "server/json/strict_json.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr mode_t kPairsFileMode = 0644;

fs::path progress_of(fs::path file) {
  file += ".progress";
  return file;
}

std::string to_begin_anew(const fs::path& file) {
  return "delete " + file.string() + " and " + progress_of(file).string() + " to start over";
}

/// The content of FILE.progress.
std::string progress_text(const Json& of, const PairsPosition& position) {
  Json progress{{"of", of}, {"next", position.next}, {"pairs", position.pairs}, {"bytes", position.bytes}};
  progress["checksum"] = checksum(progress.dump());
  return progress.dump() + "\n";
}

Error unreadable(const fs::path& file, const std::string& reason) {
  return Error{Errc::corrupt, progress_of(file).string(), reason, to_begin_anew(file)};
}

/// Error: precondition_failed, which names the differences.
Result<void> check_same(const fs::path& file, const Json& found, const Json& of) {
  std::string before;
  std::string now;
  Json all = of;
  all.update(found);
  for (const auto& [name, any] : all.items()) {
    const Json was = found.value(name, Json());
    const Json is = of.value(name, Json());
    if (was == is) continue;
    const std::string separator = before.empty() ? "" : ", ";
    before += separator + name + " " + was.dump();
    now += separator + name + " " + is.dump();
  }
  if (before.empty()) return {};
  return Error{Errc::precondition_failed, progress_of(file).string(),
               "belongs to other pairs: " + before + "; now it would be " + now,
               "repeat the command that started it; or " + to_begin_anew(file)};
}

Result<PairsPosition> read_position(const fs::path& file, const std::string& content, const Json& of) {
  const auto parsed = json::parse_json(content, json::kAnyJsonValues);
  if (parsed.has_error()) return unreadable(file, "cannot be read: " + parsed.error().message());
  const auto fields = json::Fields::read(*parsed, {"of", "next", "pairs", "bytes", "checksum"});
  if (fields.has_error()) return unreadable(file, "cannot be read: " + fields.error().message());
  const auto whole = [&](std::string_view name, std::uint64_t max) {
    const auto number = fields->integer(name, max);
    return number.has_value() ? *number : std::nullopt;
  };
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  const auto next = whole("next", std::numeric_limits<std::uint32_t>::max());
  const auto pairs = whole("pairs", kMax);
  const auto bytes = whole("bytes", kMax);
  const Json* const found = fields->value("of");
  if (!next || !pairs || !bytes || found == nullptr || !found->is_object()) {
    return unreadable(file, "is damaged: a field is missing or of another kind");
  }
  const PairsPosition position{static_cast<std::uint32_t>(*next), *pairs, *bytes};
  if (content != progress_text(*found, position))
    return unreadable(file, "is damaged: its checksum is wrong");
  AKIN_CHECK(check_same(file, *found, of));
  return position;
}

/// Nothing if there are no pairs yet.
Result<std::optional<PairsPosition>> find_position(const fs::path& file, const Json& of) {
  const auto content = read_whole_file(progress_of(file));
  if (content.has_value()) {
    AKIN_TRY(const PairsPosition position, read_position(file, *content, of));
    return std::optional(position);
  }
  if (content.error().code != Errc::not_found) return content.error();
  std::error_code failure;
  if (fs::exists(fs::symlink_status(file, failure))) {
    return Error{Errc::already_exists, file.string(),
                 "exists without " + progress_of(file).string() + ": it is finished, or another file",
                 "name another file, or delete it"};
  }
  return std::optional<PairsPosition>();
}

/// Opens FILE for this process alone and truncates it to `bytes`.
Result<FileHandle> open_at(const fs::path& file, std::uint64_t bytes) {
  const int make = bytes == 0 ? O_CREAT : 0;
  FileHandle handle(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | make, kPairsFileMode));
  if (handle.get() < 0) {
    Error error = system_error(errno, file.string(), "open");
    if (error.code == Errc::not_found && bytes > 0) error.remedy = to_begin_anew(file);
    return error;
  }
  if (flock(handle.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return system_error(errno, file.string(), "lock");
    return Error{Errc::busy, file.string(), "another process is writing it",
                 "wait until it has ended, or end it"};
  }
  struct stat status = {};
  if (fstat(handle.get(), &status) != 0) return system_error(errno, file.string(), "look at");
  if (static_cast<std::uint64_t>(status.st_size) < bytes) {
    return Error{Errc::corrupt, file.string(),
                 "has " + std::to_string(status.st_size) + " bytes, fewer than the " + std::to_string(bytes) +
                     " that " + progress_of(file).string() + " records",
                 to_begin_anew(file)};
  }
  if (ftruncate(handle.get(), static_cast<off_t>(bytes)) != 0)
    return system_error(errno, file.string(), "truncate");
  return handle;
}

}  // namespace

PairsFile::PairsFile(fs::path file, FileHandle handle, Json of, const PairsPosition& position)
    : file_(std::move(file)),
      progress_(progress_of(file_)),
      handle_(std::move(handle)),
      out_(handle_.get(), file_.string()),
      of_(std::move(of)),
      position_(position),
      bytes_(position.bytes),
      saved_at_(Clock::now()) {}

Result<std::unique_ptr<PairsFile>> PairsFile::open(const fs::path& file, Json of) {
  // Replacing a file syncs its folder, so the folder's name is needed.
  const fs::path name = file.has_parent_path() ? file : "." / file;
  AKIN_TRY(const std::optional<PairsPosition> found, find_position(name, of));
  const PairsPosition position = found.value_or(PairsPosition());
  // Before FILE, because the next opening would refuse FILE alone.
  if (!found) AKIN_CHECK(replace_file(progress_of(name), progress_text(of, position)));
  AKIN_TRY(FileHandle handle, open_at(name, position.bytes));
  return std::unique_ptr<PairsFile>(new PairsFile(name, std::move(handle), std::move(of), position));
}

Result<void> PairsFile::write(std::string_view text) {
  out_ << text;
  bytes_ += text.size();
  return out_.lost() ? out_.flush() : Result<void>();
}

Result<void> PairsFile::reached(std::uint32_t next, std::uint64_t pairs) {
  position_ = {next, pairs, bytes_};
  is_saved_ = false;
  return save_if_due();
}

Result<void> PairsFile::sync() {
  AKIN_CHECK(out_.flush());
  if (fsync(handle_.get()) != 0) return system_error(errno, file_.string(), "write to the disk");
  return {};
}

Result<void> PairsFile::save() {
  AKIN_CHECK(sync());
  AKIN_CHECK(replace_file(progress_, progress_text(of_, position_)));
  is_saved_ = true;
  saved_at_ = Clock::now();
  return {};
}

Result<void> PairsFile::save_if_due() {
  if (is_saved_ || Clock::now() - saved_at_ < kPause) return {};
  return save();
}

Result<void> PairsFile::finish() {
  AKIN_CHECK(save());
  if (unlink(progress_.c_str()) != 0) return system_error(errno, progress_.string(), "remove");
  return sync_folder(progress_.parent_path());
}

}  // namespace akin::cli
