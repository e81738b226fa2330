// The features of many documents, gathered in one pass over all postings of a store.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "index/codec/posting.h"
#include "index/pg/client/connection.h"
#include "index/pg/tables/document_set.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// The documents with the next ids from one document on.
class FeatureWindow {
 public:
  /// Contains no document.
  FeatureWindow() = default;
  /// Reads the features of documents from number `first` on, in the order of ids, which have at most
  /// `postings` together, but of one at least. `connection`: has an open transaction. Error also: corrupt.
  [[nodiscard]] static Result<FeatureWindow> read(Connection& connection, StoreNumber store,
                                                  std::int64_t first, std::uint64_t postings);

  [[nodiscard]] bool contains(std::int64_t number) const { return features_.contains(number); }
  /// Takes a document out and returns its features, in no order; nothing if it does not contain the document.
  [[nodiscard]] std::optional<std::vector<Feature>> take(std::int64_t number);

 private:
  [[nodiscard]] Result<void> choose(Connection& connection, StoreNumber store, std::int64_t first,
                                    std::uint64_t postings);
  [[nodiscard]] Result<void> gather(Connection& connection, StoreNumber store);
  void add(std::int64_t key, std::int64_t document);

  DocumentSet numbers_;  ///< of all documents at first: quicker than features_
  std::unordered_map<std::int64_t, std::vector<Feature>> features_;  ///< by number
};

}  // namespace akin::pg
