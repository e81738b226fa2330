// Feature sequences as bytes, and several of them in one chunk.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  derived,  ///< none if a stored text gives them (derived_features.h), otherwise as narrowest
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

/// The most bytes of a chunk, unless one sequence alone is longer: the contents of four LMDB pages, without a
/// check.
inline constexpr std::size_t kChunkBytes = 4 * 4096 - 16 - 4;

/// Sequences of documents one after another, stored under the number of the first.
class SequenceChunk {
 public:
  [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
  [[nodiscard]] DocNumber first() const noexcept { return parts_.front().first; }
  /// Whether the chunk would have at most kChunkBytes with one more; an empty chunk accepts any.
  [[nodiscard]] bool fits(std::string_view sequence) const noexcept;
  /// Numbers ascend. The view must live until `take`.
  void add(DocNumber number, std::string_view sequence);
  /// Returns the chunk's bytes and empties it.
  [[nodiscard]] std::string take();

  using Parts = std::vector<std::pair<DocNumber, std::string_view>>;
  /// The documents of a chunk stored under `first`, with their encoded sequences, numbers ascending. Nothing
  /// if the bytes are not a chunk.
  [[nodiscard]] static std::optional<Parts> open(DocNumber first, std::string_view bytes);

 private:
  Parts parts_;
  std::size_t bytes_ = 0;
};

}  // namespace akin
