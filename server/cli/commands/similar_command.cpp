#include <optional>
#include <utility>

#include "base/utf8.h"
#include "server/api/file_object.h"
#include "server/api/objects.h"
#include "server/api/search_query.h"
#include "server/cli/commands/commands.h"
#include "server/cli/commands/encoding_option.h"
#include "server/cli/commands/evidence.h"
#include "server/cli/frame/format.h"
#include "server/ingest/input.h"
#include "server/ingest/places.h"
#include "server/ingest/read_document.h"

namespace akin::cli {

namespace {

constexpr const char* kSimilarExamples =
    "  akin similar essay.txt                    stored documents that share text with essay.txt\n"
    "  akin similar - < essay.txt                the same from standard input\n"
    "  akin similar essay.pdf                    a PDF, DjVu, DOCX, DOC, ODT, EPUB, FB2, RTF or HTML; "
    "passages with "
    "their pages\n"
    "  akin similar --id chekhov/vanka.txt       what else is like this stored document?\n"
    "  akin similar essay.txt --bound 0          a single shared feature is enough\n"
    "  akin similar essay.txt --best --limit 3   the three nearest, however little they share\n"
    "  akin similar essay.txt --tiers pairs,sentences:5   in two tiers of the collection, each with its "
    "bound\n"
    "  akin similar essay.txt --common-limit 50  without what more than 50 documents have: boilerplate\n"
    "  akin similar essay.txt --json | jq .      for programs\n"
    "\n"
    "Without flags, akin finds every stored document that shares a passage with the text, by all tiers of\n"
    "the collection: 12 words in a row are enough. With --bound N, exactly those that share more than N\n"
    "features of the first tier, which are pairs of neighbouring sentences. Ranges count characters\n"
    "(Unicode code points) of the text after a byte order mark.";

struct SimilarOptions {
  std::string file;
  ingest::DocumentReading reading;
  std::string id;
  std::optional<std::uint64_t> bound;
  std::optional<double> min_containment;
  std::optional<std::uint64_t> common_limit;
  std::string evidence = "true";
  std::uint64_t limit = 10;
  std::uint64_t offset = 0;
  bool best = false;
  bool no_evidence = false;
  bool exit_code = false;
  std::size_t passages = 5;
  std::string tiers;
};

/// What is searched for: a text of the user's or a stored document.
struct Subject {
  std::string name;
  std::string text;        ///< empty if the collection stores no texts
  extract::Document file;  ///< without its text; of a stored document nothing
};

Result<Subject> subject_from_file(const std::string& file, const ingest::DocumentReading& reading) {
  Subject subject{.name = ingest::display_name(file), .text = {}, .file = {}};
  AKIN_TRY(subject.file, ingest::read_document(file, reading));
  subject.text = std::move(subject.file.text);
  return subject;
}

Result<Subject> stored_subject(const std::string& id, const Snapshot& snapshot) {
  Result<std::string> text = snapshot.text(id);
  if (text.has_error() && text.error().code != Errc::unsupported) return text.error();
  AKIN_TRY(const auto record, snapshot.find(id));
  return Subject{one_line(id, kMaxIdBytes), text.has_error() ? std::string() : std::move(*text),
                 record ? ingest::decode_places(record->places) : extract::Document()};
}

std::string title_line(const DocumentRecord& document) {
  const std::string title = one_line(document.title, 100);
  return one_line(document.id, kMaxIdBytes) + (title.empty() ? "" : "  " + title);
}

std::string headline(const SearchRequest& request, const SearchResult& result, std::size_t tiers) {
  if (!result.counted) return "the best " + counted(result.hits.size(), "document") + ", not counting all\n";
  std::string line = counted(result.total, "document");
  line += result.total == 1 ? " shares" : " share";
  if (tiers == 0) line += " more than " + counted(request.bound, "feature") + " with it";
  if (tiers != 0) line += " text with it";
  if (tiers == 0 && request.min_containment > 0)
    line += ", at least " + percent(request.min_containment) + " of all";
  if (result.total > 0) line += ", showing " + grouped(result.hits.size());
  if (request.offset > 0 && !result.hits.empty()) line += " from number " + grouped(request.offset + 1);
  return line + "\n";
}

/// Why nothing was found, if it cannot be otherwise; else empty.
std::string hint_line(const api::SearchQuery& query, const SearchResult& result) {
  const std::string hint = api::nothing_found_hint(query, result);
  return hint.empty() ? "" : "(" + hint + ")\n";
}

/// "in pairs (X > 3) 12 of 250, in words (X > 40) 14": what each tier found.
std::string tiers_line(const api::SearchQuery& query, const SearchResult& result, const Scheme& scheme) {
  std::string line;
  for (std::size_t i = 0; i < query.tiers.size(); ++i) {
    const TierQuery& tier = query.tiers[i];
    line += (i == 0 ? "by " : ", by ") + scheme.tiers()[tier.tier].name + " (";
    line += tier.verified && tier.bound == 0 ? "aligned" : "X > " + grouped(tier.bound);
    if (tier.verified && tier.bound > 0) line += ", aligned";
    if (tier.min_words > 0) line += ", " + percent(tier.min_words) + " of the shorter text";
    if (tier.min_containment > 0) line += ", " + percent(tier.min_containment) + " of all";
    line += ")";
    if (result.counted) line += ": " + grouped(result.tier_totals[i]);
  }
  line += "\n";
  if (result.aligned < result.alignable) {
    line += "(aligned the " + counted(result.aligned, "document") + " that share most of " +
            grouped(result.alignable) + " candidates)\n";
  }
  return line;
}

/// What --common-limit left out of the query; empty without it.
std::string common_line(const api::SearchQuery& query) {
  if (!query.common_limit) return "";
  return "without " + common_features(query.all_left_out(), *query.common_limit) + "\n";
}

/// "by pairs: 12 of 250; words: 30 of 4,000 (not found by it)"
std::string found_by_line(const Hit& hit, const Scheme& scheme) {
  std::string line;
  for (const TierOverlap& one : hit.tiers) {
    line += (line.empty() ? "by " : "; ") + scheme.tiers()[one.tier].name + ": " + grouped(one.overlap.x) +
            " of " + grouped(one.overlap.b_features) + (one.found ? "" : " (not found by it)");
  }
  return line;
}

/// A search and what it found.
struct Found {
  const Scheme& scheme;
  const Snapshot& snapshot;
  const api::SearchQuery& query;
  const SearchRequest& request;
  const SearchResult& result;
};

Result<void> print_result(const Subject& subject, const Found& found, std::size_t passages, Output& out) {
  const auto& [scheme, snapshot, query, request, result] = found;
  const FeatureSequence& features = query.reported();
  out << subject.name << ": " << counted(features.sentences, "sentence") << ", "
      << counted(features.hashes.size(), "feature");
  if (!features.alerts.empty()) {
    out << ", " << counted(features.alerts.size(), "disguised word") << " (akin features lists them)";
  }
  out << "\n"
      << file_alert_lines(subject.file) << headline(request, result, query.tiers.size())
      << hint_line(query, result);
  if (!query.tiers.empty()) out << tiers_line(query, result, scheme);
  out << common_line(query);
  const SlicedText query_text(subject.text);
  std::uint64_t number = request.offset;
  for (const Hit& hit : result.hits) {
    out << "\n"
        << grouped(++number) << ". " << title_line(hit.document) << "\n   "
        << shares_line(hit.overlap, "the query") << "\n";
    if (api::is_same_file(subject.file.sha256, hit.document)) out << kSameFileLine;
    if (!hit.tiers.empty()) out << "   " << found_by_line(hit, scheme) << "\n";
    if (hit.words) out << "   " << words_line(*hit.words, "the query") << "\n";
    if (!request.evidence) continue;
    const Result<std::string> text = snapshot.text(hit.document.id);
    if (text.has_error()) {
      if (text.error().code != Errc::unsupported) return text.error();
      out << "   (this collection keeps no texts: --json prints the passages' ranges)\n";
      continue;
    }
    const SlicedText document(*text);
    const extract::Document places = ingest::decode_places(hit.document.places);
    print_passages(out, hit.passages, {query_text, document, "query", "document", &subject.file, &places},
                   passages);
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
  SearchRequest request;
  request.best_only = options.best;
  request.limit = options.limit;
  request.offset = options.offset;
  request.evidence = !options.no_evidence;
  request.exclude = {options.id};
  const Scheme& scheme = collection->scheme();
  api::SearchChoices choices{.tiers = {},
                             .bound = options.bound,
                             .min_containment = options.min_containment,
                             .best_only = options.best,
                             .evidence = {},
                             .common_limit = options.common_limit};
  if (!options.tiers.empty()) {
    AKIN_TRY(choices.tiers, api::parse_tiers(options.tiers));
  }
  AKIN_TRY(choices.evidence, api::parse_evidence(options.no_evidence ? "false" : options.evidence));
  AKIN_TRY(api::SearchQuery query, api::plan_query(scheme, collection->keeps_texts(), choices));
  Subject subject;
  if (options.id.empty()) {
    AKIN_TRY(subject, subject_from_file(options.file, options.reading));
    AKIN_CHECK(api::analyze_query(query, *collection, subject.text));
  }
  AKIN_TRY(const auto snapshot, collection->snapshot());
  if (!options.id.empty()) {
    AKIN_TRY(subject, stored_subject(options.id, *snapshot));
    AKIN_CHECK(api::read_query(query, *collection, *snapshot, options.id));
  }
  AKIN_CHECK(api::leave_common_out(query, *snapshot));
  AKIN_TRY(SearchResult result, api::find_similar(*snapshot, scheme, query, request));
  AKIN_CHECK(api::leave_common_out(result.hits, query, *snapshot));
  query.describe(request);
  if (session.options.json) {
    api::Json object = api::similar_object(request, result, scheme, query.tiers);
    api::add_common(object, query, scheme);
    api::add_hint(object, query, result);
    if (options.id.empty()) {
      api::add_file(object, "results", subject.file);
      for (std::size_t i = 0; i < result.hits.size(); ++i)
        api::add_same_file(object["results"][i], subject.file.sha256, result.hits[i].document);
    } else {
      api::add_query_places(object["results"], subject.file);
    }
    session.out << object.dump() << "\n";
  } else {
    const Found found{scheme, *snapshot, query, request, result};
    AKIN_CHECK(print_result(subject, found, options.passages, session.out));
    if (scheme.generates_candidates()) {
      session.out << "\n"
                  << counted(result.candidates, "candidate") << " generated by " << scheme.name()
                  << ",\nverified by " << scheme.verifying_scheme().name() << "\n";
    }
  }
  return exit_of(result.total > 0, options.exit_code);
}

}  // namespace

void add_similar_command(Program& program) {
  Command command = program.command("similar", "Find every stored document that shares text with a given one",
                                    kSimilarExamples);
  auto options = std::make_shared<SimilarOptions>();
  command.add_option("FILE", options->file, "File of the query; - is standard input").type_name("");
  add_encoding_option(command, options->reading.encoding);
  command
      .add_option("--id", options->id, "Use this stored document as the query; it is left out of the answer")
      .type_name("ID");
  command
      .add_option("--bound", options->bound,
                  "Find documents that share more features than this, instead of all that share text")
      .type_name("N")
      .check(check_count);
  command.add_flag(
      "--best", options->best,
      "Find only the best --limit documents and do not count the others; --bound then defaults to 0");
  command
      .add_option("--min-containment", options->min_containment,
                  "Find only documents with at least this share (0 to 1) of the query's features")
      .type_name("SHARE")
      .check(check_share);
  command
      .add_option("--common-limit", options->common_limit,
                  "Leave out features that more documents of the collection than this have, such as\n"
                  "boilerplate; default: none are left out")
      .type_name("N")
      .check(check_positive);
  command.add_option("--limit", options->limit, "Documents shown; the total counts all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command.add_option("--offset", options->offset, "Documents skipped, best first")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command
      .add_option("--tiers", options->tiers,
                  "Search in these tiers of the collection's scheme, strictest first: names separated by\n"
                  "commas, each optionally with a :BOUND of its own; all = every tier")
      .type_name("NAME,NAME:N");
  command
      .add_option("--evidence", options->evidence,
                  "What the passages are: features (runs of shared features), aligned (word by word; needs\n"
                  "stored texts), or true: aligned if alignment found the documents")
      .type_name("KIND")
      .one_of({"true", "features", "aligned"})
      .capture_default_str();
  command.add_flag("--no-evidence", options->no_evidence, "Leave the shared passages out");
  command.add_option("--passages", options->passages, "Passages shown per document, largest first; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  add_exit_code(command, options->exit_code, "a document was found");
  program.on(command, [options](Session& session) { return run_similar(*options, session); });
}

}  // namespace akin::cli
