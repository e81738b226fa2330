#include "index/lmdb/documents/sequences.h"

#include <deque>
#include <optional>

namespace akin {

namespace {

bool is_damage(const Result<bool>& moved) { return moved.has_error() && moved.error().code == Errc::corrupt; }

/// Moves to the chunk that would hold a document; false if there is none. Its key is then valid.
Result<bool> seek_chunk(lmdb::Cursor& cursor, DocNumber document) {
  AKIN_TRY(const bool there, cursor.seek_at_most(document_key(document)));
  return there && decode_document_key(cursor.key()).has_value();
}

}  // namespace

Result<std::string_view> find_sequence(const lmdb::Txn& txn, const Tables& tables, DocNumber document) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.sequences));
  AKIN_TRY(const bool there, seek_chunk(cursor, document));
  if (!there) return std::string_view();
  const std::optional<SequenceChunk::Parts> parts =
      SequenceChunk::open(*decode_document_key(cursor.key()), cursor.value());
  if (!parts) return corrupt(name_of(document), "the chunk of its feature sequence cannot be read");
  for (const auto& [number, sequence] : *parts) {
    if (number == document) return sequence;
  }
  return std::string_view();
}

Result<void> put_sequences(lmdb::WriteTxn& txn, const Tables& tables,
                           std::span<const std::pair<DocNumber, std::string_view>> sequences) {
  SequenceChunk chunk;
  const auto put = [&]() -> Result<void> {
    const std::string key = document_key(chunk.first());
    return txn.append(tables.sequences, key, chunk.take());
  };
  for (const auto& [number, sequence] : sequences) {
    if (!chunk.fits(sequence)) AKIN_CHECK(put());
    chunk.add(number, sequence);
  }
  if (!chunk.empty()) AKIN_CHECK(put());
  return {};
}

Result<void> erase_sequence(lmdb::WriteTxn& txn, const Tables& tables, DocNumber document) {
  AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(tables.sequences));
  const Result<bool> there = seek_chunk(cursor, document);
  if (there.has_error()) return is_damage(there) ? Result<void>() : there.error();
  if (!*there) return {};
  const std::optional<SequenceChunk::Parts> parts =
      SequenceChunk::open(*decode_document_key(cursor.key()), cursor.value());
  if (!parts) return {};
  SequenceChunk rest;
  bool found = false;
  for (const auto& [number, sequence] : *parts) {
    if (number == document) {
      found = true;
    } else {
      rest.add(number, sequence);
    }
  }
  if (!found) return {};
  if (rest.empty()) return cursor.erase();
  const std::string key = document_key(rest.first());
  const std::string bytes = rest.take();  // copied before the chunk's pages are released
  AKIN_CHECK(cursor.erase());
  return txn.put(tables.sequences, key, bytes);
}

Result<DocNumber> repack_sequences(lmdb::WriteTxn& txn, const Tables& tables, DocNumber from, DocNumber to,
                                   std::size_t limit) {
  std::deque<std::string> chunks;  // copies with stable addresses: writing moves the pages
  // Chunks that are nearly full are kept: sequences before and after one cannot share a chunk.
  constexpr std::size_t kNearlyFull = kChunkBytes / 4 * 3;
  std::vector<std::vector<std::pair<DocNumber, std::string_view>>> groups(1);
  DocNumber next = to;
  {
    AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(tables.sequences));
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
      if (skipped || cursor.value().size() >= kNearlyFull || !SequenceChunk::open(*first, cursor.value())) {
        if (!groups.back().empty()) groups.emplace_back();
      } else {
        bytes += cursor.value().size();
        const std::string& chunk = chunks.emplace_back(cursor.value());
        const std::optional<SequenceChunk::Parts> parts = SequenceChunk::open(*first, chunk);
        groups.back().insert(groups.back().end(), parts->begin(), parts->end());
        AKIN_CHECK(cursor.erase());
      }
    }
  }
  for (const auto& group : groups) AKIN_CHECK(put_sequences(txn, tables, group));
  return next;
}

}  // namespace akin
