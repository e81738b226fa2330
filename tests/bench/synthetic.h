// Made collections whose statistics are stated, for measurements that need more documents than there are
// texts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "index/store/store.h"
#include "morph/schemes/scheme.h"

namespace akin::bench {

/// Documents of 150 features: 6 % boilerplate, drawn by Zipf's law (exponent 0.9) from 20,000 features, so
/// that the commonest occurs in about 43 % of the documents; the others random. One document in twenty is a
/// near-duplicate: a former one with a fifth of its features replaced. Equal seeds give equal collections.
class SyntheticCollection {
 public:
  static constexpr std::size_t kFeatures = 150;
  static constexpr std::size_t kBoilerplate = 20'000;
  static constexpr std::size_t kQueryFeatures = 300;

  explicit SyntheticCollection(std::uint64_t seed);

  /// Features of document `number` (from 0), whatever was asked before.
  [[nodiscard]] FeatureSequence document(std::uint64_t number) const;
  [[nodiscard]] static std::string id(std::uint64_t number);

  /// A query of `features` features: passages of random documents below `documents`, each of 50 to 100
  /// features, and a rest that no document has but for its boilerplate.
  [[nodiscard]] FeatureSequence query(std::uint64_t number, std::uint64_t documents,
                                      std::size_t features) const;

 private:
  [[nodiscard]] Feature boilerplate(std::mt19937_64& random) const;
  [[nodiscard]] std::mt19937_64 stream(std::uint64_t number, std::uint64_t purpose) const;

  std::uint64_t seed_;
  std::vector<double> cumulative_;
};

}  // namespace akin::bench
