#include "server/api/objects.h"
#include "server/cli/commands/commands.h"
#include "server/cli/commands/encoding_option.h"
#include "server/cli/commands/evidence.h"
#include "server/cli/frame/format.h"
#include "server/ingest/input.h"
#include "server/ingest/read_document.h"

namespace akin::cli {

namespace {

constexpr const char* kCompareExamples =
    "  akin compare draft.txt final.txt\n"
    "  akin compare - final.txt < draft.txt      one of the two may be standard input\n"
    "  akin compare a.txt b.txt --evidence aligned      word by word, with what was changed\n"
    "  akin compare a.txt b.txt --json\n"
    "\n"
    "Needs no collection.";

struct CompareOptions {
  ingest::DocumentReading reading;
  std::string a;
  std::string b;
  std::uint64_t bound = 3;
  std::size_t passages = 5;
  std::size_t changes = 10;
  std::string evidence = "features";
  bool exit_code = false;
};

struct Side {
  std::string name;
  std::string text;
  FeatureSequence features;
};

Result<Side> read_side(const std::string& file, const ingest::DocumentReading& reading,
                       const Dictionary& dictionary, const Scheme& scheme) {
  Side side;
  side.name = ingest::display_name(file);
  AKIN_TRY(extract::Document document, ingest::read_document(file, reading));
  side.text = std::move(document.text);
  AKIN_TRY(side.features, extract_features(side.text, dictionary, scheme));
  return side;
}

/// What two texts share; aligned if that was asked for.
struct Comparison {
  Overlap overlap;
  std::vector<Passage> passages;
  std::optional<AlignedText> aligned;
};

void print_comparison(const Side& a, const Side& b, const Comparison& found, EvidenceLimits limits,
                      Output& out) {
  const Overlap& shared = found.overlap;
  for (const Side* side : {&a, &b}) {
    out << side->name << ": " << counted(side->features.sentences, "sentence") << ", "
        << counted(side->features.hashes.size(), "feature") << "\n";
  }
  out << b.name << " " << shares_line(shared, a.name) << "\n"
      << "resemblance " << percent(shared.resemblance()) << ", Sørensen " << percent(shared.sorensen())
      << "\n";
  if (found.aligned) out << b.name << " " << words_line(found.aligned->words, a.name) << "\n";
  const SlicedText a_text(a.text), b_text(b.text);
  const Sides sides{a_text, b_text, a.name, b.name};
  if (found.aligned) {
    print_aligned(out, *found.aligned, sides, limits);
  } else {
    print_passages(out, found.passages, sides, limits.passages);
  }
}

Result<Exit> run_compare(const CompareOptions& options, Session& session) {
  if (options.a == "-" && options.b == "-") {
    return Error{Errc::invalid_argument, "compare", "only one of the two texts can be standard input",
                 "name a file for the other"};
  }
  AKIN_TRY(const auto asked, open_scheme(session.options));
  const Scheme& scheme = asked->verifying_scheme();
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  AKIN_TRY(const Side a, read_side(options.a, options.reading, *dictionary, scheme));
  AKIN_TRY(const Side b, read_side(options.b, options.reading, *dictionary, scheme));
  Overlap shared = overlap(a.features.hashes, b.features.hashes);
  shared.has_containment = scheme.has_containment();
  Comparison found{.overlap = shared, .passages = shared_passages(a.features, b.features), .aligned = {}};
  if (options.evidence == "aligned") {
    AKIN_TRY(found.aligned, align_texts(a.text, b.text, dictionary, ChangeDetail::listed));
  }
  if (session.options.json) {
    api::Json object = api::compare_object(a.features, b.features, scheme);
    if (found.aligned) api::add_alignment(object, *found.aligned);
    session.out << object.dump() << "\n";
  } else {
    print_comparison(a, b, found, {options.passages, options.changes}, session.out);
  }
  return exit_of(shared.x > options.bound, options.exit_code);
}

}  // namespace

void add_compare_command(Program& program) {
  Command command = program.command("compare", "Compare two texts with each other", kCompareExamples);
  auto options = std::make_shared<CompareOptions>();
  command.add_option("A", options->a, "First text; - is standard input").required().type_name("FILE");
  command.add_option("B", options->b, "Second text; - is standard input").required().type_name("FILE");
  add_encoding_option(command, options->reading.encoding);
  command
      .add_option("--bound", options->bound, "With --exit-code: the texts must share more features than this")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command.add_option("--passages", options->passages, "Passages shown, largest first; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command.add_option("--changes", options->changes, "Changes shown of each aligned passage; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command
      .add_option("--evidence", options->evidence,
                  "What the passages are: features (runs of shared features) or aligned (word by word)")
      .type_name("KIND")
      .one_of({"features", "aligned"})
      .capture_default_str();
  add_exit_code(command, options->exit_code, "the texts share more than --bound features");
  program.on(command, [options](Session& session) { return run_compare(*options, session); });
}

}  // namespace akin::cli
