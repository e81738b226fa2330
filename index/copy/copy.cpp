#include "index/copy/copy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "index/collection/collection_name.h"
#include "index/collection/transfer.h"
#include "index/write/derived_features.h"

namespace akin {
namespace {

constexpr int kMostPasses = 8;
constexpr std::size_t kPage = 512;

/// The documents of a snapshot in the order of their ids, for callers that ask for ids in that order.
class Cursor {
 public:
  /// `changed_are_foreign`: whether one with another revision counts as one that was not asked for.
  explicit Cursor(const Snapshot& snapshot, bool changed_are_foreign = true)
      : snapshot_(snapshot), changed_are_foreign_(changed_are_foreign) {}

  /// Whether there is this document with this revision. Documents that were passed over, and one with another
  /// revision, are noted.
  Result<bool> has(const DocumentRecord& record) {
    for (;;) {
      AKIN_CHECK(fill());
      if (next_ == page_.size() || page_[next_].id > record.id) return false;
      const DocumentRecord& here = page_[next_++];
      if (here.id == record.id) {
        if (here.revision == record.revision) return true;
        if (changed_are_foreign_) foreign_.push_back(here.id);
        return false;
      }
      foreign_.push_back(here.id);
    }
  }

  /// Skips the rest. Returns the documents that differ from what was asked for.
  Result<std::vector<std::string>> take_foreign() {
    for (;;) {
      AKIN_CHECK(fill());
      if (next_ == page_.size()) return std::move(foreign_);
      foreign_.push_back(page_[next_++].id);
    }
  }

 private:
  Result<void> fill() {
    if (next_ < page_.size() || at_end_) return {};
    const std::string after = page_.empty() ? "" : page_.back().id;
    AKIN_TRY(page_, snapshot_.list(after, kPage));
    next_ = 0;
    at_end_ = page_.empty();
    return {};
  }

  const Snapshot& snapshot_;
  const bool changed_are_foreign_;
  std::vector<StoredDocument> page_;
  std::size_t next_ = 0;
  bool at_end_ = false;
  std::vector<std::string> foreign_;
};

class Copy {
 public:
  Copy(Store& from, Store& to, const CopyRequest& request, const JobControl& control)
      : from_(from),
        to_(to),
        request_(request),
        transfer_({nullptr, nullptr, from.identity().store_text, from.identity().store_file}, control) {}

  Result<CopyReport> run() {
    std::unique_ptr<Snapshot> view;
    Sample sample(0);
    for (int pass = 0; pass < kMostPasses; ++pass) {
      sample = Sample(request_.sample);
      AKIN_TRY(view, from_.snapshot());
      AKIN_CHECK(make_equal(*view, sample, pass == 0));
      AKIN_TRY(report_.written_meanwhile, is_changed(*view));
      if (!report_.written_meanwhile) break;
    }
    AKIN_TRY(const StoreStats stats, view->stats());
    AKIN_CHECK(to_.continue_after(stats.last_revision));
    transfer_.begin_phase("merging");
    AKIN_CHECK(to_.flush_and_merge(!request_.update));
    AKIN_CHECK(transfer_.check_stop());
    transfer_.begin_phase("comparing");
    AKIN_TRY(const std::unique_ptr<Snapshot> copied, to_.snapshot());
    AKIN_TRY(report_.equal, compare_stores(*view, *copied, sample.ids(), from_.identity()));
    AKIN_TRY(report_.written_meanwhile, is_changed(*view));
    return report_;
  }

 private:
  /// Makes the target equal to the source as of this moment.
  Result<void> make_equal(const Snapshot& view, Sample& sample, bool is_first) {
    AKIN_CHECK(remove_foreign(view));
    AKIN_TRY(const std::unique_ptr<Snapshot> there, to_.snapshot());
    Cursor cursor(*there);
    return transfer_.copy_all(view, to_, [&](const DocumentRecord& record) -> Result<bool> {
      sample.see(record.id);
      AKIN_TRY(const bool has, cursor.has(record));
      if (!has) ++report_.copied;
      if (has && is_first) ++report_.kept;
      return !has;
    });
  }

  /// Documents that are only in the target are removed first: their revisions could conflict. In a collection
  /// that is visible, those that have changed are replaced instead.
  Result<void> remove_foreign(const Snapshot& view) {
    AKIN_TRY(const std::unique_ptr<Snapshot> there, to_.snapshot());
    AKIN_TRY(const StoreStats stats, there->stats());
    if (stats.documents == 0) return {};
    transfer_.begin_phase("comparing");
    Cursor cursor(*there, !request_.update);
    std::string after;
    for (;;) {
      AKIN_CHECK(transfer_.check_stop());
      AKIN_TRY(const std::vector<StoredDocument> page, view.list(after, kPage));
      for (const DocumentRecord& record : page) AKIN_CHECK(cursor.has(record));
      if (page.empty()) break;
      after = page.back().id;
    }
    AKIN_TRY(const std::vector<std::string> foreign, cursor.take_foreign());
    for (std::size_t at = 0; at < foreign.size(); at += kPage) {
      const auto begin = foreign.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = foreign.begin() + static_cast<std::ptrdiff_t>(std::min(at + kPage, foreign.size()));
      AKIN_TRY(const std::uint64_t removed, to_.remove({begin, end}));
      report_.removed += removed;
    }
    return {};
  }

  /// Whether the source has changed since this snapshot: every put gives a new revision, and a removal leaves
  /// fewer documents.
  [[nodiscard]] Result<bool> is_changed(const Snapshot& view) const {
    AKIN_TRY(const std::unique_ptr<Snapshot> now, from_.snapshot());
    AKIN_TRY(const StoreStats then_stats, view.stats());
    AKIN_TRY(const StoreStats now_stats, now->stats());
    return now_stats.last_revision != then_stats.last_revision || now_stats.documents != then_stats.documents;
  }

  Store& from_;
  Store& to_;
  const CopyRequest& request_;
  Transfer transfer_;
  CopyReport report_;
};

/// Makes a collection that already has the name equal to the source.
Result<CopyReport> update_copy(Store& from, Store& there, const CopyRequest& request,
                               const JobControl& control) {
  if (!same_content(from.identity(), there.identity())) {
    return Error{Errc::already_exists, "collection '" + request.collection + "'",
                 "the target's has another scheme or other dictionaries, or does not keep texts and files in "
                 "the same way",
                 "remove it there, and copy again"};
  }
  AKIN_TRY(CopyReport report, Copy(from, there, request, control).run());
  report.was_there = true;
  return report;
}

/// The report for a collection that already has the name, if it is a copy of the source.
Result<CopyReport> compare_with(Store& from, Store& there, const CopyRequest& request) {
  Error exists{Errc::already_exists, "collection '" + request.collection + "'",
               "the target has another collection with this name",
               "if it is an earlier copy, bring it up to date with --update; otherwise remove it, or copy to "
               "another target"};
  if (!same_content(from.identity(), there.identity())) return exists;
  AKIN_TRY(const std::unique_ptr<Snapshot> one, from.snapshot());
  AKIN_TRY(const std::unique_ptr<Snapshot> other, there.snapshot());
  Sample sample(request.sample);
  Cursor cursor(*other);
  CopyReport report;
  report.was_there = true;
  std::string after;
  for (;;) {
    AKIN_TRY(const std::vector<StoredDocument> page, one->list(after, kPage));
    if (page.empty()) break;
    for (const DocumentRecord& record : page) {
      AKIN_TRY(const bool has, cursor.has(record));
      if (!has) return exists;
      sample.see(record.id);
    }
    after = page.back().id;
  }
  AKIN_TRY(const std::vector<std::string> foreign, cursor.take_foreign());
  if (!foreign.empty()) return exists;
  AKIN_TRY(report.equal, compare_stores(*one, *other, sample.ids(), from.identity()));
  report.kept = report.equal.documents;
  return report;
}

}  // namespace

Result<CopyReport> copy_collection(const Catalog& from, Catalog& to, const CopyRequest& request,
                                   const JobControl& control) {
  AKIN_CHECK(check_collection_name(request.collection));
  const Result<std::shared_ptr<Store>> source = from.open_store(request.collection);
  if (source.has_error() && source.error().code == Errc::not_found) return no_collection(request.collection);
  if (source.has_error()) return source.error();
  AKIN_TRY(const std::optional<Time> expires, from.expiry(request.collection));
  AKIN_TRY(const std::optional<std::string> packed, from.packed_dictionary(request.collection));
  let_derive(**source, packed);
  const Result<std::shared_ptr<Store>> there =
      request.update ? to.open_for_update(request.collection) : to.open_store(request.collection);
  if (there.has_value()) let_derive(**there, packed);
  if (there.has_value() && request.update) {
    AKIN_TRY(CopyReport report, update_copy(**source, **there, request, control));
    AKIN_CHECK(to.set_expiry(request.collection, expires));
    return report;
  }
  if (there.has_value()) return compare_with(**source, **there, request);
  if (there.error().code != Errc::not_found) return there.error();
  AKIN_TRY(const std::unique_ptr<UnfinishedCollection> unfinished,
           to.begin_copy(request.collection, (*source)->identity(), packed));
  let_derive(unfinished->store(), packed);
  AKIN_TRY(const CopyReport report, Copy(**source, unfinished->store(), request, control).run());
  AKIN_CHECK(unfinished->finish(expires));
  return report;
}

}  // namespace akin
