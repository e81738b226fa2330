#include "cli/commands/documents/index_summary.h"

#include <map>

#include "cli/frame/format.h"
#include "server/api/write/gate_objects.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

void add_skipped(std::string& line, std::uint64_t count, const std::string& what) {
  if (count > 0) line += ", " + what + " skipped";
}

void add_word(std::string& words, std::uint64_t count, std::string_view what) {
  if (count > 0) words += (words.empty() ? "" : ", ") + grouped(count) + " " + std::string(what);
}

/// "12 too_short, 3 few_letters".
std::string invalid_words(const ingest::FeedReport& feed) {
  std::string words;
  for (const ingest::Invalid reason : ingest::kAllInvalid)
    add_word(words, feed.invalid[static_cast<std::size_t>(reason)], ingest::invalid_name(reason));
  return words;
}

std::string reason_words(const AdmissionTally& tally) {
  std::string words;
  for (const gate::Reason reason : gate::kAllReasons)
    add_word(words, tally.refused[static_cast<std::size_t>(reason)], api::reason_name(reason));
  return words;
}

std::string stored_words(const IndexOutcome& outcome) {
  const ingest::LoadResult& load = outcome.load;
  std::string words;
  if (!outcome.admission) {
    words = grouped(load.stored - load.replaced) + " new, " + grouped(load.replaced) + " replaced";
    add_word(words, outcome.feed.unchanged, "unchanged");
    return words;
  }
  const AdmissionTally& tally = *outcome.admission;
  words = grouped(tally.admitted) + " new";
  add_word(words, outcome.feed.unchanged, "unchanged");
  add_word(words, tally.grouped, "in groups");
  add_word(words, tally.repeated, "already stored");
  add_word(words, tally.replaced, "replaced by them");
  if (tally.all_refused() > 0)
    words += ", " + grouped(tally.all_refused()) + " kept out by the gate (" + reason_words(tally) + ")";
  return words;
}

/// "3 refused (2 file_damaged, 1 type_unsupported)".
std::string refused_words(const IndexOutcome& outcome) {
  std::map<std::string_view, std::uint64_t> codes;
  for (const Error& error : outcome.all_refused()) ++codes[error_name(error.code)];
  std::string words;
  std::uint64_t all = 0;
  for (const auto& [code, count] : codes) {
    add_word(words, count, code);
    all += count;
  }
  return grouped(all) + " refused" + (all > 0 ? " (" + words + ")" : "");
}

json::Json admission_summary(const AdmissionTally& tally) {
  json::Json refused;
  for (const gate::Reason reason : gate::kAllReasons)
    refused[api::reason_name(reason)] = tally.refused[static_cast<std::size_t>(reason)];
  return {{"admitted", tally.admitted},
          {"grouped", tally.grouped},
          {"repeated", tally.repeated},
          {"replaced", tally.replaced},
          {"refused", std::move(refused)}};
}

json::Json invalid_object(const ingest::FeedReport& feed) {
  json::Json object;
  for (const ingest::Invalid reason : ingest::kAllInvalid)
    object[ingest::invalid_name(reason)] = feed.invalid[static_cast<std::size_t>(reason)];
  return object;
}

json::Json skipped_object(const IndexOutcome& outcome) {
  const ingest::DumpSkips& skips = outcome.feed.skips;
  return {{"hidden", outcome.inputs.hidden + outcome.feed.hidden},
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

std::string decided_line(const std::string& name, const json::Json& outcome) {
  std::string line =
      outcome["verdict"].get<std::string>() + " " + name + ": " + outcome["reason"].get<std::string>();
  if (const json::Json& nearest = outcome["nearest"]; !nearest.is_null()) {
    line += " of " + nearest["id"].get<std::string>() + ", " + outcome["gate"]["measure"].get<std::string>() +
            " " + percent(nearest["similarity"].get<double>());
  }
  if (const json::Json& group = outcome["group"]; !group.is_null())
    line += ", in " + group.get<std::string>();
  for (const json::Json& id : outcome["replaced"]) line += ", replacing " + id.get<std::string>();
  line += "\n";
  for (const json::Json& one : outcome["similar"]) {
    if (!one.contains("passages")) break;
    line += "  " + percent(one["similarity"].get<double>()) + "  " + one["id"].get<std::string>() + ", " +
            counted(one["passages"].size(), "passage") + "\n";
  }
  return line;
}

std::string listing(const IndexOutcome& outcome) {
  std::string lines;
  for (const LeftOutDocument& one : outcome.left_out)
    lines += "left out " + one.name + ": " + one.reason + ", " + one.detail + "\n";
  if (!outcome.admission) return lines;
  for (const DecidedDocument& one : outcome.admission->decided) lines += decided_line(one.name, one.outcome);
  return lines;
}

std::string failure_line(const Error& error) {
  return json::compact({{"path", error.what},
                        {"code", error_name(error.code)},
                        {"reason", error.reason},
                        {"remedy", error.remedy}}) +
         "\n";
}

std::string summary_line(const CommonOptions& options, const IndexOutcome& outcome) {
  const ingest::LoadResult& load = outcome.load;
  std::string line = "indexed " + counted(load.stored, "document") + " (" + byte_count(load.bytes) +
                     ") into collection '" + options.collection + "': " + stored_words(outcome) + ", " +
                     refused_words(outcome);
  if (outcome.feed.all_invalid() > 0) {
    line += ", " + grouped(outcome.feed.all_invalid()) + " left out (" + invalid_words(outcome.feed) + ")";
  }
  const ingest::InputList& inputs = outcome.inputs;
  if (load.stored != inputs.files.size())
    line += ", of " + counted(inputs.files.size(), "file") + " (" + byte_count(inputs.bytes()) + ")";
  const ingest::DumpSkips& skips = outcome.feed.skips;
  const std::uint64_t hidden = outcome.inputs.hidden + outcome.feed.hidden;
  add_skipped(line, hidden, grouped(hidden) + " hidden");
  add_skipped(line, outcome.inputs.other,
              grouped(outcome.inputs.other) + " devices, pipes and links to folders");
  add_skipped(line, skips.redirects, counted(skips.redirects, "redirect"));
  add_skipped(line, skips.other_namespaces, counted(skips.other_namespaces, "page") + " of other namespaces");
  add_skipped(line, skips.other_models, counted(skips.other_models, "page") + " without wikitext");
  return line + "\n";
}

json::Json summary_object(const CommonOptions& options, const IndexOutcome& outcome, bool verbose) {
  json::Json refused = json::Json::array();
  for (const Error& error : outcome.all_refused()) refused.push_back(api::full_error_object(error));
  json::Json object = {{"collection", options.collection},
                       {"indexed", outcome.load.stored},
                       {"replaced", outcome.load.replaced},
                       {"unchanged", outcome.feed.unchanged},
                       {"bytes", outcome.load.bytes},
                       {"files", outcome.inputs.files.size()},
                       {"file_bytes", outcome.inputs.bytes()},
                       {"refused", std::move(refused)},
                       {"left_out", invalid_object(outcome.feed)},
                       {"skipped", skipped_object(outcome)},
                       {"interrupted", outcome.load.interrupted}};
  if (outcome.admission) object["gate"] = admission_summary(*outcome.admission);
  if (!verbose) return object;
  json::Json list = json::Json::array();
  for (const LeftOutDocument& one : outcome.left_out)
    list.push_back({{"document", one.name}, {"reason", one.reason}, {"detail", one.detail}});
  object["left_out_documents"] = std::move(list);
  if (!outcome.admission) return object;
  json::Json decided = json::Json::array();
  for (const DecidedDocument& one : outcome.admission->decided)
    decided.push_back({{"document", one.name}, {"outcome", one.outcome}});
  object["gate_documents"] = std::move(decided);
  return object;
}

}  // namespace akin::cli
