#include "server/state/copy_state.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/files.h"
#include "index/lmdb/side_files.h"
#include "index/open_catalog.h"

namespace akin::state {
namespace {

constexpr std::size_t kPage = 256;

struct NamedTable {
  Table table;
  const char* name;  ///< of one entry, for errors
};

constexpr std::array<NamedTable, 12> kCopied{{{Table::keys, "access key"},
                                              {Table::policies, "policy"},
                                              {Table::checks, "check"},
                                              {Table::check_texts, "text of the check"},
                                              {Table::watches, "watch"},
                                              {Table::cursors, "place of the watches of"},
                                              {Table::events, "event"},
                                              {Table::gates, "gate of"},
                                              {Table::groups, "group"},
                                              {Table::group_members, "group's member"},
                                              {Table::labels, "labels of"},
                                              {Table::models, "model"}}};

bool is_file(const StatePlace& place, Table table) {
  return !place.data.empty() && (table == Table::labels || table == Table::models);
}

std::filesystem::path folder_of(const StatePlace& place, Table table) {
  return place.data / (table == Table::labels ? kLabelsFolder : kModelsFolder);
}

std::filesystem::path file_of(const StatePlace& place, Table table, std::string_view key) {
  return table == Table::labels ? labels_file(place.data, key) : model_file(place.data, key);
}

/// All entries that are stored as files.
Result<std::vector<Entry>> read_files(const StatePlace& place, Table table) {
  std::vector<Entry> entries;
  std::error_code code;
  std::filesystem::directory_iterator file(folder_of(place, table), code);
  if (code == std::errc::no_such_file_or_directory) return entries;
  if (code) return system_error(code.value(), folder_of(place, table).string(), "list");
  for (const std::filesystem::directory_iterator end; file != end; file.increment(code)) {
    const std::string key = file->path().stem().string();
    // Skips what an interrupted write has left.
    if (file->path() != file_of(place, table, key)) continue;
    AKIN_TRY(std::string content, read_whole_file(file->path()));
    entries.push_back({key, std::move(content)});
  }
  if (code) return system_error(code.value(), folder_of(place, table).string(), "list");
  std::ranges::sort(entries, {}, &Entry::key);
  return entries;
}

/// Some of the entries after a key; none at the end.
Result<std::vector<Entry>> read_page(const StatePlace& place, Table table, const std::string& after) {
  if (!is_file(place, table)) {
    if (place.state == nullptr) return std::vector<Entry>();
    return place.state->list(table, "", after, kPage);
  }
  AKIN_TRY(std::vector<Entry> entries, read_files(place, table));
  std::erase_if(entries, [&](const Entry& entry) { return entry.key <= after; });
  return entries;
}

Result<std::optional<std::string>> read_one(const StatePlace& place, Table table, const std::string& key) {
  if (!is_file(place, table)) return place.state->get(table, key);
  Result<std::string> content = read_whole_file(file_of(place, table, key));
  if (!content.has_error()) return std::optional(*std::move(content));
  if (content.error().code == Errc::not_found) return std::optional<std::string>();
  return content.error();
}

Result<void> write_entries(const StatePlace& place, Table table, const std::vector<Entry>& entries) {
  if (entries.empty()) return {};
  if (!is_file(place, table)) {
    return place.state->write([&](Writer& writer) -> Result<void> {
      for (const Entry& entry : entries) AKIN_CHECK(writer.put(table, entry.key, entry.value));
      return {};
    });
  }
  AKIN_CHECK(make_folder(folder_of(place, table)));
  for (const Entry& entry : entries) AKIN_CHECK(replace_file(file_of(place, table, entry.key), entry.value));
  return {};
}

/// The entries of a page that the target does not have; an error if it has one with another value.
Result<std::vector<Entry>> missing(const StatePlace& to, const NamedTable& table, std::vector<Entry> page,
                                   Errc otherwise) {
  std::vector<Entry> wanted;
  for (Entry& entry : page) {
    AKIN_TRY(const std::optional<std::string> there, read_one(to, table.table, entry.key));
    if (!there) {
      wanted.push_back(std::move(entry));
      continue;
    }
    if (*there == entry.value) continue;
    return Error{otherwise, "state", "there is another " + std::string(table.name) + " '" + entry.key + "'",
                 "copy only the collections, by their names, or copy to a place without a state"};
  }
  return wanted;
}

/// Calls visit(table, entries of the source that the target does not have, size of the page) for every page.
template <class Visit>
Result<void> compare(const StatePlace& from, const StatePlace& to, Errc otherwise, const Visit& visit) {
  for (const NamedTable& table : kCopied) {
    std::string after;
    for (;;) {
      AKIN_TRY(std::vector<Entry> page, read_page(from, table.table, after));
      if (page.empty()) break;
      after = page.back().key;
      const std::size_t size = page.size();
      AKIN_TRY(const std::vector<Entry> wanted, missing(to, table, std::move(page), otherwise));
      AKIN_CHECK(visit(table.table, wanted, size));
    }
  }
  return {};
}

}  // namespace

Result<StatePlace> open_state_place(const std::string& address, bool create) {
  if (is_database(address)) {
    AKIN_TRY(auto state, State::open_database(address));
    return StatePlace{std::move(state), {}};
  }
  StatePlace place{nullptr, address};
  if (create || std::filesystem::exists(place.data / "state")) {
    AKIN_TRY(place.state, State::open(place.data));
  }
  return place;
}

Result<StateCopy> copy_state(const StatePlace& from, const StatePlace& to) {
  const auto nothing = [](Table, const std::vector<Entry>&, std::size_t) { return Result<void>(); };
  AKIN_CHECK(compare(from, to, Errc::already_exists, nothing));
  StateCopy copy;
  AKIN_CHECK(compare(from, to, Errc::already_exists,
                     [&](Table table, const std::vector<Entry>& wanted, std::size_t size) -> Result<void> {
                       copy.copied += wanted.size();
                       copy.kept += size - wanted.size();
                       return write_entries(to, table, wanted);
                     }));
  AKIN_CHECK(compare(from, to, Errc::mismatch,
                     [](Table, const std::vector<Entry>& wanted, std::size_t) -> Result<void> {
                       if (wanted.empty()) return {};
                       return Error{Errc::mismatch, "state", "it was written to while it was copied",
                                    "stop the servers and copy again"};
                     }));
  return copy;
}

}  // namespace akin::state
