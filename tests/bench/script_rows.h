// Measurements that scripts make.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/bench.h"

namespace akin::bench {

/// Runs a Python script of this folder. It prints rows, one JSON object a line: {name, value, unit, better,
/// goal or null, yardstick} or {skipped: reason}; `suffix` is appended to the names. Throws Skipped, or
/// std::runtime_error if the script fails.
void add_rows_of(Session& session, const std::string& script, const std::vector<std::string>& arguments,
                 const std::string& suffix);

}  // namespace akin::bench
