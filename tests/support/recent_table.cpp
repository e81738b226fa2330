#include "tests/support/recent_table.h"

#include <string>
#include <vector>

#include "base/crc32c.h"
#include "index/encoding.h"
#include "index/lmdb/runs.h"

namespace akin::test {

Result<void> add_to_recent_table(lmdb::WriteTxn& txn, const Tables& tables,
                                 std::span<const Posting> postings) {
  for (const Posting& posting : postings) {
    std::string key;
    append_u64_big_endian(key, static_cast<std::uint64_t>(posting.feature));
    std::string value;
    append_u32_big_endian(value, static_cast<std::uint32_t>(posting.document));
    append_u32_big_endian(value, posting.count);
    if (tables.recent.checked) append_u32_big_endian(value, crc32c(value, crc32c(key)));
    AKIN_CHECK(txn.put(tables.recent, key, value));
  }
  AKIN_TRY(PostingState state, read_posting_state(txn, tables));
  state.recent += postings.size();
  return write_posting_state(txn, tables, state);
}

Result<void> move_to_recent_table(lmdb::WriteTxn& txn, const Tables& tables) {
  AKIN_TRY(PostingState state, read_posting_state(txn, tables));
  std::vector<Posting> postings;
  std::vector<RunInfo> others;
  for (const RunInfo& run : state.runs) {
    if (!is_recent(state, run)) {
      others.push_back(run);
      continue;
    }
    AKIN_CHECK(read_run(txn, tables, run, postings));
    AKIN_CHECK(erase_run(txn, tables, run.id));
  }
  state.runs = others;
  AKIN_CHECK(write_posting_state(txn, tables, state));
  return add_to_recent_table(txn, tables, postings);
}

}  // namespace akin::test
