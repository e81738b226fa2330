// The flags of commands that read, select and load documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "cli/frame/command.h"
#include "server/filter/filter.h"

namespace akin::cli {

/// Registers --filter; `help` says what it selects. `filter` must live as long as `command`.
void add_filter_option(Command command, std::string& filter, const std::string& help);

/// Nothing if the flag was not given. Errors: as Filter::parse.
[[nodiscard]] Result<std::optional<filter::Filter>> filter_of(const std::string& text);

/// Registers --encoding, of plain texts and of pages that declare none (ingest::DocumentReading); `encoding`
/// must live as long as `command`.
void add_encoding_option(Command command, std::string& encoding);

inline constexpr std::uint64_t kDefaultLoadMemory = std::uint64_t{1} << 30;

/// Registers it; `memory` is BulkOptions::memory and must live as long as `command`.
void add_load_memory(Command command, std::uint64_t& memory);

}  // namespace akin::cli
