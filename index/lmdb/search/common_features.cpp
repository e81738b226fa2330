#include "index/lmdb/search/common_features.h"

#include <utility>

#include "index/lmdb/postings/list_stream.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/pairs/long_lists.h"

namespace akin {

namespace {

/// The documents of a list that are not tombstoned.
Result<std::uint64_t> count_living(PostingLists& lists, const ListRef& list, const Tombstones& tombstones) {
  std::uint64_t living = 0;
  AKIN_CHECK(lists.for_each(list, [&](DocNumber document, std::uint32_t) {
    if (!tombstones.contains(document)) ++living;
  }));
  return living;
}

}  // namespace

Result<std::vector<Feature>> find_common(Reading reading, LookUps& look_ups,
                                         std::span<const Feature> features, std::uint64_t limit) {
  AKIN_TRY(const Counters counters, read_counters(reading.txn, reading.tables));
  if (counters.documents <= limit) return std::vector<Feature>();
  AKIN_TRY(const auto found, look_ups.find(reading.txn, reading.tables, features));
  AKIN_TRY(const std::uint64_t tombstoned, reading.txn.entries(reading.tables.tombstones));
  std::optional<Tombstones> tombstones;
  std::vector<Feature> common;
  for (const ListRef& list : found->refs) {
    if (list.size <= limit) continue;
    if (list.size - limit <= tombstoned) {
      if (!tombstones) {
        AKIN_TRY(tombstones, Tombstones::read(reading.txn, reading.tables));
      }
      AKIN_TRY(const std::uint64_t living, count_living(found->lists, list, *tombstones));
      if (living <= limit) continue;
    }
    common.push_back(list.feature);
  }
  return common;
}

Result<std::vector<CommonFeature>> list_most_common(Reading reading, std::size_t count,
                                                    std::optional<std::size_t> tier) {
  AKIN_TRY(const LmdbListSource lists, LmdbListSource::make(reading.txn, reading.tables, tier));
  AKIN_TRY(const std::vector<LongList> longest, longest_lists(lists, count));
  std::vector<CommonFeature> common;
  for (const LongList& list : longest) {
    AKIN_TRY(DocumentRecord record, read_record(reading, list.first));
    common.push_back({list.feature, list.documents, std::move(record.id)});
  }
  return common;
}

}  // namespace akin
