// Whether the server should be sent requests: what /readyz answers by.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "index/catalog.h"
#include "server/api/message.h"

namespace akin::api {

/// Any thread.
class Readiness {
 public:
  /// Not ready while the disk that `folder` lies on has less than `min_free_bytes`.
  Readiness(std::filesystem::path folder, std::uint64_t min_free_bytes)
      : folder_(std::move(folder)), min_free_bytes_(min_free_bytes) {}

  /// The server is being stopped.
  void set_draining() noexcept { draining_ = true; }

  /// 200, or 503 with the reason; each check by its name. A null catalog is still being opened.
  [[nodiscard]] Response answer(const Catalog* catalog) const;

 private:
  const std::filesystem::path folder_;
  const std::uint64_t min_free_bytes_;
  std::atomic<bool> draining_ = false;
};

}  // namespace akin::api
