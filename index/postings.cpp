#include "index/postings.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>

#include "index/encoding.h"
#include "index/format.h"

namespace akin {

namespace {

using format::kPostingBytes;

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

std::string name_of(const Posting& posting) {
  return akin::name_of(posting.feature) + ", " + akin::name_of(posting.document);
}

Result<void> remove_posting(lmdb::Cursor& cursor, const Posting& posting, PostingChange& change) {
  const FeatureKey key(posting.feature);
  AKIN_TRY(const bool there,
           cursor.seek_value_at_least(key.view(), PostingValue(posting.document, 0).view()));
  if (!there || cursor.value().size() != kPostingBytes ||
      DocNumber{load_u32_big_endian(cursor.value().data())} != posting.document) {
    return {};
  }
  AKIN_TRY(const std::uint64_t values, cursor.values());
  AKIN_CHECK(cursor.erase());
  --change.postings;
  if (values == 1) --change.lists;
  return {};
}

Result<void> add_posting(lmdb::Cursor& cursor, const Posting& posting, PostingChange& change) {
  const FeatureKey key(posting.feature);
  const PostingValue value(posting.document, posting.count);
  AKIN_TRY(const bool new_list, cursor.insert_key(key.view(), value.view()));
  if (new_list) {
    ++change.lists;
  } else {
    AKIN_TRY(const bool added, cursor.insert_value(key.view(), value.view()));
    if (!added) return corrupt(name_of(posting), "a posting stands where no document has the feature");
  }
  ++change.postings;
  return {};
}

}  // namespace

Result<LmdbPostingCursor> LmdbPostingCursor::make(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.postings));
  return LmdbPostingCursor(std::move(cursor));
}

void LmdbPostingCursor::fail(Error error) {
  if (!error_) error_ = std::move(error);
  end();
}

Result<void> LmdbPostingCursor::status() const {
  if (error_) return *error_;
  return {};
}

void LmdbPostingCursor::take(std::size_t at) {
  at_ = at;
  const DocNumber document{load_u32_big_endian(page_.data() + at)};
  count_ = load_u32_big_endian(page_.data() + at + 4);
  if (document == kEnd || count_ == 0) {
    fail(corrupt(name_of(feature_), "a posting has an impossible document number or count"));
    return;
  }
  document_ = document;
}

void LmdbPostingCursor::load_page() {
  page_ = cursor_.value();
  if (page_.empty() || page_.size() % kPostingBytes != 0) {
    fail(corrupt(name_of(feature_), "a posting does not have 8 bytes"));
  }
}

void LmdbPostingCursor::open(Feature feature) {
  feature_ = feature;
  end();
  if (error_) return;
  const FeatureKey key(feature);
  Result<bool> there = cursor_.seek(key.view());
  if (there.has_error()) return fail(there.error());
  if (!*there) return;
  Result<void> page = cursor_.values_of_page();
  if (page.has_error()) return fail(page.error());
  load_page();
  if (!error_) take(0);
}

void LmdbPostingCursor::next() {
  if (document_ == kEnd) return;
  const DocNumber before = document_;
  if (at_ + kPostingBytes < page_.size()) {
    take(at_ + kPostingBytes);
  } else {
    end();
    Result<bool> more = cursor_.values_of_next_page();
    if (more.has_error()) return fail(more.error());
    if (!*more) return;
    load_page();
    if (!error_) take(0);
  }
  if (document_ != kEnd && document_ <= before) {
    fail(corrupt(name_of(feature_), "its documents do not ascend"));
  }
}

void LmdbPostingCursor::next_geq(DocNumber document) {
  if (document_ == kEnd || document_ >= document) return;
  const std::size_t last = page_.size() - kPostingBytes;
  if (load_u32_big_endian(page_.data() + last) < static_cast<std::uint32_t>(document)) {
    if (document == kEnd) return end();
    const FeatureKey key(feature_);
    end();
    Result<bool> there = cursor_.seek_value_at_least(key.view(), PostingValue(document, 0).view());
    if (there.has_error()) return fail(there.error());
    if (!*there) return;
    Result<void> page = cursor_.values_of_page();
    if (page.has_error()) return fail(page.error());
    load_page();
    if (error_) return;
    at_ = 0;
  }
  // The first posting of the page that will do; one exists.
  std::size_t low = at_ / kPostingBytes;
  std::size_t high = page_.size() / kPostingBytes - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (load_u32_big_endian(page_.data() + middle * kPostingBytes) < static_cast<std::uint32_t>(document)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  take(low * kPostingBytes);
}

Result<PostingChange> change_postings(lmdb::WriteTxn& txn, const Tables& tables,
                                      std::span<const Posting> removed, std::span<const Posting> added) {
  assert(std::is_sorted(removed.begin(), removed.end()) && std::is_sorted(added.begin(), added.end()));
  PostingChange change;
  if (removed.empty() && added.empty()) return change;
  AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(tables.postings));
  for (const Posting& posting : removed) AKIN_CHECK(remove_posting(cursor, posting, change));
  for (const Posting& posting : added) AKIN_CHECK(add_posting(cursor, posting, change));
  return change;
}

Result<void> for_each_posting(const lmdb::Txn& txn, const Tables& tables,
                              const std::function<void(const Posting&)>& visit,
                              const std::function<void(std::string where, std::string broken)>& damaged) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.postings));
  for (;;) {
    AKIN_TRY(const bool there, cursor.next());
    if (!there) return {};
    if (cursor.key().size() != format::kFeatureBytes) {
      damaged("postings", "a key does not have 8 bytes");
      continue;
    }
    const Feature feature{load_u64_big_endian(cursor.key().data())};
    if (cursor.value().size() != kPostingBytes) {
      damaged(akin::name_of(feature), "a posting does not have 8 bytes");
      continue;
    }
    visit({feature, DocNumber{load_u32_big_endian(cursor.value().data())},
           load_u32_big_endian(cursor.value().data() + 4)});
  }
}

std::string name_of(Feature feature) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(feature));
  return std::string("feature ") + digits;
}

}  // namespace akin
