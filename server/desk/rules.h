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
/// What the page of one policy shows.
struct RuleView {
  json::Json policy;  ///< as the form has it; its percentages are those of the object's shares
  json::Json base;    ///< form_fields of the policy that the form began with
  json::Json stored;  ///< the policy as somebody else has stored it meanwhile; null: nobody has
  std::optional<Preview> preview = {};
  std::vector<std::string> collections = {};  ///< in which passages can be looked for
  json::Json proposals = {};  ///< of GET /v1/collections/{collection}/templates; null: not asked for
};
/// What the form has of a policy, each value by the name of its field.
[[nodiscard]] json::Json form_fields(const json::Json& policy);
/// What a box for a template says of it: its digest.
[[nodiscard]] std::string template_digest(const json::Json& one);

/// The forms of a policy and of its templates.
[[nodiscard]] std::string rule_page(const Reader& reader, const RuleView& view);

}  // namespace akin::desk
