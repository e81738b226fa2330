// The changes of one write to a store's directory, which says which documents exist: gathered, counted, and
// then written by the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/store/store.h"

namespace akin {

/// FileSizes, as a store counts them.
struct FileCounters {
  std::int64_t bytes = 0;
  std::int64_t stored_bytes = 0;
};

/// What one document adds to the counts of its store.
struct DocumentCounts {
  std::int64_t features = 0, postings = 0, text_bytes = 0, stored_bytes = 0;
  FileCounters files = {};

  /// Takes what a record says.
  void take(const DocumentRecord& record);
};

/// Updated in the same write as what they count.
struct StoreCounters {
  std::int64_t documents = 0;
  std::int64_t features = 0;
  std::int64_t postings = 0;  ///< (feature, document) pairs
  std::int64_t text_bytes = 0;
  std::int64_t text_stored_bytes = 0;
  Revision last_revision;
  FileCounters files;

  /// Adds `times` documents, -1 or 1.
  void add(const DocumentCounts& document, std::int64_t times = 1);
  /// Fills what is counted here; `files` if the store keeps files.
  void fill(StoreStats& stats, const StoreIdentity& store) const;
  /// Reports each count that differs from what a verification has counted.
  void compare(const StoreCounters& counted, const std::function<void(std::string)>& report) const;
};

/// A batch for write_in. Requires that nobody else writes into the store meanwhile.
class DirectoryChanges {
 public:
  /// Numbers for the documents that may be put, which must live as long as this.
  using Numbers = std::unordered_map<const PreparedDocument*, std::int64_t>;
  explicit DirectoryChanges(Numbers numbers) : numbers_(std::move(numbers)) {}

  /// Puts a document that has a number, and sets the revision in its record. Error: invalid_argument (a kept
  /// revision that another document has).
  [[nodiscard]] Result<PutResult> put(PreparedDocument& document);
  /// Returns whether it existed.
  [[nodiscard]] Result<bool> remove(std::string_view id);
  /// Error: precondition_failed.
  [[nodiscard]] Result<void> require(std::string_view id, const Precondition& condition) const;
  void continue_after(Revision revision) noexcept;
  [[nodiscard]] const StoreCounters& counters() const noexcept { return counters_; }

 protected:
  /// A document that exists, from before or by this batch.
  struct Known : DocumentCounts {
    std::int64_t number = 0;
    Revision revision;
    const PreparedDocument* document = nullptr;  ///< of the batch; null if it existed before

    /// Takes the counts of a record. Those of a damaged one are unknown; verify reports it.
    void take_record(std::string_view record);
  };

  void start_from(const StoreCounters& counters) noexcept { counters_ = counters; }
  void add_number(const PreparedDocument& document, std::int64_t number) {
    numbers_.emplace(&document, number);
  }
  /// A document that existed before. It may be changed if its id is one of the batch's; otherwise only its
  /// revision matters.
  void note(std::string_view id, const Known& known, bool may_change);

  [[nodiscard]] const Numbers& numbers() const noexcept { return numbers_; }
  [[nodiscard]] const std::map<std::string, Known, std::less<>>& known() const noexcept { return known_; }
  /// Numbers of those that existed before and no longer do.
  [[nodiscard]] const std::vector<std::int64_t>& removed() const noexcept { return removed_; }

 private:
  [[nodiscard]] Result<Revision> new_revision(const PreparedDocument& document);
  void withdraw(const Known& known);

  Numbers numbers_;
  StoreCounters counters_;
  std::map<std::string, Known, std::less<>> known_;
  std::map<Revision, std::string> revisions_;  ///< of documents: their ids
  std::vector<std::int64_t> removed_;
};

}  // namespace akin
