// What the documents of one chain of duplicates have in common.
#pragma once

#include <cstdint>
#include <string>

namespace akin::judge {

struct Story {
  std::string group;  ///< id of the document of the chain that arrived first
  /// The earliest document of the chain by its own time, or without one by that of its arrival; of several
  /// the one that arrived first. Stays if it leaves the window.
  std::string first;
  std::int64_t first_time = 0;  ///< in seconds since 1970
  bool has_time = true;         ///< first_time is its own, not that of its arrival
  std::string first_source;     ///< empty: unknown
};

}  // namespace akin::judge
