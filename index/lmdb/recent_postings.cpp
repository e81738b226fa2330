#include "index/lmdb/recent_postings.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "index/encoding.h"
#include "index/lmdb/format.h"
#include "index/lmdb/tables.h"

namespace akin {

namespace {

constexpr std::size_t kPostingBytes = format::kPostingBytes;

struct FeatureKey {
  explicit FeatureKey(Feature feature) noexcept {
    const auto bits = static_cast<std::uint64_t>(feature);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(bits >> (56 - 8 * i) & 0xffU);
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes.data(), bytes.size()}; }
  std::array<char, format::kFeatureBytes> bytes{};
};

struct PostingValue {
  PostingValue(DocNumber document, std::uint32_t count) noexcept {
    const auto number = static_cast<std::uint32_t>(document);
    for (std::size_t i = 0; i < 4; ++i) {
      bytes[i] = static_cast<char>(number >> (24 - 8 * i) & 0xffU);
      bytes[4 + i] = static_cast<char>(count >> (24 - 8 * i) & 0xffU);
    }
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes.data(), bytes.size()}; }
  std::array<char, kPostingBytes> bytes{};
};

}  // namespace

Result<void> add_recent_postings(lmdb::WriteTxn& txn, lmdb::Table table, std::span<const Posting> postings) {
  assert(std::is_sorted(postings.begin(), postings.end()));
  if (postings.empty()) return {};
  AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(table));
  for (const Posting& posting : postings) {
    const FeatureKey key(posting.feature);
    const PostingValue value(posting.document, posting.count);
    AKIN_TRY(const bool added, cursor.insert_value(key.view(), value.view()));
    if (!added) {
      return corrupt(name_of(posting.feature) + ", " + name_of(posting.document),
                     "the posting of a new document exists already");
    }
  }
  return {};
}

Result<RecentCursor> RecentCursor::open(const lmdb::Txn& txn, lmdb::Table table) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(table));
  return RecentCursor(std::move(cursor));
}

Result<void> RecentCursor::take_key() {
  if (cursor_.key().size() != format::kFeatureBytes)
    return corrupt("recent postings", "a key does not have 8 bytes");
  feature_ = Feature{load_u64_big_endian(cursor_.key().data())};
  return {};
}

Result<std::uint64_t> RecentCursor::seek(Feature feature) {
  feature_ = feature;
  AKIN_TRY(const bool there, cursor_.seek(FeatureKey(feature).view()));
  if (!there) return std::uint64_t{0};
  return cursor_.values();
}

Result<bool> RecentCursor::seek_at_least(Feature from) {
  AKIN_TRY(const bool there, cursor_.seek_at_least(FeatureKey(from).view()));
  if (there) AKIN_CHECK(take_key());
  return there;
}

Result<bool> RecentCursor::next() {
  AKIN_TRY(const bool there, cursor_.next_key());
  if (there) AKIN_CHECK(take_key());
  return there;
}

Result<void> RecentCursor::read(std::vector<DocNumber>& documents, std::vector<std::uint32_t>& counts) {
  const std::size_t before = documents.size();
  AKIN_CHECK(cursor_.values_of_page());
  for (bool more = true; more;) {
    const std::string_view page = cursor_.value();
    if (page.empty() || page.size() % kPostingBytes != 0)
      return corrupt(name_of(feature_), "a posting does not have 8 bytes");
    for (std::size_t at = 0; at < page.size(); at += kPostingBytes) {
      const DocNumber document{load_u32_big_endian(page.data() + at)};
      const std::uint32_t count = load_u32_big_endian(page.data() + at + 4);
      if (document == kEnd || count == 0)
        return corrupt(name_of(feature_), "a posting has an impossible document number or count");
      if (documents.size() > before && document <= documents.back())
        return corrupt(name_of(feature_), "its documents do not ascend");
      documents.push_back(document);
      counts.push_back(count);
    }
    AKIN_TRY(more, cursor_.values_of_next_page());
  }
  return {};
}

Result<std::uint32_t> RecentCursor::count(Feature feature, DocNumber document) {
  AKIN_TRY(const bool there,
           cursor_.seek_value_at_least(FeatureKey(feature).view(), PostingValue(document, 0).view()));
  if (!there || cursor_.value().size() != kPostingBytes) return std::uint32_t{0};
  if (DocNumber{load_u32_big_endian(cursor_.value().data())} != document) return std::uint32_t{0};
  return load_u32_big_endian(cursor_.value().data() + 4);
}

}  // namespace akin
