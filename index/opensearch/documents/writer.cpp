#include "index/opensearch/documents/writer.h"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "base/exceptions.h"
#include "base/files.h"
#include "base/process_name.h"
#include "base/time.h"
#include "base/waiting.h"
#include "index/opensearch/documents/view.h"
#include "index/write/batch_changes.h"

namespace akin::opensearch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// A turn whose writer has not changed the head for so long is abandoned, and how often a writer changes it.
constexpr seconds kTurnPatience(30);
constexpr seconds kTouched(5);
constexpr seconds kMostWaiting(120);
constexpr milliseconds kPause(20), kMostPause(250);
/// A search has no more than 65,536 terms by default.
constexpr std::size_t kMostGone = 20'000;
constexpr std::uint64_t kMergedShare = 5;
/// Bulk requests under way at a time: a shard of the engine works on each with one thread.
constexpr std::size_t kSending = 2;
/// A turn of fewer changes is not part of the first load, nor is one that finds documents of other writers.
constexpr std::uint64_t kChangesOfLoad = 100;
/// Segments that are larger than the engine's own merges make them hold on to deleted documents.
constexpr std::uint64_t kSegmentBytes = std::uint64_t{4} << 30U;
/// Numbers of a turn.
constexpr std::size_t kMostDocuments = (std::size_t{1} << kTurnBits) - 1;

Error is_replaced(const StoreName& store) {
  return Error{Errc::not_found, "store " + store, "it was dropped, or another store has replaced it",
               "open the collection again"};
}

Error lost_turn(const StoreName& store) {
  return Error{Errc::busy, "store " + store, "another process has written meanwhile", "try again"};
}

void sleep_waiting(milliseconds pause) {
  const Waiting waiting;
  std::this_thread::sleep_for(pause);
}

/// Whether an error may be due to one document, so that other writes of the turn can still be made.
bool may_concern_document(Errc code) {
  return code != Errc::unavailable && code != Errc::busy && code != Errc::disk_full && code != Errc::io &&
         code != Errc::not_found;
}

}  // namespace

Writer::Writer(std::shared_ptr<Client> client, StoreName store)
    : client_(std::move(client)), store_(std::move(store)), name_(process_name() + random_token()) {}

Result<void> Writer::take_turn() {
  sending_.clear();  // waits for what a turn that has failed left
  has_sent_ = false;
  const auto begin = steady_clock::now();
  auto changed = begin;  // the head, by somebody else
  Version seen;
  for (milliseconds pause = kPause;; pause = std::min(2 * pause, kMostPause)) {
    AKIN_CHECK(check_work());
    if (!head_) {
      AKIN_TRY(head_, read_head(*client_, store_));
    }
    const Head& head = head_->head;
    if (head.retired != 0) {
      head_.reset();
      return is_replaced(store_);
    }
    const auto now = steady_clock::now();
    for (const Head::Gone& one : head.gone) learnt_.emplace(one.turn, now);
    if (std::exchange(seen, head_->version) != head_->version) changed = now;
    const bool is_left = head.is_free() || head.writer == name_ || has_ended(head.writer);
    if (is_left || now - changed > kTurnPatience) {
      HeadAt next = *head_;
      if (!head.is_free()) next.head.abandoned.push_back(head.turn);
      ++next.head.turn;
      next.head.writer = name_;
      AKIN_TRY(const bool taken, write_head(*client_, store_, next));
      if (taken) {
        head_ = std::move(next);
        touched_ = steady_clock::now();
        return {};
      }
    } else if (now - begin > kMostWaiting) {
      return Error{Errc::busy, "store " + store_, "other processes write into it all the time", "try again"};
    }
    head_.reset();
    sleep_waiting(pause);
  }
}

Result<void> Writer::commit(Head next) {
  HeadAt written = *head_;
  written.head = std::move(next);
  written.head.committed = written.head.turn;
  Result<bool> done = write_head(*client_, store_, written);
  if (done.has_error() || !*done) {
    head_.reset();
    return done.has_error() ? Result<void>(std::move(done).error()) : lost_turn(store_);
  }
  head_ = std::move(written);
  const auto now = steady_clock::now();
  for (const Head::Gone& one : head_->head.gone) learnt_.emplace(one.turn, now);
  return {};
}

std::vector<std::string> Writer::take_erasable(Head& next) {
  const auto now = steady_clock::now();
  const auto is_kept = [&](const Head::Gone& one) {
    const auto learnt = learnt_.find(one.turn);
    return learnt == learnt_.end() || now - learnt->second < kErasedAfter;
  };
  const auto first = std::stable_partition(next.gone.begin(), next.gone.end(), is_kept);
  std::vector<std::string> ids;
  for (auto one = first; one != next.gone.end(); ++one) {
    learnt_.erase(one->turn);
    std::ranges::move(ids_of(one->number, one->sizes), std::back_inserter(ids));
  }
  next.gone.erase(first, next.gone.end());
  return ids;
}

Result<void> Writer::send_bulk(const std::string& lines, const char* refresh) const {
  AKIN_TRY(
      const Json answer,
      client_->ask({.method = "POST",
                    .path = "/" + store_index(*client_, store_) +
                            "/_bulk?filter_path=errors,items.*.status,items.*.error&" + kWriteWait + refresh,
                    .body = lines}));
  if (!answer.value("errors", true)) return {};
  for (const Json& item : answer.value("items", Json::array())) {
    const Json& done = item.begin().value();
    if (const int status = done.value("status", 200); status >= 300 && done.contains("error"))
      return error_of({status, {{"error", done["error"]}}});
  }
  return {};
}

Result<void> Writer::wait_for_sent(std::size_t most) {
  const Waiting waiting;
  while (sending_.size() > most) {
    std::future<Result<void>> first = std::move(sending_.front());
    sending_.pop_front();
    AKIN_CHECK(first.get());
  }
  return {};
}

Result<void> Writer::send(std::string& lines, bool is_last) {
  if (is_last && !has_sent_) return lines.empty() ? Result<void>() : send_bulk(lines, "&refresh=true");
  if (!lines.empty()) {
    has_sent_ = true;
    AKIN_CHECK(wait_for_sent(kSending - 1));
    sending_.push_back(std::async(std::launch::async, [this, some = std::exchange(lines, {})] {
      return without_exceptions([&] { return send_bulk(some, ""); });
    }));
  }
  if (is_last) {
    AKIN_CHECK(wait_for_sent(0));
    AKIN_TRY(const Json refreshed,
             client_->ask({.method = "POST", .path = "/" + store_index(*client_, store_) + "/_refresh"}));
    // Copies that are not there are no failures.
    return refreshed.at("_shards").value("failed", 1) == 0 ? Result<void>() : check_shards(refreshed);
  }
  if (steady_clock::now() - touched_ < kTouched) return {};
  touched_ = steady_clock::now();
  AKIN_TRY(const bool kept, write_head(*client_, store_, *head_));
  return kept ? Result<void>() : lost_turn(store_);
}

Result<WriteResults> Writer::write(std::span<Change> changes, WriteMode mode) {
  WriteRequest own{changes, mode};
  {
    const std::lock_guard guard(waiting_mutex_);
    waiting_.push_back(&own);
  }
  const auto lock = lock_waiting(mutex_);
  if (!own.done) write_waiting();
  return std::move(own.results);
}

void Writer::write_waiting() {
  std::vector<WriteRequest*> requests;
  {
    const std::lock_guard guard(waiting_mutex_);
    requests.swap(waiting_);
  }
  const Waiting waiting;
  std::optional<WorkUnder> for_all;  // the others' writes do not end with this one's work
  if (requests.size() > 1) for_all.emplace(nullptr, std::stop_token());
  const auto make = [&](std::span<WriteRequest* const> some) {
    return without_exceptions([&] { return write_together(some); });
  };
  const Result<void> together = make(requests);
  const bool again =
      requests.size() > 1 && together.has_error() && may_concern_document(together.error().code);
  for (WriteRequest* const one : requests) {
    const Result<void> made = again ? make({&one, 1}) : together;
    if (made.has_error()) one->results = made.error();
    one->done = true;
  }
}

Result<void> Writer::write_together(std::span<WriteRequest* const> requests) {
  std::uint64_t changes = 0;
  for (const WriteRequest* one : requests) changes += one->changes.size();
  if (changes > kMostDocuments)
    return Error{Errc::too_large, "write", "it has more than 16,777,215 changes", "divide it"};
  AKIN_CHECK(take_turn());
  Head next = head_->head;
  const bool is_filled = unmerged_ == 0 && next.counters.documents > 0;
  Turn turn(requests, next);
  AKIN_CHECK(turn.look_up(*client_, store_index(*client_, store_), next));
  for (WriteRequest* const one : requests) {
    one->results = write_in(turn, one->changes, one->mode);
    // Before a precondition fails, nothing has changed.
    if (!one->results.has_error() || one->results.error().code == Errc::precondition_failed) continue;
    AKIN_CHECK(commit(std::move(next)));
    return one->results.error();
  }
  if (turn.changes_nothing()) return commit(std::move(next));
  std::string lines;
  for (const std::string& id : take_erasable(next)) add_erasure(lines, id);
  AKIN_CHECK(turn.write(next.turn, lines, [this](std::string& some) { return send(some, false); }));
  AKIN_CHECK(send(lines, true));
  next.counters = turn.counters();
  turn.add_gone(next);
  unmerged_ += changes;
  AKIN_CHECK(commit(std::move(next)));
  // What cannot be erased now, the next write erases.
  if (head_->head.gone.size() > kMostGone) static_cast<void>(erase_gone(true));
  if (changes < kChangesOfLoad || is_filled) static_cast<void>(end_load());
  return {};
}

Result<void> Writer::continue_after(Revision revision) {
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(take_turn());
  Head next = head_->head;
  next.counters.last_revision = std::max(next.counters.last_revision, revision);
  return commit(std::move(next));
}

Result<void> Writer::erase(bool wait) {
  const auto lock = lock_waiting(mutex_);
  if (wait) head_.reset();  // others may have abandoned turns
  AKIN_CHECK(erase_gone(wait));
  return wait && head_ ? drop_abandoned() : Result<void>();
}

Result<void> Writer::end_load() {
  if (!loads_) return {};
  AKIN_CHECK(merge_by_default(*client_, store_));
  loads_ = false;
  return {};
}

Result<void> Writer::merge() {
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(end_load());
  if (!head_ || kMergedShare * unmerged_ < static_cast<std::uint64_t>(head_->head.counters.documents))
    return {};
  unmerged_ = 0;
  const std::string index = "/" + store_index(*client_, store_);
  AKIN_TRY(const Json stats,
           client_->ask({.path = index + "/_stats/store?filter_path=_all.total.store.size_in_bytes"}));
  const auto bytes = stats.at("_all").at("total").at("store").at("size_in_bytes").get<std::uint64_t>();
  const std::string segments = std::to_string(1 + bytes / kSegmentBytes);
  // The cluster ends it even if the answer takes too long.
  static_cast<void>(
      client_->ask({.method = "POST", .path = index + "/_forcemerge?max_num_segments=" + segments}));
  AKIN_CHECK(client_->ask({.method = "POST", .path = index + "/_refresh"}));
  AKIN_CHECK(take_turn());
  return commit(Head(head_->head));  // so that readers open a new point in time
}

Result<void> Writer::drop_abandoned() {
  if (head_->head.abandoned.empty()) return {};
  const std::string index = store_index(*client_, store_);
  AKIN_CHECK(client_->ask({.method = "POST", .path = "/" + index + "/_refresh"}));
  const Json of_turns = {
      {"size", kHitsAtOnce}, {"_source", false}, {"query", {{"terms", {{"turn", head_->head.abandoned}}}}}};
  for (;;) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const Json left, client_->search(index, of_turns));
    std::string lines;
    for (const Json& hit : hits_of(left)) add_erasure(lines, hit.at("_id"));
    if (lines.empty()) return {};
    has_sent_ = false;
    AKIN_CHECK(send(lines, true));
  }
}

Result<void> Writer::erase_gone(bool wait) {
  if (!head_) {
    AKIN_TRY(head_, read_head(*client_, store_));
    if (head_->head.retired != 0) return {};
  }
  if (head_->head.gone.empty()) return {};
  AKIN_CHECK(take_turn());
  if (wait) {
    // Within a turn: others would only add to what is to be erased.
    const auto begin = steady_clock::now();
    while (steady_clock::now() - begin < kErasedAfter + seconds(1)) {
      AKIN_CHECK(check_work());
      sleep_waiting(milliseconds(500));
    }
  }
  Head next = head_->head;
  std::string lines;
  for (const std::string& id : take_erasable(next)) {
    add_erasure(lines, id);
    if (lines.size() > kRequestBytes) AKIN_CHECK(send(lines, false));
  }
  AKIN_CHECK(send(lines, true));
  return commit(std::move(next));
}

Result<Revision> Writer::stop_others() {
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(take_turn());
  return head_->head.counters.last_revision;
}

Result<void> Writer::retire(const StoreName& successor) {
  const auto lock = lock_waiting(mutex_);
  if (successor.empty()) AKIN_CHECK(take_turn());
  Head next = head_->head;
  next.retired = time_now().time_since_epoch().count();
  next.successor = successor;
  return commit(std::move(next));
}

}  // namespace akin::opensearch
