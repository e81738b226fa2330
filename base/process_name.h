// Names of processes, by which others on the same machine see that one has ended.
#pragma once

#include <string>
#include <string_view>

namespace akin {

/// The kernel's name of this start of the machine; "unknown" if it gives none.
[[nodiscard]] std::string boot_id();

/// "BOOT:NAMESPACE:PID:START:" of this process. No other process has had this name, nor will have it.
[[nodiscard]] std::string process_name();

/// Whether the process whose name `text` begins with has certainly ended. False also if this process cannot
/// see that one: on another machine, in another container, or of a user whose processes are hidden.
[[nodiscard]] bool has_ended(std::string_view text);

}  // namespace akin
