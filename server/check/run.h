// Runs a check, from request to outcome: opens collections, analyses texts, takes one snapshot of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "index/collection/catalog.h"
#include "server/check/engine.h"
#include "server/check/policy.h"

namespace akin::check {

inline constexpr std::size_t kMaxCollections = 100;
/// Text of all templates of a check together.
inline constexpr std::uint64_t kMostTemplateBytes = std::uint64_t{64} << 20U;

struct CheckRequest {
  std::vector<std::string> collections;  ///< to search; 1 to kMaxCollections, without repetition
  std::optional<std::string> text;       ///< nothing: the text of the stored document
  std::string collection, id;            ///< the stored document that is checked; it is not a source
  std::optional<StoredText> stored_as =
      {};                   ///< where the text was stored after its check; not a source either
  std::string places = {};  ///< its DocumentRecord::places
  std::string owner;
  std::vector<extract::FileAlert> file_alerts = {};  ///< of the file that the text is from; none without one
  std::optional<Sha256> file_sha256 = {};            ///< of that file
  std::string policy_name;                           ///< empty if the policy was given with the request
  Policy policy;
};

/// Moves the text of a file into the request, and copies its alerts and its digest. If the policy compares
/// hidden text, that follows the text after a blank line, and the file's map has a piece for it that is on no
/// page. Requires the request's policy.
void take_file(CheckRequest& request, extract::Document& file);

/// Runs a check, and fills in text and places if they are those of a stored document. Requires a text or a
/// document. Errors: invalid_argument (collections), not_found, mismatch, invalid_utf8, too_large (also the
/// templates),
/// unsupported (a stored document or template without its text), those of CheckRequest::work.
[[nodiscard]] Result<Outcome> run_check(Catalog& catalog, CheckRequest& request);

}  // namespace akin::check
