// The flags that pairs and groups share, and the frame of their work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands/common/declared_flags.h"
#include "cli/frame/program.h"
#include "server/search/filtered_pairs.h"

namespace akin::cli {

struct PairsOptions {
  DeclaredFlags flags;  ///< the conditions, which are parameters of findPairs or findGroups
  bool csv = false;
  bool exit_code = false;
  bool data_on_stdout = false;  ///< by a flag other than --csv, --json: the summary goes to standard error
};

/// The result of a command over pairs.
struct PairsReport {
  std::string summary;      ///< "3 pairs"
  std::uint64_t found = 0;  ///< pairs or groups
};

/// Adds these parameters of the operation as flags, --csv and --exit-code to a subcommand. `what` names a
/// result: "a pair".
[[nodiscard]] std::shared_ptr<PairsOptions> add_pairs_options(
    Command subcommand, std::string_view operation, std::initializer_list<std::string_view> parameters,
    const std::string& what);

/// " of 12 candidates", which a summary adds if the collection's scheme only generates candidates; else
/// empty.
[[nodiscard]] std::string of_candidates(std::uint64_t candidates);

/// " (without 7 features that more than 50 documents have)": what --common-limit left out; empty without it.
[[nodiscard]] std::string without_common(const PairsRequest& request, std::uint64_t features);

using PrintPairs = std::function<Result<PairsReport>(const OpenCollection&, const Snapshot&, PairsRequest&,
                                                     const std::optional<filter::Filter>&)>;

/// Opens the collection and runs `print(collection, snapshot, request, filter)`, with progress on a terminal.
/// Requests a stop once nobody reads the output any more. Prints the summary that `print` returns, with the
/// number of documents and the time: after a table on standard output, else on standard error. Errors:
/// invalid_argument (no condition, --csv with --json), those of `print`.
[[nodiscard]] Result<Exit> run_with_pairs(const PairsOptions& options, Session& session,
                                          const PrintPairs& print);

}  // namespace akin::cli
