// What is stored of a document beside its text and features.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "index/store/revision.h"

namespace akin {

/// The file that a document was read from.
struct FileOrigin {
  Sha256 sha256{};  ///< of its bytes; of a member of an archive, of the member's
  std::uint64_t reading =
      0;  ///< a hash of the caller's choice: equal if two extractions gave the same document
  std::uint64_t kept_bytes = 0;  ///< its length, if the store keeps it; 0 if not. Set by the store
  friend bool operator==(const FileOrigin&, const FileOrigin&) = default;
  /// Whether the same bytes were extracted in the same way, whether or not they are kept.
  [[nodiscard]] bool reads_the_same(const FileOrigin& other) const noexcept {
    return sha256 == other.sha256 && reading == other.reading;
  }
};

/// The stored data of a document other than text and features.
struct DocumentRecord {
  std::string id;        ///< the client's, unique in the collection; 1..kMaxIdBytes bytes of UTF-8
  std::string title;     ///< may be empty
  std::string metadata;  ///< opaque to the store (the server keeps compact JSON here); may be empty
  std::uint64_t text_bytes = 0;
  std::uint64_t code_points = 0;
  std::uint64_t sentences = 0;
  std::uint64_t features = 0;  ///< |B|; of the first tier, if the scheme has tiers
  Revision revision;
  std::vector<std::uint64_t> tier_sizes = {};  ///< FeatureSequence::tier_sizes
  std::optional<Sha256> text_sha256 = {};      ///< nothing: stored by an akin that did not keep it
  std::optional<FileOrigin> file = {};  ///< nothing if the document was not read from a file, or as above
  /// Opaque to the store; the server keeps here where in its file the text is (ingest/places.h). May be
  /// empty.
  std::string places = {};

  /// |B| in one tier; nothing if the tier does not exist.
  [[nodiscard]] std::optional<std::uint64_t> features_in(std::size_t tier) const {
    if (tier == 0) return features;
    return tier < tier_sizes.size() ? std::optional(tier_sizes[tier]) : std::nullopt;
  }
  /// Of all tiers together: the length of the stored sequence.
  [[nodiscard]] std::uint64_t all_features() const {
    return tier_sizes.empty() ? features
                              : std::reduce(tier_sizes.begin(), tier_sizes.end(), std::uint64_t{0});
  }
  friend bool operator==(const DocumentRecord&, const DocumentRecord&) = default;
};

/// A document of a snapshot: the members of that snapshot read the rest of it without another look-up.
struct StoredDocument : DocumentRecord {
  std::uint64_t number = 0;  ///< the document's in its snapshot
};

inline constexpr std::size_t kMaxIdBytes = 500;

}  // namespace akin
