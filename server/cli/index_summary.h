// What `akin index` tells at its end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/cli/program.h"
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
  std::vector<LeftOutDocument> left_out;  ///< filled if asked for

  [[nodiscard]] std::vector<Error> all_refused() const;
};

/// "12 too_short, 3 few_letters", or empty.
[[nodiscard]] std::string invalid_words(const ingest::FeedReport& feed);

[[nodiscard]] std::string summary_line(const CommonOptions& options, const IndexOutcome& outcome);

/// `verbose`: lists the documents that were left out too.
[[nodiscard]] json::Json summary_object(const CommonOptions& options, const IndexOutcome& outcome,
                                        bool verbose);

}  // namespace akin::cli
