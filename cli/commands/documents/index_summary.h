// What `akin index` reports at the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/documents/admit_files.h"
#include "cli/frame/program.h"
#include "server/ingest/document_batches.h"
#include "server/ingest/load_files.h"
#include "server/ingest/walk.h"
#include "server/json/json.h"

namespace akin::cli {

/// A document that was left out, for --verbose.
struct LeftOutDocument {
  std::string name;    ///< file, and page of a dump
  std::string reason;  ///< ingest::invalid_name
  std::string detail;
};

struct IndexOutcome {
  ingest::InputList inputs;
  ingest::FeedReport feed;
  ingest::LoadResult load;
  std::vector<LeftOutDocument> left_out;    ///< filled if requested
  std::optional<AdmissionTally> admission;  ///< if documents went through a gate

  [[nodiscard]] std::vector<Error> all_refused() const;
};

/// A line for each document that was left out, was refused by a gate or replaced another one, if listing them
/// was requested.
[[nodiscard]] std::string listing(const IndexOutcome& outcome);

/// Why a gate did not simply admit a document, and a line for each of the documents that a refusal names;
/// `outcome` as api::admission_object makes it.
[[nodiscard]] std::string decided_line(const std::string& name, const json::Json& outcome);

/// {"path","code","reason","remedy"} and a line feed. A document within a file is part of its path, as in
/// messages.
[[nodiscard]] std::string failure_line(const Error& error);

[[nodiscard]] std::string summary_line(const CommonOptions& options, const IndexOutcome& outcome);

/// `verbose`: also lists the documents that were left out.
[[nodiscard]] json::Json summary_object(const CommonOptions& options, const IndexOutcome& outcome,
                                        bool verbose);

}  // namespace akin::cli
