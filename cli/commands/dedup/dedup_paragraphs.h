// `akin dedup --by paragraph` and others: repeated parts of texts are left out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/dedup/dedup_input.h"
#include "cli/dedup/text_cutter.h"
#include "cli/frame/line_writer.h"

namespace akin::cli {

struct ParagraphTally {
  std::uint64_t read = 0, kept = 0, changed = 0;  ///< documents
  std::uint64_t pieces = 0, repeated = 0;         ///< dedup::TextRest
  std::uint64_t words_read = 0, words_kept = 0;   ///< dedup::count_words
  std::uint64_t refused = 0;                      ///< lines that are not documents
};

/// Leaves out what the cutter leaves out of texts. One thread calls it; all cores read words.
class ParagraphFilter {
 public:
  explicit ParagraphFilter(std::unique_ptr<dedup::TextCutter> cutter) : cutter_(std::move(cutter)) {}

  /// Reads lines of JSON, and writes them to `out`, which it finishes: unchanged if nothing of them is left
  /// out, else with the rest of the text. A document whose words are all left out is dropped. Without `out`,
  /// the pieces are only remembered, and nothing is counted. Errors: those of reading and writing;
  /// unsupported (stopped).
  [[nodiscard]] Result<void> filter(const DedupSource& source, LineWriter* out);

  [[nodiscard]] const ParagraphTally& tally() const noexcept { return tally_; }
  /// The first Input::kMostTold lines that are not documents.
  [[nodiscard]] const std::vector<Error>& reported() const noexcept { return reported_; }

 private:
  struct Line;

  [[nodiscard]] Result<void> read_words(std::vector<Line>& lines) const;
  /// What is left of a line, nothing if it is dropped.
  [[nodiscard]] std::optional<std::string> rest_of(const Line& line, const dedup::LineFields& fields);

  const std::unique_ptr<dedup::TextCutter> cutter_;
  ParagraphTally tally_;
  std::vector<Error> reported_;
};

}  // namespace akin::cli
