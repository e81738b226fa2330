// The documents that the searches of a snapshot have found, most of whose parts are asked for next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace akin::opensearch {

/// So many documents are read together, and so many bytes.
inline constexpr std::size_t kFoundAtOnce = 500;
inline constexpr std::uint64_t kFoundBytes = std::uint64_t{8} << 20U;

class FoundDocuments {
 public:
  /// `bytes`: of what is read of it, about.
  void add(std::int64_t number, std::uint64_t bytes);
  /// This document, those found after it, and those found before, about kFoundBytes together; only this one
  /// if it was not found.
  [[nodiscard]] std::vector<std::int64_t> from(std::int64_t number) const;

 private:
  struct Found {
    std::int64_t number = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<Found> found_;
  std::unordered_map<std::int64_t, std::size_t> place_of_;  ///< in found_
};

}  // namespace akin::opensearch
