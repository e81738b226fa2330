// The changes of one write, in the order in which every store makes them. `Batch` is a store's transaction:
// it has put, remove and require as DocumentBatch does.
#pragma once

#include <span>

#include "index/write/prepared_document.h"

namespace akin {

/// As Store::write. After the error precondition_failed nothing has changed.
template <class Batch>
[[nodiscard]] Result<WriteResults> write_in(Batch& batch, std::span<Change> changes, WriteMode mode) {
  AKIN_TRY(WriteResults results, refusals(changes, mode));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (results[i].has_error()) continue;
    const Result<void> held = batch.require(changes[i].id, changes[i].condition);
    if (!held.has_error()) continue;
    if (mode == WriteMode::all || held.error().code != Errc::precondition_failed) return held.error();
    results[i] = held.error();
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (results[i].has_error()) continue;
    if (changes[i].document) {
      AKIN_TRY(results[i], batch.put(**changes[i].document));
    } else {
      AKIN_TRY(const bool was_there, batch.remove(changes[i].id));
      results[i] = PutResult{was_there, Revision()};
    }
  }
  return results;
}

}  // namespace akin
