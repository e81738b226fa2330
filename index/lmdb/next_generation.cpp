#include "index/lmdb/next_generation.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace akin {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Notes applied at once.
constexpr std::size_t kStep = 512;
/// At most this many notes are left for the last round.
constexpr std::uint64_t kFew = 64;
/// Rounds while writers continue: if they write faster than this, more rounds would not catch up either.
constexpr int kMostRounds = 8;
/// New writers wait at the gate byte while the switch waits for the writes in progress and applies what they
/// left. Both together stay far below CollectionFolder::kWriterPatience.
constexpr milliseconds kShortestWait{500};
constexpr milliseconds kLongestWait{16'000};
constexpr milliseconds kLongestRound{4'000};
constexpr std::chrono::minutes kPatience{10};
/// Waiting writers get in between two attempts.
constexpr milliseconds kSwitchPause{50};

/// Applies what is noted in one store to another.
class Following {
 public:
  Following(const LmdbStore& from, LmdbStore& to, Transfer& transfer)
      : from_(from), to_(to), transfer_(transfer) {}

  /// Notes not applied yet.
  [[nodiscard]] Result<std::uint64_t> left() const {
    AKIN_TRY(const NotedChanges none, from_.noted_changes(place_, 0));
    return none.left;
  }

  /// Applies what has been noted so far, until the deadline; true if nothing of it is left.
  Result<bool> round(Clock::time_point deadline) {
    AKIN_TRY(const std::uint64_t all, left());
    const std::uint64_t end = place_ + all;
    while (place_ < end) {
      AKIN_CHECK(transfer_.check_stop());
      if (Clock::now() >= deadline) return false;
      AKIN_TRY(const NotedChanges noted, from_.noted_changes(place_, kStep));
      // Taken after the notes were read: a document written in between is noted again.
      AKIN_TRY(const std::unique_ptr<Snapshot> view, from_.snapshot());
      AKIN_CHECK(transfer_.follow(*view, noted.ids, to_));
      place_ = noted.place;
    }
    return true;
  }

 private:
  const LmdbStore& from_;
  LmdbStore& to_;
  Transfer& transfer_;
  std::uint64_t place_ = 0;
};

/// Catches up while writers continue, until little is left.
Result<void> follow_writers(Following& following, Transfer& transfer) {
  for (int round = 0; round < kMostRounds; ++round) {
    AKIN_TRY(const std::uint64_t left, following.left());
    if (left <= kFew) return {};
    transfer.expect(left, 0);
    transfer.begin_phase("following");
    AKIN_CHECK(following.round(Clock::time_point::max()));
  }
  return {};
}

/// Waits for a moment without writes in which the new store has everything that the old one has. Returns the
/// lock that preserves this state. Each attempt makes progress, as nobody writes meanwhile.
Result<FileLock> catch_up(const CollectionFolder& folder, Following& following, Transfer& transfer) {
  const Clock::time_point end = Clock::now() + kPatience;
  for (milliseconds wait = kShortestWait;; wait = std::min(2 * wait, kLongestWait)) {
    AKIN_CHECK(transfer.check_stop());
    {
      Result<FileLock> alone = folder.lock_exclusively(wait);
      if (alone.has_error() && (alone.error().code != Errc::busy || Clock::now() >= end)) return alone;
      if (!alone.has_error()) {
        AKIN_TRY(const bool complete, following.round(Clock::now() + kLongestRound));
        if (complete) return alone;
      }
    }
    std::this_thread::sleep_for(kSwitchPause);
    AKIN_TRY(const std::uint64_t left, following.left());
    transfer.expect(left, 0);
    transfer.begin_phase("following");
    AKIN_CHECK(following.round(Clock::now() + wait));
  }
}

/// The document with the last revision may be gone, and its revision must not be given out again.
Result<void> continue_revisions(const LmdbStore& from, LmdbStore& to) {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, from.snapshot());
  AKIN_TRY(const StoreStats stats, view->stats());
  return to.continue_after(stats.last_revision);
}

Result<void> build_and_switch(const CollectionFolder& folder, const Generation& old, LmdbStore& from,
                              Transfer& transfer, const BuildStore& build) {
  const Generation next{old.number + 1, random_token()};
  std::optional<FileLock> alone;
  {
    AKIN_CHECK(from.begin_change_log());
    AKIN_TRY(const std::shared_ptr<LmdbStore> to, build(from, folder.store_path(next)));
    Following following(from, *to, transfer);
    AKIN_CHECK(follow_writers(following, transfer));
    // Most of the work is done now, so that little is left while writers wait.
    AKIN_CHECK(to->sync());
    AKIN_TRY(alone, catch_up(folder, following, transfer));
    AKIN_CHECK(continue_revisions(from, *to));
    AKIN_CHECK(to->sync());
  }
  // The store is closed now: everyone who opens it from here on writes durably.
  return folder.switch_to(next);
}

}  // namespace

LmdbStoreOptions building_options() {
  LmdbStoreOptions options;
  options.lmdb.durable = false;
  return options;
}

Result<CurrentStore> open_current_store(const CollectionFolder& folder) {
  // A switch between reading the generation's name and opening it makes the opening fail.
  constexpr int kAttempts = 10;
  for (int attempt = 1;; ++attempt) {
    AKIN_TRY(const Generation current, folder.current());
    Result<std::shared_ptr<LmdbStore>> store = LmdbStore::open(folder.store_path(current));
    if (store.has_value()) return CurrentStore{current, *std::move(store)};
    if (store.error().code != Errc::not_found || attempt == kAttempts) return store.error();
  }
}

Result<std::shared_ptr<LmdbStore>> open_current(const CollectionFolder& folder) {
  AKIN_TRY(CurrentStore current, open_current_store(folder));
  return std::move(current.store);
}

Result<std::shared_ptr<LmdbStore>> open_present(const CollectionFolder& folder) {
  AKIN_TRY(const Generation current, folder.current());
  AKIN_TRY(std::shared_ptr<LmdbStore> store, LmdbStore::open(folder.store_path(current)));
  AKIN_CHECK(store->end_change_log());
  folder.remove_leftovers(current);
  return store;
}

Result<void> make_generation(const CollectionFolder& folder, const std::shared_ptr<LmdbStore>& from,
                             Transfer& transfer, const BuildStore& build) {
  AKIN_TRY(const Generation old, folder.current());
  Result<void> outcome = build_and_switch(folder, old, *from, transfer, build);
  AKIN_TRY(const Generation current, folder.current());
  // Removes, after a failure, what was built, so that a full disk has room again, and after a success the old
  // generation.
  if (current == old) static_cast<void>(from->end_change_log());
  folder.remove_leftovers(current);
  return outcome;
}

}  // namespace akin
