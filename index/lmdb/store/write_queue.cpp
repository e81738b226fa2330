#include "index/lmdb/store/write_queue.h"

#include <utility>

#include "base/exceptions.h"
#include "base/waiting.h"

namespace akin {

namespace {
/// Bounds what a group holds in memory, and how long its first member waits.
constexpr std::size_t kMostInGroup = 256;
}  // namespace

Result<void> WriteQueue::write(const Body& body) {
  Request request{.body = &body};
  const Waiting waiting;
  std::unique_lock lock(mutex_);
  (first_ == nullptr ? first_ : last_->next) = &request;
  last_ = &request;
  if (std::exchange(committing_, true)) {
    lock.unlock();
    request.woken.acquire();
    if (request.done) return std::move(request.outcome);
    lock.lock();
  }
  // This thread commits for all waiting writes.
  Request* const group = take_group();
  lock.unlock();
  bool began = false;
  {
    const WorkUnder for_all(nullptr, {});  // the others' writes do not end with this one's request
    began = commit(group);
  }
  lock.lock();
  if (!began) refuse_waiting(group);
  Request* const leader = first_;
  committing_ = leader != nullptr;
  lock.unlock();
  if (leader != nullptr) leader->woken.release();
  for (Request* member = group; member != nullptr;) {
    Request* const next = member->next;  // a member may end as soon as it is woken
    if (member != &request) {
      member->done = true;
      member->woken.release();
    }
    member = next;
  }
  return std::move(request.outcome);
}

/// Cuts the group off the front of the queue. Requires the lock, and a waiting request.
WriteQueue::Request* WriteQueue::take_group() noexcept {
  Request* const group = first_;
  Request* end = first_;
  for (std::size_t members = 1; members < kMostInGroup && end->next != nullptr; ++members) end = end->next;
  first_ = std::exchange(end->next, nullptr);
  return group;
}

/// Adds all that wait to a group that did not get its turn to write: they have waited for the same process.
/// Requires the lock.
void WriteQueue::refuse_waiting(Request* group) {
  Request* last = group;
  while (last->next != nullptr) last = last->next;
  last->next = std::exchange(first_, nullptr);
  for (Request* member = last->next; member != nullptr; member = member->next)
    member->outcome = group->outcome;
}

std::size_t WriteQueue::runs() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}

/// Commits the requests from `first` to before `end`.
Result<void> WriteQueue::commit_together(Request* first, const Request* end, bool& began) noexcept {
  std::size_t runs = 0;
  Result<void> outcome = without_exceptions([&] {
    return env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      began = true;
      AKIN_TRY(DocumentBatch batch, DocumentBatch::begin(txn, tables_));
      for (const Request* member = first; member != end; member = member->next) {
        Result<void> done = (*member->body)(batch);
        if (!done.has_error()) continue;
        batch.abandon();
        return done;
      }
      AKIN_CHECK(batch.finish());
      runs = batch.runs();
      return {};
    });
  });
  if (outcome.has_error()) return outcome;
  const std::lock_guard lock(mutex_);
  runs_ = runs;
  return {};
}

bool WriteQueue::commit(Request* group) noexcept {
  bool began = false;
  const Result<void> together = commit_together(group, nullptr, began);
  const bool again = together.has_error() && group->next != nullptr && began;
  for (Request* member = group; member != nullptr; member = member->next)
    member->outcome = again ? commit_together(member, member->next, began) : together;
  return began || !together.has_error();
}

}  // namespace akin
