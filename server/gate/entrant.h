// A document at a gate, and the search for the stored ones that it duplicates.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "index/search/text_aligner.h"
#include "server/gate/gates.h"

namespace akin::gate {

/// The result of the search for duplicates.
struct Duplicates {
  std::vector<Nearest>
      nearest;  ///< see Admission; of all that share a feature, or that may reach the threshold
  std::uint64_t count = 0;
  /// Whether the new document survives all of them; `losers` are then these.
  bool survived = true;
  std::vector<Version> losers;
};

/// A document at the gate with what its gate's measure needs to know of it.
class Entrant {
 public:
  /// All three must outlive it. Errors: as Collection::analyze_tiers.
  [[nodiscard]] static Result<Entrant> of(const Collection& collection, const Submission& submission,
                                          const Gate& gate);

  [[nodiscard]] const Submission& submission() const noexcept { return submission_; }
  /// Every feature that a duplicate may share.
  [[nodiscard]] const FeatureSequence& features() const { return tiers_ ? *tiers_ : *submission_.features; }

  /// Reads every document that can reach the threshold. Errors: as Snapshot::search.
  [[nodiscard]] Result<Duplicates> find_duplicates(const Snapshot& snapshot) const;
  /// Sets what the text shares with each of these documents. Errors: as align_hit and Snapshot::features.
  [[nodiscard]] Result<void> show_passages(const Snapshot& snapshot, std::vector<Nearest>& nearest) const;

 private:
  Entrant(const Collection& collection, const Submission& submission, const Gate& gate)
      : submission_(submission), gate_(gate), scheme_(collection.scheme()) {}

  [[nodiscard]] Result<SearchResult> find_reuse(const Snapshot& snapshot) const;
  /// A share of the first tier's features that every duplicate has; 0 if none is known.
  [[nodiscard]] double least_share() const;
  void take(Hit hit, double similarity, Duplicates& found) const;
  void count(const Hit& hit, Duplicates& found) const;

  const Submission& submission_;
  const Gate& gate_;
  const Scheme& scheme_;
  /// By Measure::words: the features of all tiers, and the text, ready to be aligned.
  std::optional<FeatureSequence> tiers_;
  std::shared_ptr<const TextAligner> aligner_;
};

}  // namespace akin::gate
