// Verifies that everything a store holds is consistent.
#pragma once

#include <functional>

#include "index/lmdb/documents/reading.h"
#include "index/store/store.h"

namespace akin {

/// As Snapshot::verify. It checks, for every document: id ↔ number ↔ record; record ↔ text (whole frame, its
/// checksum, UTF-8, length in bytes and code points); record ↔ file (length, SHA-256); record ↔ sequence
/// (checksum, number of features, sentences, code points; ranges inside the text); sequence ↔ postings in
/// both directions; and the counters. Two passes over the postings at most; memory: 40 bytes per document.
[[nodiscard]] Result<std::uint64_t> verify_store(
    Reading reading, bool store_text, const std::function<void(const Finding&)>& report,
    const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace akin
