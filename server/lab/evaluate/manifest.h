// Lists the sets to measure, each with its method: the input of `akin evaluate all`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::evaluate {

/// One labelled set with one method.
struct ManifestSet {
  std::string name;    ///< letters, digits, '-' and '_'; names its region in the document and its figure
  std::string method;  ///< a command below `akin evaluate`: rank, threshold, groups, judge or passages
  std::vector<std::string> arguments;  ///< of that command: the set's files, and flags
};

/// Reads {"sets": [{"name", "method", "arguments"}, …]}. Errors, which name the set: as parse_json;
/// invalid_argument (other fields, no sets, an unknown method, a name that is invalid or occurs twice).
[[nodiscard]] Result<std::vector<ManifestSet>> read_manifest(std::string_view json);

/// Prepends "set 'editions': " to the subject of an error.
[[nodiscard]] Error of_set(std::string_view name, Error error);

}  // namespace akin::evaluate
