// A check: how much of a text is found in stored documents, and the verdict of a policy on that. It reads
// snapshots and writes nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/held_memory.h"
#include "extract/document.h"
#include "index/collection/collection.h"
#include "index/collection/text_style.h"
#include "index/search/text_aligner.h"
#include "morph/align/word_sequence.h"
#include "server/check/excerpts.h"
#include "server/check/exclusion.h"
#include "server/check/letters.h"
#include "server/check/other_languages.h"
#include "server/check/policy.h"
#include "server/check/repeats.h"

namespace akin::check {

/// The text as analysed under one scheme with one set of dictionaries.
struct Analysis {
  std::shared_ptr<const Scheme> scheme;
  FeatureSequence features;
};

/// The text as one set of dictionaries reads it.
struct Reading {
  std::shared_ptr<const Dictionary> dictionary;
  WordSequence words;
  TextStyle style;                    ///< empty if the policy does not compare styles
  std::vector<StylePart> parts = {};  ///< of the text, as `style`
};

/// A tier of a collection, or the features of one without tiers.
struct SearchedTier {
  std::size_t tier = 0;
  std::string name;          ///< empty without tiers
  std::size_t analysis = 0;  ///< number of the analysis under its scheme and dictionaries
  bool verified = false;     ///< alignment decides what it finds, see Scheme::finds_passages
};

/// What is compared of a text and a collection.
struct StyleContrast {
  TextStyle text, usual;
  OtherLanguages others = {};  ///< those of the text for which the collection has no dictionary
};

/// A collection to search.
struct SearchedCollection {
  std::string name;
  std::string generation;  ///< the token of the snapshot's index
  const Snapshot* snapshot = nullptr;
  std::string scheme;               ///< the collection's, as its index names it
  std::vector<SearchedTier> tiers;  ///< at least one
  /// If it keeps texts and the policy compares styles: that of the checked text, read with its dictionaries,
  /// and its usual one, if the text is long enough to be compared.
  std::optional<StyleContrast> styles = {};
  /// Whether passages are aligned ones. Requires a collection that keeps texts.
  bool aligned = false;
  std::shared_ptr<const Dictionary> dictionary;  ///< reads words for alignment
};

/// A template, analysed under each scheme.
struct AnalyzedTemplate {
  std::string collection, id;  ///< empty if its text was given
  std::string text;
  std::vector<FeatureSequence> features;
  std::optional<HeldMemory> held = {};  ///< for them
};

/// The place of a stored document.
struct StoredText {
  std::string collection, id;
};

class Citations;

/// Views and what pointers point to must stay valid during the call.
struct CheckInput {
  std::string_view text;
  const Letters* letters = nullptr;                  ///< all of the text
  const Citations* citations = nullptr;              ///< of the text
  std::string_view owner;                            ///< of the text; empty = none
  std::vector<extract::FileAlert> file_alerts = {};  ///< of the file that the text is from
  /// Stored documents that are the text itself: they are neither sources nor own earlier ones.
  std::vector<StoredText> itself = {};
  std::vector<Analysis> analyses;
  /// One for each dictionary of the collections. The first reads the text by itself, and judges disguised
  /// words.
  std::vector<Reading> readings;
  std::vector<SearchedCollection> collections;
  std::size_t templates = 0;
  /// Reads one of the templates; they are in memory one at a time.
  std::function<Result<AnalyzedTemplate>(std::size_t number)> read_template = {};
};

enum class Verdict : std::uint8_t { pass, review, refuse };

/// "pass", "review", "refuse"
[[nodiscard]] std::string_view verdict_name(Verdict verdict) noexcept;

/// The reason for a verdict other than `pass`.
struct Reason {
  enum class Kind : std::uint8_t {
    share,            ///< of the text found in all sources together
    source_share,     ///< found in one source
    own_share,        ///< found in the owner's own stored documents
    too_short,        ///< no document could have more than `bound` of so few features: nothing was checked
    alerts,           ///< of one kind, per 1,000 words
    unknown_words,    ///< many more than in any of the collections
    sentence_length,  ///< of many more or fewer words than in any of the collections
    quotations,       ///< the share of the text between quotation marks
    disguise,         ///< what its file hides or shows otherwise, as a share of the file
  };
  Kind kind{};
  Verdict verdict = Verdict::review;
  double value = 0;
  double threshold = 0;
  std::uint64_t sources = 0;                ///< source_share: how many reach the threshold
  std::string collection, id;               ///< source_share: the first of them
  AlertKind alert{};                        ///< alerts: their kind
  std::uint64_t alerts = 0;                 ///< alerts: their number
  extract::FileAlertKind file_alert{};      ///< disguise: its kind
  std::optional<std::uint64_t> words = {};  ///< too_short: Outcome::aligned_words
  std::uint64_t needed_words = 0;           ///< too_short: Policy::min_passage_words
  double usual = 0;  ///< unknown_words, sentence_length: in the most similar collection, `collection`
};

/// How a text uses a passage (references.h).
struct Citation {
  bool quoted = false, referenced = false;
  friend bool operator==(const Citation&, const Citation&) = default;
};

/// A stored document that contains some of the text.
struct Source {
  std::string collection;
  StoredDocument document;
  std::string tier;                   ///< the first that found it; empty without tiers
  Overlap overlap;                    ///< of the compared features of the collection's first tier searched
  std::optional<MatchedWords> words;  ///< if the passages are aligned: of the compared words
  std::vector<Passage> passages;      ///< the first kMostNamedParts; `a` may extend over excluded parts
  /// What differs within each of `passages`; none, if they are not aligned.
  std::vector<std::vector<TextChange>> changes = {};
  std::vector<Citation> citations = {};  ///< one for each of `passages`
  /// The document's text around `passages`, as long as those of all sources have room (kMostExcerptBytes);
  /// empty if the collection keeps no texts.
  std::vector<Excerpt> excerpts = {};
  std::uint64_t passages_total = 0;
  std::vector<TextRange> found =
      {};                     ///< the stretches of its passages that count, without their gaps; joined
  std::uint64_t letters = 0;  ///< of the compared text in `found`
  std::uint64_t extent = 0;   ///< and in whole passages, with their gaps
  std::uint64_t only = 0;     ///< those of `letters` that no other source has
  /// The number, from 1, of the first listed source with the same passages, such as another edition of it; 0
  /// if none.
  std::size_t same_as = 0;
};

/// Letters and digits of the text: total = excluded + compared, found <= compared. `quoted` are those between
/// quotation marks, whether they are excluded or not; `own` <= compared those that the owner's documents
/// have, whether a source has them too or not; `extent` >= found those in whole passages, with the words
/// between that only the text has.
struct LetterCounts {
  std::uint64_t total = 0, compared = 0, found = 0, quoted = 0, own = 0, extent = 0;
};

/// Features under one scheme: found <= compared <= total. Found are those that a source has; if passages are
/// aligned, those that lie in them.
struct FeatureCounts {
  std::string scheme;
  std::uint64_t total = 0, compared = 0, found = 0;
  bool finds_passages = false;  ///< Scheme::finds_passages
};

/// The state of an index that was searched. Equal states have equal content: every document put raises
/// last_revision, and every removal lowers the number of documents.
struct IndexState {
  std::string collection, scheme, generation;
  StoreStats stats;
  /// Documents that alignment had to verify, and how many it did.
  std::uint64_t alignable = 0, aligned = 0;
  /// Without a common_limit: the compared text that very many documents have (search_beside). Of these only
  /// as many are sources by it as its passages need.
  std::optional<CommonText> common_text = {};
  std::optional<StyleContrast> styles = {};  ///< see SearchedCollection
  /// If the policy has a common_limit: the compared features that it left out, each occurrence counted, in
  /// all searched tiers.
  std::optional<std::uint64_t> common = {};
};

/// The result of a check. The same input over the same indexes gives the same outcome.
struct Outcome {
  Verdict verdict = Verdict::pass;
  std::vector<Reason> reasons;  ///< those for refusing before those for reviewing
  LetterCounts letters;
  std::vector<FeatureCounts> features;
  std::uint64_t code_points = 0, sentences = 0, words = 0;
  AlertCounts alert_counts;
  std::vector<Alert> alerts;  ///< the first kMaxAlerts
  std::vector<extract::FileAlert> file_alerts;
  std::uint64_t sources_total = 0;  ///< all sources, also those that are not listed
  /// The first max_sources: by letters, then x, then contained, all descending; then by collection and id.
  std::vector<Source> sources;
  ExclusionList exclusions;
  OwnText own;
  std::vector<Repeat> repeats;  ///< the first kMostNamedParts
  std::uint64_t repeats_total = 0;
  std::vector<IndexState> index;
  std::string fingerprint;  ///< of the dictionaries; several, with commas, if the collections' differ
  /// Words that are compared, if passages are aligned: from Policy::min_passage_words on the text can share
  /// one.
  std::optional<std::uint64_t> aligned_words = {};

  /// The share of the compared text that is found in any source; 0 if nothing is compared.
  [[nodiscard]] double share() const noexcept;
  /// The share of it that the owner's documents have.
  [[nodiscard]] double own_share() const noexcept;
  [[nodiscard]] double share(const Source& source) const noexcept;
};

/// Errors: as Snapshot::search; those of CheckInput::work. Requires at least one collection.
[[nodiscard]] Result<Outcome> check_text(const CheckInput& input, const Policy& policy);

}  // namespace akin::check
