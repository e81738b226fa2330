// The features of a text, and what a scheme is that makes them.
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
#include "morph/words/scanner.h"

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
  /// (morph/align/align.h), and two texts of so many words that share as many in a row share one. 0: they are
  /// not seeds.
  [[nodiscard]] virtual unsigned least_run() const { return 0; }
  [[nodiscard]] bool finds_passages() const { return least_run() > 0; }
  /// The shape of the grams that are its features (shape_in_a_row) if it finds passages, else 0.
  [[nodiscard]] virtual std::uint64_t seed_shape() const { return 0; }

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

}  // namespace akin
