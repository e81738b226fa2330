#include "tests/support/stored_postings.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "index/lmdb/tables/runs.h"

namespace akin::test {

Result<void> add_run(lmdb::WriteTxn& txn, const Tables& tables, std::span<const Posting> postings) {
  AKIN_TRY(PostingState state, read_posting_state(txn, tables));
  RunWriter writer(state.next_run++, [&](std::string_view key, std::string_view block) {
    return append_block(txn, tables, key, block);
  });
  for (std::size_t at = 0; at < postings.size();) {
    const Feature feature = postings[at].feature;
    std::vector<DocNumber> documents;
    std::vector<std::uint32_t> counts;
    for (; at < postings.size() && postings[at].feature == feature; ++at) {
      documents.push_back(postings[at].document);
      counts.push_back(postings[at].count);
    }
    AKIN_CHECK(writer.add(feature, documents, counts));
  }
  AKIN_CHECK(writer.flush());
  state.runs.push_back(writer.info());
  return write_posting_state(txn, tables, state);
}

Result<void> change_postings(lmdb::WriteTxn& txn, const Tables& tables,
                             const std::function<void(std::vector<Posting>&)>& change) {
  AKIN_TRY(PostingState state, read_posting_state(txn, tables));
  std::vector<Posting> postings;
  for (const RunInfo& run : state.runs) {
    AKIN_CHECK(read_run(txn, tables, run, postings));
    AKIN_CHECK(erase_run(txn, tables, run.id));
  }
  state.runs.clear();
  AKIN_CHECK(write_posting_state(txn, tables, state));
  std::ranges::sort(postings, {}, [](const Posting& one) { return std::tuple(one.feature, one.document); });
  change(postings);
  return add_run(txn, tables, postings);
}

}  // namespace akin::test
