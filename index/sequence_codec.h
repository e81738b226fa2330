// Feature sequences as bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "morph/scheme.h"

namespace akin {

/// The bytes of a sequence with their checksum. Requires hashes and ranges of equal length and ranges with
/// begin <= end.
[[nodiscard]] std::string encode_sequence(const FeatureSequence& sequence);

/// Nothing if the bytes are not what encode_sequence writes; never reads beyond them, and never allocates
/// more than a small multiple of their length.
[[nodiscard]] std::optional<FeatureSequence> decode_sequence(std::string_view bytes);

}  // namespace akin
