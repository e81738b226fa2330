// What `akin dedup` writes: the kept documents, clusters, pairs, and its summary.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/dedup/dedup_paragraphs.h"
#include "cli/commands/dedup/dedup_run.h"
#include "cli/dedup/corpus.h"
#include "cli/dedup/verdicts.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/output.h"
#include "server/json/json.h"

namespace akin::cli {

/// The outcome of a run.
struct DedupOutcome {
  const dedup::Corpus* corpus = nullptr;
  std::vector<dedup::Verdict> verdicts;  ///< of each document
};

/// The lines of an input.
struct DedupLines {
  std::vector<std::filesystem::path> files;
  std::vector<bool> is_document;  ///< LineInput::is_document
};

/// Fields that --mark adds.
inline const std::vector<std::string> kMarkFields = {"cluster", "duplicate_of", "share"};

/// Writes the kept lines byte for byte, each with a line feed; with `mark` all documents, with kMarkFields.
/// Without `lines`, the ids of the kept documents, or with `mark` an object for each document. Errors: those
/// of reading and writing; precondition_failed (the input has other lines than before).
[[nodiscard]] Result<void> write_kept(LineWriter& out, const DedupOutcome& outcome, const DedupLines* lines,
                                      bool mark);

/// One object for each dropped document: {"kept","dropped","share","shares"}.
[[nodiscard]] Result<void> write_dedup_pairs(LineWriter& out, const DedupOutcome& outcome);

/// One object for each kept document that covers others, in the order of the input, known ones first:
/// {"cluster","kept","dropped":[{"id","share","shares"}]}.
[[nodiscard]] Result<void> write_clusters(LineWriter& out, const DedupOutcome& outcome);

/// "read 10 documents, kept 8: 1 near-duplicate, 1 equal; …".
[[nodiscard]] std::string summary_line(const dedup::Tally& tally, const dedup::Corpus& corpus,
                                       std::uint64_t refused, std::chrono::duration<double> time);
/// The same for programs; `compared`: pairs that were aligned.
[[nodiscard]] json::Json summary_object(const dedup::Tally& tally, const dedup::Corpus& corpus,
                                        std::uint64_t compared);

/// The same for parts of texts: `piece` is "paragraph" or "line".
[[nodiscard]] std::string paragraphs_line(const ParagraphTally& tally, const std::string& piece,
                                          std::chrono::duration<double> time);
[[nodiscard]] json::Json paragraphs_object(const ParagraphTally& tally);

/// The numbers of the documents of the input that have an id; several documents may.
[[nodiscard]] std::vector<std::uint32_t> documents_with_id(const dedup::Corpus& corpus, std::string_view id);

/// Prints what was decided about a document; of a dropped one the passages that it shares with the kept one,
/// as `akin compare` does. Errors: those of reading texts.
[[nodiscard]] Result<void> print_why(std::uint32_t document, const DedupOutcome& outcome, const DedupRun& run,
                                     dedup::Measure measure, Output& out);

/// {"id","kept","duplicate_of","share","shares"}: the same without passages.
[[nodiscard]] json::Json why_object(std::uint32_t document, const DedupOutcome& outcome);

}  // namespace akin::cli
