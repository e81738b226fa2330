// The pages on which an administrator changes the rules of checks, and sees what they would have said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// `policies`: objects of GET /v1/policies.
[[nodiscard]] std::string rules_page(const Reader& reader, const json::Json& policies);

/// A check whose verdict would change.
struct ChangedCase {
  json::Json check;     ///< check_summary
  std::string verdict;  ///< that it would have
};
struct Preview {
  std::uint64_t checks = 0;  ///< that were looked at
  std::vector<ChangedCase> changed;
};
/// The form of one policy, whose percentages are those of the object's shares.
[[nodiscard]] std::string rule_page(const Reader& reader, const json::Json& policy,
                                    const std::optional<Preview>& preview);

}  // namespace akin::desk
