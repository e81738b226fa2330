#include "server/api/objects.h"
#include "server/cli/commands/commands.h"
#include "server/cli/commands/evidence.h"
#include "server/cli/frame/format.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr const char* kCompareExamples =
    "  akin compare draft.txt final.txt\n"
    "  akin compare - final.txt < draft.txt      one of the two may be standard input\n"
    "  akin compare a.txt b.txt --json\n"
    "\n"
    "Needs no collection.";

struct CompareOptions {
  std::string a;
  std::string b;
  std::uint64_t bound = 3;
  std::size_t passages = 5;
  bool exit_code = false;
};

struct Side {
  std::string name;
  std::string text;
  FeatureSequence features;
};

Result<Side> read_side(const std::string& file, const Dictionary& dictionary, const Scheme& scheme) {
  Side side;
  side.name = ingest::display_name(file);
  AKIN_TRY(side.text, ingest::read_text(file));
  AKIN_TRY(side.features, extract_features(side.text, dictionary, scheme));
  return side;
}

void print_comparison(const Side& a, const Side& b, const Overlap& shared, std::size_t passages,
                      Output& out) {
  for (const Side* side : {&a, &b}) {
    out << side->name << ": " << counted(side->features.sentences, "sentence") << ", "
        << counted(side->features.hashes.size(), "feature") << "\n";
  }
  out << b.name << " " << shares_line(shared, a.name) << "\n"
      << "resemblance " << percent(shared.resemblance()) << ", Sørensen " << percent(shared.sorensen())
      << "\n";
  print_passages(out, shared_passages(a.features, b.features), SlicedText(a.text), SlicedText(b.text),
                 {a.name, b.name}, passages);
}

Result<Exit> run_compare(const CompareOptions& options, Session& session) {
  if (options.a == "-" && options.b == "-") {
    return Error{Errc::invalid_argument, "compare", "only one of the two texts can be standard input",
                 "name a file for the other"};
  }
  AKIN_TRY(const auto asked, open_scheme(session.options));
  const Scheme& scheme = asked->verifying_scheme();
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  AKIN_TRY(const Side a, read_side(options.a, *dictionary, scheme));
  AKIN_TRY(const Side b, read_side(options.b, *dictionary, scheme));
  Overlap shared = overlap(a.features.hashes, b.features.hashes);
  shared.has_containment = scheme.has_containment();
  if (session.options.json) {
    session.out << api::compare_object(a.features, b.features, scheme).dump() << "\n";
  } else {
    print_comparison(a, b, shared, options.passages, session.out);
  }
  return exit_of(shared.x > options.bound, options.exit_code);
}

}  // namespace

void add_compare_command(Program& program) {
  Command command = program.command("compare", "Compare two texts with each other", kCompareExamples);
  auto options = std::make_shared<CompareOptions>();
  command.add_option("A", options->a, "First text; - is standard input").required().type_name("FILE");
  command.add_option("B", options->b, "Second text; - is standard input").required().type_name("FILE");
  command
      .add_option("--bound", options->bound, "With --exit-code: the texts must share more features than this")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command.add_option("--passages", options->passages, "Passages shown, largest first; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  add_exit_code(command, options->exit_code, "the texts share more than --bound features");
  program.on(command, [options](Session& session) { return run_compare(*options, session); });
}

}  // namespace akin::cli
