#include "index/pg/content.h"

#include <algorithm>
#include <string>
#include <vector>

#include "index/pg/copy_in.h"
#include "index/pg/packing.h"

namespace akin::pg {
namespace {

std::vector<StoredPosting> postings_of(std::span<const NumberedDocument> documents) {
  std::vector<StoredPosting> postings;
  postings.reserve(count_postings(documents));
  for (const NumberedDocument& one : documents) {
    for (const FeatureCount& entry : one.document->counts)
      postings.push_back({key_of(entry.feature), one.number, entry.count});
  }
  sort_postings(postings);
  return postings;
}

Result<void> copy_texts(Connection& connection, StoreNumber store,
                        std::span<const NumberedDocument> documents) {
  // Only stores that keep files have the column.
  const bool files =
      std::ranges::any_of(documents, [](const NumberedDocument& one) { return !one.document->file.empty(); });
  const char* const columns =
      files ? "akin.contents_@ (doc, body, sequence, file)" : "akin.contents_@ (doc, body, sequence)";
  AKIN_TRY(CopyIn copy, CopyIn::begin(connection, of_store(columns, store)));
  for (const NumberedDocument& one : documents) {
    AKIN_CHECK(copy.row(files ? 4 : 3));
    copy.number(one.number);
    if (one.document->text.empty()) {
      copy.null();
    } else {
      copy.bytes(one.document->text);
    }
    copy.bytes(one.document->sequence);
    if (files && one.document->file.empty()) copy.null();
    if (!one.document->file.empty()) copy.bytes(one.document->file);
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
    const bool file = !one.document->file.empty();
    if (file) params.bytes(one.document->file);
    const char* const insert =
        file ? "INSERT INTO akin.contents_@ (doc, body, sequence, file) VALUES ($1, $2, $3, $4)"
             : "INSERT INTO akin.contents_@ (doc, body, sequence) VALUES ($1, $2, $3)";
    statements.push_back({of_store(insert, store), std::move(params)});
  }
  std::vector<std::int64_t> keys, numbers, counts;
  for (const StoredPosting& posting : postings_of(documents)) {
    keys.push_back(posting.key);
    numbers.push_back(posting.document);
    counts.push_back(posting.count);
  }
  if (!keys.empty()) {
    statements.push_back({of_store("INSERT INTO akin.postings_@ SELECT * FROM unnest($1, $2, $3)", store),
                          Params().numbers(keys).numbers(numbers).numbers(counts)});
  }
  return statements;
}

Result<void> copy_content(Connection& connection, StoreNumber store,
                          std::span<const NumberedDocument> documents) {
  AKIN_CHECK(copy_texts(connection, store, documents));
  const std::vector<StoredPosting> postings = postings_of(documents);
  AKIN_TRY(const LevelSizes sizes, copy_packed(connection, store, postings, level_for(postings.size())));
  return add_to_sizes(connection, store, sizes);
}

Result<void> erase_content(Connection& connection, StoreNumber store, std::span<const std::int64_t> numbers) {
  AKIN_CHECK(connection.run(of_store("DELETE FROM akin.contents_@ WHERE doc = ANY($1)", store),
                            Params().numbers(numbers)));
  return {};
}

}  // namespace akin::pg
