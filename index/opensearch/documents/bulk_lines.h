// Lines of the engine's bulk requests, which write and erase documents.
#pragma once

#include <functional>
#include <string>

#include "index/opensearch/documents/head.h"
#include "index/store/change.h"

namespace akin::opensearch {

/// A document's place in its store.
struct Placed {
  std::int64_t number = 0, turn = 0;
  Revision revision;
};

/// Sends lines and empties them.
using SendLines = std::function<Result<void>(std::string& lines)>;

/// Adds the line that begins an action ("index", "delete") on a document of the engine.
void begin_line(std::string& lines, const char* action, const std::string& id);
/// Adds the lines that write a document; sends them when they are long. Errors: those of `send`.
[[nodiscard]] Result<void> add_document(std::string& lines, const Placed& place,
                                        const PreparedDocument& document, const SendLines& send);
/// Adds the lines that erase one.
void add_erasure(std::string& lines, const Head::Gone& gone);

}  // namespace akin::opensearch
