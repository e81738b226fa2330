// Reads the records of documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/waiting.h"
#include "index/opensearch/documents/parts.h"
#include "index/opensearch/documents/view.h"
#include "index/store/document.h"

namespace akin::opensearch {

inline constexpr std::size_t kRecordsAtOnce = 1'000;

/// Notes the sizes of what it reads in `parts`. One thread. Errors of all members also: corrupt.
class RecordReader {
 public:
  /// Both must outlive this.
  RecordReader(const View& view, Parts& parts) noexcept : view_(view), parts_(parts) {}

  /// The document of a hit with the fields of kRecordFields.
  [[nodiscard]] Result<StoredDocument> document_of(const Json& hit) const;
  /// The first `limit` documents that a search finds, whatever the engine's window.
  [[nodiscard]] Result<std::vector<StoredDocument>> find(Json body, std::size_t limit) const;
  /// Calls visit(documents) for all documents, in the order of their numbers, until it returns false; returns
  /// what it returned last.
  template <class Visit>
  [[nodiscard]] Result<bool> for_each_page(const Visit& visit) const {
    Json body = {{"sort", {{{"number", "asc"}}}}};
    for (;;) {
      AKIN_CHECK(check_work());
      AKIN_TRY(const std::vector<StoredDocument> page, find(body, kRecordsAtOnce));
      AKIN_TRY(const bool more, visit(page));
      if (!more || page.size() < kRecordsAtOnce) return more;
      body["search_after"] = {static_cast<std::int64_t>(page.back().number)};
    }
  }

 private:
  const View& view_;
  Parts& parts_;
};

}  // namespace akin::opensearch
