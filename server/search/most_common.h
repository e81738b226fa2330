// The features that most documents of a collection have, and where a document has them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "index/collection/collection.h"
#include "server/json/json.h"

namespace akin::api {

struct MostCommon {
  std::string tier;  ///< its name; empty without tiers
  CommonFeature common;
  TextRange range;                  ///< of its first occurrence in the example
  std::optional<std::string> text;  ///< the beginning of that range; nothing if no texts are kept
};

/// The `count` features that most documents have, in each tier of the collection, the tiers one after the
/// other. Reads all postings once, and the sequence and text of each example. Errors: as
/// Snapshot::most_common, features_in and text.
[[nodiscard]] Result<std::vector<MostCommon>> most_common_in(const Collection& collection,
                                                             const Snapshot& snapshot, std::size_t count);

/// [{"tier","hash","documents","example":{"id","range","text"}}]: "tier" only if there are tiers, "text" only
/// if texts are kept.
[[nodiscard]] json::Json most_common_array(const std::vector<MostCommon>& list);

}  // namespace akin::api
