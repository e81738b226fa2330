#include "server/api/read/document_queue.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/exceptions.h"

namespace akin::api {

namespace {

/// Memory for the documents that were read or analysed but not yet reported, and the part of it for those
/// that no thread has taken yet.
constexpr std::uint64_t kStoringMemory = std::uint64_t{128} << 20U;
constexpr std::uint64_t kMostWaiting = kStoringMemory / 8;

struct EndOfDocuments {
  DocumentQueue& documents;
  ~EndOfDocuments() { documents.end(); }
};

}  // namespace

bool DocumentQueue::add(OwnedDocument document, std::uint64_t bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return bytes_ < kMostWaiting || refused_; });
  if (refused_) return false;
  waiting_.push_back(std::move(document));
  bytes_ += bytes;
  changed_.notify_all();
  return true;
}

void DocumentQueue::refuse() {
  const std::lock_guard lock(mutex_);
  refused_ = true;
  changed_.notify_all();
}

void DocumentQueue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

std::vector<OwnedDocument> DocumentQueue::take(std::uint64_t bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return ended_ || bytes_ >= std::min(bytes, kMostWaiting) || (!waiting_.empty() && under_way_ == 0);
  });
  if (!waiting_.empty()) ++under_way_;
  bytes_ = 0;
  changed_.notify_all();
  return std::exchange(waiting_, {});
}

void DocumentQueue::done() {
  const std::lock_guard lock(mutex_);
  --under_way_;
  changed_.notify_all();
}

Result<void> store_while_reading(Collection& collection, DocumentQueue& documents, const StoreReport& report,
                                 const std::function<Result<void>()>& read) {
  BulkOptions options;
  options.memory = kStoringMemory;
  options.report = [&](std::span<const OwnedDocument> stored, std::span<const Result<PutResult>> results) {
    report(stored, results);
    documents.done();
  };
  Result<void> loaded, was_read;
  {
    const std::jthread storing([&] {
      BulkResult result;
      loaded = without_exceptions([&] {
        return bulk_load(
            collection,
            [&](std::uint64_t bytes) -> Result<std::vector<OwnedDocument>> { return documents.take(bytes); },
            options, result);
      });
      documents.refuse();
    });
    const EndOfDocuments end{documents};  // runs before the thread is joined, on every path
    was_read = read();
  }
  AKIN_CHECK(was_read);
  return loaded;
}

}  // namespace akin::api
