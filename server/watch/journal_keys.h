// Keys and small values of the journal's tables; journal.h tells the layout.
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
/// The same without the sequence is the prefix of all of a collection's or a watch's.
[[nodiscard]] std::string event_key(const Journal::Place& place);
[[nodiscard]] std::string event_prefix(std::string_view collection);
[[nodiscard]] std::string id_key(std::string_view id);
[[nodiscard]] std::string pending_key(const Journal::Place& place);
[[nodiscard]] std::string by_watch_key(const Journal::Place& place, std::string_view watch);
[[nodiscard]] std::string by_watch_prefix(std::string_view collection, std::string_view watch);

/// The place that a key of two parts names, its prefix of two bytes taken off. Error: corrupt.
[[nodiscard]] Result<Journal::Place> place_of(std::string_view pair);

[[nodiscard]] Result<std::uint64_t> read_number(const state::Writer& writer, std::string_view key);
[[nodiscard]] Result<Progress> decode_progress(const std::optional<std::string>& stored);
[[nodiscard]] std::string encode_progress(const Progress& progress);
[[nodiscard]] std::uint64_t decode_number(const std::optional<std::string>& stored) noexcept;

/// What a change of the watches needs.
[[nodiscard]] Result<void> raise_number(state::Writer& writer, std::string_view collection);

}  // namespace akin::watch
