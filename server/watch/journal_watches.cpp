#include "server/watch/journal.h"
#include "server/watch/journal_keys.h"

namespace akin::watch {

using state::Table;
using state::Writer;

namespace {

Result<std::optional<Watch>> decoded(const std::optional<std::string>& stored) {
  if (!stored) return std::optional<Watch>();
  AKIN_TRY(Watch watch, decode_watch(*stored));
  return std::optional(std::move(watch));
}

/// Features of all tiers with their places, and their postings; beside them, the watch itself.
constexpr std::uint64_t kMemoryOfCharacter = 8, kMemoryOfWatch = 1024;

/// Counts a new, a changed or a removed watch. A collection that was not followed is followed from `present`
/// on.
Result<void> count_watch(Writer& writer, const std::string& collection, const std::optional<Watch>& former,
                         const std::optional<Watch>& watch, Revision present) {
  AKIN_TRY(const auto stored, writer.get(Table::cursors, collection));
  AKIN_TRY(Progress progress, decode_progress(stored));
  if (!stored) progress.position = present;
  progress.watches += watch ? 1 : 0;
  progress.watches -= former ? 1 : 0;
  if (progress.characters) {
    *progress.characters += watch ? watch->code_points : 0;
    *progress.characters -= former ? former->code_points : 0;
  }
  return writer.put(Table::cursors, collection, encode_progress(progress));
}

}  // namespace

Result<std::optional<Watch>> Journal::find_watch(std::string_view collection, std::string_view name) const {
  AKIN_TRY(const auto stored, state_->get(Table::watches, watch_key(collection, name)));
  return decoded(stored);
}

Result<std::string> Journal::text(std::string_view collection, std::string_view name) const {
  AKIN_TRY(auto text, state_->get(Table::watches, text_key(collection, name)));
  return std::move(text).value_or("");
}

Result<std::vector<Watch>> Journal::list_watches(std::string_view collection, std::string_view after,
                                                 std::size_t limit) const {
  AKIN_TRY(const auto entries,
           state_->list(Table::watches, watch_key(collection, ""), watch_key(collection, after), limit));
  std::vector<Watch> watches;
  watches.reserve(entries.size());
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Watch watch, decode_watch(entry.value));
    watches.push_back(std::move(watch));
  }
  return watches;
}

Result<Journal::Stored> Journal::put_watch(const std::string& collection, const std::string& name,
                                           const std::string& text, Revision present, const Form& form) {
  Stored outcome;
  const auto written = state_->write([&](Writer& writer) -> Result<void> {
    AKIN_TRY(const auto stored, writer.get(Table::watches, watch_key(collection, name)));
    AKIN_TRY(const auto former, decoded(stored));
    outcome = {form(former), former.has_value()};
    AKIN_CHECK(writer.put(Table::watches, watch_key(collection, name), encode_watch(outcome.watch)));
    AKIN_CHECK(writer.put(Table::watches, text_key(collection, name), text));
    if (outcome.watch.caught_up_to) AKIN_CHECK(writer.put(Table::cursors, catching_up_key(collection), "1"));
    AKIN_CHECK(count_watch(writer, collection, former, outcome.watch, present));
    return raise_number(writer, collection);
  });
  AKIN_CHECK(written);
  return outcome;
}

Result<bool> Journal::remove_watch(const std::string& collection, const std::string& name) {
  bool removed = false;
  const auto written = state_->write([&](Writer& writer) -> Result<void> {
    AKIN_TRY(const auto stored, writer.get(Table::watches, watch_key(collection, name)));
    AKIN_TRY(const auto former, decoded(stored));
    AKIN_TRY(removed, writer.erase(Table::watches, watch_key(collection, name)));
    if (!removed) return {};
    AKIN_CHECK(count_watch(writer, collection, former, std::nullopt, Revision()));
    AKIN_CHECK(writer.erase(Table::watches, text_key(collection, name)));
    return raise_number(writer, collection);
  });
  AKIN_CHECK(written);
  return removed;
}

Result<void> Journal::disable_watch(const Watch& watch, const std::string& reason) {
  const std::string key = watch_key(watch.collection, watch.name);
  return state_->write([&](Writer& writer) -> Result<void> {
    AKIN_TRY(const auto stored, writer.get(Table::watches, key));
    AKIN_TRY(auto current, decoded(stored));
    if (!current || current->version != watch.version) return {};
    current->enabled = false;
    current->disabled_reason = reason;
    AKIN_CHECK(writer.put(Table::watches, key, encode_watch(*current)));
    return raise_number(writer, watch.collection);
  });
}

Result<std::vector<std::string>> Journal::followed() const {
  constexpr std::size_t kMost = 100'000;
  AKIN_TRY(const auto entries, state_->list(Table::cursors, number_key(""), "", kMost));
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const state::Entry& entry : entries) names.push_back(entry.key.substr(1));
  return names;
}

Result<std::uint64_t> Journal::watches_number(std::string_view collection) const {
  AKIN_TRY(const auto stored, state_->get(Table::cursors, number_key(collection)));
  return decode_number(stored);
}

Result<WatchSet> Journal::watch_set(std::string_view collection) const {
  WatchSet set;
  // Read first: if a watch changes meanwhile, the number is outdated, which Journal::take notices.
  AKIN_TRY(set.number, watches_number(collection));
  AKIN_TRY(set.watches, list_watches(collection, "", SIZE_MAX));
  return set;
}

Result<Progress> Journal::progress(std::string_view collection) const {
  AKIN_TRY(const auto stored, state_->get(Table::cursors, collection));
  return decode_progress(stored);
}

std::uint64_t Journal::memory_of_watch(std::uint64_t characters) noexcept {
  return kMemoryOfWatch + kMemoryOfCharacter * characters;
}

Result<std::uint64_t> Journal::memory_of_watches(std::string_view collection) const {
  AKIN_TRY(const Progress known, progress(collection));
  if (known.characters) return known.watches * kMemoryOfWatch + *known.characters * kMemoryOfCharacter;
  AKIN_TRY(const std::vector<Watch> watches, list_watches(collection, "", SIZE_MAX));
  std::uint64_t memory = 0;
  for (const Watch& watch : watches) memory += memory_of_watch(watch.code_points);
  return memory;
}

Result<bool> Journal::catching_up(std::string_view collection) const {
  AKIN_TRY(const auto stored, state_->get(Table::cursors, catching_up_key(collection)));
  return stored.has_value();
}

}  // namespace akin::watch
