// What a submission check searches for, what it leaves out, and when it gives which verdict.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "extract/document.h"
#include "morph/normalize/alert.h"
#include "server/json/json.h"

namespace akin::check {

/// A text whose sentences occur in every submission: either a stored document or the text itself.
struct TemplateText {
  std::string collection;  ///< empty if the text is given
  std::string id;
  std::string text;
  friend bool operator==(const TemplateText&, const TemplateText&) = default;
};

/// Parts of a text that are neither searched for nor counted. Shares are of the text's letters and digits.
struct Exclusions {
  bool quotations = false;
  double max_quotation_share = 0.3;            ///< all quotations together; further ones are not excluded
  std::uint64_t max_quotation_letters = 1000;  ///< in one quotation: a longer one is not excluded
  bool bibliography = false;
  double max_bibliography_share = 0.3;
  /// Passages that a source has, by how the text uses them (Citation).
  bool referenced_quotations = false, unreferenced_quotations = false, referenced_passages = false;
  double max_cited_share = 0.3;  ///< all such passages together; further ones are not excluded
  /// The owner's own stored documents are not sources. Text that they have is compared with all others; needs
  /// a check with an owner.
  bool own_earlier = true;
  std::vector<TemplateText> templates;  ///< each once
};

/// Fewer alerts of a kind are chance, and reach no threshold.
inline constexpr std::uint64_t kMinAlerts = 3;
inline constexpr double kDefaultReviewAlerts = 5;
/// Lists of literature have titles in Latin letters, as many journals demand.
inline constexpr double kDefaultReviewTransliterated = 250;

/// The style of a shorter text is chance, and so is that of a collection with fewer words in its sample.
inline constexpr std::uint64_t kMinStyleWords = 100;
inline constexpr std::uint64_t kMinUsualWords = 1000;
inline constexpr double kDefaultReviewUnknownWords = 0.2;

/// In the order of kAlertKinds.
using ReviewAlerts = std::array<std::optional<double>, kAlertKinds.size()>;

[[nodiscard]] constexpr ReviewAlerts default_review_alerts() {
  ReviewAlerts thresholds;
  thresholds.fill(kDefaultReviewAlerts);
  thresholds[static_cast<std::size_t>(AlertKind::transliterated)] = kDefaultReviewTransliterated;
  return thresholds;
}

/// In the order of extract::FileAlertKind: hidden_text, unreadable_glyphs, wrong_characters,
/// pages_without_text, mended_encoding, type_contradicted, ocr, shown_otherwise, repeated_text,
/// language_contradicted, part_missing, text_left_out, script_text, interleaved_text.
using ReviewDisguise = std::array<std::optional<double>, extract::kFileAlertNames.size()>;
inline constexpr ReviewDisguise kDefaultReviewDisguise = {
    0.01, 0.05, 0.01,         0.2,          std::nullopt, std::nullopt, std::nullopt,
    0.15, 0.25, std::nullopt, std::nullopt, 0.25,         std::nullopt, 0.25};

/// A share reaches a threshold if it is equal or greater; a threshold without a value is never reached.
struct Policy {
  std::string description;
  /// Names of the tiers that are searched; empty = all. A collection without tiers has none to name.
  std::vector<std::string> tiers;
  std::uint64_t bound = 3;       ///< the X of a source exceeds this, or it shares an aligned passage
  double min_containment = 0.0;  ///< and its X / |A| is at least this, with |A| without the excluded parts
  /// Features that more documents of a searched collection than this have are left out; at least 1.
  std::optional<std::uint64_t> common_limit;
  double min_source_share = 0.0;  ///< and its share of the compared text is at least this
  std::string filter;  ///< only documents that it accepts are sources (server/filter/filter.h); empty = all
  std::uint64_t min_passage_features = 1;  ///< shorter passages count for no share and are not reported
  std::uint64_t min_passage_words = 12;    ///< the same for aligned passages, in matched words; 4 to 1000
  std::optional<double> review_share = 0.25, refuse_share = 0.5;
  std::optional<double> review_source_share = 0.15, refuse_source_share = 0.4;
  /// The share of the compared text that the owner's own stored documents have.
  std::optional<double> review_own_share;
  /// By kind: the number of alerts per 1,000 words that is to be reviewed, if there are kMinAlerts.
  ReviewAlerts review_alerts = default_review_alerts();
  /// By kind of alert of a file: the share of the file that is to be reviewed.
  ReviewDisguise review_disguise = kDefaultReviewDisguise;
  /// Whether the hidden text of a file is compared too, after its visible text.
  bool compare_hidden = false;
  /// A larger share of unknown words, by this difference, than is usual in any of the collections.
  std::optional<double> review_unknown_words = kDefaultReviewUnknownWords;
  /// So many times as many words a sentence as are usual in any of the collections, or as few.
  std::optional<double> review_sentence_length = 5.0;
  /// The share of the letters and digits between quotation marks (find_quotations) that is to be reviewed.
  std::optional<double> review_quotations = 0.75;
  /// After how many days its checks are deleted; 0: never; without a value: as the server does.
  std::optional<std::uint64_t> keep_days;
  /// For how many days its checks are computed again when documents arrive; 0 or without a value: not at all.
  std::optional<std::uint64_t> stand_days;
  bool store_files = true;          ///< whether its checks keep the files that were handed in
  std::uint64_t readers = 1;        ///< persons who must agree on a decision: 1 or 2
  std::uint64_t max_sources = 100;  ///< how many are reported; all of them count for the shares
  Exclusions exclude;
};

/// The policy of checks that name none, unless one is stored under this name.
inline constexpr std::string_view kDefaultPolicy = "default";

/// Reads the object of docs/checks.md; absent fields keep their defaults. Errors: invalid_argument, which
/// name the field.
[[nodiscard]] Result<Policy> parse_policy(const json::Json& object);

/// The whole policy with every field, as parse_policy reads it.
[[nodiscard]] json::Json policy_object(const Policy& policy);

}  // namespace akin::check
