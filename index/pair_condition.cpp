#include <algorithm>

#include "index/pair_request.h"

namespace akin {

bool PairCondition::holds(const Overlap& overlap) const noexcept {
  return overlap.x > bound && std::max(overlap.containment(), overlap.contained()) >= min_containment &&
         overlap.resemblance() >= min_resemblance;
}

}  // namespace akin
