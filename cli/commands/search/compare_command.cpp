#include "cli/commands/commands.h"
#include "cli/commands/common/declared_flags.h"
#include "cli/commands/common/document_flags.h"
#include "cli/commands/common/evidence.h"
#include "cli/frame/format.h"
#include "server/ingest/input.h"
#include "server/ingest/read_document.h"
#include "server/search/comparison.h"

namespace akin::cli {

namespace {

/// X over this is found in a scheme without tiers.
constexpr std::uint64_t kSearchBound = 3;

constexpr const char* kCompareExamples =
    "  akin compare draft.txt final.txt\n"
    "  akin compare - final.txt < draft.txt      one of the two may be standard input\n"
    "  akin compare a.txt b.txt --include features     passages of shared sentences, not of words\n"
    "  akin compare a.txt b.txt --json\n"
    "\n"
    "Says what akin similar would say of the two in a collection of the same scheme. Needs no collection.";

struct CompareOptions {
  ingest::DocumentReading reading;
  std::string a;
  std::string b;
  std::optional<std::uint64_t> bound;
  std::size_t passages = 5;
  std::size_t changes = 10;
  DeclaredFlags flags;
  bool exit_code = false;
};

struct Side {
  std::string name;
  std::string text;
};

Result<Side> read_side(const std::string& file, const ingest::DocumentReading& reading) {
  AKIN_TRY(extract::Document document, ingest::read_document(file, reading));
  return Side{ingest::display_name(file), std::move(document.text)};
}

std::string size_line(const std::string& name, const FeatureSequence& features) {
  return name + ": " + counted(features.sentences, "sentence") + ", " +
         counted(features.hashes.size(), "feature") + "\n";
}

void print_comparison(const Side& a, const Side& b, const api::Comparison& found, const Scheme& scheme,
                      EvidenceLimits limits, Output& out) {
  const Overlap& shared = found.hit.overlap;
  out << size_line(a.name, found.a) << size_line(b.name, found.b) << b.name << " "
      << shares_line(shared, a.name) << "\n"
      << "resemblance " << percent(shared.resemblance()) << ", Sørensen " << percent(shared.sorensen())
      << "\n";
  if (!found.hit.tiers.empty()) out << found_by_line(found.hit, scheme) << "\n";
  if (found.hit.words) out << b.name << " " << words_line(*found.hit.words, a.name) << "\n";
  const SlicedText a_text(a.text), b_text(b.text);
  const Sides sides{a_text, b_text, a.name, b.name};
  if (!found.aligned.passages.empty()) {
    print_aligned(out, found.aligned, sides, limits);
  } else {
    print_passages(out, found.hit.passages, sides, limits.passages);
  }
}

Result<Exit> run_compare(const CompareOptions& options, Session& session) {
  if (options.a == "-" && options.b == "-") {
    return Error{Errc::invalid_argument, "compare", "only one of the two texts can be standard input",
                 "name a file for the other"};
  }
  AKIN_TRY(const auto scheme, make_scheme(session.options.scheme.value_or(std::string(kDefaultScheme))));
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  AKIN_TRY(const api::Evidence evidence, api::evidence_of(parameters));
  AKIN_TRY(const Side a, read_side(options.a, options.reading));
  AKIN_TRY(const Side b, read_side(options.b, options.reading));
  AKIN_TRY(const api::Comparison found, api::compare_texts(a.text, b.text, *scheme, dictionary, evidence));
  if (session.options.json) {
    session.out << api::comparison_object(found, *scheme).dump() << "\n";
  } else {
    print_comparison(a, b, found, *scheme, {options.passages, options.changes}, session.out);
  }
  const bool shares = options.bound ? found.hit.overlap.x > *options.bound : found.is_found(kSearchBound);
  return exit_of(shares, options.exit_code);
}

}  // namespace

void add_compare_command(Program& program) {
  Command command = program.command("compare", "Compare two texts with each other", kCompareExamples);
  auto options = std::make_shared<CompareOptions>();
  command.add_option("A", options->a, "First text; - is standard input").required().type_name("FILE");
  command.add_option("B", options->b, "Second text; - is standard input").required().type_name("FILE");
  add_encoding_option(command, options->reading.encoding);
  command
      .add_option("--bound", options->bound,
                  "With --exit-code: the texts must share more features than this; default: akin similar\n"
                  "would find one by the other")
      .type_name("N")
      .check(check_count);
  command.add_option("--passages", options->passages, "Passages shown, largest first; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command.add_option("--changes", options->changes, "Changes shown of each aligned passage; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  options->flags.add(command, "compare_texts", {"include"});
  add_exit_code(command, options->exit_code, "the texts share text, or more than --bound features");
  program.on(command, [options](Session& session) { return run_compare(*options, session); });
}

}  // namespace akin::cli
