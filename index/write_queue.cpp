#include "index/write_queue.h"

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
  // This thread commits for all that wait.
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

void WriteQueue::commit(const std::vector<Request*>& group) {
  const Result<void> together = env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    for (const Request* member : group) AKIN_CHECK((*member->body)(txn));
    return {};
  });
  for (Request* member : group) {
    member->outcome = together.has_error() && group.size() > 1 ? env_.write(*member->body) : together;
  }
}

}  // namespace akin
