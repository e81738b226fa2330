#include "index/write/group_commit.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "base/exceptions.h"
#include "base/waiting.h"

namespace akin {

namespace {
/// Bounds what a group holds in memory, and how long its first member waits.
constexpr std::size_t kMostInGroup = 256;
}  // namespace

void GroupCommit::make(Write& write) {
  const Waiting waiting;
  std::unique_lock lock(mutex_);
  (first_ == nullptr ? first_ : last_->next) = &write;
  last_ = &write;
  if (std::exchange(making_, true)) {
    lock.unlock();
    write.woken.acquire();
    if (write.done) return;
    lock.lock();
  }
  // This thread makes all waiting writes.
  Write* const group = take_group();
  lock.unlock();
  bool began = false;
  {
    std::optional<WorkUnder> for_all;  // the others' writes do not end with this one's request
    if (group->next != nullptr) for_all.emplace(nullptr, std::stop_token());
    began = make_group(group);
  }
  lock.lock();
  if (!began) refuse_waiting(group);
  Write* const leader = first_;
  making_ = leader != nullptr;
  lock.unlock();
  if (leader != nullptr) leader->woken.release();
  for (Write* member = group; member != nullptr;) {
    Write* const next = member->next;  // a member may end as soon as it is woken
    if (member != &write) {
      member->done = true;
      member->woken.release();
    }
    member = next;
  }
}

/// Cuts the group off the front of the queue. Requires the lock, and a waiting write.
GroupCommit::Write* GroupCommit::take_group() noexcept {
  Write* const group = first_;
  Write* end = first_;
  for (std::size_t members = 1; members < kMostInGroup && end->next != nullptr; ++members) end = end->next;
  first_ = std::exchange(end->next, nullptr);
  return group;
}

/// Adds all that wait to a group that did not get its turn: they have waited for the same process. Requires
/// the lock.
void GroupCommit::refuse_waiting(Write* group) {
  Write* last = group;
  while (last->next != nullptr) last = last->next;
  last->next = std::exchange(first_, nullptr);
  for (Write* member = last->next; member != nullptr; member = member->next) member->outcome = group->outcome;
}

Result<void> GroupCommit::try_together(Write* first, const Write* end, bool& began) noexcept {
  return without_exceptions([&] { return make_together(first, end, began); });
}

bool GroupCommit::make_group(Write* group) noexcept {
  bool began = false;
  const Result<void> together = try_together(group, nullptr, began);
  const bool again = together.has_error() && group->next != nullptr && began;
  for (Write* member = group; member != nullptr; member = member->next)
    member->outcome = again ? try_together(member, member->next, began) : together;
  return began || !together.has_error();
}

}  // namespace akin
