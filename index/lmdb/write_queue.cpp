#include "index/lmdb/write_queue.h"

namespace akin {

namespace {
/// Bounds what a group holds in memory, and how long its first member waits.
constexpr std::size_t kMostInGroup = 256;
}  // namespace

Result<void> WriteQueue::write(const Body& body) {
  Request request{&body, {}};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&request);
  changed_.wait(lock, [&] { return request.done || (!committing_ && waiting_.front() == &request); });
  if (request.done) return request.outcome;
  // This thread commits for all waiting writes.
  committing_ = true;
  std::vector<Request*> group;
  while (!waiting_.empty() && group.size() < kMostInGroup) {
    group.push_back(waiting_.front());
    waiting_.pop_front();
  }
  lock.unlock();
  commit(group);
  lock.lock();
  committing_ = false;
  for (Request* member : group) member->done = true;
  lock.unlock();
  changed_.notify_all();
  return request.outcome;
}

std::size_t WriteQueue::runs() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}

Result<void> WriteQueue::commit_together(const std::vector<Request*>& group) {
  std::size_t runs = 0;
  Result<void> outcome = env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    AKIN_TRY(DocumentBatch batch, DocumentBatch::begin(txn, tables_));
    for (const Request* member : group) {
      Result<void> done = (*member->body)(batch);
      if (!done.has_error()) continue;
      batch.abandon();
      return done;
    }
    AKIN_CHECK(batch.finish());
    runs = batch.runs();
    return {};
  });
  if (outcome.has_error()) return outcome;
  const std::lock_guard lock(mutex_);
  runs_ = runs;
  return {};
}

void WriteQueue::commit(const std::vector<Request*>& group) {
  const Result<void> together = commit_together(group);
  for (Request* member : group) {
    member->outcome = together.has_error() && group.size() > 1 ? commit_together({member}) : together;
  }
}

}  // namespace akin
