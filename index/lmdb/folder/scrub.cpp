#include "index/lmdb/folder/scrub.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/files.h"
#include "base/hex.h"
#include "index/lmdb/env/checked_value.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/env/page_walk.h"
#include "index/lmdb/tables/meta_table.h"

namespace akin {

namespace {

constexpr std::string_view kScrubFile = "SCRUB";
constexpr std::string_view kScrubHead = "akin scrub 1";
constexpr std::uint64_t kSliceBytes = std::uint64_t{1} << 20U;
/// Read between two records of the place.
constexpr std::uint64_t kRecordedAfter = std::uint64_t{64} << 20U;

/// What gen-N/SCRUB holds.
struct ScrubRecord {
  std::string table, key;  ///< where the pass continues; empty = it has not begun
  ScrubPass pass, last;    ///< the present one, and the last whole one
};

std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

void write_pass(std::ostream& out, const ScrubPass& pass) {
  out << (pass.ended ? format_time_exactly(*pass.ended) : "-") << ' ' << pass.bytes << ' ' << pass.findings
      << '\n'
      << on_one_line(pass.first.where) << '\n'
      << on_one_line(pass.first.broken) << '\n';
}

bool read_pass(std::istream& in, ScrubPass& pass) {
  std::string time;
  if (!(in >> time >> pass.bytes >> pass.findings) || in.get() != '\n') return false;
  pass.ended = parse_time(time);
  return (pass.ended.has_value() || time == "-") &&
         static_cast<bool>(std::getline(in, pass.first.where) && std::getline(in, pass.first.broken));
}

/// An empty one if there is none, or it cannot be read: then everything is read again.
ScrubRecord read_record_of(const std::filesystem::path& store_folder) {
  const Result<std::string> content = read_whole_file(store_folder / kScrubFile);
  if (content.has_error()) return {};
  std::istringstream in(*content);
  std::string head, table, key;
  ScrubRecord record;
  if (!std::getline(in, head) || head != kScrubHead || !std::getline(in, table) || !std::getline(in, key) ||
      !read_pass(in, record.pass) || !read_pass(in, record.last)) {
    return {};
  }
  const auto table_bytes = bytes_of_hex(table);
  const auto key_bytes = bytes_of_hex(key);
  if (!table_bytes || !key_bytes) return {};
  record.table = *table_bytes;
  record.key = *key_bytes;
  return record;
}

Result<void> write_record_of(const std::filesystem::path& store_folder, const ScrubRecord& record) {
  std::ostringstream out;
  out << kScrubHead << '\n' << hex_of(record.table) << '\n' << hex_of(record.key) << '\n';
  write_pass(out, record.pass);
  write_pass(out, record.last);
  return replace_file(store_folder / kScrubFile, out.str());
}

lmdb::ValueChecks checks_of_store() {
  const auto table_of = [](std::string_view name) { return lmdb::Table{0, name, crc32c(name), true}; };
  const auto is_sound = [table_of](std::string_view table, std::string_view key, std::string_view value) {
    if (table == format::kMetaTable) return true;
    if (value.size() < lmdb::kCheckBytes) return false;
    const std::string_view body = value.substr(0, value.size() - lmdb::kCheckBytes);
    return lmdb::check_of(table_of(table), key, body) == load_u32(value.data() + body.size());
  };
  const auto seed = [table_of](std::string_view table, std::string_view key) {
    return table == format::kMetaTable ? std::optional<std::uint32_t>()
                                       : std::optional(lmdb::check_of(table_of(table), key, {}));
  };
  return {is_sound, seed};
}

/// A pass over a file that cannot be read at all.
Result<std::optional<ScrubPass>> end_at_once(const std::filesystem::path& store_folder,
                                             const Finding& finding, const ScrubControl& control) {
  ScrubRecord record;
  record.last = {time_now(), 0, 1, finding};
  if (control.report) control.report(finding);
  AKIN_CHECK(write_record_of(store_folder, record));
  return std::optional(std::move(record.last));
}

class StoreScrub {
 public:
  StoreScrub(const std::filesystem::path& folder, const lmdb::PageFile& file, const ScrubControl& control)
      : folder_(folder),
        file_(file),
        control_(control),
        checks_(checks_of_store()),
        record_(read_record_of(folder)) {}

  Result<std::optional<ScrubPass>> run() {
    if (record_.table.empty()) {
      record_.pass = {};
      AKIN_CHECK(walk_trees());
    }
    std::uint64_t unrecorded = 0;
    for (;;) {
      lmdb::Slice slice{record_.table, record_.key, kSliceBytes};
      AKIN_CHECK(walk_slice(slice));
      record_.table = slice.table;
      record_.key = slice.key;
      record_.pass.bytes += slice.read;
      unrecorded += slice.read;
      const bool goes_on = control_.pace(slice.read);
      if (!is_in_place()) return std::optional<ScrubPass>();
      if (!slice.ended) break;
      if (goes_on && unrecorded < kRecordedAfter) continue;
      AKIN_CHECK(write_record_of(folder_, record_));
      if (!goes_on) return std::optional<ScrubPass>();
      unrecorded = 0;
    }
    record_.pass.ended = time_now();
    record_.last = std::move(record_.pass);
    record_.pass = {};
    record_.table.clear();
    record_.key.clear();
    AKIN_CHECK(write_record_of(folder_, record_));
    return std::optional(record_.last);
  }

 private:
  /// Calls walk(state, report) until no commit can have changed what it read, and keeps what it found then.
  template <class Walk>
  Result<void> walk_unchanged(const Walk& walk) {
    constexpr int kAttempts = 64;  // each lost only to two commits meanwhile
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      AKIN_TRY(const std::optional<lmdb::MetaPage> state, file_.meta());
      std::vector<Finding> findings;
      const auto report = [&](std::string where, std::string broken) {
        findings.push_back({std::move(where), std::move(broken)});
      };
      Result<void> walked = walk(*state, report);
      AKIN_TRY(const std::optional<lmdb::MetaPage> still, file_.meta(state->txn));
      if (still != state) continue;
      for (Finding& finding : findings) keep(std::move(finding));
      return walked;
    }
    return Error{Errc::busy, file_.name(), "it was written all the time while it was read again",
                 "the next scrub tries again"};
  }

  Result<void> walk_trees() {
    return walk_unchanged([&](const lmdb::MetaPage& state, const auto& report) -> Result<void> {
      lmdb::PageWalk walk(file_, state, report);
      AKIN_CHECK(walk.run(lmdb::PageWalk::Extent::branches));
      if (!walk.lacks_only_free_pages() && walk.missing_pages() > 0)
        report(file_.name(),
               "the file is too short: " + std::to_string(walk.missing_pages()) + " pages are missing");
      return {};
    });
  }

  Result<void> walk_slice(lmdb::Slice& slice) {
    const lmdb::Slice begin = slice;
    return walk_unchanged([&](const lmdb::MetaPage& state, const auto& report) -> Result<void> {
      slice = begin;
      AKIN_CHECK(lmdb::PageWalk(file_, state, report).run_slice(slice, checks_));
      return {};
    });
  }

  /// Branches are read again with every slice, so what is found in them comes several times.
  void keep(Finding finding) {
    if (!known_.insert(finding.where + '\n' + finding.broken).second) return;
    if (control_.report) control_.report(finding);
    if (record_.pass.findings++ == 0) record_.pass.first = std::move(finding);
  }

  [[nodiscard]] bool is_in_place() const {
    std::error_code failure;
    return std::filesystem::exists(folder_ / format::kDataFile, failure);
  }

  const std::filesystem::path& folder_;
  const lmdb::PageFile& file_;
  const ScrubControl& control_;
  const lmdb::ValueChecks checks_;
  ScrubRecord record_;
  std::set<std::string> known_;
};

}  // namespace

Result<std::optional<ScrubPass>> scrub_store(const std::filesystem::path& store_folder,
                                             const ScrubControl& control) {
  AKIN_CHECK(check_format(store_folder));
  const std::filesystem::path path = store_folder / format::kDataFile;
  const FileHandle handle(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (handle.get() < 0) {
    if (errno == ENOENT) return std::optional<ScrubPass>();  // replaced meanwhile
    return system_error(errno, path.string(), "open");
  }
  const Result<lmdb::PageFile> file = lmdb::PageFile::open(handle.get(), path.string());
  if (file.has_error()) {
    if (file.error().code != Errc::corrupt) return file.error();
    return end_at_once(store_folder, {path.string(), file.error().reason}, control);
  }
  return StoreScrub(store_folder, *file, control).run();
}

std::optional<ScrubPass> last_scrub_of(const std::filesystem::path& store_folder) {
  ScrubPass last = read_record_of(store_folder).last;
  return last.ended ? std::optional(std::move(last)) : std::nullopt;
}

}  // namespace akin
