// What one write of a store changes, in the order in which every store does it. `Batch` is a store's
// transaction: it has put, remove and require as DocumentBatch has them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "index/prepared_document.h"

namespace akin {

/// As Store::put_all. The documents must live until the batch has finished.
template <class Batch>
[[nodiscard]] Result<std::vector<PutResult>> put_all_in(Batch& batch,
                                                        std::span<const PreparedDocument> documents) {
  std::vector<PutResult> results;
  results.reserve(documents.size());
  for (const PreparedDocument& document : documents) {
    AKIN_TRY(const PutResult result, batch.put(document));
    results.push_back(result);
  }
  return results;
}

/// As Store::put_instead.
template <class Batch>
[[nodiscard]] Result<std::vector<PutResult>> put_instead_in(Batch& batch,
                                                            std::span<const PreparedDocument> documents,
                                                            std::span<const Version> displaced) {
  for (const PreparedDocument& one : documents)
    AKIN_CHECK(batch.require(one.id, {Precondition::Kind::absent, {}}));
  for (const Version& one : displaced)
    AKIN_CHECK(batch.require(one.id, {Precondition::Kind::revision_in, {one.revision}}));
  for (const Version& one : displaced) AKIN_CHECK(batch.remove(one.id));
  return put_all_in(batch, documents);
}

/// As Store::apply; `prepared` are the changes' documents, by prepare_changes.
template <class Batch>
[[nodiscard]] Result<std::vector<Result<PutResult>>> apply_in(
    Batch& batch, std::span<const Change> changes, std::span<const Result<PreparedDocument>> prepared) {
  std::vector<Result<PutResult>> results(changes.size(), PutResult());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].document == nullptr) {
      AKIN_TRY(const bool was_there, batch.remove(changes[i].id));
      results[i] = PutResult{was_there, 0};
    } else if (prepared[i].has_error()) {
      results[i] = prepared[i].error();
    } else {
      AKIN_TRY(results[i], batch.put(*prepared[i]));
    }
  }
  return results;
}

}  // namespace akin
