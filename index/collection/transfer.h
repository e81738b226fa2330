// Copies documents from one store to another.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dict/dictionary.h"
#include "index/store/job.h"
#include "index/store/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// The inputs from which features are derived. Without a dictionary documents keep their stored features.
struct Analysis {
  std::shared_ptr<const Dictionary> dictionary;
  std::shared_ptr<const Scheme> scheme;
  bool texts = true;   ///< the stores keep texts
  bool files = false;  ///< the stores keep files
};

/// Documents keep their revisions. Members may not be called concurrently. Errors: those of the stores;
/// errors of a document, such as corrupt, name it.
class Transfer {
 public:
  Transfer(Analysis analysis, const JobControl& control)
      : analysis_(std::move(analysis)), control_(control) {}

  [[nodiscard]] const Analysis& analysis() const noexcept { return analysis_; }
  /// Whether documents keep their stored features.
  [[nodiscard]] bool keeps_features() const noexcept { return analysis_.dictionary == nullptr; }

  /// Whether to copy a document; called in the order of ids, by one thread at a time.
  using Wanted = std::function<Result<bool>(const DocumentRecord&)>;

  /// Copies all documents of a snapshot in the order of their arrival, or the wanted ones in that of their
  /// ids: threads read and analyse a batch each, and write in turns.
  [[nodiscard]] Result<void> copy_all(const Snapshot& from, Store& to, const Wanted& wanted = nullptr);

  /// Makes the documents with these ids in `to` equal to those in `from`, which includes removing them.
  /// Reports no progress.
  [[nodiscard]] Result<void> follow(const Snapshot& from, const std::vector<std::string>& ids, Store& to);

  /// Reports that the job enters this phase, and its progress.
  void begin_phase(std::string_view phase);
  /// Adds to the totals.
  void expect(std::uint64_t documents, std::uint64_t bytes);
  /// Adds to what is done.
  void advance(std::uint64_t documents, std::uint64_t bytes);
  /// The error of a job that was stopped.
  [[nodiscard]] Result<void> check_stop() const;

 private:
  struct Document;
  class Reader;
  [[nodiscard]] Result<Document> read(const Snapshot& from, const StoredDocument& record) const;
  [[nodiscard]] Result<PreparedDocument> prepare(const Document& document, const Store& to) const;
  [[nodiscard]] Change change_of(const Document& document, const Store& to) const;
  [[nodiscard]] Result<void> write(const std::vector<Document>& documents, Store& to) const;

  const Analysis analysis_;
  const JobControl& control_;
  std::mutex mutex_;  ///< guards the progress and its reports
  JobProgress progress_;
};

}  // namespace akin
