// The flag --memory of commands that load documents.
#pragma once

#include <cstdint>

#include "cli/frame/command.h"

namespace akin::cli {

inline constexpr std::uint64_t kDefaultLoadMemory = std::uint64_t{1} << 30;

/// Registers it; `memory` is BulkOptions::memory and must live as long as `command`.
void add_load_memory(Command command, std::uint64_t& memory);

}  // namespace akin::cli
