#include "index/lmdb/dead_documents.h"

namespace akin {

Result<DeadDocuments> DeadDocuments::read(const lmdb::Txn& txn, const Tables& tables) {
  DeadDocuments dead;
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.dead));
  for (;;) {
    AKIN_TRY(const bool there, cursor.next());
    if (!there) break;
    const std::optional<DocNumber> number = decode_document_key(cursor.key());
    if (!number) return corrupt("dead documents", "a key does not have 4 bytes");
    dead.numbers_.push_back(*number);
  }
  if (!dead.numbers_.empty()) {
    dead.bits_.resize(std::size_t{static_cast<std::uint32_t>(dead.numbers_.back())} + 1);
    for (DocNumber number : dead.numbers_) dead.bits_[static_cast<std::uint32_t>(number)] = true;
  }
  return dead;
}

}  // namespace akin
