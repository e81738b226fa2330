// Which features single documents share with a query, where a search has seen it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/codec/posting.h"

namespace akin {

/// Filled first, asked then. Memory: 16 bytes for each feature that a document shares.
class SharedFeatures {
 public:
  /// A document shares `feature` with the query, `count` times; each of the two is added once.
  void add(DocNumber document, Feature feature, std::uint32_t count) {
    all_.push_back({feature, document, count});
  }
  /// All that a document shares, or nothing if some of it, by its X, was not added. The span is valid until
  /// the next call.
  [[nodiscard]] std::span<const Feature> of(std::uint64_t document, std::uint64_t x);

 private:
  struct Shared {
    Feature feature{};
    DocNumber document{};
    std::uint32_t count = 0;
  };
  std::vector<Shared> all_;  ///< by document, once something was asked
  bool is_sorted_ = false;
  std::vector<Feature> found_;  ///< the last answer
};

}  // namespace akin
