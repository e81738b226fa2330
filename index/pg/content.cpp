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
  std::ranges::sort(postings);
  return postings;
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
