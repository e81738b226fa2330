// Whether two stores hold the same: by their counts, and by a deep look at some documents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/store/store.h"

namespace akin {

/// What was compared and found equal.
struct Comparison {
  std::uint64_t documents = 0, features = 0, postings = 0, text_bytes = 0;
  std::uint64_t sampled = 0;   ///< documents whose record, text and features were compared byte for byte
  std::uint64_t searches = 0;  ///< searches run in both stores for some of them, with equal answers
};

/// Samples documents from a stream of unknown length, each with the same probability (Vitter 1985, algorithm
/// R).
class Sample {
 public:
  explicit Sample(std::size_t size);
  void see(const std::string& id);
  [[nodiscard]] const std::vector<std::string>& ids() const noexcept { return ids_; }

 private:
  std::size_t size_;
  std::uint64_t seen_ = 0;
  std::uint64_t state_;  ///< of the generator
  std::vector<std::string> ids_;
};

/// Searches whose answers are compared.
inline constexpr std::size_t kMostSearches = 20;

/// `store`: what both keep. Errors: mismatch, which names the difference; those of the stores.
[[nodiscard]] Result<Comparison> compare_stores(const Snapshot& one, const Snapshot& other,
                                                const std::vector<std::string>& sample,
                                                const StoreIdentity& store);

}  // namespace akin
