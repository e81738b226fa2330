// A check from its request to its outcome: opens collections, analyses texts, takes one snapshot of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "index/catalog.h"
#include "server/check/engine.h"
#include "server/check/policy.h"

namespace akin::check {

inline constexpr std::size_t kMaxCollections = 100;

struct CheckRequest {
  std::vector<std::string> collections;  ///< to look in; 1 to kMaxCollections, each once
  std::optional<std::string> text;       ///< nothing: the stored document's
  std::string collection, id;            ///< the stored document that is checked; it is no source
  std::string owner;
  std::string policy_name;  ///< empty when the policy was given with the request
  Policy policy;
};

/// Checks, and fills in the text where it is a stored document's. Requires a text or a document. Errors:
/// invalid_argument (collections), not_found, mismatch, invalid_utf8, too_large, unsupported (a stored
/// document or template without its text).
[[nodiscard]] Result<Outcome> run_check(Catalog& catalog, CheckRequest& request);

}  // namespace akin::check
