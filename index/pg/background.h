// Flushes and merges a store automatically while others write into it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "index/pg/documents/writing.h"
#include "index/pg/merge.h"

namespace akin::pg {

/// Flushes and merges a store in a thread of its own when this process has written much into it. After a
/// failure it tries again when more has been written.
class Background {
 public:
  Background(std::shared_ptr<Pool> pool, StoreNumber store) : pool_(std::move(pool)), store_(store) {}
  /// Ends a merge after its transaction in progress, and waits for that.
  ~Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Reports what has been written.
  void add(const Written& written);

 private:
  std::shared_ptr<Pool> pool_;
  StoreNumber store_;
  std::mutex mutex_;                     ///< guards the members below
  std::uint64_t gone_ = 0, recent_ = 0;  ///< documents, postings
  bool running_ = false;
  std::jthread thread_;
};

}  // namespace akin::pg
