// The parts of a text that a check leaves out, and why.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/overlap/passages.h"
#include "index/store/document.h"
#include "morph/align/word_sequence.h"
#include "morph/schemes/scheme.h"
#include "server/check/letters.h"
#include "server/check/policy.h"

namespace akin::check {

enum class ExclusionKind : std::uint8_t {
  quotation,
  bibliography,
  template_text,
  referenced_quotation,    ///< a passage that is quoted and referenced, as Citation has it
  unreferenced_quotation,  ///< quoted only
  referenced_passage,      ///< referenced only
};
inline constexpr std::size_t kExclusionKinds = 6;

/// Whether the metadata of a document say that it is this owner's: "owner" is it, or a list that has it.
[[nodiscard]] bool belongs_to(const DocumentRecord& document, std::string_view owner);

/// "quotation", "bibliography", "template", "referenced_quotation" …
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

/// How many parts of each list are named.
inline constexpr std::size_t kMostNamedParts = 1000;

/// All that is left out of a text, and the parts that are named of it.
class ExclusionList {
 public:
  void add(Exclusion part);
  void add(NotExcluded part);
  /// Puts the lists in the text's order, without more parts than are named. Call it after the last add.
  void finish();

  std::vector<Exclusion> excluded;        ///< after finish() the first kMostNamedParts
  std::vector<NotExcluded> not_excluded;  ///< the same
  std::array<std::uint64_t, kExclusionKinds> excluded_by_kind = {};  ///< all
  std::uint64_t not_excluded_total = 0;

  [[nodiscard]] std::uint64_t excluded_total() const noexcept;
  /// What the excluded parts cover, in any order.
  [[nodiscard]] const std::vector<TextRange>& ranges() const noexcept { return ranges_; }

 private:
  std::vector<TextRange> ranges_;
  std::size_t joined_ = 0;  ///< their number when they were last joined
};

/// A part of the text that a stored document of its owner has.
struct OwnPassage {
  TextRange range;
  std::string collection, id;
};

/// All that stored documents of the owner have of a text, and the passages that are named of it. They may
/// overlap.
class OwnText {
 public:
  /// `gaps`: of the passage.
  void add(OwnPassage passage, const std::vector<TextRange>& gaps);
  /// Puts the passages in the text's order, without more than are named. Call it after the last add.
  void finish();

  std::vector<OwnPassage> passages;  ///< after finish() the first kMostNamedParts
  std::vector<TextRange> ranges;     ///< after finish() what all of them cover, in order
  std::uint64_t total = 0;

 private:
  std::size_t joined_ = 0;  ///< the number of ranges when they were last joined
};

/// Adds quotations and bibliographies, as far as the rules require it. In text order, each is excluded if it
/// and the earlier ones of its kind together stay within their share of all `letters`.
void exclude_by_form(std::string_view text, const Letters& letters, const Exclusions& rules,
                     ExclusionList& list);

/// Stretches of passages that a policy leaves out by how the text uses them.
using CitedParts = std::array<std::vector<TextRange>, kExclusionKinds>;

/// Adds cited parts, each kind in text order, while all of them stay within their share of all `letters`.
void exclude_cited(CitedParts parts, const Letters& letters, const Exclusions& rules, ExclusionList& list);

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
