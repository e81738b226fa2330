// What is large of documents, written and erased: texts, sequences, postings.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/prepared_document.h"

namespace akin::pg {

struct NumberedDocument {
  std::int64_t number = 0;
  const PreparedDocument* document = nullptr;
};

/// So many postings are copied, and become compact at once; fewer are inserted as rows of their own.
inline constexpr std::size_t kCopiedPostings = 4'096;
[[nodiscard]] std::size_t count_postings(std::span<const NumberedDocument> documents) noexcept;

/// The statements that write documents, for few of them. The documents must live until these have run.
[[nodiscard]] std::vector<Statement> insert_content(StoreNumber store,
                                                    std::span<const NumberedDocument> documents);

/// Writes documents by COPY, postings in the order of their keys, many of them as compact rows, inside of a
/// transaction.
[[nodiscard]] Result<void> copy_content(Connection& connection, StoreNumber store,
                                        std::span<const NumberedDocument> documents);

/// Erases what there is of documents with these numbers but for compact postings, none is no error, inside of
/// a transaction.
[[nodiscard]] Result<void> erase_content(Connection& connection, StoreNumber store,
                                         std::span<const std::int64_t> numbers);

}  // namespace akin::pg
