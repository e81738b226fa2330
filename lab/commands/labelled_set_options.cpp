#include "lab/commands/labelled_set_options.h"

#include "cli/frame/format.h"

namespace akin::cli {

using evaluate::Judgement;
using evaluate::Unlisted;

Result<evaluate::LabelledSet> LabelledSetOptions::read() const {
  evaluate::LabelledSetRequest request{.set = set, .pairs = pairs, .positive = positive, .unlisted = {}};
  if (!unlisted.empty()) request.unlisted = unlisted == "different" ? Unlisted::different : Unlisted::unknown;
  return evaluate::read_labelled_set(request);
}

void add_labelled_set_options(Command command, LabelledSetOptions& options) {
  command.add_option("SET", options.set, "Folder of texts with its pairs.tsv, or a table of pairs")
      .required()
      .type_name("");
  command.add_option("--pairs", options.pairs, "The table of pairs, if it is not SET/pairs.tsv")
      .type_name("FILE");
  command
      .add_option("--positive", options.positive,
                  "Labels that mean a duplicate, separated by commas; others then do not")
      .type_name("LIST")
      .delimiter(',')
      .one_value_each_time();
  command
      .add_option("--unlisted", options.unlisted,
                  "Status of pairs that the table does not list: different or unknown;\n"
                  "default: different for a table without labels, else unknown")
      .type_name("WHAT")
      .one_of({"different", "unknown"});
}

std::string set_summary(const evaluate::LabelledSet& set) {
  const std::uint64_t duplicates = set.count(Judgement::duplicate);
  const std::uint64_t different = set.count(Judgement::different);
  return counted(set.texts.size(), "text") + "; " + counted(duplicates, "pair") + " of them " +
         (duplicates == 1 ? "is a duplicate, " : "are duplicates, ") + grouped(different) +
         (different == 1 ? " is not" : " are not");
}

}  // namespace akin::cli
