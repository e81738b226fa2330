// The flags by which commands leave out texts that are not worth storing.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "cli/frame/command.h"
#include "cli/frame/workspace.h"
#include "server/ingest/validity.h"

namespace akin::cli {

struct ValidityOptions {
  std::uint64_t min_length = 0, max_length = 0;
  double min_letters = 0.0;
  std::string languages;  ///< empty: any
  double min_known = 0.0;
};

/// Registers them; `options` must live as long as `command`.
void add_validity_options(Command command, ValidityOptions& options);

/// The requirements that the flags express. Errors: invalid_argument (they contradict each other), as
/// Dictionary::open.
[[nodiscard]] Result<ingest::Validity> read_validity(const ValidityOptions& options,
                                                     const CommonOptions& common);

}  // namespace akin::cli
