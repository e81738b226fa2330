#include "index/pg/postings/packed_rows.h"

#include <algorithm>
#include <utility>

#include "base/radix_sort.h"
#include "index/codec/posting.h"
#include "index/pg/tables/names.h"

namespace akin::pg {
namespace {

void append_posting(std::string& bytes, std::int64_t& before, const StoredPosting& posting) {
  const auto difference = static_cast<std::uint64_t>(posting.document - before);
  append_varint(bytes, difference << 1U | static_cast<std::uint64_t>(posting.count > 1));
  if (posting.count > 1) append_varint(bytes, posting.count - 2);
  before = posting.document;
}

std::uint32_t checksum_of(std::string_view postings, std::int64_t group) noexcept {
  return checksum(postings) ^ static_cast<std::uint32_t>(mix64(static_cast<std::uint64_t>(group)) >> 32U);
}

std::string with_checksum(std::string postings, std::int64_t group) {
  append_u32(postings, checksum_of(postings, group));
  return postings;
}

}  // namespace

void sort_postings(std::vector<StoredPosting>& postings) {
  radix_sort(std::span(postings),
             [](const StoredPosting& one) { return static_cast<std::uint64_t>(feature_of(one.key)); });
  for (auto begin = postings.begin(); begin != postings.end();) {
    const auto end =
        std::find_if(begin, postings.end(), [&](const StoredPosting& one) { return one.key != begin->key; });
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    begin = end;
  }
}

std::string encode_row(std::span<const StoredPosting> postings, std::int64_t bucket) {
  std::string bytes;
  std::int64_t key = keys_of_bucket(bucket).first;
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
  return with_checksum(std::move(bytes), bucket);
}

std::string encode_block(std::span<const StoredPosting> postings) {
  std::string bytes;
  std::int64_t before = 0;
  for (const StoredPosting& posting : postings) append_posting(bytes, before, posting);
  return with_checksum(std::move(bytes), postings.front().key);
}

std::optional<std::string_view> checked_postings(std::string_view bytes, std::int64_t group) {
  if (bytes.size() < kChecksumBytes) return std::nullopt;
  const std::string_view postings = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (load_u32(bytes.data() + postings.size()) != checksum_of(postings, group)) return std::nullopt;
  return postings;
}

Error damaged_postings(std::string_view table, std::int64_t where) {
  return corrupt(std::string(table) + " " + std::to_string(where),
                 "its bytes are not the postings that were packed there");
}

}  // namespace akin::pg
