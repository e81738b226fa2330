#include "index/pg/documents/content.h"

#include <algorithm>
#include <string>
#include <vector>

#include "index/pg/client/copy_in.h"
#include "index/pg/postings/packing.h"

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

/// PostgreSQL makes a row, before it moves its columns elsewhere, in one allocation of less than a gibibyte.
constexpr std::size_t kMostRowBytes = 1'000'000'000;

/// The words, if the row has room for them: a search that lacks them reads them from the text.
std::string_view words_of(const PreparedDocument& document) {
  const std::size_t others = document.text.size() + document.sequence.size() + document.file.size();
  return others + document.words.size() <= kMostRowBytes ? std::string_view(document.words)
                                                         : std::string_view();
}

Result<void> copy_texts(Connection& connection, StoreNumber store,
                        std::span<const NumberedDocument> documents) {
  AKIN_TRY(
      CopyIn copy,
      CopyIn::begin(connection, of_store("akin.contents_@ (" + std::string(kContentColumns) + ")", store)));
  const auto bytes_or_null = [&](std::string_view bytes) {
    if (bytes.empty()) {
      copy.null();
    } else {
      copy.bytes(bytes);
    }
  };
  for (const NumberedDocument& one : documents) {
    AKIN_CHECK(copy.row(5));
    copy.number(one.number);
    bytes_or_null(one.document->text);
    copy.bytes(one.document->sequence);
    bytes_or_null(one.document->file);
    bytes_or_null(words_of(*one.document));
  }
  return copy.finish();
}

Statement insert_text(StoreNumber store, const NumberedDocument& one) {
  Params params;
  const auto bytes_or_null = [&](std::string_view bytes) {
    if (bytes.empty()) {
      params.null_bytes();
    } else {
      params.bytes(bytes);
    }
  };
  params.number(one.number);
  bytes_or_null(one.document->text);
  params.bytes(one.document->sequence);
  bytes_or_null(one.document->file);
  bytes_or_null(words_of(*one.document));
  return {of_store("INSERT INTO akin.contents_@ (" + std::string(kContentColumns) +
                       ") VALUES ($1, $2, $3, $4, $5)",
                   store),
          std::move(params)};
}

}  // namespace

std::size_t count_postings(std::span<const NumberedDocument> documents) noexcept {
  std::size_t postings = 0;
  for (const NumberedDocument& one : documents) postings += one.document->counts.size();
  return postings;
}

std::vector<Statement> insert_content(StoreNumber store, std::span<const NumberedDocument> documents) {
  std::vector<Statement> statements;
  statements.reserve(documents.size() + 1);
  for (const NumberedDocument& one : documents) statements.push_back(insert_text(store, one));
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
  AKIN_TRY(const LevelSizes sizes, copy_packed(connection, store, postings, levels_for(postings)));
  return add_to_sizes(connection, store, sizes);
}

Result<void> erase_content(Connection& connection, StoreNumber store, std::span<const std::int64_t> numbers) {
  AKIN_CHECK(connection.run(of_store("DELETE FROM akin.contents_@ WHERE doc = ANY($1)", store),
                            Params().numbers(numbers)));
  return {};
}

}  // namespace akin::pg
