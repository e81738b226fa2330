// Postings as bytes: the rows of akin.packed_postings_N and the blocks of akin.frequent_postings_N.
//
//   row      groups, keys ascending: varint(difference of the key from the one before, at first from the
//            bucket's first key, doubled; +1 if the group has several postings), then, if so,
//            varint(postings - 2), then the postings
//   block    the postings of one key
//   posting  documents ascending: varint(difference of the document from the one before in the group or
//            block, at first from 0, doubled; +1 if the document has the feature more than once), then, if
//            so, varint(times - 2)
//
// A checksum over the bucket or key and these bytes follows, so that a row that was damaged, or belongs
// elsewhere, is an error and not another answer. varint, checksum: index/codec/encoding.h.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/codec/encoding.h"
#include "index/pg/postings/segments.h"

namespace akin::pg {

/// A document's posting under a key (key_of); `count` >= 1.
struct StoredPosting {
  std::int64_t key = 0, document = 0;
  std::uint32_t count = 0;
  friend auto operator<=>(const StoredPosting&, const StoredPosting&) = default;
};

/// Sorts postings; fast where keys are hashes.
void sort_postings(std::vector<StoredPosting>& postings);

/// The bytes of a row. Requires postings of one bucket, ascending, of different (key, document), at least
/// one.
[[nodiscard]] std::string encode_row(std::span<const StoredPosting> postings, std::int64_t bucket);
/// The bytes of a block. Requires the same of postings of one key.
[[nodiscard]] std::string encode_block(std::span<const StoredPosting> postings);

/// A row's or block's bytes without their checksum; nothing if it is not that of these bytes under this
/// bucket or key.
[[nodiscard]] std::optional<std::string_view> checked_postings(std::string_view bytes, std::int64_t group);

namespace packed {

/// The largest number stays: it is too large for all that is counted.
[[nodiscard]] constexpr std::uint64_t plus_one(std::uint64_t number) noexcept {
  return number + (number < std::numeric_limits<std::uint64_t>::max() ? 1 : 0);
}

/// Reads the postings of one group or block: those that follow must have larger documents.
class GroupReader {
 public:
  /// `before`: the document of the posting before the first one that is read.
  explicit GroupReader(ByteReader& bytes, std::optional<std::int64_t> before = {}) noexcept
      : bytes_(bytes),
        document_(static_cast<std::uint64_t>(before.value_or(0))),
        has_document_(before.has_value()) {}

  /// Reads one posting and calls visit(document, count); false if there is none, or not of a larger document.
  template <class Visit>
  [[nodiscard]] bool next(const Visit& visit) {
    const std::uint64_t entry = bytes_.varint();
    const std::uint64_t difference = entry >> 1U;
    const std::uint64_t more = (entry & 1U) == 0 ? 0 : plus_one(bytes_.varint());
    if (!bytes_.ok() || more >= std::numeric_limits<std::uint32_t>::max()) return false;
    if ((has_document_ && difference == 0) || difference > kMostDocument - document_) return false;
    document_ += difference;
    has_document_ = true;
    visit(static_cast<std::int64_t>(document_), static_cast<std::uint32_t>(more + 1));
    return true;
  }

 private:
  static constexpr std::uint64_t kMostDocument = std::numeric_limits<std::int64_t>::max();
  ByteReader& bytes_;
  std::uint64_t document_ = 0;
  bool has_document_ = false;
};

}  // namespace packed

/// Calls visit(document, count) for each posting of a block, given without its checksum; false if the bytes
/// are none, perhaps after some calls. Documents ascend. Reads nothing beyond the bytes.
template <class Visit>
[[nodiscard]] bool for_each_in_checked_block(std::string_view checked, const Visit& visit) {
  ByteReader bytes(checked);
  packed::GroupReader postings(bytes);
  while (bytes.left() > 0) {
    if (!postings.next(visit)) return false;
  }
  return !checked.empty();
}

/// The same of a block of a key with its checksum: without calls if that is wrong.
template <class Visit>
[[nodiscard]] bool for_each_in_block(std::string_view bytes, std::int64_t key, const Visit& visit) {
  const std::optional<std::string_view> checked = checked_postings(bytes, key);
  return checked && for_each_in_checked_block(*checked, visit);
}

/// Calls visit(key, document, count) for each posting of a bucket's row, given without its checksum; false if
/// the bytes are none, perhaps after some calls. Keys ascend and are the bucket's, and documents ascend for
/// each. Reads nothing beyond the bytes, and of them nothing after the postings of key `last`.
template <class Visit>
[[nodiscard]] bool for_each_in_checked_row(std::string_view checked, std::int64_t bucket, const Visit& visit,
                                           std::int64_t last = std::numeric_limits<std::int64_t>::max()) {
  if (!is_bucket(bucket)) return false;
  ByteReader bytes(checked);
  const KeyRange keys = keys_of_bucket(bucket);
  auto key = static_cast<std::uint64_t>(keys.first);
  std::uint64_t left = static_cast<std::uint64_t>(keys.last) - key;  // of the keys that may still come
  for (bool first = true; bytes.left() > 0; first = false) {
    const std::uint64_t group = bytes.varint();
    const std::uint64_t difference = group >> 1U;
    if (!bytes.ok() || difference > left || (!first && difference == 0)) return false;
    left -= difference;
    key += difference;
    if (static_cast<std::int64_t>(key) > last) return true;
    const std::uint64_t more = (group & 1U) == 0 ? 0 : packed::plus_one(bytes.varint());
    // Each has at least a byte.
    if (!bytes.ok() || more >= bytes.left()) return false;
    packed::GroupReader postings(bytes);
    for (std::uint64_t i = 0; i <= more; ++i) {
      if (!postings.next([&](std::int64_t document, std::uint32_t count) {
            visit(static_cast<std::int64_t>(key), document, count);
          }))
        return false;
    }
  }
  return !checked.empty();
}

/// The same of a row with its checksum: without calls if that is wrong.
template <class Visit>
[[nodiscard]] bool for_each_in_row(std::string_view bytes, std::int64_t bucket, const Visit& visit) {
  const std::optional<std::string_view> checked = checked_postings(bytes, bucket);
  return checked && for_each_in_checked_row(*checked, bucket, visit);
}

/// The error for a row or block that cannot be decoded.
[[nodiscard]] Error damaged_postings(std::string_view table, std::int64_t where);

}  // namespace akin::pg
