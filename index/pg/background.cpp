#include "index/pg/background.h"

#include <algorithm>

#include "base/background_failures.h"
#include "base/exceptions.h"

namespace akin::pg {
namespace {

/// So many new postings are merged.
constexpr std::uint64_t kMostRecent = 500'000;

}  // namespace

void Background::add(const Written& written) {
  const std::lock_guard guard(mutex_);
  gone_ += written.gone;
  recent_ += written.postings;
  const bool erase = gone_ >= std::max(kLeastGone, written.documents / kDocumentsOfOneGone);
  const bool merge = recent_ >= kMostRecent;
  if (running_ || (!erase && !merge)) return;
  recent_ = 0;
  if (erase) gone_ = 0;
  running_ = true;
  if (thread_.joinable()) thread_.join();
  const auto started = without_exceptions([&]() -> Result<void> {
    thread_ = std::jthread([this, erase](const std::stop_token& stop) {
      note_failure_of(Round::merge_in_database, without_exceptions([&] {
                        return merge_store(
                            *pool_, store_,
                            {.erase = erase, .everything = false, .tidy = false, .stop = stop});
                      }));
      const std::lock_guard done(mutex_);
      running_ = false;
    });
    return {};
  });
  note_failure_of(Round::merge_in_database, started);
  if (started.has_error()) running_ = false;
}

}  // namespace akin::pg
