// The verification of a store in a cluster.
#pragma once

#include <cstdint>
#include <functional>

#include "index/opensearch/documents/document_reader.h"
#include "index/store/store.h"

namespace akin::opensearch {

struct VerifyListener {
  const std::function<void(const Finding&)>& report;
  const std::function<void(std::uint64_t done, std::uint64_t total)>& progress;
};

/// As Snapshot::verify, except for what listens. The postings of each document are compared with its sequence
/// by a search for its features: X must be their number.
[[nodiscard]] Result<std::uint64_t> verify_store(const Snapshot& snapshot, const View& view,
                                                 DocumentReader& documents, const VerifyListener& listener);

}  // namespace akin::opensearch
