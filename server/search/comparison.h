// Two texts compared with each other, as a search for reuse compares a text with a stored one.
#pragma once

#include <memory>
#include <string_view>

#include "dict/dictionary.h"
#include "index/search/text_aligner.h"
#include "index/store/store.h"
#include "server/json/json.h"
#include "server/search/question.h"

namespace akin::api {

struct Comparison {
  FeatureSequence a, b;  ///< of the scheme, or of its first tier
  /// What is found of B, whose record is empty: overlap, passages, words if the texts were aligned, and
  /// tiers. The passages are aligned ones, if there are any.
  Hit hit;
  AlignedText aligned;  ///< with its changes listed; empty without alignment

  /// Whether the search would find B: by a tier, or if the scheme has none by X over `bound`.
  [[nodiscard]] bool is_found(std::uint64_t bound) const;
};

/// Compares in every tier of the scheme under the bounds of the search for reuse, if it has one; else by the
/// scheme's features. `evidence`: automatic aligns if the scheme finds passages; none is as features. Errors:
/// as extract_features and scan_text.
[[nodiscard]] Result<Comparison> compare_texts(std::string_view a, std::string_view b, const Scheme& scheme,
                                               const std::shared_ptr<const Dictionary>& dictionary,
                                               Evidence evidence);

/// {"x","a","b",measures,"passages"}, see compare_object; aligned also "words"; in tiers also "tier", null if
/// none finds B, and "tiers".
[[nodiscard]] json::Json comparison_object(const Comparison& found, const Scheme& scheme);

}  // namespace akin::api
