// Which features of a text are kept: all, or one of Broder's samples ("On the resemblance and containment of
// documents", 1997).
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "morph/schemes/scheme.h"

namespace akin {

struct FeatureSample {
  enum class Kind {
    all,
    modulo,   ///< those divisible by `size`: in proportion to the text
    smallest  ///< the `size` smallest: equally many for all texts, so that containment is lost
  };
  Kind kind = Kind::all;
  std::uint64_t size = 0;
  /// A repeated value counts once, at its first place. Always so with `smallest`.
  bool distinct = false;
};

/// Takes a text's features in order and appends those of the sample to a sequence, also in order. Memory: the
/// features kept, with `smallest` plus at most twice `size` features.
class FeatureSampler {
 public:
  /// `out` must outlive it.
  FeatureSampler(const FeatureSample& sample, FeatureSequence& out) : sample_(sample), out_(out) {}

  void take(Feature feature, TextRange range) {
    const auto value = static_cast<std::uint64_t>(feature);
    if (sample_.kind == FeatureSample::Kind::smallest) {
      if (!full_ || value < limit_) take_small(value, range);
      ++place_;
      return;
    }
    if (sample_.kind == FeatureSample::Kind::modulo && value % sample_.size != 0) return;
    if (sample_.distinct && !seen_.insert(value).second) return;
    append(value, range);
  }

  /// Call once, after the last feature.
  void finish();

 private:
  struct Small {
    std::uint64_t value = 0;
    std::uint64_t place = 0;  ///< among all features of the text
    TextRange range;
  };
  struct Identity {
    using is_avalanching = void;  // the values are hashes
    std::size_t operator()(std::uint64_t value) const noexcept { return value; }
  };

  void append(std::uint64_t value, TextRange range) {
    out_.hashes.push_back(Feature{value});
    out_.ranges.push_back(range);
  }
  void take_small(std::uint64_t value, TextRange range);
  /// Keeps only the `size` smallest distinct values, each at its first place.
  void prune();

  const FeatureSample sample_;
  FeatureSequence& out_;
  boost::unordered_flat_set<std::uint64_t, Identity> seen_;
  std::vector<Small> small_;
  bool full_ = false;        ///< `size` distinct values were seen
  std::uint64_t limit_ = 0;  ///< once full: values from it on are not among the smallest, or kept already
  std::uint64_t place_ = 0;
};

}  // namespace akin
