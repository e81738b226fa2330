// A collection as the watches read it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/collection/catalog.h"
#include "index/search/text_aligner.h"
#include "index/search/tier_search.h"

namespace akin::watch {

/// A document that was stored in a collection.
struct Arrival {
  StoredDocument record;
  FeatureSequence features;  ///< of all tiers, one after the other
};

/// One generation of a collection: the features of its documents and of the texts that it analyses are
/// comparable. One thread.
class Arrivals {
 public:
  virtual ~Arrivals() = default;
  /// What its features depend on: scheme and dictionaries. Features from views with different names must not
  /// be compared.
  [[nodiscard]] virtual std::string analysis() const = 0;
  /// The features of all tiers.
  [[nodiscard]] virtual Result<FeatureSequence> analyze(std::string_view text) const = 0;
  /// reuse_tiers of the collection; empty if it does not find reuse.
  [[nodiscard]] virtual std::vector<TierQuery> reuse() const = 0;
  /// The name of a tier; empty if the scheme has none.
  [[nodiscard]] virtual std::string tier_name(std::size_t tier) const = 0;
  /// What the text of a document that arrived shares with a text.
  [[nodiscard]] virtual Result<AlignedText> align(std::string_view text,
                                                  const StoredDocument& arrived) const = 0;
  /// The largest revision assigned so far.
  [[nodiscard]] virtual Result<Revision> last_revision() const = 0;
  /// Up to `limit` documents with larger revisions, in the order of these.
  [[nodiscard]] virtual Result<std::vector<Arrival>> after(Revision revision, std::size_t limit) const = 0;
};

/// Opens the current state of a collection. Error: not_found if there is none (any more).
using OpenArrivals = std::function<Result<std::unique_ptr<Arrivals>>(const std::string& collection)>;

[[nodiscard]] OpenArrivals arrivals_of(std::shared_ptr<Catalog> catalog);

}  // namespace akin::watch
