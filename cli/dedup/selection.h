// Which texts are kept: greedily, the preferred ones first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/dedup/common_texts.h"
#include "cli/dedup/condition.h"
#include "cli/dedup/corpus.h"

namespace akin::dedup {

/// A text that is dropped: `by` covers it.
struct Cover {
  TextNumber by = 0;
  bool aligned = false;  ///< measured by alignment
  double share = 0.0;
};

enum class Fate : std::uint8_t { open, kept, dropped };

/// Measures the share by which `preferred` covers `other`, for each of the candidates.
using MeasureShares = std::function<Result<std::vector<double>>(std::span<const Candidate>)>;

struct SelectionProgress {
  double share = 0.0;          ///< of the texts, 0..1
  std::uint64_t measured = 0;  ///< pairs
};

/// Decides about each text of a corpus, in the order of preference: it is dropped if a text that was kept
/// before covers it, and kept otherwise. Of several kept texts that cover it, `cover` is the one with the
/// largest share, and of those the preferred one; shares that are known beforehand count before measured
/// ones. Nothing depends on the order of the candidates or on the memory.
///
/// Each round takes as many texts as the memory has room for their candidates, and reads the candidates once.
/// Candidates of texts with common text are found when their turn comes. Memory: 29 bytes a text, and 16 a
/// candidate of the round. One thread.
class Selection {
 public:
  /// `least`: the smallest share that covers. `common`: finds more candidates; null: there are none. The
  /// corpus must outlive it, `common` its run.
  Selection(const Corpus& corpus, double least, CommonTexts* common = nullptr);

  /// `files`: of candidates, at least one; more are made beside the first. `memory`: bytes for the candidates
  /// of a round; one text's may take more. Errors: io, those of `common`, `measure` and `progress`.
  [[nodiscard]] Result<void> run(std::vector<std::filesystem::path> files, std::uint64_t memory,
                                 const MeasureShares& measure,
                                 const std::function<Result<void>(const SelectionProgress&)>& progress);

  [[nodiscard]] Fate fate(TextNumber text) const { return fates_[text]; }
  /// Requires a dropped text.
  [[nodiscard]] const Cover& cover(TextNumber text) const { return covers_[text]; }
  [[nodiscard]] std::uint64_t measured() const noexcept { return measured_; }

 private:
  /// Texts by their rank: a range.
  struct Ranks {
    std::size_t begin = 0, end = 0;
  };
  using Candidates = std::vector<Candidate>;

  [[nodiscard]] Result<std::vector<std::uint32_t>> count_candidates(
      const std::vector<std::filesystem::path>& files) const;
  /// By the ranks of both texts, each once.
  void arrange(Candidates& candidates) const;
  /// Those of the texts of a round, arranged.
  [[nodiscard]] Result<Candidates> read_round(const std::vector<std::filesystem::path>& files,
                                              Ranks round) const;
  /// Decides about the texts of a round until CommonTexts is full; returns the end of those decided.
  [[nodiscard]] Result<std::size_t> decide_round(
      Ranks round, std::span<const Candidate> candidates, const MeasureShares& measure,
      const std::function<Result<void>(const SelectionProgress&)>& progress);
  /// Adds the candidates of texts with common text, in the order of preference, and arranges all.
  [[nodiscard]] Result<void> add_common(std::span<const TextNumber> texts, Candidates& candidates);
  /// Writes the candidates that kept texts with common text are for all from a rank on, counts them by rank,
  /// and forgets these kept texts.
  [[nodiscard]] Result<void> write_common(std::size_t begin, const std::filesystem::path& file,
                                          std::vector<std::uint32_t>& counts);
  /// Keeps the texts of a round of which there are no candidates.
  void keep_others(Ranks round, std::span<const Candidate> candidates);
  /// Decides about all texts of which there are candidates, which are all of theirs.
  [[nodiscard]] Result<void> decide(std::span<Candidate> candidates, const MeasureShares& measure);
  /// Offers what is known of the candidates of one text; adds what must be measured to `due`. Whether all of
  /// their preferred texts are decided.
  bool look_at(std::span<Candidate> of_text, std::vector<Candidate*>& due);
  /// Measures and offers them, and empties `due`.
  [[nodiscard]] Result<void> measure_all(std::vector<Candidate*>& due, const MeasureShares& measure);
  void offer(const Candidate& candidate, bool aligned);

  const Corpus& corpus_;
  const double least_;
  CommonTexts* const common_;
  std::vector<TextNumber> order_;    ///< texts, the preferred ones first
  std::vector<std::uint32_t> rank_;  ///< of each text in `order_`
  std::vector<Fate> fates_;
  std::vector<Cover> covers_;  ///< share 0: nothing covers the text so far
  std::uint64_t measured_ = 0;
};

/// Bytes of candidates as they are in files.
[[nodiscard]] std::string_view bytes_of(const Candidate& candidate) noexcept;

}  // namespace akin::dedup
