// Documents as lines of a bulk request.
#pragma once

#include <functional>
#include <string>

#include "index/opensearch/documents/head.h"

namespace akin::opensearch {

/// A document's place in its store.
struct Placed {
  std::int64_t number = 0, turn = 0;
  Revision revision;
};

/// Sends lines and empties them.
using SendLines = std::function<Result<void>(std::string& lines)>;

/// Adds the lines that write a document; sends them when they are long.
[[nodiscard]] Result<void> add_document(std::string& lines, const Placed& place,
                                        const PreparedDocument& document, const SendLines& send);
/// Adds the lines that erase one.
void add_erasure(std::string& lines, const Head::Gone& gone);

}  // namespace akin::opensearch
