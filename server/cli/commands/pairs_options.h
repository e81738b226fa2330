// The flags that pairs and groups share, and the frame of their work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/cli/frame/program.h"

namespace akin::cli {

struct PairsOptions {
  std::optional<std::uint64_t> bound;
  std::optional<double> min_containment;
  std::optional<double> min_resemblance;
  std::string memory = "1G";
  std::string tier;  ///< empty: the collection's first, or it has none
  bool csv = false;
  bool exit_code = false;
  bool data_on_stdout = false;  ///< by another flag than --csv and --json: the summary is for standard error
};

/// What a command made of pairs.
struct PairsReport {
  std::string summary;      ///< "3 pairs"
  std::uint64_t found = 0;  ///< pairs or groups
};

/// Adds --bound, --min-containment, --min-resemblance, --memory, --tier, --csv and --exit-code to a
/// subcommand. `what` is found: "a pair".
[[nodiscard]] std::shared_ptr<PairsOptions> add_pairs_options(Command subcommand, const std::string& what);

/// " of 12 nominated", what a summary adds where the collection's scheme only nominates; else empty.
[[nodiscard]] std::string of_nominees(std::uint64_t nominees);

/// Opens the collection and runs `tell(collection, snapshot, request)`, with progress on a terminal. The
/// request's stop is asked for once nobody reads the output any more. The summary that `tell` returns
/// is printed with the number of documents and the time, behind a table on standard output, else on
/// standard error. Errors: invalid_argument (no condition, --csv with --json), those of `tell`.
[[nodiscard]] Result<Exit> run_with_pairs(
    const PairsOptions& options, Session& session,
    const std::function<Result<PairsReport>(const Collection&, const Snapshot&, PairsRequest&)>& tell);

}  // namespace akin::cli
