#include <optional>
#include <utility>

#include "base/utf8.h"
#include "server/api/objects.h"
#include "server/cli/commands.h"
#include "server/cli/evidence.h"
#include "server/cli/format.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin similar essay.txt                    stored documents that share text with essay.txt\n"
    "  akin similar - < essay.txt                the same from standard input\n"
    "  akin similar --id chekhov/vanka.txt       what else is like this stored document?\n"
    "  akin similar essay.txt --bound 0          a single shared feature is enough\n"
    "  akin similar essay.txt --best --limit 3   the three that are nearest, however little they share\n"
    "  akin similar essay.txt --json | jq .      for programs\n"
    "\n"
    "A feature of the default scheme is a pair of neighbouring sentences. Every stored document that\n"
    "shares more than --bound features is found. Ranges count characters (Unicode code points) of the\n"
    "text behind a byte order mark. Exit 1 if something was found, 0 if nothing, 2 on an error.";

constexpr std::uint64_t kDefaultBound = 3;

struct SimilarOptions {
  std::string file;
  std::string id;
  std::optional<std::uint64_t> bound;
  double min_containment = 0.0;
  std::uint64_t limit = 10;
  std::uint64_t offset = 0;
  bool best = false;
  bool no_evidence = false;
  std::size_t passages = 5;
};

/// The query: a text of the user's or a stored document.
struct Query {
  std::string name;
  std::string text;
  FeatureSequence features;
};

/// Reads standard input or a file before any snapshot is open: an open one holds back the reuse of pages.
Result<Query> query_from_file(const std::string& file, const Collection& collection) {
  Query query;
  query.name = ingest::display_name(file);
  AKIN_TRY(query.text, ingest::read_text(file));
  AKIN_TRY(query.features, collection.analyze(query.text));
  return query;
}

Result<Query> stored_query(const std::string& id, const Snapshot& snapshot) {
  Query query;
  query.name = one_line(id, kMaxIdBytes);
  Result<std::string> text = snapshot.text(id);
  if (text.has_error() && text.error().code != Errc::unsupported) return text.error();
  if (!text.has_error()) query.text = std::move(*text);
  AKIN_TRY(query.features, snapshot.features(id));
  return query;
}

std::string title_line(const DocumentRecord& document) {
  const std::string title = one_line(document.title, 100);
  return one_line(document.id, kMaxIdBytes) + (title.empty() ? "" : "  " + title);
}

std::string headline(const SearchRequest& request, const SearchResult& result) {
  if (!result.counted) return "the best " + counted(result.hits.size(), "document") + ", not counting all\n";
  std::string line = counted(result.total, "document");
  line += result.total == 1 ? " shares" : " share";
  line += " more than " + counted(request.bound, "feature") + " with it";
  if (request.min_containment > 0) line += ", at least " + percent(request.min_containment) + " of all";
  line += ", showing " + grouped(result.hits.size());
  if (request.offset > 0 && !result.hits.empty()) line += " from number " + grouped(request.offset + 1);
  return line + "\n";
}

Result<void> print_result(const Query& query, const SearchRequest& request, const SearchResult& result,
                          std::size_t passages, const Snapshot& snapshot, Output& out) {
  out << query.name << ": " << counted(query.features.sentences, "sentence") << ", "
      << counted(query.features.hashes.size(), "feature");
  if (!query.features.alerts.empty()) {
    out << ", " << counted(query.features.alerts.size(), "disguised word") << " (akin features lists them)";
  }
  out << "\n" << headline(request, result);
  const SlicedText query_text(query.text);
  std::uint64_t number = request.offset;
  for (const Hit& hit : result.hits) {
    out << "\n"
        << grouped(++number) << ". " << title_line(hit.document) << "\n   "
        << shares_line(hit.overlap, "the query") << "\n";
    if (!request.evidence) continue;
    const Result<std::string> text = snapshot.text(hit.document.id);
    if (text.has_error()) {
      if (text.error().code != Errc::unsupported) return text.error();
      out << "   (this collection keeps no texts: --json tells the passages' ranges)\n";
      continue;
    }
    print_passages(out, hit.passages, query_text, SlicedText(*text), {"query", "document"}, passages);
  }
  return {};
}

Result<Exit> run_similar(const SimilarOptions& options, Session& session) {
  if (options.file.empty() == options.id.empty()) {
    return Error{Errc::invalid_argument, "similar", "needs exactly one query: a FILE (or -) or --id ID",
                 "see akin similar --help"};
  }
  AKIN_CHECK(validate_utf8(options.id, "id"));
  AKIN_TRY(const auto collection, open_collection(session.options));
  Query query;
  if (options.id.empty()) {
    AKIN_TRY(query, query_from_file(options.file, *collection));
  }
  AKIN_TRY(const auto snapshot, collection->snapshot());
  if (!options.id.empty()) {
    AKIN_TRY(query, stored_query(options.id, *snapshot));
  }
  SearchRequest request;
  request.query = &query.features;
  request.best_only = options.best;
  request.bound = options.bound.value_or(options.best ? 0 : kDefaultBound);
  request.min_containment = options.min_containment;
  request.limit = options.limit;
  request.offset = options.offset;
  request.evidence = !options.no_evidence;
  request.exclude = {options.id};
  AKIN_TRY(const SearchResult result, snapshot->search(request));
  if (session.options.json) {
    session.out << api::similar_object(request, result, collection->scheme()).dump() << "\n";
  } else {
    AKIN_CHECK(print_result(query, request, result, options.passages, *snapshot, session.out));
    if (collection->scheme().nominates()) {
      session.out << "\n"
                  << counted(result.nominees, "document") << " nominated by " << collection->scheme().name()
                  << ",\njudged by " << collection->scheme().judge().name() << "\n";
    }
  }
  return result.total > 0 ? Exit::found : Exit::ok;
}

}  // namespace

void add_similar_command(Program& program) {
  auto& command =
      program.command("similar", "Find every stored document that shares text with a given one", kExamples);
  auto options = std::make_shared<SimilarOptions>();
  command.add_option("FILE", options->file, "Text to look for; - is standard input")->type_name("");
  command.add_option("--id", options->id, "Look for this stored document instead (itself left out)")
      ->type_name("ID");
  command.add_option("--bound", options->bound, "Found is what shares more features than this")
      ->type_name("N")
      ->check(check_count)
      ->default_str("3");
  command.add_flag(
      "--best", options->best,
      "Look for the best --limit documents only and do not count all; --bound is then 0 unless given");
  command
      .add_option("--min-containment", options->min_containment,
                  "Found is only what holds at least this share (0 to 1) of the query's features")
      ->type_name("SHARE")
      ->check(check_share)
      ->capture_default_str();
  command.add_option("--limit", options->limit, "Documents shown; the total counts all")
      ->type_name("N")
      ->check(check_count)
      ->capture_default_str();
  command.add_option("--offset", options->offset, "Documents passed over, best first")
      ->type_name("N")
      ->check(check_count)
      ->capture_default_str();
  command.add_flag("--no-evidence", options->no_evidence, "Leave the shared passages out");
  command.add_option("--passages", options->passages, "Passages shown of a document, largest first; 0 = all")
      ->type_name("N")
      ->check(check_count)
      ->capture_default_str();
  program.on(command, [options](Session& session) { return run_similar(*options, session); });
}

}  // namespace akin::cli
