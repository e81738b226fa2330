// Keys and small values of the journal's tables; journal.h documents the layout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hex.h"
#include "server/state/state.h"
#include "server/watch/journal.h"

namespace akin::watch {

[[nodiscard]] std::string watch_key(std::string_view collection, std::string_view name);
[[nodiscard]] std::string text_key(std::string_view collection, std::string_view name);
[[nodiscard]] std::string number_key(std::string_view collection);
[[nodiscard]] std::string catching_up_key(std::string_view collection);
/// Without the sequence it is the common prefix of all events of a collection or watch.
[[nodiscard]] std::string event_key(const Journal::Place& place);
[[nodiscard]] std::string event_prefix(std::string_view collection);
[[nodiscard]] std::string id_key(std::string_view id);
[[nodiscard]] std::string pending_key(const Journal::Place& place);
[[nodiscard]] std::string by_watch_key(const Journal::Place& place, std::string_view watch);
[[nodiscard]] std::string by_watch_prefix(std::string_view collection, std::string_view watch);

/// The place in a key of two parts, after its prefix of two bytes. Error: corrupt.
[[nodiscard]] Result<Journal::Place> place_of(std::string_view pair);

[[nodiscard]] Result<std::uint64_t> read_number(const state::Writer& writer, std::string_view key);
[[nodiscard]] Result<Progress> decode_progress(const std::optional<std::string>& stored);
[[nodiscard]] std::string encode_progress(const Progress& progress);
[[nodiscard]] std::uint64_t decode_number(const std::optional<std::string>& stored) noexcept;

/// To be called with every change of the watches.
[[nodiscard]] Result<void> raise_number(state::Writer& writer, std::string_view collection);

}  // namespace akin::watch
