// A scheme turns a text into a sequence of 64-bit features, each with the character range it came from. Index
// and server know schemes only through this header.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text_range.h"
#include "dict/dictionary.h"
#include "morph/text/scanner.h"

namespace akin {

/// One feature. Its bits have no meaning except equality.
enum class Feature : std::uint64_t {};

/// A text as its scheme sees it. `hashes` and `ranges` have equal length; order is text order.
struct FeatureSequence {
  std::vector<Feature> hashes;
  std::vector<TextRange> ranges;
  /// If the scheme has tiers: the number of features of each, in the order of the tiers, which is also their
  /// order in `hashes`. Else empty.
  std::vector<std::uint64_t> tier_sizes = {};
  std::uint64_t sentences = 0;
  std::uint64_t words = 0;
  std::uint64_t code_points = 0;
  AlertCounts alert_counts;
  std::vector<Alert> alerts;  ///< the first kMaxAlerts
};

/// Processes one text: sentences in, features out.
class FeatureStream : public SentenceSink {
 public:
  /// Call once, after the last sentence. Appends what is still pending (Seq2's last element) to the sequence
  /// given to Scheme::stream.
  virtual void finish() = 0;
};

struct Tier;

class Scheme {
 public:
  virtual ~Scheme() = default;

  /// Canonical spelling with all parameters, for instance "paper-2009(ids=squared)"; make_scheme accepts it.
  /// Stored in every index.
  [[nodiscard]] virtual std::string name() const = 0;

  /// WH as this scheme sums it, for tools that explain a result: features are sums of these.
  [[nodiscard]] virtual std::uint64_t word_hash(const Word& word, const Dictionary& /*dictionary*/) const {
    return word.lemma_class.hash;
  }

  /// Whether its features depend on words only through their classes (Word::lemma_class.hash).
  [[nodiscard]] virtual bool sums_classes() const { return true; }

  /// Whether synonyms count as one word. Such a scheme needs a dictionary that has them: see
  /// features_fingerprint.
  [[nodiscard]] virtual bool joins_synonyms() const { return false; }

  /// A stream that appends to out.hashes and out.ranges. The scheme and both references must outlive it.
  [[nodiscard]] virtual std::unique_ptr<FeatureStream> stream(const Dictionary& dictionary,
                                                              FeatureSequence& out) const = 0;

  /// Whether X/|A| is the share of A that is in B. It is not if features are a sample of a fixed size.
  [[nodiscard]] virtual bool has_containment() const { return true; }

  /// Whether its features are seeds: a shared one is a reason to look for a shared passage by alignment
  /// (morph/align/align.h), and every passage of a stated length has one.
  [[nodiscard]] virtual bool finds_passages() const { return false; }

  /// The scheme whose features verify documents: itself, unless its own features are a signature that only
  /// generates candidates, or it has tiers, of which the first verifies. Lives as long as this scheme.
  [[nodiscard]] virtual const Scheme& verifying_scheme() const { return *this; }
  [[nodiscard]] bool generates_candidates() const { return &verifying_scheme() != this && tiers().empty(); }

  /// The schemes that this one joins, strictest first; a text's features are those of all of them. Empty for
  /// a single scheme.
  [[nodiscard]] virtual std::span<const Tier> tiers() const { return {}; }

  /// This scheme's features of a text, made from the features of verifying_scheme(). Requires
  /// generates_candidates().
  [[nodiscard]] virtual FeatureSequence signature(const FeatureSequence& verifying) const {
    return verifying;
  }
};

/// One of several schemes of a collection.
struct Tier {
  std::string name;
  std::shared_ptr<const Scheme> scheme;
};

/// The scheme for a specification: "NAME" or "NAME(parameter=value,…)", parameters in any order; those left
/// out have their defaults (docs/schemes.md); or the name of a preset. Error: invalid_argument; for an
/// unknown name it lists the schemes.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> make_scheme(std::string_view spec);

/// A scheme for a purpose, by name: make_scheme accepts it as a specification.
struct Preset {
  std::string_view name;
  std::string_view scheme;
  std::string_view meaning;
};

/// library, paper, news: docs/schemes.md has what each finds and costs.
[[nodiscard]] std::span<const Preset> presets() noexcept;

/// That of two texts that are compared without a collection.
inline constexpr std::string_view kComparisonScheme = "sentence-pairs";

/// That of new collections: sentence pairs verify, and seeds find passages.
inline constexpr std::string_view kDefaultScheme =
    "tiers(pairs=sentence-pairs,passages=winnow(k=5,t=12,stop=last))";

/// Covers everything that decides the features of a text besides the text and the scheme:
/// Dictionary::fingerprint, or, if the scheme joins synonyms, Dictionary::synonym_fingerprint. Error:
/// unsupported (the scheme joins synonyms, the dictionary has none).
[[nodiscard]] Result<std::string> features_fingerprint(const Scheme& scheme,
                                                       const DictionaryFingerprints& dictionary);
[[nodiscard]] Result<std::string> features_fingerprint(const Scheme& scheme, const Dictionary& dictionary);

/// Refuses a minimum containment if a scheme's features do not give the containment. Error: unsupported.
[[nodiscard]] Result<void> check_containment(const Scheme& scheme, double min_containment);

/// A kind of scheme, for help.
struct SchemeKind {
  std::string_view name;
  std::string_view spelling;  ///< with all parameters and their defaults
  std::string_view meaning;   ///< what its features are, and the values of its parameters
};

/// Every kind that a collection can be created with.
[[nodiscard]] std::vector<SchemeKind> scheme_kinds();

/// From bytes to features. `also`: receives the sentences of the same pass, too. Errors as in scan_text and
/// features_fingerprint.
[[nodiscard]] Result<FeatureSequence> extract_features(std::string_view utf8, const Dictionary& dictionary,
                                                       const Scheme& scheme, SentenceSink* also = nullptr);

}  // namespace akin
