#include "index/lmdb/postings/tombstones.h"

namespace akin {

Result<Tombstones> Tombstones::read(const lmdb::Txn& txn, const Tables& tables) {
  Tombstones tombstones;
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.tombstones));
  for (;;) {
    AKIN_TRY(const bool there, cursor.next());
    if (!there) break;
    const std::optional<DocNumber> number = decode_document_key(cursor.key());
    if (!number) return corrupt("tombstones", "a key does not have 4 bytes");
    tombstones.numbers_.push_back(*number);
  }
  if (!tombstones.numbers_.empty()) {
    tombstones.bits_.resize(std::size_t{static_cast<std::uint32_t>(tombstones.numbers_.back())} + 1);
    for (DocNumber number : tombstones.numbers_) tombstones.bits_[static_cast<std::uint32_t>(number)] = true;
  }
  return tombstones;
}

}  // namespace akin
