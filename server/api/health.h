// Whether the server is ready for requests, as /readyz reports it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>

#include "extract/client/answer.h"
#include "index/collection/catalog.h"
#include "server/api/message.h"
#include "server/api/view_age.h"

namespace akin::api {

/// Members may be called from any thread.
class Readiness {
 public:
  /// Not ready while the disk that contains `folder` has fewer than `min_free_bytes` free.
  Readiness(std::filesystem::path folder, std::uint64_t min_free_bytes)
      : folder_(std::move(folder)), min_free_bytes_(min_free_bytes) {}

  /// Not ready from now on, because the server is shutting down.
  void set_draining() noexcept { draining_ = true; }

  /// What answer() reports as "extraction" (extraction_object); before, it reports none.
  void set_extraction(const Result<extract::Sandbox>& sandbox, bool filters);

  /// 200, or 503 with the reason; both list each check by name. Outdated collections (Catalog::outdated) are
  /// counted and unreadable ones named; the server is ready with them. A null catalog means that the server
  /// is still opening it. With a `view_age` that refuses requests the server is not ready.
  /// `names`: whether collections are named, with what is wrong with them.
  [[nodiscard]] Response answer(Catalog* catalog, const ViewAge* view_age = nullptr, bool names = true) const;

 private:
  const std::filesystem::path folder_;
  const std::uint64_t min_free_bytes_;
  std::atomic<bool> draining_ = false;
  mutable std::mutex mutex_;
  Json extraction_;  ///< null: unknown; under the mutex
};

}  // namespace akin::api
