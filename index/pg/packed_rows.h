// Postings as bytes: the rows of akin.packed_postings_N and the blocks of akin.frequent_postings_N.
//
//   row      groups, keys ascending: varint(difference of the key from the one before, at first from the
//            bucket's first key, doubled; +1 if the group has several postings), then, if so,
//            varint(postings - 2), then the postings
//   block    the postings of one key
//   posting  documents ascending: varint(difference of the document from the one before in the group or
//   block,
//            at first from 0, doubled; +1 if the document has the feature more than once), then, if so,
//            varint(times - 2)
//
// varint: index/encoding.h.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/encoding.h"
#include "index/pg/segments.h"

namespace akin::pg {

/// A document's posting under a key (key_of); `count` >= 1.
struct StoredPosting {
  std::int64_t key = 0, document = 0;
  std::uint32_t count = 0;
  friend auto operator<=>(const StoredPosting&, const StoredPosting&) = default;
};

/// The bytes of a row. Requires postings of one bucket, ascending, of different (key, document), at least
/// one.
[[nodiscard]] std::string encode_row(std::span<const StoredPosting> postings, std::int64_t bucket);
/// The bytes of a block. Requires the same of postings of one key.
[[nodiscard]] std::string encode_block(std::span<const StoredPosting> postings);

namespace packed {

/// Reads one posting of a group or block and calls visit(document, count).
template <class Visit>
void read_posting(ByteReader& reader, std::uint64_t& document, const Visit& visit) {
  const std::uint64_t entry = reader.varint();
  document += entry >> 1U;
  const std::uint64_t count = (entry & 1U) == 0 ? 1 : reader.varint() + 2;
  visit(static_cast<std::int64_t>(document), static_cast<std::uint32_t>(count));
}

}  // namespace packed

/// Calls visit(document, count) for each posting of a block; false if the bytes are none. Reads nothing
/// beyond them.
template <class Visit>
[[nodiscard]] bool for_each_in_block(std::string_view bytes, const Visit& visit) {
  ByteReader reader(bytes);
  std::uint64_t document = 0;
  while (reader.ok() && reader.left() > 0) packed::read_posting(reader, document, visit);
  return reader.ok();
}

/// Calls visit(key, document, count) for each posting of a bucket's row; otherwise the same.
template <class Visit>
[[nodiscard]] bool for_each_in_row(std::string_view bytes, std::int64_t bucket, const Visit& visit) {
  ByteReader reader(bytes);
  auto key = static_cast<std::uint64_t>(first_key(bucket));
  while (reader.ok() && reader.left() > 0) {
    const std::uint64_t group = reader.varint();
    key += group >> 1U;
    const std::uint64_t postings = (group & 1U) == 0 ? 1 : reader.varint() + 2;
    std::uint64_t document = 0;
    for (std::uint64_t i = 0; i < postings && reader.ok(); ++i) {
      packed::read_posting(reader, document, [&](std::int64_t number, std::uint32_t count) {
        visit(static_cast<std::int64_t>(key), number, count);
      });
    }
  }
  return reader.ok();
}

/// The error for a row or block that cannot be decoded.
[[nodiscard]] Error damaged_postings(std::string_view table, std::int64_t where);

}  // namespace akin::pg
