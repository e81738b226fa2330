#include "index/opensearch/generation_switch.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace akin::opensearch {
namespace {

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

}  // namespace

Result<void> ClusterSwitch::build() {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, from_.snapshot());
  AKIN_TRY(const StoreStats stats, view->stats());
  seen_ = stats.last_revision;
  return transfer_.copy_all(*view, to_);
}

Result<std::uint64_t> ClusterSwitch::follow() {
  transfer_.begin_phase("following");
  return follow_writes();
}

Result<void> ClusterSwitch::prepare() {
  transfer_.begin_phase("merging");
  return {};
}

Result<Revision> ClusterSwitch::stop_writers() {
  AKIN_TRY(const Revision last, from_.stop_others());
  AKIN_CHECK(follow_writes());
  return last;
}

Result<void> ClusterSwitch::switch_over() { return from_.retire(to_.name()); }

Result<std::uint64_t> ClusterSwitch::follow_writes() {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, from_.snapshot());
  AKIN_TRY(const std::uint64_t followed, follow_changes(*view, transfer_, to_, seen_));
  AKIN_TRY(const std::uint64_t removed, follow_removals(*view));
  return followed + removed;
}

Result<std::uint64_t> ClusterSwitch::follow_removals(const Snapshot& view) {
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

}  // namespace akin::opensearch
