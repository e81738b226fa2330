#include "cli/commands/pairs/pairs_options.h"

#include <chrono>
#include <cstdio>

#include "cli/commands/common/filter_option.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "index/search/tier_search.h"
#include "morph/schemes/tiers.h"
#include "server/api/read/memory_size.h"

namespace akin::cli {

namespace {

Result<void> check_conditions(const PairsOptions& options, bool reuse) {
  if (reuse || options.bound || options.min_containment || options.min_resemblance) return {};
  return Error{Errc::invalid_argument, "command line",
               "needs a condition: --bound, --min-containment or --min-resemblance",
               "give at least one; --bound 0 takes every pair that shares anything"};
}

Result<PairsRequest> read_request(const PairsOptions& options, const Session& session) {
  PairsRequest request;
  request.reuse = !options.bound && options.tier.empty() && !options.common_limit;
  AKIN_CHECK(check_conditions(options, request.reuse));
  if (options.csv && session.options.json) {
    return Error{Errc::invalid_argument, "--csv", "cannot be combined with --json", "leave one of them out"};
  }
  request.condition = {.bound = options.bound.value_or(0),
                       .min_containment = options.min_containment.value_or(0.0),
                       .min_resemblance = options.min_resemblance.value_or(0.0)};
  request.common_limit = options.common_limit;
  AKIN_TRY(request.memory, api::parse_memory_size(options.memory));
  return request;
}

}  // namespace

std::string of_candidates(std::uint64_t candidates) {
  return candidates == 0 ? std::string() : " of " + grouped(candidates) + " candidates";
}

std::string without_common(const PairsOptions& options, std::uint64_t features) {
  if (!options.common_limit) return "";
  return " (without " + common_features(features, *options.common_limit) + ")";
}

std::shared_ptr<PairsOptions> add_pairs_options(Command subcommand, const std::string& what) {
  auto options = std::make_shared<PairsOptions>();
  subcommand
      .add_option(
          "--bound", options->bound,
          "Pairs that share more features than this, of the tier of --tier or the first: pairs are then\n"
          "found by features alone")
      .type_name("N")
      .check(check_count);
  subcommand
      .add_option(
          "--min-containment", options->min_containment,
          "Pairs in which one document has at least this share (0 to 1) of the other's words or features")
      .type_name("SHARE")
      .check(check_share);
  subcommand
      .add_option("--min-resemblance", options->min_resemblance,
                  "Pairs that share at least this part (0 to 1) of the words or features of both together")
      .type_name("SHARE")
      .check(check_share);
  subcommand
      .add_option("--common-limit", options->common_limit,
                  "Leave out features that more documents of the collection than this have, such as\n"
                  "boilerplate; default: none are left out")
      .type_name("N")
      .check(check_positive);
  add_filter_option(subcommand, options->filter, "Compare only documents that this filter selects");
  subcommand
      .add_option("--memory", options->memory, "Working memory: bytes, or a number followed by K, M, G or T")
      .type_name("SIZE")
      .capture_default_str();
  subcommand.add_option("--tier", options->tier, "Compare in this tier of the collection's scheme alone")
      .type_name("NAME");
  subcommand.add_flag("--csv", options->csv, "Print comma-separated values");
  add_exit_code(subcommand, options->exit_code, what + " was found");
  return options;
}

Result<Exit> run_with_pairs(const PairsOptions& options, Session& session, const PrintPairs& print) {
  AKIN_TRY(const auto filter, filter_of(options.filter));
  AKIN_TRY(PairsRequest request, read_request(options, session));
  AKIN_TRY(const auto collection, open_collection(session.options));
  request.reuse = request.reuse && finds_reuse(collection->scheme()) && collection->keeps_texts();
  AKIN_CHECK(check_conditions(options, request.reuse));
  if (!options.tier.empty()) {
    AKIN_TRY(request.tier, find_tier(collection->scheme(), options.tier));
  }
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const StoreStats stats, snapshot->stats());
  std::stop_source stop;
  request.stop = stop.get_token();
  const auto start = std::chrono::steady_clock::now();
  PairsReport report;
  {
    ProgressLine line("comparing");
    request.progress = [&](const PairsProgress& now) {
      line.update(now.share, 0, counted(now.pairs, "pair"));
      if (session.out.lost()) stop.request_stop();
    };
    AKIN_TRY(report, print(*collection, *snapshot, request, filter));
  }
  if (session.out.lost()) return Exit::ok;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const std::string summary = report.summary + " among " + counted(stats.documents, "document") + ", in " +
                              seconds_taken(time) + "\n";
  if (options.csv || options.data_on_stdout || session.options.json) {
    std::fputs(summary.c_str(), stderr);
  } else {
    session.out << summary;
  }
  return exit_of(report.found > 0, options.exit_code);
}

}  // namespace akin::cli
