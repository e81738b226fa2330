#include "cli/commands/pairs/pairs_options.h"

#include <chrono>
#include <cstdio>

#include "cli/frame/format.h"
#include "cli/frame/progress.h"

namespace akin::cli {

std::string of_candidates(std::uint64_t candidates) {
  return candidates == 0 ? std::string() : " of " + grouped(candidates) + " candidates";
}

std::string without_common(const PairsRequest& request, std::uint64_t features) {
  if (!request.common_limit) return "";
  return " (without " + common_features(features, *request.common_limit) + ")";
}

std::shared_ptr<PairsOptions> add_pairs_options(Command subcommand, std::string_view operation,
                                                std::initializer_list<std::string_view> parameters,
                                                const std::string& what) {
  auto options = std::make_shared<PairsOptions>();
  options->flags.add(subcommand, operation, parameters);
  subcommand.add_flag("--csv", options->csv, "Print comma-separated values");
  add_exit_code(subcommand, options->exit_code, what + " was found");
  return options;
}

Result<Exit> run_with_pairs(const PairsOptions& options, Session& session, const PrintPairs& print) {
  if (options.csv && session.options.json) {
    return Error{Errc::invalid_argument, "--csv", "cannot be combined with --json", "leave one of them out"};
  }
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  AKIN_CHECK(api::pairs_question(parameters, nullptr));
  AKIN_TRY(const auto collection, open_collection(session.options));
  AKIN_TRY(api::PairsQuestion question, api::pairs_question(parameters, collection.collection.get()));
  PairsRequest& request = question.request;
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
    AKIN_TRY(report, print(collection, *snapshot, request, question.filter));
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
