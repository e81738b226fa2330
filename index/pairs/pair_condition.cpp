#include <algorithm>

#include "index/store/pair_request.h"

namespace akin {

namespace {

bool is_share(double number) { return number >= 0.0 && number <= 1.0; }  // false for NaN

}  // namespace

bool PairCondition::holds(const Overlap& overlap) const noexcept {
  return overlap.x > bound && std::max(overlap.containment(), overlap.contained()) >= min_containment &&
         overlap.resemblance() >= min_resemblance;
}

Result<void> PairCondition::check() const {
  if (!is_share(min_containment)) {
    return Error{Errc::invalid_argument, "min_containment", "not a number from 0 to 1", ""};
  }
  if (!is_share(min_resemblance)) {
    return Error{Errc::invalid_argument, "min_resemblance", "not a number from 0 to 1", ""};
  }
  return {};
}

}  // namespace akin
