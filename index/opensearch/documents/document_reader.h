// Reads the documents of a view: their records, and their parts, which are texts, sequences, files and words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/waiting.h"
#include "index/opensearch/documents/part_cache.h"
#include "index/opensearch/documents/view.h"
#include "index/store/document.h"

namespace akin::opensearch {

inline constexpr std::size_t kRecordsAtOnce = 1'000;
/// Of hits whose documents are read.
inline const Json kRecordFields = {"number", "record"};

/// Remembers the documents that it has found. One thread. Errors of all members also: corrupt.
class DocumentReader {
 public:
  /// Both must outlive this. `cache`: of the view's store.
  DocumentReader(const View& view, PartCache& cache) noexcept : view_(view), cache_(cache) {}

  /// Remembers the document of a hit with the fields of kRecordFields.
  [[nodiscard]] Result<const StoredDocument*> take(const Json& hit);
  /// Forgets what it remembers if that is much. `need` and `find` do so, too, before they read.
  void forget_if_many() {
    if (known_.size() > kMostKnown) known_.clear();
  }
  /// Reads these documents, kRecordsAtOnce at most, unless it remembers them. Error: corrupt (one is not
  /// there).
  [[nodiscard]] Result<void> need(const std::vector<std::int64_t>& numbers);
  /// One that it remembers; valid until the next call of another member than `take` and this.
  [[nodiscard]] const StoredDocument& known(std::int64_t number) const { return known_.at(number).document; }
  /// The first `limit` documents that a search finds, whatever the engine's window.
  [[nodiscard]] Result<std::vector<StoredDocument>> find(Json body, std::size_t limit);
  /// Without the record.
  [[nodiscard]] Result<RecordField> sizes_of(std::int64_t number);
  /// A whole part; empty if the document has none.
  [[nodiscard]] Result<std::string> read(std::int64_t number, PartKind kind);

  using Kinds = std::initializer_list<PartKind>;
  /// Reads these parts of the first of the documents, and of as many others as one request may, into the
  /// cache for the next calls of `read`, as far as their lengths are known. Does nothing if the first
  /// document has none to be read.
  [[nodiscard]] Result<void> read_ahead(std::span<const std::int64_t> numbers, Kinds kinds);
  /// Calls visit(document) for all documents, in the order of their numbers, after it has read ahead these
  /// parts of them, until it returns false; returns what it returned last.
  template <class Visit>
  [[nodiscard]] Result<bool> for_each(Kinds kinds, const Visit& visit) {
    Json body = {{"sort", {{{"number", "asc"}}}}};
    for (;;) {
      AKIN_CHECK(check_work());
      AKIN_TRY(const std::vector<StoredDocument> page, find(body, kRecordsAtOnce));
      std::vector<std::int64_t> numbers;
      numbers.reserve(page.size());
      for (const StoredDocument& one : page) numbers.push_back(static_cast<std::int64_t>(one.number));
      for (std::size_t i = 0; i < page.size(); ++i) {
        AKIN_CHECK(read_ahead(std::span(numbers).subspan(i), kinds));
        AKIN_TRY(const bool more, visit(page[i]));
        if (!more) return false;
      }
      if (page.size() < kRecordsAtOnce) return true;
      body["search_after"] = {numbers.back()};
    }
  }
  /// Notes a document that a search has found.
  void note_found(std::int64_t number);
  /// The same for a document and those that were noted after it, and before it.
  [[nodiscard]] Result<void> read_ahead_found(std::int64_t number, Kinds kinds);

 private:
  static constexpr std::size_t kMostKnown = 10'000;

  struct Known {
    StoredDocument document;
    RecordField sizes;  ///< without the record
  };

  const View& view_;
  PartCache& cache_;
  std::unordered_map<std::int64_t, Known> known_;
  std::vector<std::int64_t> found_;
  std::unordered_map<std::int64_t, std::size_t> place_of_;  ///< in found_
};

}  // namespace akin::opensearch
