#include "index/lmdb/documents/chunks.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace akin {

namespace {

// A removal writes its chunk again, and a damaged page loses it; a long one fills its last page better.
constexpr std::size_t kPagesOfSequences = 4, kPagesOfTexts = 8;

bool is_damage(const Result<bool>& moved) { return moved.has_error() && moved.error().code == Errc::corrupt; }

/// Moves to the chunk that would hold a document; false if there is none. Its key is then valid.
Result<bool> seek_chunk(lmdb::Cursor& cursor, DocNumber document) {
  AKIN_TRY(const bool there, cursor.seek_at_most(document_key(document)));
  return there && decode_document_key(cursor.key()).has_value();
}

/// Of the chunk that would hold the first of the documents, which ascend, removes all of them; returns how
/// many of them it could hold.
Result<std::size_t> erase_from_chunk(lmdb::WriteTxn& txn, const Chunked& chunked,
                                     std::span<const DocNumber> documents) {
  AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(chunked.table));
  const Result<bool> there = seek_chunk(cursor, documents.front());
  if (there.has_error()) return is_damage(there) ? Result<std::size_t>(1) : there.error();
  if (!*there) return 1;
  const std::optional<DocumentChunk::Parts> parts =
      DocumentChunk::open(*decode_document_key(cursor.key()), cursor.value());
  if (!parts) return 1;
  const auto end = std::ranges::upper_bound(documents, parts->back().first);
  const auto held = std::max<std::size_t>(static_cast<std::size_t>(end - documents.begin()), 1);
  DocumentChunk rest(cursor.value().size());
  std::size_t kept = 0;
  for (const auto& [number, value] : *parts) {
    if (std::ranges::binary_search(documents.first(held), number)) continue;
    rest.add(number, value);
    ++kept;
  }
  if (kept == parts->size()) return held;
  if (rest.empty()) {
    AKIN_CHECK(cursor.erase());
    return held;
  }
  const std::string key = document_key(rest.first());
  const std::string bytes = rest.take();  // copied before the chunk's pages are released
  AKIN_CHECK(cursor.erase());
  AKIN_CHECK(txn.put(chunked.table, key, bytes));
  return held;
}

}  // namespace

Chunked sequences_of(const Tables& tables) noexcept {
  return {tables.sequences, chunk_of_pages(kPagesOfSequences), "feature sequence"};
}

Chunked texts_of(const Tables& tables) noexcept {
  return {tables.texts, chunk_of_pages(kPagesOfTexts), "text"};
}

Result<std::string_view> find_part(const lmdb::Txn& txn, const Chunked& chunked, DocNumber document) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(chunked.table));
  AKIN_TRY(const bool there, seek_chunk(cursor, document));
  if (!there) return std::string_view();
  const std::optional<DocumentChunk::Parts> parts =
      DocumentChunk::open(*decode_document_key(cursor.key()), cursor.value());
  if (!parts)
    return corrupt(name_of(document), "the chunk of its " + std::string(chunked.what) + " cannot be read");
  for (const auto& [number, value] : *parts) {
    if (number == document) return value;
  }
  return std::string_view();
}

Result<void> put_parts(lmdb::WriteTxn& txn, const Chunked& chunked, const DocumentChunk::Parts& parts) {
  DocumentChunk chunk(chunked.most);
  const auto put = [&]() -> Result<void> {
    const std::string key = document_key(chunk.first());
    return txn.append(chunked.table, key, chunk.take());
  };
  for (const auto& [number, value] : parts) {
    if (!chunk.fits(value)) AKIN_CHECK(put());
    chunk.add(number, value);
  }
  if (!chunk.empty()) AKIN_CHECK(put());
  return {};
}

Result<void> erase_parts(lmdb::WriteTxn& txn, const Chunked& chunked, std::vector<DocNumber> documents) {
  std::ranges::sort(documents);
  for (std::span<const DocNumber> rest(documents); !rest.empty();) {
    AKIN_TRY(const std::size_t held, erase_from_chunk(txn, chunked, rest));
    rest = rest.subspan(held);
  }
  return {};
}

Result<DocNumber> repack_parts(lmdb::WriteTxn& txn, const Chunked& chunked, DocNumber from, DocNumber to,
                               std::size_t limit) {
  std::deque<std::string> chunks;  // copies with stable addresses: writing moves the pages
  // Chunks that are nearly full are kept: values before and after one cannot share a chunk.
  const std::size_t nearly_full = chunked.most / 4 * 3;
  std::vector<DocumentChunk::Parts> groups(1);
  DocNumber next = to;
  {
    AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(chunked.table));
    Result<bool> there = cursor.seek_at_least(document_key(from));
    for (std::size_t bytes = 0;; there = cursor.next()) {
      const bool skipped = there.has_error() && cursor.is_on_damaged_entry();
      if (there.has_error() && !skipped) return std::move(there).failure();
      if (!skipped && !*there) break;
      const std::optional<DocNumber> first = decode_document_key(cursor.key());
      if (!first || *first >= to) break;
      if (bytes >= limit) {
        next = *first;
        break;
      }
      if (skipped || cursor.value().size() >= nearly_full || !DocumentChunk::open(*first, cursor.value())) {
        if (!groups.back().empty()) groups.emplace_back();
      } else {
        bytes += cursor.value().size();
        const std::string& chunk = chunks.emplace_back(cursor.value());
        const std::optional<DocumentChunk::Parts> parts = DocumentChunk::open(*first, chunk);
        groups.back().insert(groups.back().end(), parts->begin(), parts->end());
        AKIN_CHECK(cursor.erase());
      }
    }
  }
  for (const auto& group : groups) AKIN_CHECK(put_parts(txn, chunked, group));
  return next;
}

}  // namespace akin
