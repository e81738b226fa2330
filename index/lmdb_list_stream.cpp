#include "index/lmdb_list_stream.h"

#include "index/posting_stream.h"

namespace akin {

Result<LmdbListSource> LmdbListSource::make(const lmdb::Txn& txn, const Tables& tables) {
  LmdbListSource source(txn, tables);
  AKIN_TRY(const Counters counters, read_counters(txn, tables));
  source.document_limit_ = counters.next_document;
  AKIN_TRY(source.state_, read_posting_state(txn, tables));
  AKIN_TRY(source.dead_, DeadDocuments::read(txn, tables));
  return source;
}

Result<std::unique_ptr<ListStream>> LmdbListSource::lists() const {
  AKIN_TRY(PostingStream stream, PostingStream::open(txn_, tables_, all_sources(state_), dead_));
  return std::unique_ptr<ListStream>(std::make_unique<PostingStream>(std::move(stream)));
}

}  // namespace akin
