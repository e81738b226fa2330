#include "index/opensearch/documents/writer.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/process_name.h"
#include "base/time.h"
#include "base/waiting.h"
#include "index/opensearch/documents/bulk_lines.h"
#include "index/opensearch/documents/head.h"
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
constexpr std::size_t kIdsAtOnce = 1'000;
constexpr std::uint64_t kMergedShare = 5;
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

DirectoryChanges::Numbers numbers_for(std::span<Change> changes, std::int64_t turn) {
  DirectoryChanges::Numbers numbers;
  std::int64_t next = first_number(turn);
  for (const Change& change : changes) {
    if (change.document && !change.document->has_error()) numbers.emplace(&**change.document, next++);
  }
  return numbers;
}

}  // namespace

/// The changes that are made in a turn.
class Writer::Turn : public DirectoryChanges {
 public:
  Turn(std::span<Change> changes, const Head& head) : DirectoryChanges(numbers_for(changes, head.turn)) {
    start_from(head.counters);
    for (const Change& change : changes) {
      ids_.push_back(std::string(change.id));
      if (change.document && !change.document->has_error() && (*change.document)->revision.is_assigned())
        revisions_.push_back((*change.document)->revision.value);
    }
  }

  /// Reads which of the documents exist.
  Result<void> look_up(Client& client, const std::string& index, const Head& head) {
    const std::size_t most = std::max(ids_.size(), revisions_.size());
    for (std::size_t at = 0; at < most; at += kIdsAtOnce) {
      Json any = Json::array();
      const auto add = [&](const char* field, const auto& values) {
        if (at >= values.size()) return;
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end =
            values.begin() + static_cast<std::ptrdiff_t>(std::min(at + kIdsAtOnce, values.size()));
        any.push_back({{"terms", {{field, Json(std::vector(begin, end))}}}});
      };
      add("id", ids_);
      add("revision", revisions_);
      AKIN_TRY(
          const Json answer,
          client.search("/" + index + "/_search?allow_partial_search_results=false",
                        {{"size", 2 * kIdsAtOnce},
                         {"_source", false},
                         {"stored_fields", "_none_"},
                         {"query", {{"bool", {{"filter", {existing(head), {{"bool", {{"should", any}}}}}}}}}},
                         {"docvalue_fields", {"number", "id", "revision", "sizes"}}}));
      for (const Json& hit : hits_of(answer)) AKIN_CHECK(take(hit));
    }
    return {};
  }

  /// Adds the documents that exist by this turn to the lines of a request; calls `send` when they are many.
  template <class Send>
  Result<void> write(std::int64_t turn, std::string& lines, const Send& send) const {
    for (const auto& [id, one] : known()) {
      if (one.document == nullptr) continue;
      AKIN_CHECK(add_document(lines, {one.number, turn, one.revision}, *one.document, send));
    }
    return {};
  }

  void add_gone(Head& head) const {
    for (const std::int64_t number : removed()) head.gone.push_back({number, head.turn, sizes_.at(number)});
  }
  [[nodiscard]] bool changes_nothing() const {
    return removed().empty() &&
           std::ranges::none_of(known(), [](const auto& one) { return one.second.document != nullptr; });
  }

 private:
  Result<void> take(const Json& hit) {
    Known known;
    AKIN_TRY(known.number, number_in(hit, "number"));
    AKIN_TRY(const std::int64_t revision, number_in(hit, "revision"));
    known.revision = Revision(static_cast<std::uint64_t>(revision));
    AKIN_TRY(const std::string id, text_in(hit, "id"));
    AKIN_TRY(const std::string encoded, text_in(hit, "sizes"));
    AKIN_TRY(const Sizes sizes, Sizes::decoded(encoded));
    known.features = sizes.features;
    known.postings = sizes.postings;
    known.text_bytes = sizes.text_bytes;
    known.stored_bytes = sizes.of(PartKind::text);
    known.files = {sizes.file_bytes, sizes.of(PartKind::file)};
    sizes_.emplace(known.number, sizes);
    note(id, known, std::ranges::find(ids_, id) != ids_.end());
    return {};
  }

  std::vector<std::string> ids_;
  std::vector<std::uint64_t> revisions_;
  std::unordered_map<std::int64_t, Sizes> sizes_;  ///< of those that existed before
};

Writer::Writer(std::shared_ptr<Client> client, StoreName store)
    : client_(std::move(client)), store_(std::move(store)), name_(process_name() + random_token()) {}

Result<void> Writer::take_turn() {
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

std::vector<Head::Gone> Writer::take_erasable(Head& next) {
  const auto now = steady_clock::now();
  const auto is_kept = [&](const Head::Gone& one) {
    const auto learnt = learnt_.find(one.turn);
    return learnt == learnt_.end() || now - learnt->second < kErasedAfter;
  };
  const auto first = std::stable_partition(next.gone.begin(), next.gone.end(), is_kept);
  std::vector<Head::Gone> erasable(first, next.gone.end());
  next.gone.erase(first, next.gone.end());
  for (const Head::Gone& one : erasable) learnt_.erase(one.turn);
  return erasable;
}

Result<void> Writer::send(std::string& lines, bool is_last) {
  const std::string index = "/" + store_index(*client_, store_);
  const bool alone = sent_ == 0 && is_last;
  if (!lines.empty()) {
    ++sent_;
    AKIN_TRY(const Json answer,
             client_->ask({.method = "POST",
                           .path = index + "/_bulk?filter_path=errors,items.*.status,items.*.error&" +
                                   kWriteWait + (alone ? "&refresh=true" : ""),
                           .body = std::exchange(lines, {})}));
    if (answer.value("errors", true)) {
      for (const Json& item : answer.value("items", Json::array())) {
        const Json& done = item.begin().value();
        if (const int status = done.value("status", 200); status >= 300 && done.contains("error"))
          return error_of({status, {{"error", done["error"]}}});
      }
    }
  }
  if (is_last && !alone && sent_ > 0) {
    AKIN_TRY(const Json refreshed, client_->ask({.method = "POST", .path = index + "/_refresh"}));
    if (refreshed.at("_shards").value("failed", 1) != 0) return check_shards(refreshed);
  }
  if (is_last || steady_clock::now() - touched_ < kTouched) return {};
  touched_ = steady_clock::now();
  AKIN_TRY(const bool kept, write_head(*client_, store_, *head_));
  return kept ? Result<void>() : lost_turn(store_);
}

Result<WriteResults> Writer::write(std::span<Change> changes, WriteMode mode) {
  if (changes.size() > kMostDocuments)
    return Error{Errc::too_large, "write", "it has more than 16,777,215 changes", "divide it"};
  const auto lock = lock_waiting(mutex_);
  AKIN_CHECK(take_turn());
  sent_ = 0;
  Head next = head_->head;
  Turn turn(changes, next);
  AKIN_CHECK(turn.look_up(*client_, store_index(*client_, store_), next));
  Result<WriteResults> results = write_in(turn, changes, mode);
  if (results.has_error() || turn.changes_nothing()) {
    AKIN_CHECK(commit(std::move(next)));
    return results;
  }
  std::string lines;
  for (const Head::Gone& one : take_erasable(next)) add_erasure(lines, one);
  AKIN_CHECK(turn.write(next.turn, lines, [this](std::string& some) { return send(some, false); }));
  AKIN_CHECK(send(lines, true));
  next.counters = turn.counters();
  turn.add_gone(next);
  unmerged_ += changes.size();
  AKIN_CHECK(commit(std::move(next)));
  // What cannot be erased now, the next write erases.
  if (head_->head.gone.size() > kMostGone) static_cast<void>(erase_gone(true));
  return results;
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

Result<void> Writer::merge() {
  const auto lock = lock_waiting(mutex_);
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
  const std::string index = "/" + store_index(*client_, store_);
  AKIN_CHECK(client_->ask({.method = "POST", .path = index + "/_refresh"}));
  const Json of_turns = {
      {"size", kHitsAtOnce}, {"_source", false}, {"query", {{"terms", {{"turn", head_->head.abandoned}}}}}};
  for (;;) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const Json left,
             client_->search(index + "/_search?allow_partial_search_results=false", of_turns));
    std::string lines;
    for (const Json& hit : hits_of(left)) begin_line(lines, "delete", hit.at("_id"));
    if (lines.empty()) return {};
    sent_ = 0;
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
  sent_ = 0;
  Head next = head_->head;
  std::string lines;
  for (const Head::Gone& one : take_erasable(next)) {
    add_erasure(lines, one);
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
