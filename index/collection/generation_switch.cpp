#include "index/collection/generation_switch.h"

#include <utility>
#include <vector>

namespace akin {

namespace {

/// At most this many documents are left for the time in which writers wait.
constexpr std::uint64_t kFew = 64;
/// Rounds while writers continue: if they write faster than this, more rounds would not catch up either.
constexpr int kMostRounds = 8;
/// Documents copied at once.
constexpr std::size_t kStep = 512;
/// Ids compared at once.
constexpr std::size_t kListed = 5'000;

/// The ids of a snapshot in byte order, one after the other.
class Ids {
 public:
  explicit Ids(const Snapshot& view) noexcept : view_(view) {}

  /// Null at the end.
  Result<const std::string*> next() {
    if (at_ == page_.size()) {
      AKIN_TRY(page_, view_.list(after_, kListed));
      at_ = 0;
      if (page_.empty()) return static_cast<const std::string*>(nullptr);
      after_ = page_.back().id;
    }
    return &page_[at_++].id;
  }

 private:
  const Snapshot& view_;
  std::string after_;
  std::vector<StoredDocument> page_;
  std::size_t at_ = 0;
};

/// Writers wait by themselves.
class GuardByGeneration final : public WriteGuard {
 public:
  explicit GuardByGeneration(std::function<Result<Generation>()> current) : current_(std::move(current)) {}

  Result<std::shared_ptr<void>> enter(const Generation&) const override { return leave_; }
  Result<bool> is_replaced(const Generation& generation) const override {
    AKIN_TRY(const Generation current, current_());
    return current != generation;
  }

 private:
  std::function<Result<Generation>()> current_;
  std::shared_ptr<void> leave_ = std::make_shared<int>(0);
};

}  // namespace

std::shared_ptr<const WriteGuard> make_write_guard(std::function<Result<Generation>()> current) {
  return std::make_shared<GuardByGeneration>(std::move(current));
}

Result<void> CopyingSwitch::build() {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, from_.snapshot());
  AKIN_TRY(const StoreStats stats, view->stats());
  seen_ = stats.last_revision;
  return transfer_.copy_all(*view, to_);
}

Result<std::uint64_t> CopyingSwitch::follow() {
  transfer_.begin_phase("following");
  return follow_writes();
}

Result<std::uint64_t> CopyingSwitch::follow_writes() {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, from_.snapshot());
  std::uint64_t followed = 0;
  for (;;) {
    AKIN_CHECK(transfer_.check_stop());
    AKIN_TRY(const std::vector<StoredDocument> changed, view->changes(seen_, kStep));
    if (changed.empty()) break;
    std::vector<std::string> ids;
    ids.reserve(changed.size());
    for (const DocumentRecord& record : changed) ids.push_back(record.id);
    AKIN_CHECK(transfer_.follow(*view, ids, to_));
    seen_ = changed.back().revision;
    followed += changed.size();
  }
  AKIN_TRY(const std::uint64_t removed, follow_removals(*view));
  return followed + removed;
}

Result<std::uint64_t> CopyingSwitch::follow_removals(const Snapshot& view) {
  AKIN_TRY(const std::unique_ptr<Snapshot> copy, to_.snapshot());
  AKIN_TRY(const StoreStats there, view.stats());
  AKIN_TRY(const StoreStats copied, copy->stats());
  // The copy has all of the original's documents.
  if (there.documents == copied.documents) return std::uint64_t{0};
  Ids originals(view), copies(*copy);
  std::vector<std::string> surplus;
  AKIN_TRY(const std::string* original, originals.next());
  for (;;) {
    AKIN_TRY(const std::string* const one, copies.next());
    if (one == nullptr) break;
    if (original != nullptr && *original == *one) {
      AKIN_TRY(original, originals.next());
    } else {
      surplus.push_back(*one);
    }
  }
  return to_.remove(surplus);
}

Result<void> replace_generation(GenerationSwitch& engine, const Transfer& transfer) {
  AKIN_CHECK(engine.build());
  for (int round = 0; round < kMostRounds; ++round) {
    AKIN_TRY(const std::uint64_t followed, engine.follow());
    if (followed <= kFew) break;
  }
  AKIN_CHECK(engine.prepare());
  AKIN_CHECK(transfer.check_stop());
  AKIN_TRY(const Revision last, engine.stop_writers());
  // The document with the last revision may be gone, and its revision must not be given out again.
  AKIN_CHECK(engine.new_store().continue_after(last));
  return engine.switch_over();
}

Result<Reindex> plan_reindex(const std::string& what, const StoreIdentity& current, const ReindexPlan& plan) {
  AKIN_TRY(const std::shared_ptr<const Scheme> scheme,
           make_scheme(plan.scheme.empty() ? std::string_view(current.scheme) : plan.scheme));
  if (!current.store_text) {
    return Error{Errc::unsupported, what, "it keeps no texts, so it cannot be rebuilt from them",
                 "make a new collection and index the originals into it"};
  }
  AKIN_CHECK(plan.dictionaries.refresh());
  AKIN_TRY(const auto dictionary, plan.dictionaries.for_store(current));
  AKIN_TRY(const std::string fingerprint, features_fingerprint(*scheme, *dictionary));
  return Reindex{
      {dictionary, scheme, true, current.store_file},
      {scheme->name(), fingerprint, plan.dictionaries.languages_for(current), true, current.store_file}};
}

Result<std::uint64_t> disk_bytes(const Store& store) {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, store.snapshot());
  AKIN_TRY(const StoreStats stats, view->stats());
  return stats.disk_bytes;
}

}  // namespace akin
