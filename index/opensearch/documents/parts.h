// Reads the parts of documents: texts, sequences, files, words.
#pragma once

#include <initializer_list>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/codec/stored_text.h"
#include "index/opensearch/documents/part_cache.h"
#include "index/opensearch/documents/view.h"

namespace akin::opensearch {

/// "document 4711", for errors and findings.
[[nodiscard]] std::string name_of_document(std::int64_t number);

/// One thread. Errors of all members also: corrupt.
class Parts {
 public:
  /// Both must outlive this, and whatever open_text returns. `cache`: of the view's store.
  Parts(const View& view, PartCache& cache) noexcept : view_(view), cache_(cache) {}

  /// Notes what a hit says of its document, which need not be asked for then.
  void note(std::int64_t number, const Sizes& sizes) {
    if (sizes_.size() > kMostNoted) sizes_.clear();
    sizes_.insert_or_assign(number, sizes);
  }
  [[nodiscard]] Result<Sizes> sizes_of(std::int64_t number) const;

  /// A whole part; empty if the document has none.
  [[nodiscard]] Result<std::string> read(std::int64_t number, PartKind kind) const;
  /// A document's text, to be read in pieces.
  [[nodiscard]] Result<StoredBytes> open_text(std::int64_t number) const;
  /// Reads these parts of documents together into the cache, for the next calls of `read`, as far as they are
  /// not there. Does nothing if the first part of the first document is.
  [[nodiscard]] Result<void> prefetch(const std::vector<std::int64_t>& numbers,
                                      std::initializer_list<PartKind> kinds) const;

 private:
  static constexpr std::size_t kMostNoted = 100'000;
  [[nodiscard]] Result<std::string> read_piece(const Piece& piece) const;

  const View& view_;
  PartCache& cache_;
  mutable std::unordered_map<std::int64_t, Sizes> sizes_;
};

}  // namespace akin::opensearch
