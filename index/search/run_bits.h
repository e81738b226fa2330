// How improbable the runs of a short text are, by the documents that have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// The bits of a run of words: -log2 of the share of the collection's documents in which it was found. A run
/// has at least as many as any part of it. docs/definitions.md has the measure.
class RunBits {
 public:
  /// For a text of `words` words, of which memory and time are quadratic.
  explicit RunBits(std::size_t words) : words_(words), covering_((words + 1) * (words + 1)) {}

  /// The runs of one document, without overlaps. All must be added before anything is asked.
  void add(std::span<const WordRange> runs);

  /// The bits of the most improbable of these runs, which were added; `documents`: of the collection.
  [[nodiscard]] double most(std::span<const WordRange> runs, std::uint64_t documents) const;

 private:
  [[nodiscard]] std::size_t cell(WordRange run) const noexcept { return run.begin * (words_ + 1) + run.end; }

  std::size_t words_;
  std::vector<std::uint64_t> covering_;  ///< by run: the documents that have it
};

}  // namespace akin
