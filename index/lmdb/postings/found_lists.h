// Posting lists that a transaction has looked up, kept for the next search of the same features.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "index/lmdb/postings/posting_lists.h"

namespace akin {

/// The lists of some features, which were looked up together.
struct FoundLists {
  std::vector<Feature> features;  ///< ascending, each once
  std::vector<ListRef> refs;      ///< of each of them; empty ones too
  PostingLists lists;             ///< that the refs are for
};

/// The lists of the last two sets of features: a search asks which of its features are common before it reads
/// their lists, and in how many of them a document is. One thread at a time; neither this nor the lists may
/// outlive the transaction.
class LookUps {
 public:
  /// The lists of features, which ascend, each once. Error: corrupt.
  [[nodiscard]] Result<std::shared_ptr<FoundLists>> find(const lmdb::Txn& txn, const Tables& tables,
                                                         std::span<const Feature> features);
  /// The same if they are among those kept, else null.
  [[nodiscard]] std::shared_ptr<FoundLists> known(std::span<const Feature> features) const;

 private:
  std::array<std::shared_ptr<FoundLists>, 2> last_;
  std::size_t next_ = 0;
};

}  // namespace akin
