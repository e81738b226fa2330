#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "cli/commands/common/document_flags.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"
#include "cli/frame/table.h"
#include "lab/commands/evaluate_commands.h"
#include "lab/commands/scratch_collection.h"
#include "lab/evaluate/passage_cases.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"
#include "server/ingest/load_files.h"
#include "server/json/quoted.h"
#include "server/search/search_plan.h"

namespace akin::cli {

namespace {

using api::Json;
using evaluate::FolderNames;
using evaluate::FoundSource;
using evaluate::PassageCase;
using evaluate::PassageReport;
using evaluate::SourcePair;

constexpr const char* kEvaluatePassagesExamples =
    "  akin-lab evaluate passages cases.tsv --texts susp/ --sources src/\n"
    "  akin-lab evaluate passages cases.tsv --texts susp/ --sources src/ --others overlaps.tsv\n"
    "  akin-lab evaluate passages cases.tsv --texts susp/ --sources src/ --scheme sentence-pairs --json\n"
    "\n"
    "Stores the sources in a temporary collection, searches it with each text as akin similar does without\n"
    "flags, and compares the passages of all documents found with the cases. CASES is a table with the\n"
    "columns susp, source, this_offset, this_length, source_offset and source_length: files by their paths\n"
    "in the two folders, passages in Unicode code points (after a byte order mark). The measures are those\n"
    "of PAN (Potthast et al. 2010), over characters; passages in pairs of documents without a case are\n"
    "not counted, but the pairs are. --others names a table with the columns doc_a and doc_b.";

struct PassagesOptions {
  std::string cases, texts, sources, others;
  std::vector<std::string> schemes;
};

/// What is searched for, in what, and what should be found.
struct PassageSet {
  std::string name;  ///< of the table of cases
  ingest::InputList texts, sources;
  std::vector<PassageCase> cases;
  std::set<SourcePair> known_overlaps;
};

/// The measures with one scheme.
struct PassageMethod {
  std::string scheme;
  PassageReport report;
  std::uint64_t partly_aligned = 0;  ///< texts for which not all candidates were aligned
};

Result<ingest::InputList> list_files(const std::string& flag, const std::string& folder,
                                     const Session& session) {
  std::error_code failure;
  if (!std::filesystem::is_directory(folder, failure)) {
    return Error{Errc::invalid_argument, flag, json::in_quotes(folder) + " is not a folder",
                 "name the folder that has the files"};
  }
  AKIN_TRY(ingest::InputList list, ingest::collect_inputs({folder}, "", session.options.data));
  if (!list.refused.empty()) return list.refused.front();
  if (list.files.empty()) {
    return Error{Errc::invalid_argument, flag, json::in_quotes(folder) + " has no files",
                 "name the folder that has the files"};
  }
  return list;
}

FolderNames names_of(const std::string& folder, const ingest::InputList& list) {
  std::set<std::string> names;
  for (const ingest::InputFile& file : list.files) names.insert(file.id);
  return {folder, std::move(names)};
}

Result<tables::DelimitedTable> read_case_table(const std::string& file) {
  AKIN_TRY(const std::string text, ingest::read_text(file));
  return tables::read_delimited(text, ingest::display_name(file));
}

Result<PassageSet> read_set(const PassagesOptions& options, const Session& session) {
  PassageSet set;
  AKIN_TRY(set.texts, list_files("--texts", options.texts, session));
  AKIN_TRY(set.sources, list_files("--sources", options.sources, session));
  const FolderNames texts = names_of(options.texts, set.texts);
  const FolderNames sources = names_of(options.sources, set.sources);
  AKIN_TRY(const auto cases, read_case_table(options.cases));
  set.name = cases.name;
  AKIN_TRY(set.cases, evaluate::read_passage_cases(cases, texts, sources));
  if (!options.others.empty()) {
    AKIN_TRY(const auto others, read_case_table(options.others));
    AKIN_TRY(set.known_overlaps, evaluate::read_known_overlaps(others, texts, sources));
  }
  return set;
}

Error stopped() {
  return {Errc::unsupported, "evaluate passages", "stopped by a signal", "run it again to measure"};
}

/// Stores the sources as `akin index` does. A source that cannot be stored is an error: it could not be
/// found.
Result<void> index_sources(const PassageSet& set, Collection& collection) {
  ingest::DocumentBatches batches(set.sources.files, {}, {}, nullptr);
  ingest::LoadResult loaded;
  ProgressLine progress("indexing");
  AKIN_CHECK(ingest::load_files(collection,
                                {.files = &set.sources.files,
                                 .batches = &batches,
                                 .memory = kDefaultLoadMemory,
                                 .stop = &StopOnSignal::asked(),
                                 .progress =
                                     [&](std::uint64_t documents) {
                                       progress.update(static_cast<double>(documents) /
                                                           static_cast<double>(set.sources.files.size()),
                                                       batches.bytes_read(), counted(documents, "source"));
                                     }},
                                loaded));
  if (loaded.interrupted) return stopped();
  const auto unread = batches.report().refused;
  if (!unread.empty()) return unread.front();
  if (!loaded.refused.empty()) return loaded.refused.front();
  return {};
}

/// Checks that a passage lies inside its document, whose text is given.
Result<void> check_end(const PassageSet& set, const PassageCase& one, const std::string& name,
                       TextRange passage, std::string_view text) {
  const std::size_t characters = count_code_points(text);
  if (passage.end <= characters) return {};
  return Error{Errc::invalid_argument, set.name + " line " + std::to_string(one.line),
               "the passage ends at " + grouped(passage.end) + ", but " + json::in_quotes(name) + " has " +
                   counted(characters, "character"),
               "give offsets and lengths in Unicode code points, not in bytes"};
}

Result<void> check_sources(const PassageSet& set, const Snapshot& snapshot) {
  for (const PassageCase& one : set.cases) {
    auto text = snapshot.text(one.reuse.source);
    if (text.has_error()) return std::move(text).error();
    AKIN_CHECK(check_end(set, one, one.reuse.source, one.reuse.b, *text));
  }
  return {};
}

/// What `akin similar FILE` finds, all of it.
Result<SearchResult> search_file(const Collection& collection, const std::string& text) {
  api::Question question;
  question.text = text;
  question.limit = std::numeric_limits<std::uint64_t>::max();
  AKIN_TRY(api::Found found, api::search(collection, question));
  return std::move(found.result);
}

Result<PassageMethod> measure_scheme(const PassageSet& set, const CommonOptions& options) {
  AKIN_TRY(const ScratchCollection collection, ScratchCollection::make(options));
  AKIN_CHECK(index_sources(set, *collection));
  {
    AKIN_TRY(const auto snapshot, collection->snapshot());
    AKIN_CHECK(check_sources(set, *snapshot));
  }
  std::multimap<std::string, const PassageCase*> cases;
  for (const PassageCase& one : set.cases) cases.emplace(one.reuse.document, &one);
  PassageMethod method{.scheme = collection->scheme().name(), .report = {}};
  std::vector<FoundSource> found;
  ProgressLine progress("searching");
  for (std::size_t i = 0; i < set.texts.files.size(); ++i) {
    if (StopOnSignal::asked()) return stopped();
    const auto& [path, name, bytes] = set.texts.files[i];
    AKIN_TRY(const std::string text, ingest::read_text(path));
    const auto [first, last] = cases.equal_range(name);
    for (auto one = first; one != last; ++one) {
      AKIN_CHECK(check_end(set, *one->second, name, one->second->reuse.a, text));
    }
    AKIN_TRY(SearchResult result, search_file(*collection, text));
    method.partly_aligned += result.aligned < result.alignable ? 1 : 0;
    for (Hit& hit : result.hits) found.push_back({{name, hit.document.id}, std::move(hit.passages)});
    progress.update(static_cast<double>(i + 1) / static_cast<double>(set.texts.files.size()), 0,
                    counted(i + 1, "text"));
  }
  method.report = evaluate::report_passages(set.cases, set.known_overlaps, found);
  return method;
}

std::string measure_text(double value) {
  char text[16];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

std::string part_of(std::size_t part, std::size_t whole) { return grouped(part) + " of " + grouped(whole); }

std::string set_head(const PassageSet& set, const PassageReport& report) {
  return counted(set.cases.size(), "case") + " in " + counted(report.pairs, "pair") + "; " +
         counted(set.texts.files.size(), "text") + ", " + counted(set.sources.files.size(), "source");
}

Table passages_table(const std::vector<PassageMethod>& methods, bool has_others) {
  using enum Table::Align;
  std::vector<std::string> head = {"scheme",  "recall",      "precision",  "granularity",
                                   "plagdet", "cases found", "pairs found"};
  if (has_others) head.emplace_back("known overlaps found");
  head.emplace_back("unlisted pairs found");
  std::vector<Table::Align> columns(head.size(), right);
  columns[0] = left;
  Table table(std::move(columns));
  table.add(std::move(head));
  for (const auto& [scheme, report, partly_aligned] : methods) {
    const auto& measures = report.measures;
    std::vector<std::string> row = {scheme,
                                    measure_text(measures.recall),
                                    measure_text(measures.precision),
                                    measure_text(measures.granularity),
                                    measure_text(measures.plagdet),
                                    part_of(measures.known_found, measures.known),
                                    part_of(report.pairs_found, report.pairs)};
    if (has_others) row.push_back(grouped(report.known.size()));
    row.push_back(grouped(report.unlisted.size()));
    table.add(std::move(row));
  }
  return table;
}

Json pairs_json(const std::vector<SourcePair>& pairs) {
  Json list = Json::array();
  for (const auto& [text, source] : pairs) list.push_back({{"text", text}, {"source", source}});
  return list;
}

Json method_json(const PassageMethod& method) {
  const auto& [scheme, report, partly_aligned] = method;
  Json missed = Json::array();
  for (const PassageCase& one : report.missed) {
    missed.push_back({{"line", one.line}, {"text", one.reuse.document}, {"source", one.reuse.source}});
  }
  return {{"scheme", scheme},
          {"recall", report.measures.recall},
          {"precision", report.measures.precision},
          {"granularity", report.measures.granularity},
          {"plagdet", report.measures.plagdet},
          {"cases_found", report.measures.known_found},
          {"passages_found", report.measures.found},
          {"pairs_found", report.pairs_found},
          {"missed", std::move(missed)},
          {"known_overlaps", pairs_json(report.known)},
          {"unlisted", pairs_json(report.unlisted)},
          {"partly_aligned", partly_aligned}};
}

Json passages_json(const PassageSet& set, const std::vector<PassageMethod>& methods) {
  Json list = Json::array();
  for (const PassageMethod& method : methods) list.push_back(method_json(method));
  return {{"cases", set.cases.size()},
          {"pairs", methods.front().report.pairs},
          {"texts", set.texts.files.size()},
          {"sources", set.sources.files.size()},
          {"methods", std::move(list)}};
}

Result<std::vector<PassageMethod>> measure_schemes(const PassagesOptions& options, const PassageSet& set,
                                                   const Session& session) {
  std::vector<std::string> schemes = options.schemes;
  if (schemes.empty()) schemes.push_back(session.options.scheme.value_or(std::string(kDefaultScheme)));
  for (const std::string& scheme : schemes) AKIN_CHECK(make_scheme(scheme));
  std::vector<PassageMethod> methods;
  for (const std::string& scheme : schemes) {
    CommonOptions common = session.options;
    common.scheme = scheme;
    AKIN_TRY(PassageMethod method, measure_scheme(set, common));
    methods.push_back(std::move(method));
  }
  return methods;
}

Result<Exit> run_passages(const PassagesOptions& options, Session& session) {
  AKIN_TRY(const PassageSet set, read_set(options, session));
  const StopOnSignal signals;
  AKIN_TRY(const auto methods, measure_schemes(options, set, session));
  const std::string head = set_head(set, methods.front().report);
  const Table table = passages_table(methods, !options.others.empty());
  if (session.options.json) {
    session.out << json::compact(passages_json(set, methods)) << "\n";
    return Exit::ok;
  }
  session.out << head << "\nprecision: of the passages found in pairs that have a case\n\n" << table.text();
  for (const PassageMethod& method : methods) {
    if (method.partly_aligned == 0) continue;
    session.out << "\n"
                << method.scheme << ": " << counted(method.partly_aligned, "text")
                << " of common text alone, for which only the best candidates were aligned\n";
  }
  return Exit::ok;
}

}  // namespace

void add_evaluate_passages(Program& program, Command evaluate) {
  Command command =
      program.command(evaluate, "passages", "Measure the passages that searches find against known ones",
                      kEvaluatePassagesExamples);
  auto options = std::make_shared<PassagesOptions>();
  command.add_option("CASES", options->cases, "Table of the known passages").required().type_name("");
  command.add_option("--texts", options->texts, "Folder of the texts to search with")
      .required()
      .type_name("DIR");
  command.add_option("--sources", options->sources, "Folder of the texts to search in")
      .required()
      .type_name("DIR");
  command
      .add_option("--others", options->others,
                  "Table of other pairs that share text, which are counted separately if they are found")
      .type_name("FILE");
  // One scheme is a common flag; here it may be given several times.
  command
      .add_option("--scheme", options->schemes,
                  "Kind of features; may be given several times; default: that of a new collection")
      .type_name("SPEC")
      .one_value_each_time();
  program.on(command, [options](Session& session) { return run_passages(*options, session); });
}

}  // namespace akin::cli
