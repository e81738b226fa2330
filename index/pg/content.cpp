#include "index/pg/content.h"

#include <algorithm>
#include <compare>
#include <string>

#include "index/pg/copy_in.h"
#include "index/pg/segments.h"
#include "index/sequence_codec.h"

namespace akin::pg {
namespace {

struct Row {
  std::int64_t key = 0, document = 0;
  std::uint32_t count = 0;
  friend auto operator<=>(const Row&, const Row&) = default;
};

std::vector<Row> rows_of(std::span<const NumberedDocument> documents) {
  std::vector<Row> rows;
  rows.reserve(count_postings(documents));
  for (const NumberedDocument& one : documents) {
    for (const FeatureCount& entry : one.document->counts)
      rows.push_back({key_of(entry.feature), one.number, entry.count});
  }
  std::ranges::sort(rows);
  return rows;
}

Result<void> copy_texts(Connection& connection, StoreNumber store,
                        std::span<const NumberedDocument> documents) {
  AKIN_TRY(CopyIn copy, CopyIn::begin(connection, of_store("akin.contents_@ (doc, body, sequence)", store)));
  for (const NumberedDocument& one : documents) {
    AKIN_CHECK(copy.row(3));
    copy.number(one.number);
    if (one.document->text.empty()) {
      copy.null();
    } else {
      copy.bytes(one.document->text);
    }
    copy.bytes(one.document->sequence);
  }
  return copy.finish();
}

/// The end of a row's bucket.
std::size_t end_of_bucket(std::span<const Row> rows, std::size_t begin) noexcept {
  const std::int64_t bucket = bucket_of(rows[begin].key, kFirstLevel);
  std::size_t end = begin + 1;
  while (end < rows.size() && bucket_of(rows[end].key, kFirstLevel) == bucket) ++end;
  return end;
}

/// Whether no packed row would be too long.
bool can_be_compact(std::span<const Row> rows) noexcept {
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t end = end_of_bucket(rows, at);
    if (end - at > kMostInBucket) return false;
    at = end;
  }
  return std::ranges::all_of(rows, [](const Row& row) { return row.document < kCompactDocuments; });
}

Result<void> copy_segments(Connection& connection, StoreNumber store, std::span<const Row> rows) {
  AKIN_TRY(CopyIn copy,
           CopyIn::begin(connection, of_store("akin.packed_postings_@ (bucket, n, keys, docs)", store)));
  std::vector<std::int64_t> keys;
  std::vector<std::int32_t> documents;
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t end = end_of_bucket(rows, at);
    keys.clear();
    documents.clear();
    for (const Row& row : rows.subspan(at, end - at)) {
      keys.push_back(row.key);
      documents.push_back(static_cast<std::int32_t>(row.document));
    }
    AKIN_CHECK(copy.row(4));
    copy.number(bucket_of(keys.front(), kFirstLevel));
    copy.number(static_cast<std::int64_t>(keys.size()));
    copy.numbers(keys);
    copy.small_numbers(documents);
    at = end;
  }
  return copy.finish();
}

Result<void> copy_postings(Connection& connection, StoreNumber store, std::span<const Row> rows) {
  AKIN_TRY(CopyIn copy, CopyIn::begin(connection, of_store("akin.postings_@ (key, doc)", store)));
  for (const Row& row : rows) {
    AKIN_CHECK(copy.row(2));
    copy.number(row.key);
    copy.number(row.document);
  }
  return copy.finish();
}

Result<void> copy_repeats(Connection& connection, StoreNumber store, std::span<const Row> rows) {
  AKIN_TRY(CopyIn copy, CopyIn::begin(connection, of_store("akin.repeats_@ (key, doc, n)", store)));
  for (const Row& row : rows) {
    if (row.count < 2) continue;
    AKIN_CHECK(copy.row(3));
    copy.number(row.key);
    copy.number(row.document);
    copy.number(row.count);
  }
  return copy.finish();
}

}  // namespace

std::size_t count_postings(std::span<const NumberedDocument> documents) noexcept {
  std::size_t postings = 0;
  for (const NumberedDocument& one : documents) postings += one.document->counts.size();
  return postings;
}

std::vector<Statement> insert_content(StoreNumber store, std::span<const NumberedDocument> documents) {
  std::vector<Statement> statements;
  for (const NumberedDocument& one : documents) {
    Params params;
    params.number(one.number);
    if (one.document->text.empty()) {
      params.null_bytes();
    } else {
      params.bytes(one.document->text);
    }
    params.bytes(one.document->sequence);
    statements.push_back(
        {of_store("INSERT INTO akin.contents_@ VALUES ($1, $2, $3)", store), std::move(params)});
  }
  std::vector<std::int64_t> keys, numbers, repeated_keys, repeated_numbers, repeats;
  for (const Row& row : rows_of(documents)) {
    keys.push_back(row.key);
    numbers.push_back(row.document);
    if (row.count < 2) continue;
    repeated_keys.push_back(row.key);
    repeated_numbers.push_back(row.document);
    repeats.push_back(row.count);
  }
  if (!keys.empty()) {
    statements.push_back({of_store("INSERT INTO akin.postings_@ SELECT * FROM unnest($1, $2)", store),
                          Params().numbers(keys).numbers(numbers)});
  }
  if (!repeats.empty()) {
    statements.push_back({of_store("INSERT INTO akin.repeats_@ SELECT * FROM unnest($1, $2, $3)", store),
                          Params().numbers(repeated_keys).numbers(repeated_numbers).numbers(repeats)});
  }
  return statements;
}

Result<void> copy_content(Connection& connection, StoreNumber store,
                          std::span<const NumberedDocument> documents) {
  AKIN_CHECK(copy_texts(connection, store, documents));
  const std::vector<Row> rows = rows_of(documents);
  AKIN_CHECK(can_be_compact(rows) ? copy_segments(connection, store, rows)
                                  : copy_postings(connection, store, rows));
  if (std::ranges::none_of(rows, [](const Row& row) { return row.count > 1; })) return {};
  return copy_repeats(connection, store, rows);
}

Result<void> erase_content(Connection& connection, StoreNumber store, std::span<const std::int64_t> numbers) {
  std::vector<std::int64_t> keys, documents, damaged;
  AKIN_TRY(const Rows rows,
           connection.run(of_store("SELECT doc, sequence FROM akin.contents_@ WHERE doc = ANY($1)", store),
                          Params().numbers(numbers)));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto sequence = decode_sequence(rows.bytes(row, 1));
    if (!sequence || sequence->shift != 0) {
      damaged.push_back(rows.number(row, 0));
      continue;
    }
    for (const FeatureCount& entry : count_features(sequence->sequence.hashes)) {
      keys.push_back(key_of(entry.feature));
      documents.push_back(rows.number(row, 0));
    }
  }
  for (const char* const table : {"akin.postings_@", "akin.repeats_@"}) {
    const std::string erase = std::string("DELETE FROM ") + table;
    if (!keys.empty()) {
      AKIN_CHECK(connection.run(of_store(erase + " t USING unnest($1, $2) AS u(key, doc)"
                                                 " WHERE t.key = u.key AND t.doc = u.doc",
                                         store),
                                Params().numbers(keys).numbers(documents)));
    }
    // The postings of a damaged document can be found only in the table itself.
    if (!damaged.empty()) {
      AKIN_CHECK(connection.run(of_store(erase + " WHERE doc = ANY($1)", store), Params().numbers(damaged)));
    }
  }
  AKIN_CHECK(connection.run(of_store("DELETE FROM akin.contents_@ WHERE doc = ANY($1)", store),
                            Params().numbers(numbers)));
  return {};
}

}  // namespace akin::pg
