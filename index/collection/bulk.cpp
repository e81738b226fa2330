#include "index/collection/bulk.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "base/exceptions.h"
#include "base/parallel.h"

namespace akin {

namespace {

/// The most text in one batch. More takes memory, not less time.
constexpr std::uint64_t kMostBatchBytes = std::uint64_t{2} << 20;
/// A batch takes this many times the size of its texts: texts, features, compressed texts, postings, pages.
constexpr std::uint64_t kBatchFactor = 4;

/// Whether the failure lies in one document, so that the others can still be stored.
bool concerns_document(Errc code) {
  return code == Errc::invalid_argument || code == Errc::invalid_utf8 || code == Errc::too_large;
}

/// Lets batches pass in the order of their numbers.
class Turnstile {
 public:
  /// A batch's turn: it passes when this ends, however that happens, so that the next one never waits in
  /// vain.
  class Turn {
   public:
    Turn(Turnstile& turnstile, std::uint64_t number) noexcept : turnstile_(turnstile), number_(number) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      wait();
      turnstile_.pass(number_);
    }
    /// Returns when all batches before this one have passed.
    void wait() { turnstile_.wait_for(number_); }

   private:
    Turnstile& turnstile_;
    const std::uint64_t number_;
  };

 private:
  void wait_for(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ >= number; });
  }
  void pass(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    next_ = number + 1;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
};

class BulkLoad {
 public:
  BulkLoad(Collection& collection, const DocumentSource& source, const BulkOptions& options,
           BulkResult& result, std::uint64_t batch_bytes)
      : collection_(collection),
        source_(source),
        options_(options),
        result_(result),
        batch_bytes_(batch_bytes) {}

  /// One thread's share of the work. An exception ends the load for all threads.
  void work() noexcept {
    Result<void> worked = without_exceptions([this] { return work_off(), Result<void>(); });
    if (!worked.has_error()) return;
    const std::lock_guard lock(source_mutex_);
    fail(std::move(worked).failure());
  }

  [[nodiscard]] const std::optional<Failure>& failure() const noexcept { return failure_; }

 private:
  void work_off() {
    for (;;) {
      std::vector<OwnedDocument> batch;
      std::uint64_t number = 0;
      {
        const std::lock_guard lock(source_mutex_);
        if (ended_) return;
        if (options_.stop != nullptr && options_.stop->load()) {
          result_.interrupted = true;
          ended_ = true;
          return;
        }
        Result<std::vector<OwnedDocument>> next = source_(batch_bytes_);
        if (next.has_error()) return fail(std::move(next).failure());
        batch = std::move(*next);
        if (batch.empty()) {
          ended_ = true;
          return;
        }
        number = batches_++;
      }
      Result<void> stored = store(batch, number);
      if (!stored.has_error()) continue;
      const std::lock_guard lock(source_mutex_);
      return fail(std::move(stored).failure());
    }
  }

  void fail(const Failure& failure) noexcept {
    if (!failure_) failure_ = failure;
    ended_ = true;
  }

  /// Makes the changes of a batch, each on its own.
  Result<WriteResults> write(std::vector<OwnedDocument>& batch, Turnstile::Turn& turn) {
    std::vector<SourceChange> changes;
    changes.reserve(batch.size());
    for (OwnedDocument& document : batch) {
      changes.push_back({.document = view_of(document),
                         .remove = document.remove,
                         .error = document.error ? &*document.error : nullptr,
                         .findings = document.findings ? &*document.findings : nullptr});
    }
    return collection_.write(changes, WriteMode::each, [&] { turn.wait(); });
  }

  Result<void> store(std::vector<OwnedDocument>& batch, std::uint64_t number) {
    // In this order of destruction, a batch that fails early waits for its turn to write, then to report.
    Turnstile::Turn reporting(reporting_, number);
    std::optional<Turnstile::Turn> writing(std::in_place, writing_, number);
    Result<WriteResults> made = without_exceptions([&] { return write(batch, *writing); });
    writing.reset();
    reporting.wait();
    if (!options_.report) AKIN_CHECK(made);
    WriteResults results;
    if (made.has_error()) {
      for (const OwnedDocument& one : batch) results.emplace_back(one.error.value_or(made.error()));
    } else {
      results = *std::move(made);
    }
    count(batch, results);
    if (options_.report) {
      options_.report(batch, results);
      return {};
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!results[i].has_error()) continue;
      if (!concerns_document(results[i].error().code)) return results[i].error();
      if (options_.refused) options_.refused(batch[i], results[i].error());
    }
    if (options_.progress) options_.progress(result_.stored + result_.refused, result_.bytes);
    return {};
  }

  /// In a batch's turn to report.
  void count(const std::vector<OwnedDocument>& batch, const WriteResults& results) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (results[i].has_error()) {
        ++result_.refused;
      } else if (batch[i].remove) {
        if (results[i]->replaced) ++result_.removed;
      } else {
        ++result_.stored;
        if (results[i]->replaced) ++result_.replaced;
        result_.bytes += batch[i].text.size();
      }
    }
  }

  Collection& collection_;
  const DocumentSource& source_;
  const BulkOptions& options_;
  BulkResult& result_;
  std::uint64_t batch_bytes_;
  std::mutex source_mutex_;  ///< guards the source, `ended_`, `batches_` and `failure_`
  bool ended_ = false;
  std::uint64_t batches_ = 0;
  std::optional<Failure> failure_;
  Turnstile writing_, reporting_;
};

}  // namespace

SourceDocument view_of(const OwnedDocument& document) {
  return {document.id,
          document.title,
          document.metadata,
          document.text,
          document.file,
          document.places,
          document.original ? std::optional(document.original->view()) : std::nullopt};
}

Result<void> bulk_load(Collection& collection, const DocumentSource& source, const BulkOptions& options,
                       BulkResult& result) {
  if (options.memory < kLeastBulkMemory) {
    return Error{Errc::invalid_argument, "memory", "less than " + std::to_string(kLeastBulkMemory) + " bytes",
                 "allow more"};
  }
  // More than there are cores: one waits for the disk, and one for its turn.
  const unsigned threads = thread_count(0) + 2;
  BulkLoad load(collection, source, options, result,
                std::min(kMostBatchBytes, options.memory / (threads * kBatchFactor)));
  run_threads(threads, [&](unsigned) { load.work(); });
  if (load.failure()) return *load.failure();
  return result.stored > 0 && !options.report ? collection.flush_and_merge() : Result<void>();
}

}  // namespace akin
