#include "index/lmdb/recent_postings.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/crc32c.h"
#include "index/encoding.h"
#include "index/lmdb/format.h"
#include "index/lmdb/tables.h"

namespace akin {

namespace {

constexpr std::size_t kPostingBytes = format::kPostingBytes;
constexpr std::size_t kCheckedPostingBytes = kPostingBytes + 4;

struct FeatureKey {
  explicit FeatureKey(Feature feature) noexcept {
    const auto bits = static_cast<std::uint64_t>(feature);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(bits >> (56 - 8 * i) & 0xffU);
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes.data(), bytes.size()}; }
  std::array<char, format::kFeatureBytes> bytes{};
};

/// The check of a posting: of its feature's key and its own bytes.
std::uint32_t check_of_posting(std::string_view key, std::string_view posting) noexcept {
  return crc32c(posting.substr(0, kPostingBytes), crc32c(key));
}

/// A posting's bytes; with a check if the table is checked.
struct PostingValue {
  PostingValue(const FeatureKey& key, DocNumber document, std::uint32_t count, bool checked) noexcept
      : size(checked ? kCheckedPostingBytes : kPostingBytes) {
    put(0, static_cast<std::uint32_t>(document));
    put(4, count);
    if (checked) put(kPostingBytes, check_of_posting(key.view(), {bytes.data(), kPostingBytes}));
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes.data(), size}; }

 private:
  void put(std::size_t at, std::uint32_t number) noexcept {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(number >> (24 - 8 * i) & 0xffU);
  }
  std::array<char, kCheckedPostingBytes> bytes{};
  std::size_t size;
};

}  // namespace

bool is_sound_recent_posting(std::string_view key, std::string_view value) noexcept {
  return value.size() == kCheckedPostingBytes &&
         check_of_posting(key, value) == load_u32_big_endian(value.data() + kPostingBytes);
}

Result<RecentCursor> RecentCursor::open(const lmdb::Txn& txn, lmdb::Table table) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(table));
  return RecentCursor(std::move(cursor), table.checked);
}

Result<void> RecentCursor::take_key() {
  if (cursor_.key().size() != format::kFeatureBytes)
    return corrupt("table 'recent'", "a key does not have 8 bytes");
  feature_ = Feature{load_u64_big_endian(cursor_.key().data())};
  return {};
}

Error RecentCursor::damaged(std::string_view broken) const {
  return corrupt("table 'recent', " + name_of(feature_), std::string(broken));
}

Result<void> RecentCursor::verify_value(std::string_view key, std::string_view value) const {
  if (value.size() != value_bytes_) return damaged("a posting does not have its size");
  if (value_bytes_ == kPostingBytes) return {};
  if (check_of_posting(key, value) == load_u32_big_endian(value.data() + kPostingBytes)) return {};
  return damaged("a posting does not have its checksum");
}

Result<std::uint64_t> RecentCursor::seek(Feature feature) {
  feature_ = feature;
  const FeatureKey key(feature);
  if (value_bytes_ == kPostingBytes) {
    AKIN_TRY(const bool there, cursor_.seek(key.view()));
    return there ? cursor_.values() : Result<std::uint64_t>(std::uint64_t{0});
  }
  AKIN_TRY(bool there, cursor_.seek_gap(key.view()));
  if (there && cursor_.key() == key.view()) return cursor_.values();
  // The lists before and after are what they were: none between them was lost.
  if (there) AKIN_CHECK(verify_value(cursor_.key(), cursor_.value()));
  AKIN_TRY(there, cursor_.to_key_after());
  if (there) AKIN_CHECK(verify_value(cursor_.key(), cursor_.value()));
  return std::uint64_t{0};
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
  const FeatureKey key(feature_);
  AKIN_TRY(const std::uint64_t size, cursor_.values());
  AKIN_CHECK(cursor_.values_of_page());
  for (bool more = true; more;) {
    const std::string_view page = cursor_.value();
    if (page.empty() || page.size() % value_bytes_ != 0) return damaged("a posting does not have its size");
    for (std::size_t at = 0; at < page.size(); at += value_bytes_) {
      AKIN_CHECK(verify_value(key.view(), page.substr(at, value_bytes_)));
      const DocNumber document{load_u32_big_endian(page.data() + at)};
      const std::uint32_t count = load_u32_big_endian(page.data() + at + 4);
      if (document == kEnd || count == 0)
        return damaged("a posting has an impossible document number or count");
      if (documents.size() > before && document <= documents.back())
        return damaged("its documents do not ascend");
      documents.push_back(document);
      counts.push_back(count);
    }
    AKIN_TRY(more, cursor_.values_of_next_page());
  }
  if (documents.size() - before != size) return damaged("its list does not have as many postings as it says");
  return {};
}

Result<std::uint32_t> RecentCursor::count(Feature feature, DocNumber document) {
  feature_ = feature;
  const FeatureKey key(feature);
  AKIN_TRY(bool there, cursor_.seek_value_at_least(key.view(), PostingValue(key, document, 0, false).view()));
  if (there) {
    AKIN_CHECK(verify_value(key.view(), cursor_.value()));
    if (DocNumber{load_u32_big_endian(cursor_.value().data())} == document)
      return load_u32_big_endian(cursor_.value().data() + 4);
    AKIN_TRY(there, cursor_.previous_value());
  } else {
    AKIN_TRY(const std::uint64_t size, seek(feature));
    AKIN_TRY(there, size > 0 ? cursor_.last_value() : Result<bool>(false));
  }
  // The posting before is what it was, too: none between them was lost.
  if (there) AKIN_CHECK(verify_value(key.view(), cursor_.value()));
  if (there && DocNumber{load_u32_big_endian(cursor_.value().data())} >= document)
    return damaged("its documents do not ascend");
  return std::uint32_t{0};
}

}  // namespace akin
