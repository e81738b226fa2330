#include "server/state/restore_records.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace akin::state {

namespace {

Result<std::vector<Entry>> all_entries(const State& state, Table table) {
  return state.list(table, "", "", std::numeric_limits<std::int32_t>::max());
}

/// The entries of the restored collections in a table with one each, by their present names.
Result<std::vector<Entry>> restored_of(Table table, const BackedUpState& backup, const State& from) {
  std::vector<Entry> entries;
  for (const auto& [name, present_name] : backup.collections) {
    AKIN_TRY(std::optional<std::string> value, from.get(table, name));
    if (value) entries.push_back({present_name, *std::move(value)});
  }
  return entries;
}

std::vector<std::string> keys_of(const std::vector<Entry>& entries) {
  std::vector<std::string> keys;
  keys.reserve(entries.size());
  for (const Entry& entry : entries) keys.push_back(entry.key);
  return keys;
}

}  // namespace

Result<RestoredRecords> restore_records(const BackedUpState& backup, State& to, bool replace) {
  AKIN_TRY(const std::shared_ptr<State> from, State::open(backup.folder));
  AKIN_TRY(const std::vector<Entry> labels, restored_of(Table::labels, backup, *from));
  AKIN_TRY(const std::vector<Entry> restrictions, restored_of(Table::restrictions, backup, *from));
  std::vector<Entry> models;
  if (backup.whole) {
    AKIN_TRY(models, all_entries(*from, Table::models));
  }
  RestoredRecords restored;
  const auto taken = to.write([&](Writer& writer) -> Result<void> {
    restored = {keys_of(labels), {}, {}};
    for (const Entry& entry : labels) AKIN_CHECK(writer.put(Table::labels, entry.key, entry.value));
    for (const Entry& entry : restrictions)
      AKIN_CHECK(writer.put(Table::restrictions, entry.key, entry.value));
    for (const Entry& entry : models) {
      AKIN_TRY(const std::optional<std::string> existing, writer.get(Table::models, entry.key));
      const bool keeps = existing && !replace;
      (keeps ? restored.kept_models : restored.models).push_back(entry.key);
      if (!keeps) AKIN_CHECK(writer.put(Table::models, entry.key, entry.value));
    }
    return {};
  });
  AKIN_CHECK(taken);
  return restored;
}

Result<RestoredRecords> keep_restored_records(const BackedUpState& backup) {
  AKIN_TRY(const std::shared_ptr<State> copy, State::open(backup.folder));
  AKIN_TRY(const std::vector<Entry> labels, restored_of(Table::labels, backup, *copy));
  AKIN_TRY(const std::vector<Entry> restrictions, restored_of(Table::restrictions, backup, *copy));
  AKIN_TRY(const std::vector<Entry> models, all_entries(*copy, Table::models));
  AKIN_CHECK(copy->erase_all(Table::labels, ""));
  AKIN_CHECK(copy->erase_all(Table::restrictions, ""));
  const auto kept = copy->write([&](Writer& writer) -> Result<void> {
    for (const Entry& entry : labels) AKIN_CHECK(writer.put(Table::labels, entry.key, entry.value));
    for (const Entry& entry : restrictions)
      AKIN_CHECK(writer.put(Table::restrictions, entry.key, entry.value));
    return {};
  });
  AKIN_CHECK(kept);
  return RestoredRecords{keys_of(labels), keys_of(models), {}};
}

}  // namespace akin::state
