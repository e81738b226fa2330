#include "index/pg/background.h"

#include <algorithm>

#include "base/background_failures.h"
#include "base/exceptions.h"

namespace akin::pg {
namespace {

/// This many new postings are merged, or, if that is more, one in this many of all: merging a load again and
/// again while it lasts would slow it.
constexpr std::uint64_t kLeastUnsettled = 500'000, kPostingsOfOneUnsettled = 2;

}  // namespace

void Background::add(const Written& written) {
  const std::lock_guard guard(mutex_);
  gone_ += written.gone;
  unsettled_ += written.postings;
  const bool erase = gone_ >= std::max(kLeastGone, written.documents / kDocumentsOfOneGone);
  const bool merge = unsettled_ >= std::max(kLeastUnsettled, written.all_postings / kPostingsOfOneUnsettled);
  if (running_ || (!erase && !merge)) return;
  unsettled_ = 0;
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
