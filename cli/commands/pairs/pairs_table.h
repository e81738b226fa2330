// The table of pairs for an expert, and the labels that the expert returns.
#pragma once

#include <filesystem>
#include <string>

#include "cli/commands/pairs/pairs_options.h"
#include "cli/frame/command.h"
#include "server/tables/pairs_page.h"

namespace akin::cli {

struct PairsTableOptions {
  std::string file;  ///< of --table; empty: none
  std::uint64_t limit = 100;
  std::string rank_by = "resemblance";
  std::string include = "passages";
  std::uint64_t texts = tables::kDefaultPageTexts;
  std::string labels;      ///< of --labels; empty: none
  bool deletions = false;  ///< print what the labels let go, and nothing else
};

/// Adds --table, --limit, --rank-by, --include, --page-texts, --labels and --deletions to `akin pairs`.
void add_pairs_table_options(Command subcommand, PairsTableOptions& options);

/// Which pairs.
struct RequestedPairs {
  const Snapshot& snapshot;
  const PairsRequest& request;
  const std::optional<filter::Filter>& filter;
};

/// Writes the table of the requested pairs, in the format that the file's extension names; returns the
/// summary, "100 of 1,234 pairs". Labels of documents that are no longer in the collection are reported on
/// standard error. Errors: invalid_argument (an unknown file extension), unsupported (a page or
/// aligned passages for a collection without texts), io.
[[nodiscard]] Result<PairsReport> write_pairs_table(const PairsTableOptions& options, const Session& session,
                                                    const OpenCollection& opened,
                                                    const RequestedPairs& requested);

/// Prints the documents that stored labels let go, and reports contradictions on standard error (exit 2
/// then).
[[nodiscard]] Result<Exit> print_deletions(bool csv, Session& session);

/// Stores the labels of --labels. A pair with a document that is not in the collection is reported on
/// standard error and not stored; the exit code is then `error`.
[[nodiscard]] Result<Exit> take_labels(const std::string& file, Session& session);

}  // namespace akin::cli
