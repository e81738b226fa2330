#include "cli/commands/documents/validity_options.h"

#include "cli/frame/program.h"

namespace akin::cli {

namespace {

/// docs/methods.md, "Collections": novels and manuals in the languages have at least 0.79; of a text in 386
/// other languages, two reach 0.6.
constexpr double kDefaultKnown = 0.6;

}  // namespace

void add_validity_options(Command command, ValidityOptions& options) {
  constexpr const char* group = "Which texts are left out";
  options.min_known = kDefaultKnown;
  command.add_option("--min-length", options.min_length, "Shortest text, in characters (code points)")
      .check(check_count)
      .capture_default_str()
      .group(group);
  command.add_option("--max-length", options.max_length, "Longest text; 0 = no limit")
      .check(check_count)
      .capture_default_str()
      .group(group);
  command
      .add_option("--min-letters", options.min_letters,
                  "Least share of letters among the characters that are not white space, 0 to 1")
      .check(check_share)
      .capture_default_str()
      .group(group);
  command
      .add_option("--only-lang", options.languages,
                  "Only texts in these languages: codes or .aff files, separated by commas, as for --lang")
      .type_name("LIST")
      .group(group);
  command
      .add_option("--min-known", options.min_known,
                  "With --only-lang: least share of words that the dictionaries of these languages contain")
      .check(check_share)
      .capture_default_str()
      .group(group);
}

Result<ingest::Validity> read_validity(const ValidityOptions& options, const CommonOptions& common) {
  if (options.max_length > 0 && options.min_length > options.max_length) {
    return Error{Errc::invalid_argument, "--min-length", "is larger than --max-length",
                 "give a smaller one, or leave one out"};
  }
  ingest::Validity wanted{options.min_length, options.max_length, options.min_letters, options.min_known,
                          nullptr};
  if (options.languages.empty()) return wanted;
  CommonOptions only = common;
  only.languages = options.languages;
  AKIN_TRY(wanted.dictionary, open_dictionary(only));
  return wanted;
}

}  // namespace akin::cli
