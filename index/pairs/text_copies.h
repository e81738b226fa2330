// Documents with one text: of many, two are compared, and the others join them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "index/pairs/groups.h"
#include "index/store/store.h"

namespace akin {

/// Calls see(document) for every document of a snapshot, in the order of their ids; an error of it ends that.
[[nodiscard]] Result<void> for_each_document(const Snapshot& snapshot,
                                             const std::function<Result<void>(const StoredDocument&)>& see);

/// Documents whose text two others have that come before them in the order of ids. Documents of which no
/// digest is kept are none.
class TextCopies {
 public:
  /// Among the documents of PairsRequest::only. Memory: 100 bytes per text, and the ids of copies.
  [[nodiscard]] static Result<TextCopies> find(const Snapshot& snapshot, const std::vector<bool>* only);

  /// PairsRequest::only without the copies.
  [[nodiscard]] const std::vector<bool>& others() const noexcept { return others_; }
  /// Joins each of them to the second, if that is joined to the first.
  void join(NamedGroups& groups) const;

 private:
  struct Copy {
    std::string first, second, id;
  };
  std::vector<bool> others_;
  std::vector<Copy> copies_;
};

}  // namespace akin
