// Which features single documents share with a query, where a search has seen it.
#pragma once

#include <cstdint>
#include <vector>

#include "index/codec/posting.h"

namespace akin {

/// Filled first, sorted, then asked by any number of threads at once. Memory: 16 bytes for each feature that
/// a document shares.
class SharedFeatures {
 public:
  /// A document shares `feature` with the query, `count` times; each of the two is added once.
  void add(DocNumber document, Feature feature, std::uint32_t count) {
    all_.push_back({feature, document, count});
  }
  void sort();
  /// All that a document shares, or nothing if some of it, by its X, was not added.
  [[nodiscard]] std::vector<Feature> of(std::uint64_t document, std::uint64_t x) const;

 private:
  struct Shared {
    Feature feature{};
    DocNumber document{};
    std::uint32_t count = 0;
  };
  [[nodiscard]] static std::uint64_t number(const Shared& one) noexcept {
    return static_cast<std::uint32_t>(one.document);
  }
  std::vector<Shared> all_;  ///< once sorted, by document
};

}  // namespace akin
