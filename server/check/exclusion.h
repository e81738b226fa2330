// Which parts of a text a check leaves out, and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "morph/schemes/scheme.h"
#include "server/check/letters.h"
#include "server/check/policy.h"

namespace akin::check {

enum class ExclusionKind : std::uint8_t { quotation, bibliography, template_text, own_earlier };

/// "quotation", "bibliography", "template", "own_earlier"
[[nodiscard]] std::string_view exclusion_name(ExclusionKind kind) noexcept;

struct Exclusion {
  ExclusionKind kind{};
  TextRange range;         ///< of the text
  std::string collection;  ///< the stored document that accounts for it; empty where there is none
  std::string id;
};

/// What a rule would have excluded if its limit allowed it.
struct NotExcluded {
  ExclusionKind kind{};
  TextRange range;
  bool too_long = false;  ///< a quotation over max_quotation_letters; else all together are over their share
};

struct ExclusionList {
  std::vector<Exclusion> excluded;
  std::vector<NotExcluded> not_excluded;
};

/// Adds quotations and bibliographies, as far as the rules ask for them. In the order of the text, each is
/// excluded if it and those of its kind before it together stay within their share of all `letters`.
void exclude_by_form(std::string_view text, const Letters& letters, const Exclusions& rules,
                     ExclusionList& list);

/// Adds the passages that a text shares with another one; `made_by` tells kind and document.
void exclude_shared(const FeatureSequence& text, const FeatureSequence& other, const Exclusion& made_by,
                    ExclusionList& list);

/// The features that are compared: all but those of which more than half of the letters and digits are
/// excluded. `rest` is `all` without what is excluded.
[[nodiscard]] FeatureSequence compared_features(const FeatureSequence& features, const Letters& all,
                                                const Letters& rest);

}  // namespace akin::check
