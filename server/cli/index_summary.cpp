#include "server/cli/index_summary.h"

#include "server/api/objects.h"
#include "server/cli/format.h"

namespace akin::cli {

namespace {

void add_skipped(std::string& line, std::uint64_t count, const char* what) {
  if (count > 0) line += ", " + grouped(count) + " " + what + " skipped";
}

json::Json invalid_object(const ingest::FeedReport& feed) {
  json::Json object;
  for (const ingest::Invalid reason : ingest::kAllInvalid)
    object[ingest::invalid_name(reason)] = feed.invalid[static_cast<std::size_t>(reason)];
  return object;
}

json::Json skipped_object(const IndexOutcome& outcome) {
  const ingest::DumpSkips& skips = outcome.feed.skips;
  return {{"hidden", outcome.inputs.hidden},
          {"other", outcome.inputs.other},
          {"redirects", skips.redirects},
          {"other_namespaces", skips.other_namespaces},
          {"other_models", skips.other_models}};
}

}  // namespace

std::vector<Error> IndexOutcome::all_refused() const {
  std::vector<Error> all = inputs.refused;
  all.insert(all.end(), feed.refused.begin(), feed.refused.end());
  all.insert(all.end(), load.refused.begin(), load.refused.end());
  return all;
}

std::string invalid_words(const ingest::FeedReport& feed) {
  std::string words;
  for (const ingest::Invalid reason : ingest::kAllInvalid) {
    const std::uint64_t count = feed.invalid[static_cast<std::size_t>(reason)];
    if (count == 0) continue;
    words += (words.empty() ? "" : ", ") + grouped(count) + " " + std::string(ingest::invalid_name(reason));
  }
  return words;
}

std::string summary_line(const CommonOptions& options, const IndexOutcome& outcome) {
  const ingest::LoadResult& load = outcome.load;
  std::string line = "indexed " + counted(load.stored, "document") + " (" + byte_count(load.bytes) +
                     ") into collection '" + options.collection +
                     "': " + grouped(load.stored - load.replaced) + " new, " + grouped(load.replaced) +
                     " replaced, " + grouped(outcome.all_refused().size()) + " refused";
  if (outcome.feed.all_invalid() > 0) {
    line += ", " + grouped(outcome.feed.all_invalid()) + " left out (" + invalid_words(outcome.feed) + ")";
  }
  add_skipped(line, outcome.inputs.hidden, "hidden");
  add_skipped(line, outcome.inputs.other, "not files");
  add_skipped(line, outcome.feed.skips.redirects, "redirects");
  add_skipped(line, outcome.feed.skips.other_namespaces, "pages of other name spaces");
  add_skipped(line, outcome.feed.skips.other_models, "pages that are no wikitext");
  return line + "\n";
}

json::Json summary_object(const CommonOptions& options, const IndexOutcome& outcome, bool verbose) {
  json::Json refused = json::Json::array();
  for (const Error& error : outcome.all_refused()) refused.push_back(api::error_object(error));
  json::Json object = {{"collection", options.collection},   {"indexed", outcome.load.stored},
                       {"replaced", outcome.load.replaced},  {"bytes", outcome.load.bytes},
                       {"refused", std::move(refused)},      {"left_out", invalid_object(outcome.feed)},
                       {"skipped", skipped_object(outcome)}, {"interrupted", outcome.load.interrupted}};
  if (verbose) {
    json::Json list = json::Json::array();
    for (const LeftOutDocument& one : outcome.left_out)
      list.push_back({{"document", one.name}, {"reason", one.reason}, {"detail", one.detail}});
    object["left_out_documents"] = std::move(list);
  }
  return object;
}

}  // namespace akin::cli
