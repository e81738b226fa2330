#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "base/ascii.h"
#include "base/time.h"
#include "base/utf8.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/declared_flags.h"
#include "cli/commands/common/document_flags.h"
#include "cli/commands/common/evidence.h"
#include "cli/commands/serve/serve_options.h"
#include "cli/frame/format.h"
#include "index/collection/collection_name.h"
#include "server/api/write/check_objects.h"
#include "server/api/write/file_object.h"
#include "server/check/checks.h"
#include "server/check/compared_sources.h"
#include "server/check/policies.h"
#include "server/ingest/input.h"
#include "server/ingest/places.h"
#include "server/ingest/read_document.h"
#include "server/json/strict_json.h"
#include "server/run/checking.h"
#include "server/run/replay.h"

namespace akin::cli {

namespace {

constexpr const char* kCheckExamples =
    "  akin check thesis.txt                          verdict, shares and sources\n"
    "  akin check thesis.pdf                          the same of a PDF or DOCX, with pages\n"
    "  akin check essays.zip                          each file in an archive\n"
    "  akin check *.txt --policy strict.json          by a policy of your own\n"
    "  akin check thesis.txt --owner petrov           petrov's own stored texts are not sources\n"
    "  akin check thesis.txt --collections theses,web  against several collections\n"
    "  akin check thesis.txt --self                   and what the text repeats of itself\n"
    "  akin check --replay certificate.json           are the numbers of a certificate still the same?\n"
    "\n"
    "A policy is a JSON file, or the name of a policy that a server stores. Without --collections, the\n"
    "collection of --collection is searched. Nothing is stored without --keep; the text is never indexed.";

struct CheckOptions {
  ingest::DocumentReading reading;
  std::vector<std::string> files;
  DeclaredFlags flags;
  std::string filter;
  std::string certificate;
  std::size_t passages = 3;
  bool whole = false;
  bool itself = false;
  bool store = false;
  bool exit_code = false;
};

using StatePtr = std::shared_ptr<state::State>;

/// The server's state; null if there is none and `make` is false.
Result<StatePtr> open_known_state(const CommonOptions& options, bool make) {
  return make ? open_state(options) : find_state(options);
}

/// `policy`: a file, or the name of a stored one; "" for the default.
Result<void> read_policy(const std::string& policy, const StatePtr& state, check::CheckRequest& request) {
  std::error_code failure;
  const bool is_file = std::filesystem::is_regular_file(policy, failure);
  if (is_file || policy.ends_with(".json")) {
    AKIN_TRY(const std::string text, ingest::read_text(policy));
    AKIN_TRY(const json::Json object, json::parse_json(text));
    AKIN_TRY(request.policy, check::parse_policy(object));
    return {};
  }
  request.policy_name = policy.empty() ? std::string(check::kDefaultPolicy) : policy;
  if (!state && request.policy_name == check::kDefaultPolicy) return {};
  if (!state) {
    return Error{Errc::not_found, "policy '" + policy + "'", "this data folder keeps no policies",
                 "name a JSON file, or store it with PUT /v1/policies/NAME"};
  }
  AKIN_TRY(request.policy, check::Policies(state).get(request.policy_name));
  return {};
}

std::string reason_line(const check::Reason& reason) {
  std::string verdict(check::verdict_name(reason.verdict));
  switch (reason.kind) {
    case check::Reason::Kind::share:
      return verdict + ": " + percent(reason.value) + " of the text was found, the threshold is " +
             percent(reason.threshold);
    case check::Reason::Kind::source_share:
      return verdict + ": " + percent(reason.value) + " of the text is in one document, the threshold is " +
             percent(reason.threshold) +
             (reason.sources > 1 ? "; " + grouped(reason.sources) + " documents reach it" : "");
    case check::Reason::Kind::too_short:
      return verdict + ": " + counted(static_cast<std::uint64_t>(reason.value), "feature") +
             (reason.words ? " and " + counted(*reason.words, "word") : "") + " to compare, " +
             grouped(static_cast<std::uint64_t>(reason.threshold)) +
             (reason.words ? " features or " + counted(reason.needed_words, "word") : "") +
             " are needed to find anything";
    case check::Reason::Kind::alerts:
      return verdict + ": " + one_decimal(reason.value) + " alerts '" +
             std::string(alert_name(reason.alert)) + "' per 1,000 words, the threshold is " +
             one_decimal(reason.threshold);
    case check::Reason::Kind::own_share:
      return verdict + ": " + percent(reason.value) +
             " of the text is in earlier documents of its owner, the threshold is " +
             percent(reason.threshold);
    case check::Reason::Kind::unknown_words:
      return verdict + ": no dictionary has " + percent(reason.value) + " of the words; in '" +
             reason.collection + "' " + percent(reason.usual) + " is usual";
    case check::Reason::Kind::sentence_length:
      return verdict + ": sentences of " + one_decimal(reason.value) + " words; in '" + reason.collection +
             "' " + one_decimal(reason.usual) + " are usual";
    case check::Reason::Kind::quotations:
      return verdict + ": " + percent(reason.value) +
             " of the text is between quotation marks, the threshold is " + percent(reason.threshold);
    case check::Reason::Kind::disguise:
      return verdict + ": " + std::string(file_alert_label(reason.file_alert)) + ": " +
             percent(reason.value) + " of the file, the threshold is " + percent(reason.threshold);
  }
  return verdict;
}

std::string_view noun_of(check::ExclusionKind kind) {
  switch (kind) {
    case check::ExclusionKind::quotation:
      return "quotation";
    case check::ExclusionKind::bibliography:
      return "bibliography section";
    case check::ExclusionKind::template_text:
      return "template passage";
    case check::ExclusionKind::referenced_quotation:
      return "quotation with a reference";
    case check::ExclusionKind::unreferenced_quotation:
      return "quotation without a reference";
    case check::ExclusionKind::referenced_passage:
      return "passage with a reference";
  }
  return "";
}

/// "2 quotations, 1 bibliography section"; empty when nothing is excluded.
std::string excluded_line(const check::ExclusionList& list) {
  std::string line;
  for (std::size_t kind = 0; kind < check::kExclusionKinds; ++kind) {
    if (list.excluded_by_kind[kind] == 0) continue;
    line += (line.empty() ? "" : ", ") +
            counted(list.excluded_by_kind[kind], noun_of(static_cast<check::ExclusionKind>(kind)));
  }
  if (list.not_excluded_total > 0) {
    line += (line.empty() ? "" : "; ") + counted(list.not_excluded_total, "place") +
            " over the policy's limits not excluded";
  }
  return line;
}

/// What all files of a run share.
struct Checking {
  const CheckOptions& options;
  Session& session;
  Catalog& catalog;
  StatePtr state;
  TextReadings& readings;
  std::optional<std::string_view> title = {};  ///< in place of the file's name
};

/// What only this source has, or which one has the same, and when it was published; empty if nothing is
/// known.
std::string beside_others(const check::Outcome& outcome, const check::Source& source) {
  std::string line;
  if (source.same_as > 0) {
    line = "has the same of the text as source " + grouped(source.same_as);
  } else if (outcome.sources_total > 1) {
    line =
        percent(check::ratio(source.only, outcome.letters.compared)) + " of the text is in no other source";
  }
  const std::string date = one_line(check::publication_date(source.document), 100);
  if (!date.empty()) line += (line.empty() ? "published " : "; published ") + date;
  return line;
}

Result<void> print_source(const Checking& checking, const check::Outcome& outcome,
                          const check::Source& source, const Sides& sides) {
  Output& out = checking.session.out;
  const std::string title = one_line(source.document.title, 100);
  out << source.collection << "/" << one_line(source.document.id, kMaxIdBytes)
      << (title.empty() ? "" : "  " + title) << "\n   " << percent(outcome.share(source))
      << " of the text; it " << shares_line(source.overlap, "the text") << "\n";
  if (api::is_same_file(sides.a_file->sha256, source.document)) out << kSameFileLine;
  if (source.words) out << "   " << words_line(*source.words, "the text") << "\n";
  if (const std::string line = beside_others(outcome, source); !line.empty()) out << "   " << line << "\n";
  AKIN_TRY(const auto collection, checking.catalog.get(source.collection));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  const Result<std::string> stored = snapshot->text(source.document.id);
  if (stored.has_value()) {
    AKIN_CHECK(checking.readings.note(source.collection, source.document));
    const SlicedText document(*stored);
    const extract::Document places = ingest::decode_places(source.document.places);
    print_passages(
        out, source.passages,
        {sides.a, document, sides.a_name, "document", sides.a_file, &places, checking.options.whole},
        checking.options.passages);
  }
  return {};
}

/// What the text has twice: how much, or with --self each passage.
void print_repeats(const Checking& checking, const check::Outcome& outcome, const SlicedText& text,
                   const extract::Document& file) {
  if (outcome.repeats_total == 0) return;
  const CheckOptions& options = checking.options;
  checking.session.out << "\n"
                       << counted(outcome.repeats_total, "passage") << " repeated within the text"
                       << (options.itself ? "" : " (--self shows them)") << "\n";
  if (!options.itself) return;
  std::vector<Passage> passages;
  for (const check::Repeat& repeat : outcome.repeats) {
    Passage& passage = passages.emplace_back();
    passage.a = repeat.first;
    passage.b = repeat.again;
    passage.words = repeat.words;
  }
  print_passages(checking.session.out, passages, {text, text, "first", "again", &file, &file, options.whole},
                 options.passages);
}

Result<void> print_outcome(const Checking& checking, const std::string& name, const extract::Document& file,
                           const check::CheckRequest& request, const check::Outcome& outcome) {
  Output& out = checking.session.out;
  out << name << ": " << check::verdict_name(outcome.verdict) << "\n"
      << percent(outcome.share()) << " of its " << grouped(outcome.letters.compared)
      << " letters and digits found in " << counted(outcome.sources_total, "document") << "\n";
  for (const check::Reason& reason : outcome.reasons) out << reason_line(reason) << "\n";
  out << file_alert_lines(file, request.policy.compare_hidden);
  if (outcome.letters.own > 0)
    out << percent(outcome.own_share()) << " in earlier documents of its owner, which are not sources\n";
  const std::string excluded = excluded_line(outcome.exclusions);
  if (!excluded.empty()) {
    out << grouped(outcome.letters.total - outcome.letters.compared)
        << " other letters and digits are excluded: " << excluded << "\n";
  }
  for (const check::IndexState& state : outcome.index) {
    if (state.common_text && state.common_text->words > 0)
      out << common_words(*state.common_text) << " in '" << state.collection << "'\n";
    out << language_lines(state);
    if (!state.common) continue;
    out << "without " << common_features(*state.common, *request.policy.common_limit) << " in '"
        << state.collection << "'\n";
  }
  const SlicedText text(*request.text);
  std::uint64_t number = 0;
  for (const check::Source& source : outcome.sources) {
    out << "\n" << grouped(++number) << ". ";
    AKIN_CHECK(print_source(checking, outcome, source, {text, text, "text", "", &file}));
  }
  if (outcome.sources.size() < outcome.sources_total) {
    out << "\nand " << counted(outcome.sources_total - outcome.sources.size(), "smaller source")
        << " (the policy's max_sources is " << grouped(request.policy.max_sources) << ")\n";
  }
  print_repeats(checking, outcome, text, file);
  return {};
}

Result<check::Verdict> check_document(const Checking& checking, check::CheckRequest request,
                                      const std::string& name, extract::Document document) {
  check::take_file(request, document);
  AKIN_TRY(const check::Outcome outcome, check::run_check(checking.catalog, request));
  api::Json object;
  object["title"] = checking.title.value_or(name);
  object["metadata"] = api::Json::object();
  object.update(api::outcome_object(request, outcome));
  api::add_file(object, "sources", document);
  if (checking.options.store) {
    check::Checks checks(checking.state, ServeOptions().keep_checks);
    check::NewCheck made{.check = object, .text = *request.text};
    made.excerpts = api::kept_excerpts(checking.state.get(), outcome.sources);
    AKIN_TRY(object, checks.add(std::move(made), time_now()));
  }
  if (checking.session.options.json) {
    checking.session.out << object.dump() << "\n";
    return outcome.verdict;
  }
  AKIN_CHECK(print_outcome(checking, name, document, request, outcome));
  if (checking.options.store) {
    checking.session.out << "\nstored as " << object.at("id").get<std::string>() << "\n";
  }
  return outcome.verdict;
}

Result<Exit> run_check_command(const CheckOptions& options, Session& session) {
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  check::CheckRequest request;
  const bool names_collections = options.flags.has("collections");
  for (const std::string_view name :
       split(parameters.text("collections").value_or(session.options.collection), ','))
    request.collections.emplace_back(name);
  request.owner = parameters.text("owner").value_or("");
  AKIN_CHECK(validate_utf8(request.owner, "owner"));
  const auto dictionaries = open_dictionaries(session.options);
  AKIN_TRY(const auto catalog, open_catalog(session.options, false, dictionaries));
  for (const std::string& name : request.collections) {
    const auto collection =
        with_collections(catalog->get(name), *catalog, names_collections ? "--collections" : "--collection");
    if (collection.has_value()) AKIN_CHECK(check_flags(session.options, *dictionaries, **collection));
    if (collection.has_error() && is_collection_name(name)) return collection.error();
  }
  AKIN_TRY(const StatePtr state, open_known_state(session.options, options.store));
  AKIN_CHECK(read_policy(std::string(parameters.text("policy").value_or("")), state, request));
  if (!options.filter.empty()) {
    AKIN_CHECK(filter_of(options.filter));
    request.policy.filter = options.filter;
  }
  TextReadings readings(state, catalog);
  const Checking checking{options, session, *catalog, state, readings, parameters.text("title")};
  ingest::DocumentReading reading = options.reading;
  reading.sampling = extract::Sampling::on;
  bool all_pass = true, all_read = true, first = true;
  for (const std::string& file : options.files) {
    auto submissions = ingest::read_submissions(file, reading);
    if (submissions.has_error()) {
      report(submissions.error(), session.options.json);
      all_read = false;
      continue;
    }
    for (auto& [name, document] : *submissions) {
      if (document.has_error()) {
        report(document.error(), session.options.json);
        all_read = false;
        continue;
      }
      if (!std::exchange(first, false) && !session.options.json) session.out << "\n\n";
      AKIN_TRY(const check::Verdict verdict, check_document(checking, request, name, *std::move(document)));
      all_pass = all_pass && verdict == check::Verdict::pass;
    }
  }
  return all_read ? exit_of(!all_pass, options.exit_code) : Exit::error;
}

/// Prints what has changed since a certificate was issued.
Result<Exit> run_replay(const CheckOptions& options, Session& session) {
  AKIN_TRY(const std::string text, ingest::read_text(options.certificate));
  AKIN_TRY(const json::Json certificate, json::parse_json(text));
  AKIN_TRY(const auto catalog, open_catalog(session.options, false, open_dictionaries(session.options)));
  AKIN_TRY(const StatePtr state, open_state(session.options));
  AKIN_TRY(const json::Json replayed, api::replay(*catalog, state, certificate));
  const bool is_same = replayed.at("same").get<bool>();
  if (session.options.json) {
    session.out << replayed.dump() << "\n";
    return exit_of(!is_same, options.exit_code);
  }
  session.out << replayed.at("check").get<std::string>() << ": the signature of key "
              << replayed.at("key").get<std::string>() << " is genuine\n"
              << (is_same ? "the numbers are those certified\n" : "the numbers are not those certified\n");
  for (const json::Json& change : replayed.at("changes")) {
    session.out << change.at("what").get<std::string>() << ": " << one_line(change.at("then").dump(), 200)
                << ", now " << one_line(change.at("now").dump(), 200) << "\n";
  }
  return exit_of(!is_same, options.exit_code);
}

}  // namespace

void add_check_command(Program& program) {
  Command command = program.command(
      "check", "Check submissions: how much of each text is in stored documents, and a verdict",
      kCheckExamples);
  auto options = std::make_shared<CheckOptions>();
  command.add_option("FILE", options->files, "Files to check; - is standard input").type_name("");
  add_encoding_option(command, options->reading.encoding);
  options->flags.add(command, "check_text", {"collections", "policy", "owner", "title"});
  add_filter_option(command, options->filter,
                    "Only documents that this filter selects are sources, instead of the policy's filter");
  command.add_option("--passages", options->passages, "Passages shown per source, largest first; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  add_whole_option(command, options->whole);
  command.add_flag("--self", options->itself, "Show the passages that the text has twice");
  command.add_flag("--keep", options->store, "Store the check, as POST /v1/checks does");
  command
      .add_option("--replay", options->certificate,
                  "Verify a certificate of a check in this data folder, compute its numbers\n"
                  "again, and say what has changed; in place of files")
      .type_name("CERTIFICATE");
  add_exit_code(command, options->exit_code,
                "a text is to be reviewed or refused, or the numbers have changed");
  program.on(command, [options](Session& session) -> Result<Exit> {
    if (options->files.empty() == options->certificate.empty()) {
      return Error{Errc::invalid_argument, "akin check",
                   options->files.empty() ? "no file is named" : "files are named beside --replay",
                   "name files to check, or give a certificate with --replay"};
    }
    return options->files.empty() ? run_replay(*options, session) : run_check_command(*options, session);
  });
}

}  // namespace akin::cli
