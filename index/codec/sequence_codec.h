// Feature sequences as bytes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/codec/feature_counts.h"
#include "index/codec/posting.h"
#include "index/codec/posting_digest.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// What is stored of a sequence that is derived from the document's text.
struct DerivedSequence {
  std::uint64_t features = 0;
  std::uint64_t digest = 0;  ///< digest_of() the sequence
  PostingDigest postings;    ///< of its features
  friend bool operator==(const DerivedSequence&, const DerivedSequence&) = default;
};

/// A sequence as stored. If `shift` is not 0, the hashes are the leading bits only (hash >> shift): the
/// posting lists hold the rest, and no two features of the document have the same leading bits.
struct StoredSequence {
  FeatureSequence sequence;
  unsigned shift = 0;
  /// Set: `sequence` has only its numbers of sentences, words and code points.
  std::optional<DerivedSequence> derived = {};

  [[nodiscard]] std::uint64_t features() const noexcept {
    return derived ? derived->features : sequence.hashes.size();
  }
};

/// How many bytes of each hash are stored.
enum class HashWidth {
  narrowest,  ///< as few as distinguish the hashes of the document
  whole,
};

/// Two sequences with other hashes, ranges, alerts or counts have the same digest by a chance of 2^-64.
/// tier_sizes, which a document's record has, do not count.
[[nodiscard]] std::uint64_t digest_of(const FeatureSequence& sequence) noexcept;

/// The bytes of a sequence with their checksum. Requires hashes and ranges of equal length and ranges with
/// begin <= end.
[[nodiscard]] std::string encode_sequence(const FeatureSequence& sequence,
                                          HashWidth hashes = HashWidth::narrowest);
/// The same; requires counts = count_features(sequence.hashes).
[[nodiscard]] std::string encode_sequence(const FeatureSequence& sequence,
                                          std::span<const FeatureCount> counts, HashWidth hashes);
/// The bytes of a sequence that is derived from the document's text: no hashes, ranges or alerts. Requires
/// counts = count_features(sequence.hashes).
[[nodiscard]] std::string encode_derived(const FeatureSequence& sequence,
                                         std::span<const FeatureCount> counts);

/// Nothing if the bytes are not those that encode_sequence or encode_derived writes; never reads beyond them,
/// and never allocates more than a multiple of their length.
[[nodiscard]] std::optional<StoredSequence> decode_sequence(std::string_view bytes);

}  // namespace akin
