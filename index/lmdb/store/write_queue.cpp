#include "index/lmdb/store/write_queue.h"

#include <utility>

namespace akin {

Result<void> WriteQueue::write(const Body& body) {
  Request request{{}, &body};
  make(request);
  return std::move(request.outcome);
}

Result<void> WriteQueue::make_together(Write* first, const Write* end, bool& began) {
  std::size_t runs = 0;
  Result<void> outcome = env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    began = true;
    AKIN_TRY(DocumentBatch batch, DocumentBatch::begin(txn, tables_));
    for (const Write* member = first; member != end; member = member->next) {
      Result<void> done = (*static_cast<const Request*>(member)->body)(batch);
      if (!done.has_error()) continue;
      batch.abandon();
      return done;
    }
    AKIN_CHECK(batch.finish());
    runs = batch.runs();
    return {};
  });
  if (!outcome.has_error()) runs_ = runs;
  return outcome;
}

}  // namespace akin
