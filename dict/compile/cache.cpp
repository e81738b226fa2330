#include "dict/compile/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <sstream>

#include "base/files.h"
#include "base/folders.h"
#include "base/hash.h"
#include "base/hex.h"
#include "dict/compile/packed_sources.h"
#include "dict/table/format.h"

namespace akin {
namespace {

namespace fs = std::filesystem;

/// Tables up to this size are checked completely at every opening: the cost is negligible.
constexpr std::uint64_t kAlwaysChecked = 1U << 20U;
/// File times are only as fine as the kernel's clock tick; a file that changed this recently may change again
/// unnoticed.
constexpr std::int64_t kSettledNanoseconds = 100'000'000;
/// Temporary files of processes that died are removed after this time.
constexpr std::int64_t kLeftoverSeconds = std::int64_t{60} * 60;
/// All others after this time without being read.
constexpr std::int64_t kUnusedSeconds = std::int64_t{90} * 24 * 60 * 60;
constexpr std::string_view kTemporary = ".tmp.";

std::int64_t nanoseconds(const ::timespec& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

bool add_state(const fs::path& file, DigestBuilder& digest, std::int64_t& newest) {
  struct ::stat status {};
  if (::stat(file.c_str(), &status) != 0) return false;
  digest.add(static_cast<std::uint64_t>(status.st_size));
  digest.add(static_cast<std::uint64_t>(nanoseconds(status.st_mtim)));
  digest.add(static_cast<std::uint64_t>(nanoseconds(status.st_ctim)));
  digest.add(static_cast<std::uint64_t>(status.st_ino));
  digest.add(static_cast<std::uint64_t>(status.st_dev));
  newest = std::max(newest, nanoseconds(status.st_ctim));
  return true;
}

bool make_own_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
  struct ::stat status {};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & 022U) == 0;
}

std::optional<fs::path> from_environment(const char* variable, const char* below) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value) / below;
}

std::string stamp_text(const Stamp& stamp) {
  std::string text =
      "akin-stamp " + std::to_string(table_format::kCompilerVersion) + "." + std::to_string(kHashVersion);
  const auto append = [&text](const Digest& digest) { text.append(1, ' ').append(to_hex(digest)); };
  for (const Digest& digest : {stamp.files, stamp.fingerprint, stamp.table}) append(digest);
  for (const Digest& digest : stamp.sources) append(digest);
  append(content_hash(text));
  return text.append(1, '\n');
}

std::optional<Digest> parse_digest(const std::string& word) {
  if (word.size() != 32) return std::nullopt;
  const auto high = parse_hex16(std::string_view(word).substr(0, 16));
  const auto low = parse_hex16(std::string_view(word).substr(16));
  return high && low ? std::optional(Digest{*high, *low}) : std::nullopt;
}

/// Whether a file's name is one that this cache gives.
bool is_cached(const fs::path& name) {
  const fs::path kind = name.extension();
  return name.stem().native().size() == 32 &&
         (kind == ".dict" || kind == ".stamp" || kind == ".sources" || kind == ".parts");
}

bool write_all(int descriptor, std::span<const char> content) {
  while (!content.empty()) {
    const ::ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content = content.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::optional<FileStates> file_states(std::span<const fs::path> files) {
  DigestBuilder digest;
  std::int64_t newest = 0;
  for (const fs::path& file : files) {
    if (!add_state(file, digest, newest)) return std::nullopt;
  }
  ::timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return FileStates{digest.digest(), newest + kSettledNanoseconds < nanoseconds(now)};
}

TableCache TableCache::open(const fs::path& configured) {
  std::vector<fs::path> candidates;
  if (!configured.empty()) {
    candidates.push_back(configured);
  } else {
    if (const auto path = from_environment("AKIN_CACHE", "")) candidates.push_back(*path);
    if (const auto path = from_environment("XDG_CACHE_HOME", "akin")) candidates.push_back(*path);
    if (const auto path = from_environment("HOME", ".cache/akin")) candidates.push_back(*path);
  }
  for (const fs::path& folder : candidates) {
    std::error_code status;
    fs::create_directories(folder, status);
    if (!status && ::access(folder.c_str(), W_OK) == 0) return TableCache(folder);
  }
  const fs::path own = "/tmp/akin-" + std::to_string(::geteuid());
  if (configured.empty() && make_own_folder(own)) return TableCache(own);
  return TableCache({});
}

fs::path TableCache::table_path(const Digest& fingerprint) const {
  return folder_.empty() ? fs::path() : folder_ / (to_hex(fingerprint) + ".dict");
}

std::optional<Stamp> TableCache::read_stamp(const Digest& name) const {
  if (folder_.empty()) return std::nullopt;
  const auto text = read_whole_file(folder_ / (to_hex(name) + ".stamp"));
  if (!text) return std::nullopt;
  std::istringstream words(*text);
  std::string word;
  words >> word >> word;
  std::vector<Digest> digests;
  while (words >> word) {
    const auto digest = parse_digest(word);
    if (!digest) return std::nullopt;
    digests.push_back(*digest);
  }
  if (digests.size() < 4) return std::nullopt;
  Stamp stamp{digests[0], digests[1], digests[2], {digests.begin() + 3, digests.end() - 1}};
  if (stamp_text(stamp) != *text) return std::nullopt;
  return stamp;
}

void TableCache::write_stamp(const Digest& name, const Stamp& stamp) const {
  if (folder_.empty()) return;
  // Without the stamp the next opening only takes longer.
  static_cast<void>(replace_file(folder_ / (to_hex(name) + ".stamp"), stamp_text(stamp)));
}

std::optional<WordClassTable> TableCache::open_stamped(const Stamp& stamp) const {
  const fs::path path = table_path(stamp.fingerprint);
  if (path.empty()) return std::nullopt;
  const auto state = file_states({&path, 1});
  if (!state || state->digest != stamp.table) return std::nullopt;
  auto table = WordClassTable::map(path);
  if (!table || table->header().fingerprint != stamp.fingerprint) return std::nullopt;
  if (table->header().file_bytes <= kAlwaysChecked && !table->check_body()) return std::nullopt;
  return std::move(*table);
}

std::optional<WordClassTable> TableCache::open_checked(const Digest& fingerprint) const {
  const fs::path path = table_path(fingerprint);
  if (path.empty()) return std::nullopt;
  auto table = WordClassTable::map(path);
  if (table && table->header().fingerprint == fingerprint && table->check_body()) return std::move(*table);
  if (table || table.error().code == Errc::corrupt) {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  return std::nullopt;
}

std::optional<std::string> TableCache::read_sources(std::string_view fingerprint) const {
  if (folder_.empty()) return std::nullopt;
  auto packed = read_whole_file(folder_ / (std::string(fingerprint) + ".sources"));
  if (!packed || packed_fingerprint(*packed) != fingerprint) return std::nullopt;
  return std::move(*packed);
}

void TableCache::write_sources(std::string_view fingerprint, std::string_view packed) const {
  if (folder_.empty()) return;
  // Without the file the next opening only takes longer.
  static_cast<void>(replace_file(folder_ / (std::string(fingerprint) + ".sources"), packed));
}

std::optional<std::string> TableCache::read_parts(const Digest& name) const {
  if (folder_.empty()) return std::nullopt;
  auto bytes = read_whole_file(folder_ / (to_hex(name) + ".parts"));
  return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
}

void TableCache::write_parts(const Digest& name, std::string_view bytes) const {
  if (folder_.empty()) return;
  // Without the file the next process only takes longer.
  static_cast<void>(replace_file(folder_ / (to_hex(name) + ".parts"), bytes));
}

std::optional<WordClassTable> TableCache::publish(const Digest& fingerprint,
                                                  std::span<const char> image) const {
  if (folder_.empty()) return std::nullopt;
  remove_unused();
  const fs::path path = table_path(fingerprint);
  if (!replace_file(path, image)) return std::nullopt;
  auto table = WordClassTable::map(path);
  if (!table || table->header().fingerprint != fingerprint) return std::nullopt;
  return std::move(*table);
}

bool TableCache::replace_file(const fs::path& path, std::span<const char> content) const {
  static std::atomic<unsigned> counter{0};
  fs::path temporary = path;
  temporary += std::string(kTemporary) + std::to_string(::getpid()) + "." + std::to_string(counter++);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) return false;
  bool done = write_all(descriptor, content) && ::fsync(descriptor) == 0;
  done = ::close(descriptor) == 0 && done;
  done = done && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!done) ::unlink(temporary.c_str());
  return done;
}

void TableCache::remove_unused() const {
  const auto names = entry_names(folder_);
  if (names.has_error()) return;  // the next table that is compiled brings the next look
  const std::int64_t now = ::time(nullptr);
  for (const std::string& name : *names) {
    const bool temporary = name.find(kTemporary) != std::string::npos;
    if (!temporary && !is_cached(name)) continue;
    struct ::stat status {};
    if (::lstat((folder_ / name).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const std::int64_t used =
        temporary ? status.st_mtim.tv_sec : std::max(status.st_atim.tv_sec, status.st_mtim.tv_sec);
    if (used + (temporary ? kLeftoverSeconds : kUnusedSeconds) < now) ::unlink((folder_ / name).c_str());
  }
}

}  // namespace akin
