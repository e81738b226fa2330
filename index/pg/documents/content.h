// Writes and erases the large parts of documents: texts, their words, files, sequences, postings.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/pg/client/connection.h"
#include "index/pg/tables/names.h"
#include "index/write/prepared_document.h"

namespace akin::pg {

/// The columns of akin.contents_N.
inline constexpr const char* kContentColumns = "doc, body, sequence, file, words";

struct NumberedDocument {
  std::int64_t number = 0;
  const PreparedDocument* document = nullptr;
};

/// At least this many postings are copied and packed immediately; fewer are inserted as rows of their own.
inline constexpr std::size_t kCopiedPostings = 4'096;
[[nodiscard]] std::size_t count_postings(std::span<const NumberedDocument> documents) noexcept;

/// The statements that write a few documents. The documents must live until these have run.
[[nodiscard]] std::vector<Statement> insert_content(StoreNumber store,
                                                    std::span<const NumberedDocument> documents);

/// Writes documents by COPY, postings packed, inside a transaction.
[[nodiscard]] Result<void> copy_content(Connection& connection, StoreNumber store,
                                        std::span<const NumberedDocument> documents);

/// Erases texts, words, files and sequences of documents with these numbers. Missing content is not an error.
[[nodiscard]] Result<void> erase_content(Connection& connection, StoreNumber store,
                                         std::span<const std::int64_t> numbers);

}  // namespace akin::pg
