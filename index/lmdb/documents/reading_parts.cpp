#include "index/lmdb/documents/reading_parts.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/parallel.h"

namespace akin {

Result<void> for_each_part(Reading reading, std::size_t parts, unsigned threads,
                           const std::function<Result<void>(const Reading& own, std::size_t part)>& work) {
  const auto caller = std::this_thread::get_id();
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Result<void> result;
  repeat_part(parts, threads, [&] {
    std::optional<lmdb::ReadTxn> beside;
    if (std::this_thread::get_id() != caller) {
      beside = reading.txn.beside();
      if (!beside) return false;
    }
    const std::size_t part = next++;
    if (part >= parts) return false;
    Result<void> done = work({beside ? *beside : reading.txn, reading.tables, reading.derive}, part);
    if (!done.has_error()) return part + 1 < parts;
    next = parts;
    const std::lock_guard lock(mutex);
    result = std::move(done);
    return false;
  });
  return result;
}

}  // namespace akin
