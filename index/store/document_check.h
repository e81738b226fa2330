// Whether the parts of a stored document agree, for the verification of every engine.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "index/codec/sequence_codec.h"
#include "index/store/store.h"

namespace akin {

/// Callbacks of Snapshot::verify; either may be empty.
struct VerifyListener {
  const std::function<void(const Finding&)>& report;
  const std::function<void(std::uint64_t done, std::uint64_t total)>& progress;
};

/// Receives what is wrong: "a feature's range lies outside the text".
using ReportBroken = std::function<void(std::string)>;

/// Compares a document's sequence with its record: features in all and of each tier, sentences, code points,
/// and the ranges of the features.
void check_sequence(const StoredSequence& stored, const DocumentRecord& record, const ReportBroken& report);

/// Whether a document's text is UTF-8, of as many code points as its record says.
void check_text(std::string_view text, const DocumentRecord& record, const ReportBroken& report);

}  // namespace akin
