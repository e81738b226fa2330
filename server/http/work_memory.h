// Counts the memory that the work of a request takes, of what clients share for it.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <string>

#include "base/held_memory.h"
#include "server/http/fair_pool.h"
#include "server/http/session.h"

namespace akin::http {

/// The memory for the work of all requests by default: half of what the machine, or its control group, has.
[[nodiscard]] std::size_t default_work_memory();

/// Bounds the parts of the heap that threads do not share, each of which keeps memory that was freed in it.
/// Call before threads are started.
void bound_arenas(unsigned workers) noexcept;

/// The account of one request on the thread that works on it, while this exists. What large work has freed is
/// returned to the system at its end. `executor`: of the connection's thread.
class WorkMemory final : public MemoryAccount {
 public:
  WorkMemory(Shared& shared, const std::string& client, boost::asio::any_io_executor executor);
  WorkMemory(const WorkMemory&) = delete;
  WorkMemory& operator=(const WorkMemory&) = delete;
  ~WorkMemory() override;

  [[nodiscard]] Result<void> take(std::size_t bytes) override;
  void give_back(std::size_t bytes) noexcept override { part_.give_back(bytes); }

 private:
  Shared& shared_;
  FairPart part_;
  std::atomic<std::size_t> most_ = 0;  ///< that was taken at once
  WorkAccount account_;
};

}  // namespace akin::http
