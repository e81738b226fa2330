#include "index/opensearch/store.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/exceptions.h"
#include "base/files.h"
#include "base/process_name.h"
#include "base/time.h"
#include "base/waiting.h"
#include "index/opensearch/catalog/entry.h"
#include "index/write/batch_changes.h"

namespace akin::opensearch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// How often new views are checked.
constexpr std::chrono::minutes kChecked(1);
/// A turn whose writer has not changed the head for so long is abandoned, and how often a writer changes it.
constexpr seconds kTurnPatience(30), kTouched(5);
constexpr seconds kMostWaiting(120), kMostMerging(90);
constexpr milliseconds kPause(20), kMostPause(250);
/// A search has no more than 65,536 terms by default.
constexpr std::size_t kMostGone = 20'000;
constexpr std::uint64_t kMergedShare = 5;
/// Bulk requests under way at a time: a shard of the engine works on each with one thread.
constexpr std::size_t kSending = 2;
/// A turn that adds less text is not part of the first load, nor is one that finds documents of other
/// writers.
constexpr std::int64_t kTextOfLoad = std::int64_t{64} << 10U;
/// Segments that are larger than the engine's own merges make them hold on to deleted documents.
constexpr std::uint64_t kSegmentBytes = std::uint64_t{4} << 30U;
/// Numbers of a turn.
constexpr std::size_t kMostDocuments = (std::size_t{1} << kTurnBits) - 1;

/// Whether an error may be due to one document, so that other writes of the turn can still be made.
bool may_concern_document(Errc code) {
  return code != Errc::unavailable && code != Errc::busy && code != Errc::disk_full && code != Errc::io &&
         code != Errc::not_found;
}

}  // namespace

ClusterStore::ClusterStore(const StoreIndex& index, StoreIdentity identity)
    : DerivingStore(std::move(identity), {HashWidth::whole, true}),
      index_(index),
      writer_(process_name() + random_token()) {}

Result<std::shared_ptr<ClusterStore>> ClusterStore::create(const std::shared_ptr<Client>& client,
                                                           const StoreIdentity& identity,
                                                           std::optional<std::string_view> packed) {
  AKIN_CHECK(make_catalog_index(*client));
  const StoreIndex index{client, random_token()};
  AKIN_CHECK(index.make());
  Head first;
  first.identity = identity;
  if (packed) {
    AKIN_TRY(first.dictionary, keep_dictionary(*client, *packed));
  }
  AKIN_CHECK(write_head(*client, index.store, first));
  return std::make_shared<ClusterStore>(index, identity);
}

Result<std::shared_ptr<ClusterStore>> ClusterStore::open(const std::shared_ptr<Client>& client,
                                                         const StoreName& name) {
  AKIN_TRY(const std::shared_ptr<const View> view, View::open({client, name}));
  AKIN_CHECK(view->check_content());
  return std::make_shared<ClusterStore>(StoreIndex{client, name}, view->head().identity);
}

Result<std::shared_ptr<const View>> ClusterStore::view() const {
  std::unique_lock lock(view_mutex_);
  const std::shared_ptr<const View> last = last_view_;
  const auto now = steady_clock::now();
  const bool is_due = checked_ == steady_clock::time_point() || now - checked_ > kChecked;
  lock.unlock();
  if (last != nullptr && last->is_kept()) {
    AKIN_TRY(const Head head, read_head(*index_.client, index_.store));
    // A turn that has begun changes nothing.
    if (head.committed == last->head().committed && head.abandoned == last->head().abandoned) return last;
  }
  AKIN_TRY(std::shared_ptr<const View> view, View::open(index_));
  if (is_due) AKIN_CHECK(view->check_content());
  lock.lock();
  if (is_due) checked_ = now;
  if (last_view_ == nullptr || last_view_->head().committed <= view->head().committed) last_view_ = view;
  return view;
}

Result<std::unique_ptr<Snapshot>> ClusterStore::snapshot() const {
  is_read_ = true;
  AKIN_TRY(std::shared_ptr<const View> view, this->view());
  parts_->note_committed(view->head().committed);
  const DeriveFeatures* const features = derive();
  return make_snapshot(std::move(view), serial_, parts_, features != nullptr ? *features : nullptr);
}

Result<void> ClusterStore::take_turn() {
  sending_.clear();  // waits for what a turn that has failed left
  has_sent_ = false;
  const auto begin = steady_clock::now();
  auto changed = begin;  // the head, by somebody else
  Version seen;
  for (milliseconds pause = kPause;; pause = std::min(2 * pause, kMostPause)) {
    if (!head_) {
      AKIN_TRY(head_, read_head(*index_.client, index_.store));
    }
    const Head& head = *head_;
    if (head.retired != 0) {
      head_.reset();
      return Error{Errc::not_found, "store " + index_.store,
                   "it was dropped, or another store has replaced it", "open the collection again"};
    }
    const auto now = steady_clock::now();
    if (std::exchange(seen, head_->version) != head_->version) changed = now;
    const bool is_left = head.is_free() || head.writer == writer_ || has_ended(head.writer);
    if (is_left || now - changed > kTurnPatience) {
      Head next = *head_;
      if (!head.is_free()) next.abandoned.push_back(head.turn);
      ++next.turn;
      next.writer = writer_;
      AKIN_TRY(const bool taken, write_head(*index_.client, index_.store, next));
      if (taken) {
        head_ = std::move(next);
        touched_ = steady_clock::now();
        return {};
      }
    } else if (now - begin > kMostWaiting) {
      return Error{Errc::busy, "store " + index_.store, "other processes write into it all the time",
                   "try again"};
    }
    head_.reset();
    AKIN_CHECK(pause_work(pause));
  }
}

Result<void> ClusterStore::change_head(Head& head) const {
  AKIN_TRY(const bool done, write_head(*index_.client, index_.store, head));
  if (done) return {};
  return Error{Errc::busy, "store " + index_.store, "another process has written meanwhile", "try again"};
}

Result<void> ClusterStore::commit(Head next) {
  next.version = head_->version;  // of the last sign of life
  next.committed = next.turn;
  head_.reset();
  AKIN_CHECK(change_head(next));
  head_ = std::move(next);
  return {};
}

Result<void> ClusterStore::erase_gone(Head& next, std::string& lines) {
  for (const Head::Gone& one : std::exchange(next.gone, {})) {
    add_erasure(lines, std::to_string(one.number));
    for (const std::string& id : one.further_ids) add_erasure(lines, id);
    if (lines.size() > kRequestBytes) AKIN_CHECK(send(lines, false));
  }
  return {};
}

Result<void> ClusterStore::send_bulk(const std::string& lines, const char* refresh) const {
  AKIN_TRY(const Json answer,
           index_.ask(
               "POST",
               std::string("/_bulk?filter_path=errors,items.*.status,items.*.error&") + kWriteWait + refresh,
               lines));
  if (!answer.value("errors", true)) return {};
  for (const Json& item : answer.value("items", Json::array())) {
    const Json& done = item.begin().value();
    if (const int status = done.value("status", 200); status >= 300 && done.contains("error"))
      return error_of({status, {{"error", done["error"]}}});
  }
  return {};
}

Result<void> ClusterStore::wait_for_sent(std::size_t most) {
  const Waiting waiting;
  while (sending_.size() > most) {
    std::future<Result<void>> first = std::move(sending_.front());
    sending_.pop_front();
    AKIN_CHECK(first.get());
  }
  return {};
}

Result<void> ClusterStore::send(std::string& lines, bool is_last) {
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
    return index_.refresh();
  }
  if (steady_clock::now() - touched_ < kTouched) return {};
  touched_ = steady_clock::now();
  return change_head(*head_);
}

Result<WriteResults> ClusterStore::write(std::span<Change> changes, WriteMode mode) {
  AKIN_TRY(WriteResults results, refusals(changes, mode));
  if (are_all_refused(results)) return results;
  WriteRequest own{changes, mode};
  {
    const std::lock_guard guard(waiting_mutex_);
    waiting_.push_back(&own);
  }
  const auto lock = lock_waiting(mutex_);
  if (!own.done) write_waiting();
  return std::move(own.results);
}

void ClusterStore::write_waiting() {
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

Result<void> ClusterStore::write_together(std::span<WriteRequest* const> requests) {
  std::uint64_t changes = 0;
  for (const WriteRequest* one : requests) changes += one->changes.size();
  if (changes > kMostDocuments)
    return Error{Errc::too_large, "write", "it has more than 16,777,215 changes", "divide it"};
  AKIN_CHECK(take_turn());
  Head next = *head_;
  const bool is_filled = unmerged_ == 0 && next.counters.documents > 0;
  Turn turn(requests, next);
  AKIN_CHECK(turn.look_up(index_, next));
  for (WriteRequest* const one : requests) {
    one->results = write_in(turn, one->changes, one->mode);
    // Before a precondition fails, nothing has changed.
    if (!one->results.has_error() || one->results.error().code == Errc::precondition_failed) continue;
    AKIN_CHECK(commit(std::move(next)));
    return one->results.error();
  }
  std::string lines;
  AKIN_CHECK(erase_gone(next, lines));
  AKIN_CHECK(turn.write(lines, [this](std::string& some) { return send(some, false); }));
  AKIN_CHECK(send(lines, true));
  const bool is_little = turn.counters().text_bytes < next.counters.text_bytes + kTextOfLoad;
  next.counters = turn.counters();
  turn.add_gone(next);
  unmerged_ += changes;
  AKIN_CHECK(commit(std::move(next)));
  // What cannot be erased now, the next write erases.
  if (head_->gone.size() > kMostGone) static_cast<void>(erase_gone());
  if (is_little || is_filled || is_read_) static_cast<void>(end_load());
  return {};
}

Result<void> ClusterStore::continue_after(Revision revision) {
  AKIN_CHECK(check_revision(revision));
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(take_turn());
  Head next = *head_;
  next.counters.last_revision = std::max(next.counters.last_revision, revision);
  return commit(std::move(next));
}

Result<void> ClusterStore::flush_and_merge(bool everything) {
  auto lock = lock_waiting(mutex_);
  if (everything) head_.reset();  // others may have abandoned turns
  AKIN_CHECK(erase_gone());
  if (everything && head_) AKIN_CHECK(drop_abandoned());
  AKIN_CHECK(end_load());
  if (head_ && kMergedShare * unmerged_ >= static_cast<std::uint64_t>(head_->counters.documents)) {
    unmerged_ = 0;
    lock.unlock();
    AKIN_TRY(const auto extent, index_.extent());
    const std::uint64_t segments = 1 + extent.disk_bytes / kSegmentBytes;
    AKIN_CHECK(index_.merge("max_num_segments=" + std::to_string(segments)));
    AKIN_CHECK(index_.refresh());
    lock = lock_waiting(mutex_);
    AKIN_CHECK(take_turn());
    AKIN_CHECK(commit(*head_));  // so that readers open a new point in time
  }
  lock.unlock();
  for (const auto last = steady_clock::now() + kMostMerging; everything;) {
    const bool is_last = steady_clock::now() > last;
    AKIN_CHECK(index_.merge("only_expunge_deletes=true&flush=true"));
    AKIN_TRY(const auto extent, index_.extent());
    if (extent.deleted == 0 || is_last) break;
    AKIN_CHECK(pause_work(seconds(2)));
  }
  return {};
}

Result<void> ClusterStore::end_load() {
  const Json by_default = {{"index.merge.policy.max_merge_at_once", nullptr},
                           {"index.merge.policy.segments_per_tier", nullptr}};
  if (loads_) AKIN_CHECK(index_.ask("PUT", "/_settings", by_default.dump()));
  loads_ = false;
  return {};
}

Result<void> ClusterStore::drop_abandoned() {
  if (head_->abandoned.empty()) return {};
  AKIN_CHECK(index_.refresh());
  const Json of_turns = {
      {"size", kHitsAtOnce}, {"_source", false}, {"query", {{"terms", {{"turn", head_->abandoned}}}}}};
  for (;;) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const Json left, index_.search(of_turns));
    std::string lines;
    for (const Json& hit : hits_of(left)) add_erasure(lines, hit.at("_id"));
    if (lines.empty()) return {};
    has_sent_ = false;
    AKIN_CHECK(send(lines, true));
  }
}

Result<void> ClusterStore::erase_gone() {
  if (!head_) {
    AKIN_TRY(head_, read_head(*index_.client, index_.store));
    if (head_->retired != 0) return {};
  }
  if (head_->gone.empty()) return {};
  AKIN_CHECK(take_turn());
  Head next = *head_;
  std::string lines;
  AKIN_CHECK(erase_gone(next, lines));
  AKIN_CHECK(send(lines, true));
  return commit(std::move(next));
}

Result<Revision> ClusterStore::stop_others() {
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(take_turn());
  return head_->counters.last_revision;
}

Result<void> ClusterStore::retire(const StoreName& successor) {
  const auto lock = lock_waiting(mutex_);
  if (successor.empty()) {
    Result<void> taken = take_turn();
    if (taken.has_error()) return taken.error().code == Errc::not_found ? Result<void>() : taken;
  }
  Head next = *head_;
  next.retired = time_now().time_since_epoch().count();
  next.successor = successor;
  return commit(std::move(next));
}

}  // namespace akin::opensearch
