// Documents taken over from one store to another.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dict/dictionary.h"
#include "index/job.h"
#include "index/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// What features are derived with. Without a dictionary documents keep the features that are stored.
struct Analysis {
  std::shared_ptr<const Dictionary> dictionary;
  std::shared_ptr<const Scheme> scheme;
  bool texts = true;  ///< the stores keep texts
};

/// Documents keep their revisions. Members may not be called at the same time. Errors: those of the stores;
/// corrupt and the like name the document.
class Transfer {
 public:
  Transfer(Analysis analysis, const JobControl& control)
      : analysis_(std::move(analysis)), control_(control) {}

  /// Whether a document is to be copied; asked in the order of ids, by one thread at a time.
  using Wanted = std::function<Result<bool>(const DocumentRecord&)>;

  /// Copies all documents of a snapshot, or those that are wanted, in no order: threads read, analyse and
  /// write a batch each.
  [[nodiscard]] Result<void> copy_all(const Snapshot& from, Store& to, const Wanted& wanted = nullptr);

  /// Makes the documents with these ids in `to` what they are in `from`: there or not. Tells no progress.
  [[nodiscard]] Result<void> follow(const Snapshot& from, const std::vector<std::string>& ids, Store& to);

  /// Tells that the job now does this, and how far it is.
  void tell(std::string_view phase);
  /// There is so much more to do.
  void expect(std::uint64_t documents, std::uint64_t bytes);
  /// So much more is done.
  void advance(std::uint64_t documents, std::uint64_t bytes);
  /// The error of a job that was asked to stop.
  [[nodiscard]] Result<void> check_stop() const;

 private:
  struct Document;
  struct Batch;
  class Reader;
  [[nodiscard]] Result<Document> read(const Snapshot& from, const DocumentRecord& record) const;
  [[nodiscard]] Result<void> write(const std::vector<Document>& documents, Store& to) const;

  const Analysis analysis_;
  const JobControl& control_;
  std::mutex mutex_;  ///< guards the progress and its telling
  JobProgress progress_;
};

}  // namespace akin
