// Rows as JSON, the form of build/bench.json.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/bench/bench.h"

namespace akin::bench {

/// {name, value, unit, better, goal, met, yardstick}; goal and met are null in a row without a goal.
[[nodiscard]] nlohmann::ordered_json to_json(const Row& row);

/// {machine, rows}, as docs/benchmarks.md describes them. `filesystem` is the folder that stores lie in,
/// `load` the machine's load before the first measurement.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Row>& rows,
                                             const std::filesystem::path& filesystem, double load);

/// Processes that ran or waited for a processor or disk, on average over the last minute.
[[nodiscard]] double machine_load();

/// The rows of a file that an earlier run wrote; none if there is no such file. Whether less or more is
/// better is not in the file: a goal that was met stays met. Throws std::runtime_error if it is not of that
/// form.
[[nodiscard]] nlohmann::ordered_json earlier_rows(const std::filesystem::path& file);

}  // namespace akin::bench
