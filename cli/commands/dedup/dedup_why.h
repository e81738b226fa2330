// Why `akin dedup` kept or dropped a document, with the passages that decided.
#pragma once

#include <string>

#include "cli/commands/dedup/dedup_output.h"
#include "cli/commands/dedup/dedup_run.h"
#include "cli/frame/output.h"

namespace akin::cli {

/// The numbers of the documents of the input that have an id; several documents may.
[[nodiscard]] std::vector<std::uint32_t> documents_with_id(const dedup::Corpus& corpus, std::string_view id);

/// Prints what was decided about a document; of a dropped one the passages that it shares with the kept one,
/// as `akin compare` does. Errors: those of reading texts.
[[nodiscard]] Result<void> print_why(std::uint32_t document, const DedupOutcome& outcome, const DedupRun& run,
                                     dedup::Measure measure, Output& out);

/// {"id","kept","duplicate_of","share","shares"}: the same without passages.
[[nodiscard]] json::Json why_object(std::uint32_t document, const DedupOutcome& outcome);

}  // namespace akin::cli
