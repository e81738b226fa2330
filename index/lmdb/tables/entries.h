// Walking over all entries of a table, damaged ones too.
#pragma once

#include "index/lmdb/env/lmdb.h"

namespace akin {

/// Calls visit(cursor), which returns Result<void>, for every sound entry, and report(error) for every
/// damaged one. Where LMDB itself refuses to go on, it reports that and ends.
template <class Visit, class Report>
[[nodiscard]] Result<void> for_each_entry(const lmdb::Txn& txn, lmdb::Table table, const Visit& visit,
                                          const Report& report) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(table));
  for (;;) {
    const Result<bool> there = cursor.next();
    if (there.has_error()) {
      if (there.error().code != Errc::corrupt) return there.error();
      report(there.error());
      if (cursor.is_on_damaged_entry()) continue;
      return {};
    }
    if (!*there) return {};
    AKIN_CHECK(visit(cursor));
  }
}

}  // namespace akin
