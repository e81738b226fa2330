// The flags of commands that measure on a labelled set.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "lab/evaluate/labelled_set.h"

namespace akin::cli {

struct LabelledSetOptions {
  std::string set;
  std::string pairs;
  std::vector<std::string> positive;
  std::string unlisted;  ///< different or unknown; empty: the default of read_labelled_set

  [[nodiscard]] Result<evaluate::LabelledSet> read() const;
};

/// Adds SET, --pairs, --positive and --unlisted.
void add_labelled_set_options(Command command, LabelledSetOptions& options);

/// "3 texts; 1 pair of them is a duplicate, 2 are not"
[[nodiscard]] std::string set_summary(const evaluate::LabelledSet& set);

}  // namespace akin::cli
