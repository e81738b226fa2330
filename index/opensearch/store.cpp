#include "index/opensearch/store.h"

#include <algorithm>
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
/// Changes, and removed documents, after which the engine refreshes while others are written.
constexpr std::size_t kMostUnseen = 300, kFewGone = 100;
constexpr std::uint64_t kMergedShare = 5;
/// Bulk requests under way at a time: a shard of the engine works on each with one thread.
constexpr std::size_t kSending = 2;
/// A turn that adds less text ends the first load, as does one that finds documents of other writers.
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
  AKIN_TRY(Head head, read_head(*client, name));
  AKIN_TRY(const std::shared_ptr<const View> view, View::open({client, name}, std::move(head)));
  AKIN_CHECK(view->check_content());
  return std::make_shared<ClusterStore>(StoreIndex{client, name}, view->head().identity);
}

Result<std::shared_ptr<const View>> ClusterStore::view() const {
  AKIN_TRY(Head head, read_head(*index_.client, index_.store));
  std::unique_lock lock(view_mutex_);
  // A turn that has begun changes nothing.
  if (last_view_ != nullptr && last_view_->is_kept() && last_view_->state().turn == head.latest().turn &&
      last_view_->head().abandoned == head.abandoned)
    return last_view_;
  const auto now = steady_clock::now();
  const bool is_due = checked_ == steady_clock::time_point() || now - checked_ > kChecked;
  lock.unlock();
  AKIN_TRY(std::shared_ptr<const View> view, View::open(index_, std::move(head)));
  if (is_due) AKIN_CHECK(view->check_content());
  lock.lock();
  if (is_due) checked_ = now;
  if (last_view_ == nullptr || last_view_->state().turn <= view->state().turn) last_view_ = view;
  return view;
}

Result<std::unique_ptr<Snapshot>> ClusterStore::snapshot() const {
  is_read_ = true;
  AKIN_TRY(std::shared_ptr<const View> view, this->view());
  parts_->note_committed(view->state().turn);
  const DeriveFeatures* const features = derive();
  return make_snapshot(std::move(view), serial_, parts_, features != nullptr ? *features : nullptr);
}

void ClusterStore::forget_accepted() {
  unseen_.clear();
  refreshing_ids_.clear();
  refreshing_ = {};
}

Result<void> ClusterStore::find_head() {
  if (head_) return {};
  forget_accepted();
  AKIN_TRY(head_, read_head(*index_.client, index_.store));
  return {};
}

Result<void> ClusterStore::take_turn(bool accepts) {
  sending_.clear();  // waits for what a turn that has failed left
  has_sent_ = false;
  const auto begin = steady_clock::now();
  auto changed = begin;  // the head, by somebody else
  Version seen;
  for (milliseconds pause = kPause;; pause = std::min(2 * pause, kMostPause)) {
    AKIN_CHECK(find_head());
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
      const bool continues = head.accepted && accepts && (!unseen_.empty() || refreshing_.valid());
      Head next = head;
      if (head.accepted && !continues) {
        AKIN_CHECK(index_.refresh());
        next.committed = *std::exchange(next.accepted, {});
      }
      if (!head.is_free()) next.abandoned.push_back(head.turn);
      ++next.turn;
      next.writer = writer_;
      AKIN_TRY(const bool taken, write_head(*index_.client, index_.store, next));
      if (taken) {
        if (!continues) forget_accepted();
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

Result<void> ClusterStore::change_head() {
  const Result<bool> done = write_head(*index_.client, index_.store, *head_);
  if (!done.has_error() && *done) return {};
  head_.reset();
  if (done.has_error()) return done.error();
  return Error{Errc::busy, "store " + index_.store, "another process has written meanwhile", "try again"};
}

Result<void> ClusterStore::commit(StoreState state) {
  forget_accepted();
  state.turn = head_->turn;
  head_->committed = std::move(state);
  head_->accepted.reset();
  return change_head();
}

Result<void> ClusterStore::accept(StoreState state) {
  if (refreshing_.valid() && refreshing_.wait_for(seconds(0)) == std::future_status::ready) {
    AKIN_CHECK(refreshing_.get());
    head_->committed = std::move(refreshed_);
    refreshing_ids_.clear();
  }
  state.turn = head_->turn;
  head_->accepted = std::move(state);
  AKIN_CHECK(change_head());
  const bool is_much = unseen_.size() > kMostUnseen || head_->accepted->gone.size() > kFewGone || has_sent_;
  if (refreshing_.valid() || !is_much) return {};
  refreshed_ = *head_->accepted;
  refreshing_ids_.swap(unseen_);
  refreshing_ = std::async(std::launch::async,
                           [this] { return without_exceptions([this] { return index_.refresh(); }); });
  return {};
}

Result<void> ClusterStore::send_bulk(const std::string& lines) const {
  const std::string path = "/_bulk?filter_path=errors,items.*.status,items.*.error&";
  AKIN_TRY(const Json answer, index_.ask("POST", path + kWriteWait, lines));
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
  for (; sending_.size() > most; sending_.pop_front()) AKIN_CHECK(sending_.front().get());
  return {};
}

Result<void> ClusterStore::send(std::string& lines, bool is_last) {
  if (is_last && !has_sent_) return lines.empty() ? Result<void>() : send_bulk(lines);
  if (!lines.empty()) {
    has_sent_ = true;
    AKIN_CHECK(wait_for_sent(kSending - 1));
    sending_.push_back(std::async(std::launch::async, [this, some = std::exchange(lines, {})] {
      return without_exceptions([&] { return send_bulk(some); });
    }));
  }
  if (is_last) return wait_for_sent(0);
  if (steady_clock::now() - touched_ < kTouched) return {};
  touched_ = steady_clock::now();
  return change_head();
}

Result<WriteResults> ClusterStore::write(std::span<Change> changes, WriteMode mode) {
  AKIN_TRY(WriteResults results, refusals(changes, mode));
  if (are_all_refused(results)) return results;
  Request own{{}, changes, mode};
  make(own);
  if (own.outcome.has_error()) return own.outcome.error();
  return std::move(own.results);
}

Result<void> ClusterStore::make_together(Write* first, const Write* end, bool& began) {
  const auto lock = lock_waiting(mutex_);
  Result<void> made = without_exceptions([&] { return write_together(first, end); });
  began = !made.has_error() || may_concern_document(made.error().code);
  if (made.has_error()) head_.reset();
  return made;
}

Result<void> ClusterStore::write_together(Write* first, const Write* end) {
  std::vector<std::span<Change>> writes;
  std::size_t changes = 0;
  bool finds_all = first != end;  // of the documents that it is about
  for (Write* one = first; one != end; one = one->next) {
    writes.push_back(static_cast<Request*>(one)->changes);
    changes += writes.back().size();
    for (const Change& change : writes.back()) {
      const bool keeps_revision =
          change.document && !change.document->has_error() && (*change.document)->revision.is_assigned();
      finds_all = finds_all && !keeps_revision && !unseen_.contains(change.id) &&
                  !refreshing_ids_.contains(change.id);
    }
  }
  if (changes > kMostDocuments)
    return Error{Errc::too_large, "write", "it has more than 16,777,215 changes", "divide it"};
  AKIN_CHECK(take_turn(finds_all));
  StoreState next = head_->latest();
  const auto erased = static_cast<std::ptrdiff_t>(head_->committed.gone.size());
  next.gone.erase(next.gone.begin(), next.gone.begin() + erased);
  const bool is_filled = unmerged_ == 0 && next.counters.documents > 0;
  Turn turn(writes, *head_);
  AKIN_CHECK(turn.look_up(index_, *head_));
  for (; first != end; first = first->next) {
    Request* const one = static_cast<Request*>(first);
    one->results = write_in(turn, one->changes, one->mode);
    // Before a precondition fails, nothing has changed.
    if (!one->results.has_error() || one->results.error().code == Errc::precondition_failed) continue;
    AKIN_CHECK(accept(head_->latest()));
    return one->results.error();
  }
  std::string lines;
  for (const Gone& one : head_->committed.gone) {
    add_erasure(lines, std::to_string(one.number));
    for (const std::string& id : one.further_ids) add_erasure(lines, id);
    if (lines.size() > kRequestBytes) AKIN_CHECK(send(lines, false));
  }
  AKIN_CHECK(turn.write(lines, [this](std::string& some) { return send(some, false); }));
  AKIN_CHECK(send(lines, true));
  const bool is_little = turn.counters().text_bytes < next.counters.text_bytes + kTextOfLoad;
  next.counters = turn.counters();
  turn.add_gone(next);
  unmerged_ += changes;
  const std::size_t gone = next.gone.size();
  if (changes == 0 || erased > 0) {
    AKIN_CHECK(index_.refresh());
    AKIN_CHECK(commit(std::move(next)));
  } else {
    for (const std::span<Change> some : writes) {
      for (const Change& one : some) unseen_.emplace(one.id);
    }
    AKIN_CHECK(accept(std::move(next)));
  }
  // What cannot be erased now, the next write erases.
  if (gone > kMostGone) static_cast<void>(erase_gone());
  if (is_little || is_filled || is_read_) static_cast<void>(end_load());
  return {};
}

Result<void> ClusterStore::continue_after(Revision revision) {
  AKIN_CHECK(check_revision(revision));
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(take_turn());
  StoreState next = head_->committed;
  next.counters.last_revision = std::max(next.counters.last_revision, revision);
  return commit(std::move(next));
}

Result<void> ClusterStore::flush_and_merge(bool everything) {
  auto lock = lock_waiting(mutex_);
  if (everything) head_.reset();  // others may have abandoned turns
  AKIN_CHECK(erase_gone());
  if (everything && head_) AKIN_CHECK(drop_abandoned());
  AKIN_CHECK(end_load());
  if (head_ && kMergedShare * unmerged_ >= static_cast<std::uint64_t>(head_->committed.counters.documents)) {
    unmerged_ = 0;
    lock.unlock();
    AKIN_TRY(const auto extent, index_.extent());
    const std::uint64_t segments = 1 + extent.disk_bytes / kSegmentBytes;
    AKIN_CHECK(index_.merge("max_num_segments=" + std::to_string(segments)));
    AKIN_CHECK(index_.refresh());
    lock = lock_waiting(mutex_);
    AKIN_CHECK(take_turn());
    AKIN_CHECK(commit(head_->committed));  // so that readers open a new point in time
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
  const Json of_turns = {
      {"size", kHitsAtOnce}, {"_source", false}, {"query", {{"terms", {{"turn", head_->abandoned}}}}}};
  for (;;) {
    AKIN_CHECK(check_work());
    AKIN_CHECK(index_.refresh());
    AKIN_TRY(const Json left, index_.search(of_turns));
    std::string lines;
    for (const Json& hit : hits_of(left)) add_erasure(lines, hit.at("_id"));
    if (lines.empty()) return {};
    has_sent_ = false;
    AKIN_CHECK(send(lines, true));
  }
}

Result<void> ClusterStore::erase_gone() {
  AKIN_CHECK(find_head());
  if (head_->retired != 0 || (head_->committed.gone.empty() && !head_->accepted)) return {};
  return write_together(nullptr, nullptr);
}

Result<Revision> ClusterStore::stop_others() {
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(take_turn());
  return head_->committed.counters.last_revision;
}

Result<void> ClusterStore::retire(const StoreName& successor) {
  const auto lock = lock_waiting(mutex_);
  if (successor.empty()) {
    Result<void> taken = take_turn();
    if (taken.has_error()) return taken.error().code == Errc::not_found ? Result<void>() : taken;
  }
  head_->retired = time_now().time_since_epoch().count();
  head_->successor = successor;
  return commit(head_->committed);
}

}  // namespace akin::opensearch
