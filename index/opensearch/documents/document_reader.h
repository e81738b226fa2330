// Reads the documents of a view: their records, and their parts, which are texts, sequences, files and words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/waiting.h"
#include "index/opensearch/documents/view.h"
#include "index/store/document.h"

namespace akin::opensearch {

inline constexpr std::size_t kRecordsAtOnce = 1'000;

/// "document 4711", for errors and findings.
[[nodiscard]] std::string name_of_document(std::int64_t number);

/// The parts of a store's documents that were used last, kept between searches. A document is never changed,
/// and no other has its number, so that what is kept is never out of date, unless an older snapshot of the
/// cluster is restored. Any number of threads.
class PartCache {
 public:
  using Bytes = std::shared_ptr<const std::string>;

  /// Forgets all if fewer turns were committed (head.h) than at the last call: then numbers are given again.
  void note_committed(std::int64_t turns);
  /// Null if it is not kept.
  [[nodiscard]] Bytes find(std::int64_t number, PartKind kind);
  void keep(std::int64_t number, PartKind kind, std::string bytes);

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
  using Key = std::pair<std::int64_t, PartKind>;
  /// Requires mutex_.
  Bytes add(const Key& key, Bytes bytes);

  std::mutex mutex_;                     ///< guards the members below
  std::map<Key, Bytes> recent_, older_;  ///< the newer half of kMostBytes, and what has been in it
  std::size_t held_ = 0;                 ///< bytes of the recent ones
  std::int64_t committed_ = 0;
};

/// Remembers the documents that it has found. One thread. Errors of all members also:
/// corrupt.
class DocumentReader {
 public:
  /// Both must outlive this. `cache`: of the view's store.
  DocumentReader(const View& view, PartCache& cache) noexcept : view_(view), cache_(cache) {}

  /// Notes the document of a hit with the fields of kRecordFields; valid until the next call of another
  /// member than this.
  [[nodiscard]] Result<const StoredDocument*> take(const Json& hit);
  /// Forgets what it has taken if that is much.
  void forget_if_many() {
    if (known_.size() > kMostKnown) known_.clear();
  }
  /// Null if it is not remembered.
  [[nodiscard]] const StoredDocument* known(std::int64_t number) const;
  /// The first `limit` documents that a search finds, whatever the engine's window.
  [[nodiscard]] Result<std::vector<StoredDocument>> find(Json body, std::size_t limit);
  /// Calls visit(documents) for all documents, in the order of their numbers, until it returns false; returns
  /// what it returned last.
  template <class Visit>
  [[nodiscard]] Result<bool> for_each_page(const Visit& visit) {
    Json body = {{"sort", {{{"number", "asc"}}}}};
    for (;;) {
      AKIN_CHECK(check_work());
      AKIN_TRY(const std::vector<StoredDocument> page, find(body, kRecordsAtOnce));
      AKIN_TRY(const bool more, visit(page));
      if (!more || page.size() < kRecordsAtOnce) return more;
      body["search_after"] = {static_cast<std::int64_t>(page.back().number)};
    }
  }

  [[nodiscard]] Result<Sizes> sizes_of(std::int64_t number);
  /// A whole part; empty if the document has none.
  [[nodiscard]] Result<std::string> read(std::int64_t number, PartKind kind);

  using Kinds = std::initializer_list<PartKind>;
  /// Reads these parts of the first of the documents, and of as many others as one request may, into the
  /// cache for the next calls of `read`, as far as their lengths are known. Does nothing if the first
  /// document has none to be read.
  [[nodiscard]] Result<void> read_ahead(std::span<const std::int64_t> numbers, Kinds kinds);
  /// Notes a document that a search has found.
  void note_found(std::int64_t number);
  /// The same for a document and those that were noted after it, and before it.
  [[nodiscard]] Result<void> read_ahead_found(std::int64_t number, Kinds kinds);

 private:
  static constexpr std::size_t kMostKnown = 10'000;
  struct Known {
    StoredDocument document;
    Sizes sizes;
  };

  const View& view_;
  PartCache& cache_;
  std::unordered_map<std::int64_t, Known> known_;
  std::vector<std::int64_t> found_;
  std::unordered_map<std::int64_t, std::size_t> place_of_;  ///< in found_
};

}  // namespace akin::opensearch
