// How much of one text another one has, by alignment of both.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/dedup/selection.h"
#include "cli/dedup/word_outline.h"
#include "index/collection/collection.h"
#include "index/overlap/passages.h"
#include "index/search/word_cache.h"

namespace akin::dedup {

/// The id of a text in the index of a run: ten digits, so that the order of ids is that of the numbers.
[[nodiscard]] std::string index_id(TextNumber text);
[[nodiscard]] TextNumber text_of_id(std::string_view id);

/// What a share is a part of.
enum class Measure : std::uint8_t { containment, resemblance };

/// Measures shares of words, on all cores. One thread calls it.
class ShareMeter {
 public:
  /// `memory`: bytes of what is remembered of texts. The collection, which has `texts` texts, must outlive
  /// it.
  ShareMeter(const Collection& collection, TextNumber texts, Measure measure, double least,
             std::uint64_t memory)
      : collection_(collection),
        measure_(measure),
        least_(least),
        most_outlined_(memory / kOutlinesPart),
        outlines_(texts),
        words_(memory - memory / kOutlinesPart) {}

  /// Leaves out candidates that can't reach `least`, since too few words of one text occur in the other: as
  /// a rule, both share only a notice. Candidates of texts whose outlines found no room in memory stay.
  /// Errors: those of reading texts.
  [[nodiscard]] Result<void> drop_impossible(std::vector<Candidate>& candidates);

  /// The share of each candidate by the words in passages that both texts share, aligned from `preferred`; if
  /// that is below `least`, by the words in passages and in equal sentences; 0 of some that are below
  /// `least`. Errors: those of reading texts.
  [[nodiscard]] Result<std::vector<double>> measure(std::span<const Candidate> candidates);

 private:
  /// The part of the memory in which outlines of texts are kept.
  static constexpr std::uint64_t kOutlinesPart = 3;

  [[nodiscard]] double share_of(const MatchedWords& words) const noexcept {
    return measure_ == Measure::containment ? words.b_share() : words.resemblance();
  }
  /// Makes the outlines that candidates need, as long as there is memory.
  [[nodiscard]] Result<void> outline_texts(std::span<const Candidate> candidates);
  [[nodiscard]] bool may_reach_least(const Candidate& candidate) const;
  [[nodiscard]] Result<void> measure_some(std::span<const Candidate> candidates, std::span<double> shares);

  const Collection& collection_;
  const Measure measure_;
  const double least_;
  const std::uint64_t most_outlined_;  ///< bytes
  std::atomic<std::uint64_t> outlined_ = 0;
  std::vector<std::unique_ptr<const WordOutline>> outlines_;  ///< of each text; null: not made
  WordCache words_;
};

}  // namespace akin::dedup
