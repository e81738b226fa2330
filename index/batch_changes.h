// The changes of one write, in the order in which every store makes them. `Batch` is a store's transaction:
// it has put, remove and require as DocumentBatch does.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "index/prepared_document.h"

namespace akin {

/// As Store::write; `prepared` are the changes' documents, from prepare_changes. They must live until the
/// batch has finished. After the error precondition_failed nothing has changed.
template <class Batch>
[[nodiscard]] Result<WriteResults> write_in(Batch& batch, std::span<const Change> changes,
                                            std::span<const Result<PreparedDocument>> prepared,
                                            WriteMode mode) {
  WriteResults results(changes.size(), PutResult());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (prepared[i].has_error()) {
      results[i] = prepared[i].error();
      continue;
    }
    const Result<void> held = batch.require(id_of(changes[i]), changes[i].condition);
    if (!held.has_error()) continue;
    if (mode == WriteMode::all || held.error().code != Errc::precondition_failed) return held.error();
    results[i] = held.error();
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (results[i].has_error()) continue;
    if (changes[i].document == nullptr) {
      AKIN_TRY(const bool was_there, batch.remove(changes[i].id));
      results[i] = PutResult{was_there, Revision()};
    } else {
      AKIN_TRY(results[i], batch.put(*prepared[i]));
    }
  }
  return results;
}

}  // namespace akin
