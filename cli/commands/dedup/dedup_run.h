// From the documents of a corpus to the verdicts about them, by a temporary index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

#include "cli/dedup/common_texts.h"
#include "cli/dedup/condition.h"
#include "cli/dedup/corpus.h"
#include "cli/dedup/input.h"
#include "cli/dedup/selection.h"
#include "cli/dedup/share_meter.h"
#include "cli/frame/workspace.h"

namespace akin::cli {

/// The work on one corpus. Call load once for each input, those of known documents first, then select.
class DedupRun {
 public:
  /// Opens the index in `folder`, or makes it with the scheme of `options`. `is_resumed`: an earlier run may
  /// have put a part of the same documents into it. `stop`: that of the StopTokenOnSignal that lives as long.
  [[nodiscard]] static Result<DedupRun> open(const CommonOptions& options,
                                             const std::filesystem::path& folder, bool is_resumed,
                                             std::uint64_t memory, std::stop_token stop);

  /// Reads all documents of an input, and indexes each text that is new. Errors: those of reading and of the
  /// index; unsupported (stopped by a signal).
  [[nodiscard]] Result<void> load(dedup::Input& input);
  /// The documents read so far are known.
  void all_are_known() { corpus_.all_are_known(); }

  /// Errors: as Snapshot::pairs; unsupported (stopped by a signal).
  [[nodiscard]] Result<dedup::Selection> select(const dedup::Condition& condition);

  [[nodiscard]] const dedup::Corpus& corpus() const noexcept { return corpus_; }
  [[nodiscard]] const Collection& index() const noexcept { return *index_; }
  /// Texts that the index refused; their documents are kept.
  [[nodiscard]] const std::vector<Error>& refused() const noexcept { return refused_; }

 private:
  DedupRun(OpenCollection index, CommonOptions options, std::filesystem::path folder, std::uint64_t memory,
           std::stop_token stop)
      : index_(std::move(index)),
        options_(std::move(options)),
        folder_(std::move(folder)),
        memory_(memory),
        stop_(std::move(stop)) {}

  [[nodiscard]] Result<std::vector<OwnedDocument>> read_some(dedup::Input& input, std::uint64_t bytes);
  /// Writes the candidates of one tier into a file, unless an earlier run has finished it. `common`: gets the
  /// common features, which make none; null: what the features say needs no alignment, and none is common.
  [[nodiscard]] Result<void> find_candidates(const Snapshot& snapshot, std::optional<std::size_t> tier,
                                             const dedup::Condition& condition, dedup::CommonTexts* common,
                                             const std::filesystem::path& file);

  OpenCollection index_;
  CommonOptions options_;  ///< of the index
  std::filesystem::path folder_;
  std::vector<bool> is_indexed_;  ///< texts that an earlier run has indexed
  std::uint64_t memory_;
  std::stop_token stop_;
  dedup::Corpus corpus_;
  std::vector<Error> refused_;
};

}  // namespace akin::cli
