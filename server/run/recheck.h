// Computes standing checks again when documents have arrived.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/time.h"
#include "server/api/service.h"

namespace akin::api {

struct Rechecking {
  std::chrono::seconds pause{600};  ///< between two computations of one check
  std::size_t at_once = 8;          ///< computations in one call
};

/// Computes checks that stand again (check/standing.h) if one of their collections has a document that they
/// were not compared with; keeps an outcome with another share than the last. The text's own admission is not
/// a source. Ends those whose time is over. Of all servers that share the state, one does it at a time.
/// Returns how many were computed. Requires `checks` and `state`.
[[nodiscard]] Result<std::size_t> recheck_standing(const Service& service, Time now,
                                                   const Rechecking& how = {});

}  // namespace akin::api
