// Clusters of documents that pairs join: union-find over document numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/posting.h"

namespace akin {

/// Which documents hang together, directly or through others. Four bytes a document.
class DocumentGroups {
 public:
  /// Documents numbered below `documents`, each alone.
  explicit DocumentGroups(std::uint32_t documents);

  /// Puts the groups of two documents together.
  void join(DocNumber a, DocNumber b) noexcept;

  /// The groups of at least two documents, the largest first, equally large ones in the order of their first
  /// documents. Each holds its documents in the order of `documents`, which names every document once.
  [[nodiscard]] std::vector<std::vector<DocNumber>> arranged(std::span<const DocNumber> documents);

 private:
  /// The document that stands for the group: the same for all of it until the next join.
  [[nodiscard]] std::uint32_t representative(std::uint32_t document) noexcept;

  std::vector<std::uint32_t> parents_;  ///< of a representative: itself
};

}  // namespace akin
