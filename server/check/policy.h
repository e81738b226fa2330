// What a submission check looks for, what it leaves out, and when it gives which verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/json/json.h"

namespace akin::check {

/// A text whose sentences every submission has: either a stored document or the text itself.
struct TemplateText {
  std::string collection;  ///< empty when the text is given
  std::string id;
  std::string text;
};

/// Parts of a text that are neither looked for nor counted. Shares are of the text's letters and digits.
struct Exclusions {
  bool quotations = false;
  double max_quotation_share = 0.3;            ///< all quotations together; what goes beyond is not excluded
  std::uint64_t max_quotation_letters = 1000;  ///< of one quotation: a longer one is not excluded
  bool bibliography = false;
  double max_bibliography_share = 0.3;
  bool own_earlier = true;  ///< what the owner's own stored documents have; needs a check with an owner
  std::vector<TemplateText> templates;
};

/// Thresholds are reached by a share that is as large; nothing means never.
struct Policy {
  std::string description;
  std::uint64_t bound = 3;        ///< a source has X over this
  double min_containment = 0.0;   ///< and X / |A| of at least this, |A| without what is excluded
  double min_source_share = 0.0;  ///< and at least this share of the compared text
  std::string filter;  ///< only documents that it accepts are sources (server/filter/filter.h); empty = all
  std::uint64_t min_passage_features = 1;  ///< shorter passages make no share and are not told
  std::optional<double> review_share = 0.25, refuse_share = 0.5;
  std::optional<double> review_source_share = 0.15, refuse_source_share = 0.4;
  std::uint64_t max_sources = 100;  ///< told; all of them make the shares
  Exclusions exclude;
};

/// The policy that is used when none is named, and none is stored by this name.
inline constexpr std::string_view kDefaultPolicy = "default";

/// Reads the object of docs/checks.md; what is absent keeps its default. Errors: invalid_argument, which name
/// the field.
[[nodiscard]] Result<Policy> parse_policy(const json::Json& object);

/// The whole policy with every field, as parse_policy reads it.
[[nodiscard]] json::Json policy_object(const Policy& policy);

}  // namespace akin::check
