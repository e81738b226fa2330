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

/// PostgreSQL makes a row, before it moves its columns elsewhere, in one allocation of less than a gibibyte.
constexpr std::size_t kMostRowBytes = 1'000'000'000;

/// The words, if the row has room for them: a search that lacks them reads them from the text.
std::string_view words_of(const PreparedDocument& document) {
  const std::size_t others = document.text.size() + document.sequence.size() + document.file.size();
  return others + document.words.size() <= kMostRowBytes ? std::string_view(document.words)
                                                         : std::string_view();
}

/// The columns that some document needs: only stores that keep files or words have those.
ContentColumns columns_of(std::span<const NumberedDocument> documents) {
  ContentColumns columns;
  for (const NumberedDocument& one : documents) {
    columns.file = columns.file || !one.document->file.empty();
    columns.words = columns.words || !words_of(*one.document).empty();
  }
  return columns;
}

Result<void> copy_texts(Connection& connection, StoreNumber store,
                        std::span<const NumberedDocument> documents) {
  const ContentColumns columns = columns_of(documents);
  AKIN_TRY(CopyIn copy,
           CopyIn::begin(connection, of_store("akin.contents_@ (" + names_of(columns) + ")", store)));
  const auto bytes_or_null = [&](std::string_view bytes) {
    if (bytes.empty()) {
      copy.null();
    } else {
      copy.bytes(bytes);
    }
  };
  for (const NumberedDocument& one : documents) {
    AKIN_CHECK(copy.row(3 + (columns.file ? 1 : 0) + (columns.words ? 1 : 0)));
    copy.number(one.number);
    bytes_or_null(one.document->text);
    copy.bytes(one.document->sequence);
    if (columns.file) bytes_or_null(one.document->file);
    if (columns.words) bytes_or_null(words_of(*one.document));
  }
  return copy.finish();
}

Statement insert_text(StoreNumber store, const NumberedDocument& one) {
  const ContentColumns columns = columns_of({&one, 1});
  Params params;
  params.number(one.number);
  if (one.document->text.empty()) {
    params.null_bytes();
  } else {
    params.bytes(one.document->text);
  }
  params.bytes(one.document->sequence);
  std::string values = "$1, $2, $3";
  int last = 3;
  const auto add = [&](std::string_view bytes) {
    params.bytes(bytes);
    values += ", $" + std::to_string(++last);
  };
  if (columns.file) add(one.document->file);
  if (columns.words) add(words_of(*one.document));
  return {of_store("INSERT INTO akin.contents_@ (" + names_of(columns) + ") VALUES (", store) + values + ")",
          std::move(params)};
}

}  // namespace

std::string names_of(const ContentColumns& columns) {
  return std::string("doc, body, sequence") + (columns.file ? ", file" : "") +
         (columns.words ? ", words" : "");
}

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
  AKIN_TRY(const LevelSizes sizes, copy_packed(connection, store, postings, level_for(postings.size())));
  return add_to_sizes(connection, store, sizes);
}

Result<void> erase_content(Connection& connection, StoreNumber store, std::span<const std::int64_t> numbers) {
  AKIN_CHECK(connection.run(of_store("DELETE FROM akin.contents_@ WHERE doc = ANY($1)", store),
                            Params().numbers(numbers)));
  return {};
}

}  // namespace akin::pg
