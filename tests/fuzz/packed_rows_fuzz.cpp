// PostgreSQL's packed postings: whatever bytes are in a row's or block's place, nothing beyond them is read,
// postings ascend, and what decodes encodes to the same bytes. A row or block that is damaged, or read under
// another bucket or key, is never decoded.
// Input: one byte that chooses the case, 8 bytes of a bucket or key, then packed bytes without a checksum.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/pg/postings/packed_rows.h"

namespace {

using akin::pg::StoredPosting;

void require(bool holds) {
  if (!holds) std::abort();
}

/// A bucket of a level that exists; a quarter of the numbers stay as they are.
std::int64_t likely_bucket(std::int64_t number, unsigned choice) {
  if (choice % 4 == 0) return number;
  const int bits = akin::pg::kLeastBits + static_cast<int>(choice / 4 % 25);
  return akin::pg::bucket_of(number, akin::pg::level_of(akin::pg::band_of(number), bits));
}

bool decode_row(std::string_view checked, std::int64_t bucket, std::vector<StoredPosting>& postings) {
  return akin::pg::for_each_in_checked_row(checked, bucket, [&](auto key, auto document, auto count) {
    postings.push_back({key, document, count});
  });
}

bool decode_block(std::string_view checked, std::int64_t key, std::vector<StoredPosting>& postings) {
  return akin::pg::for_each_in_checked_block(checked, [&](auto document, auto count) {
    postings.push_back({key, document, count});
  });
}

void require_ascending(std::span<const StoredPosting> postings) {
  for (std::size_t i = 0; i < postings.size(); ++i) {
    const StoredPosting& one = postings[i];
    require(one.document >= 0 && one.count > 0);
    if (i == 0) continue;
    const StoredPosting& before = postings[i - 1];
    require(before.key < one.key || (before.key == one.key && before.document < one.document));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHead = 9;
  if (size < kHead) return 0;
  const unsigned choice = data[0];
  const bool is_row = choice % 2 == 0;
  std::int64_t group = 0;
  std::memcpy(&group, data + 1, sizeof group);
  if (is_row) group = likely_bucket(group, choice / 2);
  // A copy of exactly its bytes, so that every read beyond them is seen.
  const std::vector<char> exact(data + kHead, data + size);
  const std::string_view checked(exact.data(), exact.size());
  std::vector<StoredPosting> postings;
  if (!(is_row ? decode_row(checked, group, postings) : decode_block(checked, group, postings))) return 0;
  require_ascending(postings);
  std::string whole = is_row ? akin::pg::encode_row(postings, group) : akin::pg::encode_block(postings);
  require(akin::pg::checked_postings(whole, group) == checked);
  require(!akin::pg::checked_postings(whole, group ^ 1));
  const std::size_t at = choice % whole.size();
  whole[at] = static_cast<char>(static_cast<unsigned char>(whole[at]) ^ (1U << (choice % 8)));
  require(!akin::pg::checked_postings(whole, group));
  return 0;
}
