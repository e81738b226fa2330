// The tiers of a search, as a request or a command line names them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection/collection.h"
#include "server/json/json.h"

namespace akin::api {

using json::Json;

/// The largest bound: a document has at most this many features.
inline constexpr std::uint64_t kMaxBound = 0xffffffffU;

/// A tier by its name, with a bound of its own if one is given.
struct TierChoice {
  std::string name;
  std::optional<std::uint64_t> bound;
};

/// Reads "NAME,NAME:BOUND,…", or "all". Errors: invalid_argument (an empty name, a bound that is not a number
/// from 0 to 4,294,967,295, a name given twice, too many tiers).
[[nodiscard]] Result<std::vector<TierChoice>> parse_tiers(std::string_view text);

/// The number of the tier that a task's parameters name; nothing if they name none. Error: invalid_argument.
[[nodiscard]] Result<std::optional<std::size_t>> tier_of(const Json& parameters, const Scheme& scheme);

}  // namespace akin::api
