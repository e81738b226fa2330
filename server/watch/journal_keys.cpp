#include "server/watch/journal_keys.h"

#include <algorithm>
#include <charconv>

#include "server/watch/stored_json.h"

namespace akin::watch {

using state::pair_key;
using state::Table;

std::string watch_key(std::string_view collection, std::string_view name) {
  return pair_key(collection, name);
}

std::string text_key(std::string_view collection, std::string_view name) {
  return pair_key("~" + std::string(collection), name);
}

std::string number_key(std::string_view collection) { return "!" + std::string(collection); }

std::string catching_up_key(std::string_view collection) { return "+" + std::string(collection); }

std::string event_key(const Journal::Place& place) {
  return "e/" + pair_key(place.first, hex16(place.second));
}

std::string event_prefix(std::string_view collection) { return "e/" + pair_key(collection, ""); }

std::string id_key(std::string_view id) { return "i/" + std::string(id); }

std::string pending_key(const Journal::Place& place) {
  return "p/" + pair_key(place.first, hex16(place.second));
}

std::string by_watch_key(const Journal::Place& place, std::string_view watch) {
  return "w/" + pair_key(place.first, pair_key(watch, hex16(place.second)));
}

std::string by_watch_prefix(std::string_view collection, std::string_view watch) {
  return "w/" + pair_key(collection, pair_key(watch, ""));
}

Result<Journal::Place> place_of(std::string_view pair) {
  const auto zero = pair.find('\0');
  const auto sequence =
      zero == std::string_view::npos ? std::nullopt : parse_hex16(pair.substr(pair.rfind('\0') + 1));
  if (!sequence) {
    return Error{Errc::corrupt, "table of events", "a key does not name an event",
                 "restore the folder 'state' from a backup"};
  }
  return Journal::Place(pair.substr(0, zero), *sequence);
}

std::uint64_t decode_number(const std::optional<std::string>& stored) noexcept {
  std::uint64_t number = 0;
  if (stored) std::from_chars(stored->data(), stored->data() + stored->size(), number);
  return number;
}

Result<std::uint64_t> read_number(const state::Writer& writer, std::string_view key) {
  AKIN_TRY(const auto stored, writer.get(Table::cursors, key));
  return decode_number(stored);
}

Result<Progress> decode_progress(const std::optional<std::string>& stored) {
  if (!stored) return Progress{};
  return read_stored(*stored, "stored progress of watches", [](const Json& object) {
    return Progress{
        Revision(object.at("position").get<std::uint64_t>()), object.at("next").get<std::uint64_t>(),
        object.at("events").get<std::uint64_t>(), object.at("watches").get<std::uint64_t>(),
        object.contains("characters") ? std::optional(object.at("characters").get<std::uint64_t>())
                                      : std::nullopt};
  });
}

std::string encode_progress(const Progress& progress) {
  Json object{{"position", progress.position.value},
              {"next", progress.next_sequence},
              {"events", progress.events},
              {"watches", progress.watches}};
  if (progress.characters) object["characters"] = *progress.characters;
  return object.dump();
}

Result<void> raise_number(state::Writer& writer, std::string_view collection) {
  AKIN_TRY(const std::uint64_t number, read_number(writer, number_key(collection)));
  // The time, so that a number of a removed collection does not recur.
  return writer.put(Table::cursors, number_key(collection),
                    std::to_string(std::max(number + 1, to_number(time_now()))));
}

}  // namespace akin::watch
