#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/error.h"
#include "base/utf8.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/declared_flags.h"
#include "cli/commands/common/document_flags.h"
#include "cli/commands/common/evidence.h"
#include "cli/frame/format.h"
#include "cli/frame/program.h"
#include "cli/frame/workspace.h"
#include "extract/document.h"
#include "server/api/routes/search.h"
#include "server/api/write/file_object.h"
#include "server/ingest/input.h"
#include "server/ingest/places.h"
#include "server/ingest/read_document.h"
#include "server/search/question.h"
#include "server/search/search_plan.h"

namespace akin::cli {

namespace {

/// What is searched for, where, and how much of it is printed.
struct AcrossRequest {
  api::Question question;
  std::string_view collections;   ///< their names, separated by commas
  const extract::Document& file;  ///< of the text; empty for a stored document
  std::size_t passages = 0;       ///< printed of each document; 0 = all
  bool whole = false;             ///< whether they are printed to their ends
};

constexpr std::size_t kShownLetters = 100;

std::string side_line(const api::Json& passage, const char* side, const char* name, std::size_t letters) {
  const api::Json& text = passage.at(std::string(side) + "_text");
  return std::string("      ") + name + "  " + passage.at(side)[0].dump() + "–" + passage.at(side)[1].dump() +
         "  " +
         (text.is_string() ? one_line(text.get_ref<const std::string&>(), letters)
                           : std::string("(not shown)")) +
         "\n";
}

std::uint64_t size_of(const api::Json& passage) {
  return passage.value("words", passage.value("features", std::uint64_t{0}));
}

void print_found(Output& out, std::vector<api::Json> passages, const AcrossRequest& request) {
  std::ranges::stable_sort(passages, std::greater(), [](const api::Json& one) { return size_of(one); });
  const std::size_t shown =
      request.passages == 0 ? passages.size() : std::min(request.passages, passages.size());
  const std::size_t letters = request.whole ? std::numeric_limits<std::size_t>::max() : kShownLetters;
  for (const api::Json& passage : std::span(passages).first(shown)) {
    out << "   passage of " << counted(size_of(passage), passage.contains("words") ? "word" : "feature")
        << "\n"
        << side_line(passage, "a", "query", letters) << side_line(passage, "b", "document", letters);
  }
  if (shown < passages.size())
    out << "   and " << counted(passages.size() - shown, "smaller passage") << " (--passages 0 shows all)\n";
}

void print_answer(const api::Json& answer, const AcrossRequest& request, Output& out) {
  const std::uint64_t features = answer.at("query").at("features").get<std::uint64_t>();
  out << counted(answer.at("query").at("sentences").get<std::uint64_t>(), "sentence") << ", "
      << counted(features, "feature") << "\n";
  for (const auto& [name, total] : answer.at("collections").items())
    out << name << ": " << (total.is_null() ? "not counted" : counted(total.get<std::uint64_t>(), "document"))
        << "\n";
  if (answer.contains("hint")) out << "(" << answer.at("hint").get<std::string>() << ")\n";
  std::uint64_t number = request.question.offset;
  for (const api::Json& result : answer.at("results")) {
    const Overlap overlap{.x = result.at("x").get<std::uint64_t>(),
                          .a_features = features,
                          .b_features = result.at("features").get<std::uint64_t>(),
                          .has_containment = !result.at("containment").is_null()};
    const std::string title = one_line(result.at("title").get<std::string>(), kShownLetters);
    out << "\n"
        << grouped(++number) << ". " << result.at("collection").get<std::string>() << "/"
        << one_line(result.at("id").get<std::string>(), kMaxIdBytes) << (title.empty() ? "" : "  " + title)
        << "\n   " << shares_line(overlap, "the query") << "\n";
    if (result.contains("passages"))
      print_found(out, result.at("passages").get<std::vector<api::Json>>(), request);
  }
}

/// Searches the collections at the same time, wherever they are kept, and prints the answer of the interface,
/// or the same for people. Returns whether something was found. Errors: as api::search_across; not_found,
/// which names the collections that there are.
Result<bool> search_collections(const AcrossRequest& request, Session& session) {
  AKIN_TRY(const auto catalog, open_catalog(session.options, false));
  api::Collections collections;
  for (const std::string_view name : split(request.collections, ',')) {
    AKIN_TRY(auto collection, with_collections(catalog->get(std::string(name)), *catalog, "--collections"));
    collections.push_back(std::move(collection));
  }
  AKIN_TRY(auto state, find_state(session.options));
  TextReadings readings(std::move(state), catalog);
  api::Question question = request.question;
  question.hides_text = readings.noting();
  if (!question.text) question.collection = session.options.collection;
  if (!session.options.json) {
    question.ids_only = false;
    question.passage_text =
        question.evidence != api::Evidence::none &&
        std::ranges::all_of(collections, [](const auto& one) { return one->keeps_texts(); });
  }
  AKIN_TRY(api::Json answer, api::search_across(collections, question));
  if (question.text) api::add_file(answer, "results", request.file);
  if (session.options.json) {
    session.out << answer.dump() << "\n";
  } else {
    print_answer(answer, request, session.out);
  }
  return !answer.at("results").empty();
}

constexpr const char* kSimilarExamples =
    "  akin similar essay.txt                    stored documents that share text with essay.txt\n"
    "  akin similar - < essay.txt                the same from standard input\n"
    "  akin similar essay.pdf                    a PDF, DjVu, DOCX, DOC, ODT, EPUB, FB2, RTF or HTML; "
    "passages with "
    "their pages\n"
    "  akin similar --id chekhov/vanka.txt       what else is like this stored document?\n"
    "  akin similar essay.txt --collections theses,web   in several collections at once\n"
    "  akin similar essay.txt --bound 0          a single shared feature is enough\n"
    "  akin similar essay.txt --sort containment --limit 3   the three nearest, however little they share\n"
    "  akin similar essay.txt --tiers pairs,passages:5   in two tiers of the collection, the second with a "
    "bound\n"
    "  akin similar essay.txt --min-words 8      exact quotations of 8 words or more, too\n"
    "  akin similar essay.txt --common-limit 50  without what more than 50 documents have: boilerplate\n"
    "  akin similar essay.txt --json | jq .      for programs\n"
    "\n"
    "Without flags, akin finds every stored document that shares a passage with the text, by all tiers of\n"
    "the collection: 12 words in a row are enough, and 4 if the text itself has fewer than 12. With\n"
    "--bound N, exactly those that share more than N features of the first tier, which are pairs of\n"
    "neighbouring sentences. Ranges count characters (Unicode code points) of the text after a byte order\n"
    "mark.";

struct SimilarOptions {
  std::string file;
  ingest::DocumentReading reading;
  std::string id;
  DeclaredFlags flags;
  bool exit_code = false, whole = false;
  std::size_t passages = 5;
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

Result<Subject> stored_subject(const StoredDocument& document, const Snapshot& snapshot) {
  Result<std::string> text = snapshot.text(document);
  if (text.has_error() && text.error().code != Errc::unsupported) return text.error();
  return Subject{one_line(document.id, kMaxIdBytes), text.has_error() ? std::string() : std::move(*text),
                 ingest::decode_places(document.places)};
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

/// Why nothing was found, or not all; else empty.
std::string hint_line(const api::SearchPlan& plan, const SearchResult& result) {
  const std::string hint = api::not_found_hint(plan, result);
  return hint.empty() ? "" : "(" + hint + ")\n";
}

/// "in pairs (X > 3) 12 of 250, in words (X > 40) 14": what each tier found.
std::string tiers_line(const api::SearchPlan& plan, const SearchResult& result, const Scheme& scheme) {
  std::string line;
  for (std::size_t i = 0; i < plan.tiers.size(); ++i) {
    const TierQuery& tier = plan.tiers[i];
    line += (i == 0 ? "by " : ", by ") + scheme.tiers()[tier.tier].name + " (";
    line += tier.verified && tier.bound == 0 ? "aligned" : "X > " + grouped(tier.bound);
    if (tier.verified && tier.bound > 0) line += ", aligned";
    if (tier.min_word_share > 0) line += ", " + percent(tier.min_word_share) + " of the shorter text";
    if (tier.min_bits > 0) line += " or an improbable passage";
    if (tier.min_containment > 0) line += ", " + percent(tier.min_containment) + " of all";
    line += ")";
    if (result.counted) line += ": " + grouped(result.tier_totals[i]);
  }
  line += "\n";
  if (result.common) {
    line +=
        common_words(*result.common) +
        (result.common->listed ? ", of which only the best are listed" : ", and are not listed for them") +
        " (--common-limit 4294967295 lists all)\n";
  }
  return line;
}

/// What --common-limit left out of the query; empty without it.
std::string common_line(const api::SearchPlan& plan) {
  if (!plan.common_limit) return "";
  return "without " + common_features(plan.all_left_out(), *plan.common_limit) + "\n";
}

Result<void> print_result(const Subject& subject, const api::Found& found, const SearchRequest& request,
                          const Scheme& scheme, const SimilarOptions& options, Output& out) {
  const auto& [snapshot, plan, result] = found;
  const FeatureSequence& features = plan.reported();
  out << subject.name << ": " << counted(features.sentences, "sentence") << ", "
      << counted(features.hashes.size(), "feature");
  if (!features.alerts.empty()) {
    out << ", " << counted(features.alerts.size(), "disguised word") << " (akin-lab features lists them)";
  }
  out << "\n"
      << file_alert_lines(subject.file) << headline(request, result, plan.tiers.size())
      << hint_line(plan, result);
  if (!plan.tiers.empty()) out << tiers_line(plan, result, scheme);
  out << common_line(plan);
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
    const Result<std::string> text = snapshot->text(hit.document);
    if (text.has_error()) {
      if (text.error().code != Errc::unsupported) return text.error();
      out << "   (this collection keeps no texts: --json prints the passages' ranges)\n";
      continue;
    }
    const SlicedText document(*text);
    const extract::Document places = ingest::decode_places(hit.document.places);
    print_passages(out, hit.passages,
                   {query_text, document, "query", "document", &subject.file, &places, options.whole},
                   options.passages);
  }
  return {};
}

/// Records which restricted texts print_result prints: of the subject, if it is stored, and of the results.
Result<void> note_texts(const api::Found& found, const std::optional<StoredDocument>& subject,
                        TextReadings& readings, const std::string& collection) {
  bool is_shown = false;
  for (const Hit& hit : found.result.hits) {
    if (hit.passages.empty()) continue;
    AKIN_CHECK(readings.note(collection, hit.document));
    is_shown = true;
  }
  return is_shown && subject ? readings.note(collection, *subject) : Result<void>();
}

Result<Exit> run_similar(const SimilarOptions& options, Session& session) {
  if (options.file.empty() == options.id.empty()) {
    return Error{Errc::invalid_argument, "similar", "needs exactly one query: a FILE (or -) or --id ID",
                 "see akin similar --help"};
  }
  AKIN_CHECK(validate_utf8(options.id, "id"));
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  AKIN_TRY(api::Question question, api::question_of(parameters));
  question.id = options.id;
  Subject subject;
  if (const auto collections = parameters.text("collections")) {
    if (options.id.empty()) {
      AKIN_TRY(subject, subject_from_file(options.file, options.reading));
      question.text = subject.text;
    }
    AKIN_TRY(const bool found, search_collections({.question = question,
                                                   .collections = *collections,
                                                   .file = subject.file,
                                                   .passages = options.passages,
                                                   .whole = options.whole},
                                                  session));
    return exit_of(found, options.exit_code);
  }
  AKIN_TRY(const auto collection, open_collection(session.options));
  const Scheme& scheme = collection->scheme();
  if (options.id.empty()) {
    AKIN_CHECK(api::plan_query(scheme, collection->keeps_texts(), question));  // before a long file is read
    AKIN_TRY(subject, subject_from_file(options.file, options.reading));
    question.text = subject.text;
  }
  AKIN_TRY(auto state, find_state(session.options));
  TextReadings readings(std::move(state), collection.catalog);
  question.hides_text = readings.noting();
  AKIN_TRY(const api::Found found, api::search(*collection, question));
  const SearchResult& result = found.result;
  std::optional<StoredDocument> stored;
  if (!options.id.empty()) {
    AKIN_TRY(stored, found.snapshot->document(options.id));
    AKIN_TRY(subject, stored_subject(*stored, *found.snapshot));
  }
  const SearchRequest request = found.described(question);
  if (session.options.json) {
    question.file_sha256 = subject.file.sha256;
    AKIN_TRY(api::Json object, api::answer_object(*collection, question, found));
    if (question.text) api::add_file(object, "results", subject.file);
    session.out << object.dump() << "\n";
  } else {
    if (collection->keeps_texts()) AKIN_CHECK(note_texts(found, stored, readings, collection->name()));
    AKIN_CHECK(print_result(subject, found, request, scheme, options, session.out));
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
  options->flags.add(command, "find_similar_across",
                     {"collections", "bound", "sort", "min_containment", "common_limit", "min_words",
                      "filter", "limit", "cursor", "tiers", "include"});
  command.add_option("--passages", options->passages, "Passages shown per document, largest first; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  add_whole_option(command, options->whole);
  add_exit_code(command, options->exit_code, "a document was found");
  program.on(command, [options](Session& session) { return run_similar(*options, session); });
}

}  // namespace akin::cli
