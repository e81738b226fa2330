#include "server/ingest/stored_files.h"

namespace akin::ingest {

Result<std::optional<FileOrigin>> StoredFiles::find(std::string_view id) {
  constexpr std::chrono::seconds kMostAge{1};
  const std::lock_guard lock(mutex_);
  if (snapshot_ == nullptr || Clock::now() - opened_ > kMostAge) {
    snapshot_ = nullptr;
    AKIN_TRY(snapshot_, collection_.snapshot());
    opened_ = Clock::now();
  }
  AKIN_TRY(const auto record, snapshot_->find(id));
  return record ? record->file : std::nullopt;
}

void StoredFiles::close() {
  const std::lock_guard lock(mutex_);
  snapshot_ = nullptr;
}

}  // namespace akin::ingest
