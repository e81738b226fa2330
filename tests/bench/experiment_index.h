// A collection of texts made on the fly: loaded, weighed and asked for all pairs, with rows for each. Shared
// by the bulk load and the two experiments of 2009.
#pragma once

#include <string>

#include "tests/bench/all_pairs.h"
#include "tests/bench/bench.h"
#include "tests/bench/collection_load.h"

namespace akin::bench {

/// Corpora of whole books: Russian and English, and the novels of other languages.
[[nodiscard]] std::vector<std::string> novel_folders();

/// Loads all documents into a new collection in session.scratch/data, whatever was there before, and reports
/// size, rate and memory under `name`. To be called in a process of its own. The rate's row is named
/// `name` + kBulkLoad.
inline constexpr const char* kBulkLoad = ": bulk load";
void report_load(Session& session, const std::string& name, const NextDocument& source);

/// Reports the disk of that collection. To be called in a process that has not opened it.
void report_disk(Session& session, const std::string& name);

/// Finds all pairs of that collection (half of one of the two in the other) and reports time, number and
/// memory under `name`. `goal`: seconds, if there is one for this size. Returns a view of what was searched.
std::unique_ptr<Snapshot> report_pairs(Session& session, const std::string& name, std::optional<double> goal,
                                       const std::function<void(const SimilarPair&)>& visit);

}  // namespace akin::bench
