// The parts of a text that a check leaves out, and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/passages.h"
#include "morph/align/word_sequence.h"
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
  std::string collection;  ///< the stored document that justifies it; empty if none does
  std::string id;
};

/// A part that a rule would have excluded if its limit allowed it.
struct NotExcluded {
  ExclusionKind kind{};
  TextRange range;
  bool too_long = false;  ///< a quotation over max_quotation_letters; otherwise the limit on their total
                          ///< share is exceeded
};

struct ExclusionList {
  std::vector<Exclusion> excluded;
  std::vector<NotExcluded> not_excluded;
};

/// Adds quotations and bibliographies, as far as the rules require it. In text order, each is excluded if it
/// and the earlier ones of its kind together stay within their share of all `letters`.
void exclude_by_form(std::string_view text, const Letters& letters, const Exclusions& rules,
                     ExclusionList& list);

/// Adds the passages that a text shares with another one; `made_by` gives kind and document.
void exclude_shared(const FeatureSequence& text, const FeatureSequence& other, const Exclusion& made_by,
                    ExclusionList& list);

/// Adds aligned passages; `made_by` gives kind and document.
void exclude_passages(const std::vector<Passage>& passages, const Exclusion& made_by, ExclusionList& list);

/// The words that are compared: all except those of which more than half of the letters and digits are
/// excluded.
[[nodiscard]] WordSequence compared_words(const WordSequence& words, const Letters& all, const Letters& rest);

/// The features that are compared: all except those of which more than half of the letters and digits are
/// excluded. `rest` is `all` without the excluded ranges.
[[nodiscard]] FeatureSequence compared_features(const FeatureSequence& features, const Letters& all,
                                                const Letters& rest);

}  // namespace akin::check
