#include "index/lmdb/folder/next_generation.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/folder/hashed_file.h"
#include "index/write/derived_features.h"

namespace akin {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Notes applied at once.
constexpr std::size_t kStep = 512;
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

/// Makes a store in a folder that does not exist yet, opened with `building_options`, with all documents that
/// `from` had at some moment during the call.
using BuildStore =
    std::function<Result<std::shared_ptr<LmdbStore>>(LmdbStore& from, const std::filesystem::path& folder)>;

class LmdbSwitch final : public GenerationSwitch {
 public:
  LmdbSwitch(const CollectionFolder& folder, const Generation& old, LmdbStore& from, Transfer& transfer,
             const BuildStore& build)
      : folder_(folder),
        next_{old.number + 1, random_token()},
        from_(from),
        transfer_(transfer),
        build_(build) {}

  Result<void> build() override {
    AKIN_CHECK(from_.begin_change_log());
    AKIN_TRY(to_, build_(from_, folder_.store_path(next_)));
    following_.emplace(from_, *to_, transfer_);
    return {};
  }

  Result<std::uint64_t> follow() override {
    AKIN_TRY(const std::uint64_t left, following_->left());
    if (left == 0) return left;
    transfer_.expect(left, 0);
    transfer_.begin_phase("following");
    AKIN_CHECK(following_->round(Clock::time_point::max()));
    return left;
  }

  Result<void> prepare() override { return to_->sync(); }

  Result<Revision> stop_writers() override {
    AKIN_TRY(alone_, catch_up(folder_, *following_, transfer_));
    AKIN_TRY(const std::unique_ptr<Snapshot> view, from_.snapshot());
    AKIN_TRY(const StoreStats stats, view->stats());
    return stats.last_revision;
  }

  Result<void> switch_over() override {
    AKIN_CHECK(to_->sync());
    // The store is closed first: everyone who opens it from here on writes durably.
    following_.reset();
    to_.reset();
    return folder_.switch_to(next_);
  }

  Store& new_store() override { return *to_; }

 private:
  const CollectionFolder& folder_;
  const Generation next_;
  LmdbStore& from_;
  Transfer& transfer_;
  const BuildStore& build_;
  std::optional<FileLock> alone_;
  std::shared_ptr<LmdbStore> to_;
  std::optional<Following> following_;
};

/// Nobody reads the new store before the switch, and it is synced to the disk before that.
LmdbStoreOptions building_options() {
  LmdbStoreOptions options;
  options.lmdb.durable = false;
  return options;
}

/// The store in use, without what earlier jobs have left beside it. Requires the maintenance lock.
Result<std::shared_ptr<LmdbStore>> open_present(const CollectionFolder& folder) {
  AKIN_TRY(const Generation current, folder.current());
  AKIN_TRY(std::shared_ptr<LmdbStore> store, LmdbStore::open(folder.store_path(current)));
  AKIN_CHECK(store->end_change_log());
  folder.remove_leftovers(current);
  return store;
}

/// Builds, switches, removes the old generation. `transfer` copies what was written meanwhile. Requires the
/// maintenance lock. Errors: those of `build` and of the stores; busy (writes of many seconds each leave no
/// moment for the switch). Until the switch, and after an error, nothing visible to others has changed.
Result<void> make_generation(const CollectionFolder& folder, const std::shared_ptr<LmdbStore>& from,
                             Transfer& transfer, const BuildStore& build) {
  AKIN_TRY(const Generation old, folder.current());
  Result<void> outcome;
  {
    LmdbSwitch engine(folder, old, *from, transfer, build);
    outcome = replace_generation(engine, transfer);
  }
  AKIN_TRY(const Generation current, folder.current());
  // Removes, after a failure, what was built, so that a full disk has room again, and after a success the old
  // generation.
  if (current == old) static_cast<void>(from->end_change_log());
  folder.remove_leftovers(current);
  return outcome;
}

Result<std::shared_ptr<LmdbStore>> copy_store(const LmdbStore& from, const std::filesystem::path& folder,
                                              Transfer& transfer) {
  AKIN_CHECK(make_folder(folder));
  AKIN_TRY(HashedFile file, HashedFile::make(folder / format::kDataFile));
  transfer.begin_phase("copying");
  const Result<void> copied = from.copy([&](std::string_view bytes) -> Result<void> {
    AKIN_CHECK(transfer.check_stop());
    AKIN_CHECK(file.write(bytes));
    transfer.advance(0, bytes.size());
    return {};
  });
  if (copied.has_error()) return copied.error();
  AKIN_CHECK(file.finish());
  AKIN_CHECK(replace_file(folder / format::kMergeLock, ""));
  AKIN_TRY(std::shared_ptr<LmdbStore> copy, LmdbStore::open(folder, building_options()));
  AKIN_CHECK(copy->end_change_log());  // it was copied along
  return copy;
}

}  // namespace

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

Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                const std::filesystem::path& shared, const JobControl& control) {
  AKIN_TRY(const FileLock maintenance, folder.lock_maintenance());
  AKIN_TRY(const std::shared_ptr<LmdbStore> from, open_present(folder));
  AKIN_TRY(const Reindex next, plan_reindex(folder.name(), from->identity(), plan));
  Transfer transfer(next.analysis, control);
  return make_generation(
      folder, from, transfer,
      [&](LmdbStore& old, const std::filesystem::path& path) -> Result<std::shared_ptr<LmdbStore>> {
        AKIN_TRY(std::shared_ptr<LmdbStore> to, LmdbStore::create(path, next.identity, building_options()));
        let_derive(*to, next.analysis.scheme, next.analysis.dictionary);
        AKIN_CHECK(keep_dictionary(path, shared, next.analysis.dictionary->packed()));
        {
          AKIN_TRY(const std::unique_ptr<Snapshot> view, old.snapshot());
          AKIN_CHECK(transfer.copy_all(*view, *to));
        }
        transfer.begin_phase("merging");
        AKIN_CHECK(to->flush_and_merge_until(true, control.stop));
        return to;
      });
}

Result<Compaction> compact_collection(const CollectionFolder& folder, const std::filesystem::path& shared,
                                      const JobControl& control) {
  AKIN_TRY(const FileLock maintenance, folder.lock_maintenance());
  AKIN_TRY(const std::shared_ptr<LmdbStore> from, open_present(folder));
  Transfer transfer({nullptr, nullptr, from->identity().store_text, from->identity().store_file}, control);
  Compaction result;
  AKIN_TRY(result.bytes_before, disk_bytes(*from));
  transfer.expect(0, result.bytes_before);
  transfer.begin_phase("merging");
  AKIN_CHECK(from->flush_and_merge_until(true, control.stop));
  AKIN_TRY(const Generation old_generation, folder.current());
  AKIN_TRY(const auto kept, kept_dictionary(folder.store_path(old_generation)));
  let_derive(*from, kept);  // for what is written meanwhile
  const auto copy = [&](LmdbStore& old,
                        const std::filesystem::path& path) -> Result<std::shared_ptr<LmdbStore>> {
    AKIN_TRY(std::shared_ptr<LmdbStore> made, copy_store(old, path, transfer));
    if (kept) AKIN_CHECK(keep_dictionary(path, shared, *kept));
    let_derive(*made, kept);
    return made;
  };
  AKIN_CHECK(make_generation(folder, from, transfer, copy));
  AKIN_TRY(const Generation current, folder.current());
  std::error_code code;
  result.bytes_after = std::filesystem::file_size(folder.store_path(current) / format::kDataFile, code);
  if (code) return system_error(code.value(), folder.name(), "read the size");
  return result;
}

}  // namespace akin
