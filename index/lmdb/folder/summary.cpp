#include "index/lmdb/folder/summary.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "base/files.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/tables/meta_table.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

std::optional<StoreSummary> read_summary(const std::filesystem::path& store_folder) {
  const std::optional<MetaTable> meta = read_meta_table(store_folder);
  // A file without its last pages is for the opening to explain.
  if (!meta || !meta->is_whole || !meta->tombstones) return std::nullopt;
  const auto entry = [&](std::string_view name) {
    const auto found = meta->entries.find(name);
    return found != meta->entries.end() ? std::optional<std::string_view>(found->second) : std::nullopt;
  };
  const auto stamp = entry(format::kFormatEntry);
  const auto scheme = entry(format::kSchemeEntry);
  const auto fingerprint = entry(format::kFingerprintEntry);
  const auto languages = entry(format::kLanguagesEntry);
  const auto texts = entry(format::kTextsEntry);
  const auto counters_entry = entry(format::kCountersEntry);
  if (!stamp || !scheme || !fingerprint || !languages || !texts || !counters_entry) return std::nullopt;
  const std::optional<Counters> counters = decode_counters(*counters_entry);
  if (decode_format(*stamp) != format::kFormatVersion || (*texts != "yes" && *texts != "no") || !counters)
    return std::nullopt;
  StoreSummary summary;
  summary.identity = {std::string(*scheme), std::string(*fingerprint), std::string(*languages),
                      *texts == "yes", entry(format::kFilesEntry).has_value()};
  summary.stats.documents = counters->documents;
  summary.stats.features = counters->features;
  summary.stats.postings = counters->postings;
  summary.stats.text_bytes = counters->text_bytes;
  summary.stats.text_stored_bytes = counters->text_stored_bytes;
  summary.stats.last_revision = counters->last_revision;
  summary.stats.files = counters->files;
  summary.stats.disk_bytes = meta->file_bytes;
  summary.stats.tombstones = *meta->tombstones;
  return summary;
}

Result<void> check_permissions(const std::filesystem::path& store_folder) {
  for (const char* const name : {"data.mdb", "lock.mdb"}) {
    const std::filesystem::path file = store_folder / name;
    if (faccessat(AT_FDCWD, file.c_str(), R_OK | W_OK, AT_EACCESS) != 0 && errno == EACCES)
      return system_error(errno, file.string(), "open");
  }
  return {};
}

}  // namespace akin
