#include "index/pg/packed_rows.h"

#include "index/posting.h"

namespace akin::pg {
namespace {

void append_posting(std::string& bytes, std::int64_t& before, const StoredPosting& posting) {
  const auto difference = static_cast<std::uint64_t>(posting.document - before);
  append_varint(bytes, difference << 1U | static_cast<std::uint64_t>(posting.count > 1));
  if (posting.count > 1) append_varint(bytes, posting.count - 2);
  before = posting.document;
}

}  // namespace

std::string encode_row(std::span<const StoredPosting> postings, std::int64_t bucket) {
  std::string bytes;
  std::int64_t key = first_key(bucket);
  for (std::size_t at = 0; at < postings.size();) {
    std::size_t end = at + 1;
    while (end < postings.size() && postings[end].key == postings[at].key) ++end;
    // Keys of one bucket are close enough for the difference.
    const std::uint64_t difference =
        static_cast<std::uint64_t>(postings[at].key) - static_cast<std::uint64_t>(key);
    append_varint(bytes, difference << 1U | static_cast<std::uint64_t>(end - at > 1));
    if (end - at > 1) append_varint(bytes, end - at - 2);
    std::int64_t before = 0;
    for (const StoredPosting& posting : postings.subspan(at, end - at))
      append_posting(bytes, before, posting);
    key = postings[at].key;
    at = end;
  }
  return bytes;
}

std::string encode_block(std::span<const StoredPosting> postings) {
  std::string bytes;
  std::int64_t before = 0;
  for (const StoredPosting& posting : postings) append_posting(bytes, before, posting);
  return bytes;
}

Error damaged_postings(std::string_view table, std::int64_t where) {
  return corrupt(std::string(table) + " " + std::to_string(where), "its bytes are not packed postings");
}

}  // namespace akin::pg
